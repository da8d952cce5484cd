"""Machine, Python, packages, disk, clock and power. Each function looks where it is told, for the tests' sake."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.doctor.finding import Finding

MODEL = Path("/proc/device-tree/model")
PACKAGES = ("numpy", "cv2", "flask", "waitress", "gpiozero")
PI_PACKAGES = ("lgpio", "libcamera", "picamera2")
LEAST_FREE = 200 * 2**20
TRIES_S = 40.0

_ASK = """
import importlib, importlib.metadata as meta, json, sys
names = {"cv2": "opencv-python-headless"}
found = {}
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
        version = getattr(module, "__version__", None)
        if not isinstance(version, str):
            try:
                version = meta.version(names.get(name, name))
            except meta.PackageNotFoundError:
                version = "?"
        found[name] = [version, None]
        if name == "lgpio" and not hasattr(module, "gpiochip_open"):
            found[name] = [version, "is an empty package"]
    except ModuleNotFoundError as error:
        found[name] = [None, None if error.name == name else repr(error)]
    except BaseException as error:
        found[name] = [None, repr(error)]
    print(json.dumps(found), flush=True)
"""


def pi_model(model: Path = MODEL) -> str | None:
    """The Raspberry Pi's own name for itself; None on any other machine."""
    try:
        text = model.read_bytes().rstrip(b"\0").decode(errors="replace").strip()
    except OSError:
        return None
    return text if "raspberry pi" in text.lower() else None


def machine(model: str | None) -> Finding:
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        system = platform.system()
    where = f"{system}, {platform.machine()}, Linux {platform.release()}"
    if model is not None:
        return Finding("machine", "ok", f"{model}: {where}.")
    return Finding(
        "machine", "absent", f"No Raspberry Pi: {where}. A webcam works here, light beams do not; taps always do."
    )


def python() -> Finding:
    version = platform.python_version()
    own = "its own environment" if sys.prefix != sys.base_prefix else "the system's environment"
    return Finding("python", "ok", f"Python {version} in {own} ({sys.prefix}).")


def versions(names: tuple[str, ...], timeout_s: float = TRIES_S) -> dict[str, tuple[str | None, str | None]]:
    """Each package's version, or why it cannot be imported (None, None: it is not there).

    Asked in a process of its own: some crash or hang instead of raising.
    """
    try:
        asked = subprocess.run(
            [sys.executable, "-P", "-c", _ASK, *names],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout_s, check=False,
        )  # fmt: skip
        said, ended = asked.stdout, f"its import ended Python ({asked.returncode})"
    except subprocess.TimeoutExpired as error:
        said = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        ended = f"its import takes more than {timeout_s:g} s"
    lines = said.strip().splitlines()
    found: dict[str, list[str | None]] = json.loads(lines[-1]) if lines else {}
    result = {name: (one[0], one[1]) for name, one in found.items()}
    # the first that did not answer is the one that hung or crashed
    for name in names:
        if name not in result:
            result[name] = (None, ended)
            ended = "could not be tried after that"
    return result


def packages(
    model: str | None, ask: Callable[[tuple[str, ...]], Mapping[str, tuple[str | None, str | None]]] = versions
) -> list[Finding]:
    findings = []
    found = ask((*PACKAGES, *PI_PACKAGES))
    for name in (*PACKAGES, *PI_PACKAGES):
        version, why = found[name]
        if version is not None and why is None:
            findings.append(Finding("package", "ok", f"{name} {version}.", detail={"name": name, "version": version}))
        else:
            findings.append(_missing(name, why, model))
    return findings


