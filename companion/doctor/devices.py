"""Pins, beams and camera."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.config import CameraSettings, Sensors
from companion.doctor.finding import Finding, State
from hardware.beams import BeamError, Beams
from hardware.camera import Camera, CameraError
from hardware.counting import DropCounter
from hardware.extras import Extras
from hardware.overlays import overlays_on

CONFIG = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
FRAMES = 20
NO_PI = "Light beams need a Raspberry Pi's pins. Without them the camera stands alone, and taps always work."


def pin_library(model: str | None) -> Finding:
    """Which library drives the pins, and which chip (H1, H3); falling back to another in silence is a fault."""
    from gpiozero import Device
    from gpiozero.exc import BadPinFactory, PinFactoryFallback

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)
            Device.ensure_pin_factory()
    except (BadPinFactory, OSError, RuntimeError, ImportError) as error:
        if model is None:
            return Finding("pins", "absent", f"No pins on this machine. {NO_PI}")
        fix = "sudo apt install python3-lgpio; and add this user to the group gpio: sudo adduser $USER gpio"
        return Finding("pins", "bad", f"No pin library works ({error}).", fix)
    factory: Any = Device.pin_factory
    name = type(factory).__name__.removesuffix("Factory").lower()
    chip = getattr(factory, "chip", getattr(factory, "_chip", None))
    detail = {"library": name, "chip": chip}
    if name == "mock":
        return Finding("pins", "warn", "The pins are imitated (GPIOZERO_PIN_FACTORY=mock).", "Unset it.", detail)
    if name != "lgpio":
        fix = "sudo apt install python3-lgpio; then delete .venv and call ./deploy/run."
        return Finding("pins", "warn", f"Pins are driven by {name}, not by lgpio.", fix, detail)
    return Finding("pins", "ok", f"Pins are driven by lgpio{'' if chip is None else f', chip {chip}'}.", detail=detail)


def working_folder(folder: Path | None = None) -> Finding | None:
    """lgpio makes a pipe in the working folder (H4): under systemd that must be writable."""
    folder = folder or Path(os.environ.get("LG_WD") or os.getcwd())
    if os.access(folder, os.W_OK):
        return None
    fix = "Start the companion in a folder that it may write to, or set LG_WD to one."
    return Finding("pins", "bad", f"The pin library cannot write to the working folder {folder}.", fix)


def overlays(
    sensors: Sensors | None, extras: Mapping[str, int] | None = None, configs: tuple[Path, ...] = CONFIG
) -> list[Finding]:
    """Overlays of config.txt that own a pin of ours (H9, H10)."""
    ours = {f"lane {lane}": pin for lane, pin in (sensors.pins if sensors is not None else {}).items()}
    ours |= {name.replace("_", " "): pin for name, pin in (extras or {}).items()}
    text = next((path.read_text(errors="replace") for path in configs if path.is_file()), "")
    owners = overlays_on(text)
    return [
        Finding(
            "pins", "bad", f"{what[:1].upper()}{what[1:]}: pin {pin} belongs to {owners[pin][0]}.",
            f"Take “{owners[pin][1]}” out of config.txt and restart, or choose another pin for {what}.",
        )
        for what, pin in ours.items()
        if pin in owners
    ]  # fmt: skip


def extra_pins(pins: Mapping[str, int], model: str | None, factory: Any = None) -> list[Finding]:
    """Buttons, lights and buzzer: whether each can be opened, and which button is pressed."""
    pins = {name: pin for name, pin in pins.items() if name != "inlet"}
    if not pins:
        return []
    opened = Extras(pins, lambda player, long: None, factory)
    pressed = opened.pressed_now()
    opened.close()
    if opened.failed:
        state: State = "absent" if model is None else "bad"
        return [Finding("extras", state, f"{text}.") for text in dict.fromkeys(opened.failed)]
    names = ", ".join(f"{name.replace('_', ' ')} (pin {pin})" for name, pin in pins.items())
    if pressed:
        fix = "Let it go; if nobody holds it, its wire touches ground."
        return [Finding("extras", "warn", f"The button of {' and '.join(pressed)} is pressed.", fix)]
    return [Finding("extras", "ok", f"Can be used: {names}.")]


def beams(
    sensors: Sensors | None,
    model: str | None,
    seconds: float,
    factory: Any = None,
    wait: Callable[[float], object] = time.sleep,
    clock_ns: Callable[[], int] | None = None,
) -> list[Finding]:
    """Each beam's level, and what it counts meanwhile. `clock_ns`: see Beams."""
    if sensors is None:
        if model is None:
            return [Finding("beams", "absent", f"No light beams in a table file. {NO_PI}")]
        text = "No light beams in the table file: the camera stands alone."
        return [Finding("beams", "absent", text, "To add some: companion sheet wiring shows how.")]
    counter = DropCounter(sensors.geometry)
    edges: list[Any] = []
    try:
        opened = Beams(
            sensors.pins,
            edges.append,
            active_low=sensors.active_low,
            pull_up=sensors.pull_up,
            clock_ns=clock_ns,
            factory=factory,
        )
    except BeamError as error:
        # its sentence has the fix in it
        state: State = "bad" if model is not None else "absent"
        return [Finding("beams", state, f"{error}.")]
    try:
        wait(seconds)
        levels = opened.levels()
    finally:
        opened.close()
    for edge in list(edges):
        counter.feed(edge)
    counter.tick((clock_ns or time.monotonic_ns)() + 10**9)
    return [_beam(lane, sensors, levels[lane], counter, len(edges), seconds) for lane in sensors.pins]


