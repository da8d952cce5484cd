"""All checks in order. One that fails in a way that nobody thought of is told as such and does not end the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from companion.addresses import own_address
from companion.attached import look
from companion.doctor import devices, system
from companion.doctor.finding import Finding
from companion.doctor.keeping import kept
from companion.doctor.own_wifi import own_wifi
from companion.doctor.protection import protection
from companion.errors import InputError
from companion.filelock import FileLock
from companion.qr import as_text

log = logging.getLogger(__name__)


def checkup(data: Path, table: Path | None, seconds: float, port: int) -> Iterator[Finding]:
    """Findings as they are made: a camera may take seconds."""
    model = system.pi_model()
    yield from _tried("machine", lambda: [system.machine(model), system.python()])
    yield from _tried("package", partial(system.packages, model))
    yield from _tried("disk", lambda: [system.disk(data)])
    yield from _tried("overlay", partial(protection, data))
    yield from _tried("kept", lambda: [kept(data)])
    yield from _tried("clock", lambda: [system.clock()])
    yield from _tried("power", lambda: [system.power(model)])
    yield from _tried("pins", lambda: [one for one in (devices.pin_library(model), _folder(model)) if one is not None])
    if _runs(data):
        text = "A companion is running with this data folder: camera and pins are its own now; its page shows them."
        yield Finding("running", "warn", text, "To check them here: sudo systemctl stop table-companion")
    else:
        yield from _table(data, table, seconds, model)
    yield from _tried("address", partial(_address, port))
    yield from _tried("wifi", partial(own_wifi, port))


def _table(data: Path, table: Path | None, seconds: float, model: str | None) -> Iterator[Finding]:
    file = table or (data / "table.toml" if (data / "table.toml").exists() else None)
    try:
        found = look(file)
    except InputError as error:
        yield Finding("table", "bad", f"{error}.", "Correct it there, or make one: companion calibrate.")
        return
    content = found.table
    if file is None:
        text = "No table file yet: the score is kept by taps until there is one."
        yield Finding("table", "absent", text, "companion calibrate makes one from a picture of the table.")
    else:
        field = None if content is None else content.field
        calibrated = field is not None or (content is not None and content.calibration is not None)
        fix = "" if calibrated else "companion calibrate adds where the tray lies."
        board = "" if field is None else f", a board of {field.columns} × {field.rows} zones"
        known = f"{'calibrated' if calibrated else 'no calibration'}{board}"
        text = f"{file}: {known}, {_lanes(found.sensors, content)}."
        yield Finding("table", "ok" if calibrated else "warn", text, fix)
    sensors = None if content is None else content.sensors
    extras = {} if content is None else content.extras
    yield from _tried("pins", partial(devices.overlays, sensors, extras))
    yield from _tried("beams", partial(devices.beams, sensors, model, seconds))
    yield from _tried("extras", partial(devices.extra_pins, extras, model))
    settings = None if content is None else content.camera
    yield from _tried("camera", lambda: [devices.camera(found.open_camera, settings, model)])


def _lanes(sensors: bool, content: object) -> str:
    pins = getattr(getattr(content, "sensors", None), "pins", {}) if sensors else {}
    return "beams in lanes " + " ".join(pins) if pins else "no beams"


def _folder(model: str | None) -> Finding | None:
    return None if model is None else devices.working_folder()


def _runs(data: Path) -> bool:
    if not (data / "lock").exists():
        return False
    try:
        FileLock(data / "lock", "data folder").release()
    except InputError:
        return True
    except OSError:
        return False
    return False


def _address(port: int) -> list[Finding]:
    address = own_address()
    if address is None:
        text = "No network: only this machine can open the page, at http://127.0.0.1:{port}/."
        fix = "Join a Wi-Fi, or let the Pi make one, so that a tablet can see the page."
        return [Finding("address", "warn", text.format(port=port), fix)]
    page = f"http://{address}:{port}/"
    detail = {"address": page, "code": as_text(page)}
    return [Finding("address", "ok", f"The page, once the companion runs: {page}", detail=detail)]


def _tried(check: str, run: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(run())
    except Exception as error:
        log.exception("the check of %s failed", check)
        text = f"This check itself failed ({error!r}); that is a fault of the companion."
        return [Finding(check, "bad", text, "Please report it with this line.")]