def _missing(name: str, why: str | None, model: str | None) -> Finding:
    detail = {"name": name, "version": None}
    if name in PACKAGES:
        fix = "Make the environment anew: delete .venv and call ./deploy/run."
        return Finding("package", "bad", f"{name} {why or 'is missing'}.", fix, detail)
    apt = {"lgpio": "python3-lgpio", "libcamera": "python3-picamera2", "picamera2": "python3-picamera2"}[name]
    if why is None and model is None:
        text = f"{name} is not here; only a Raspberry Pi has it, and only its pins and its own camera need it."
        return Finding("package", "absent", text, detail=detail)
    if why is not None and "dtype size changed" in why:
        fix = "Delete .venv and call ./deploy/run: it then leaves apt's NumPy in place."
        return Finding("package", "bad", f"{name} does not fit this NumPy ({why}).", fix, detail)
    if why is not None and "empty package" in why:
        fix = f"pip uninstall lgpio; sudo apt install {apt}"
        return Finding("package", "bad", f"{name} is pip's empty stand-in.", fix, detail)
    fix = f"sudo apt install {apt}; then delete .venv and call ./deploy/run, so that it sees the system's packages."
    return Finding("package", "bad" if model else "warn", f"{name} {why or 'is missing'}.", fix, detail)


def disk(folder: Path, payload: bytes = b"") -> Finding:
    """Write, flush, read back from the card and compare: cards fail by forgetting (K2)."""
    payload = payload or os.urandom(1 << 16)
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        with tempfile.NamedTemporaryFile(dir=folder, prefix="doctor-") as file:
            file.write(payload)
            file.flush()
            os.fsync(file.fileno())
            # not from memory: what the card has kept
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            file.seek(0)
            same = file.read() == payload
        took_ms = (time.monotonic() - began) * 1000
        free = shutil.disk_usage(folder).free
        if new:
            folder.rmdir()  # it only looks
    except OSError as error:
        fix = f"Make {folder} writable for this user, or name another folder with --data."
        return Finding("disk", "bad", f"{folder} cannot be written: {error.strerror or error}.", fix)
    detail = {"folder": str(folder), "free_mb": free >> 20, "ms": round(took_ms, 1)}
    if not same:
        fix = "Replace the card, and save the matches first: companion matches export."
        return Finding("disk", "bad", f"{folder}: what was written came back different.", fix, detail)
    if free < LEAST_FREE:
        return Finding("disk", "warn", f"{folder}: only {free >> 20} MB are free.", "Make room on the card.", detail)
    text = f"{folder}: written, flushed and read back in {took_ms:.0f} ms; {free / 2**30:.1f} GB are free."
    return Finding("disk", "ok", text, detail=detail)


def clock(
    now: Callable[[], float] = time.time, synchronised: Path = Path("/run/systemd/timesync/synchronized")
) -> Finding:
    """A wrong clock is no fault: times are labels (K14–K18)."""
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now()))
    if now() < 1_735_689_600:  # 2025: before this was written
        text = f"The clock says {shown}, which is wrong. Only the labels of matches suffer: nothing else uses the date."
        return Finding("clock", "warn", text, "Connect to the internet once, or: sudo date -s '2026-12-31 18:00'.")
    how = "set by the network" if synchronised.exists() else "not set by the network since the start, which is fine"
    return Finding("clock", "ok", f"The clock says {shown} ({how}).")


def power(model: str | None, ask: Callable[[], int | None] | None = None) -> Finding:
    """The Pi's own flag for a weak supply (K4)."""
    flags = (ask or _throttled)()
    if flags is None:
        if model is None:
            return Finding("power", "absent", "No under-voltage flag: only a Raspberry Pi has one.")
        return Finding("power", "warn", "The under-voltage flag cannot be read.", "sudo apt install raspi-utils")
    detail: dict[str, Any] = {"flags": hex(flags)}
    fix = "Use the Pi's own power supply and a short cable."
    if flags & 0x1:
        return Finding("power", "bad", "The supply is too weak right now.", fix, detail)
    if flags & 0x10000:
        return Finding("power", "warn", "The supply has been too weak since the start.", fix, detail)
    hot = "; it is too hot and slowed down, give it air" if flags & 0xE else ""
    return Finding("power", "warn" if hot else "ok", f"The supply is strong enough{hot}.", detail=detail)


def _throttled() -> int | None:
    for path in Path("/sys/devices/platform").glob("soc*/*firmware/get_throttled"):
        try:
            return int(path.read_text(), 16)
        except (OSError, ValueError):
            pass
    try:
        asked = subprocess.run(
            ["vcgencmd", "get_throttled"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return int(asked.stdout.partition("=")[2], 16)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