def _beam(lane: str, sensors: Sensors, blocked: bool, counter: DropCounter, edges: int, seconds: float) -> Finding:
    found = counter.counts()[lane]
    pin, rest = sensors.pins[lane], sensors.geometry.rest
    level = "blocked" if blocked else "clear"
    detail = {"lane": lane, "pin": pin, "blocked": blocked, "drops": found.drops, "certain": found.certain}
    what = f"Lane {lane} (pin {pin}): {level}; {found.drops} counted in {seconds:g} s"
    if found.fault is not None:
        return Finding("beams", "bad", f"{what}. {found.fault}.", "Seat the cable and the receiver's supply.", detail)
    if blocked and rest != "blocked":
        fix = "If no marble stands there: align the beam, shield it from the sun, or turn active_low round."
        return Finding("beams", "warn", f"{what}. Blocked at rest.", fix, detail)
    if not blocked and rest == "blocked":
        fix = "If a queue stands there: align the beam, or turn active_low round in the table file."
        return Finding(
            "beams", "warn", f"{what}. Clear, though the table file says that a queue stands there.", fix, detail
        )
    hint = "" if found.drops else "; drop one now to try it (--seconds 20)"
    return Finding("beams", "ok", f"{what}{hint}.", detail=detail)


def camera(
    opener: Callable[[], Camera] | None, settings: CameraSettings | None, model: str | None, frames: int = FRAMES
) -> Finding:
    """Opens it as the companion would, takes some pictures, and tells what is really in force."""
    if opener is None:
        if model is not None:
            fix = "Seat the cable with the machine off; rpicam-hello --list-cameras must name it."
            return Finding("camera", "warn", "No camera was found.", fix)
        return Finding("camera", "absent", "No camera was found. A USB webcam works here; taps work without any.")
    try:
        found = opener()
    except CameraError as error:
        return Finding("camera", "bad", _sentence(error), _camera_fix(error))
    try:
        taken = [found.read() for _ in range(frames)]
    except CameraError as error:
        return Finding("camera", "bad", _sentence(error), _camera_fix(error))
    finally:
        found.close()
    pictures = [frame for frame in taken if frame is not None]
    if not pictures:
        return Finding("camera", "bad", f"{found.name} gives no picture.", "Unplug it and plug it in again.")
    last = pictures[-1]
    height, width = last.image.shape[:2]
    passed = (last.t_ns - pictures[0].t_ns) / 1e9
    fps = (len(pictures) - 1) / passed if passed > 0 else 0.0
    about: Mapping[str, Any] = getattr(found, "about", {})
    detail: dict[str, Any] = {"name": found.name, "size": [width, height], "fps": round(fps, 1), **about}
    text = f"{found.name}: {width}×{height}, {fps:.0f} pictures a second"
    if settings is not None and settings.size is not None and settings.size != (width, height):
        fix = f"Set size = [{width}, {height}] under [camera] in the table file, and calibrate anew."
        asked = f"{settings.size[0]}×{settings.size[1]}"
        return Finding("camera", "bad", f"{text}, not {asked} as the table file asks.", fix, detail)
    if last.image.max() < 24:
        return Finding("camera", "warn", f"{text}, all black.", "Take the cover off, give it light.", detail)
    metadata = last.metadata or {}
    names = ("ExposureTime", "AnalogueGain", "ColourGains", "locked")
    detail["controls"] = {name: metadata[name] for name in names if name in metadata}
    if metadata.get("locked") is False:
        fix = "Give it even light and start again: exposure and gains could not be locked."
        return Finding("camera", "warn", f"{text}; its exposure is not the one that was set.", fix, detail)
    held = "; exposure and gains are locked, and in force" if metadata.get("locked") else ""
    return Finding("camera", "ok", f"{text}{held}.", detail=detail)


def _sentence(error: CameraError) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def _camera_fix(error: CameraError) -> str:
    text = str(error)
    if "import" in text:
        return "See the packages above."
    if "use it" in text or "free" in text or "busy" in text.lower():
        return "End the other program; the companion itself: sudo systemctl stop table-companion."
    if "://" in text:
        return "Open that address on this machine: it must give a moving picture (MJPEG or RTSP), not a page."
    return "Seat its cable; name another camera under [camera] in the table file."
