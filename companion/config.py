"""The table file: everything that is known of one table, in TOML. Read by tomllib, written by the few lines below.

Layout: `version`, `game`; `[calibration]` (size, lanes, rows, corners, tray, stage?, picture in base64); optional
`[camera]` (kind, device, size, fps); optional `[sensors]` (active_low, pull_up), `[sensors.pins]` (lane = BCM number)
and `[sensors.geometry]` (marbles, beam and track, see hardware.counting.Geometry); optional `[extras]` (BCM numbers of
inlet, button_a, button_b, light_a, light_b, buzzer); optional `[field]`: a board with pieces (companion.field_file).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from string import ascii_lowercase

from companion.errors import InputError
from companion.field_file import FieldFile, dump_field, read_field
from companion.files import read_file, write_whole
from companion.toml_section import Section, number_in, packed, picture, points, quad, size
from companion.toml_text import flag, parse_toml, quoted
from hardware.counting import Geometry
from vision.calibration import Calibration
from vision.profile import Grid

VERSION = 1
LARGEST = 64 * 2**20
"""Bytes of a table file; more is no table file."""

EXTRA_PINS = ("inlet", "button_a", "button_b", "light_a", "light_b", "buzzer")
CAMERA_KINDS = ("auto", "picamera2", "v4l2")


@dataclass(frozen=True)
class Sensors:
    """`pins`: lane → BCM number; `active_low`: a blocked beam pulls the pin low; `pull_up`: switch the Pi's own on."""

    pins: Mapping[str, int]
    active_low: bool = True
    pull_up: bool = True
    geometry: Geometry = field(default_factory=Geometry)


@dataclass(frozen=True)
class CameraSettings:
    """`device`: a V4L2 path or a picamera2 index as text; None: the first that is found."""

    kind: str = "auto"
    device: str | None = None
    size: tuple[int, int] | None = None
    fps: float | None = None


@dataclass(frozen=True)
class TableFile:
    """One table. Each part may be missing: a table may have beams and no camera, or the other way round."""

    calibration: Calibration | None = None
    sensors: Sensors | None = None
    camera: CameraSettings | None = None
    game: str = "rematch"
    version: int = VERSION
    extras: Mapping[str, int] = field(default_factory=dict)
    """Pins beyond the beams: a name of EXTRA_PINS → BCM number."""
    field: FieldFile | None = None


def load_table(path: str | os.PathLike[str]) -> TableFile:
    """Raises InputError: unreadable, not TOML (its line), unknown key or impossible value (its path), newer version."""
    path = Path(path)
    content = parse_toml(read_file(path, "table file", LARGEST), path, "table file")
    root = Section(path, "", content)
    version = root.whole("version", 1, 10**9)
    if version > VERSION:
        raise InputError(f"{path}: version {version} was written by a newer companion (this one knows {VERSION})")
    game = root.text("game")
    if not game.isidentifier():
        raise root.error("game", f"is {game!r}, which is no game's name")
    calibration = _calibration(root.section("calibration")) if root.has("calibration") else None
    camera = _camera(root.section("camera")) if root.has("camera") else None
    sensors = _sensors(root.section("sensors")) if root.has("sensors") else None
    extras = _extras(root.section("extras"), sensors) if root.has("extras") else {}
    board = read_field(root.section("field")) if root.has("field") else None
    root.done()
    return TableFile(calibration, sensors, camera, game, version, extras, board)


def _calibration(section: Section) -> Calibration:
    wide = size(section, "size")
    grid = Grid(section.whole("lanes", 2, 26), section.whole("rows", 2, 26))
    corners = quad(section, "corners", wide)
    tray = section.text("tray")
    lanes = tray.split("/")
    if len(lanes) != grid.lanes or any(len(lane) != grid.rows for lane in lanes):
        raise section.error("tray", f"is {tray[:200]!r}, not {grid.lanes} lanes of {grid.rows} letters")
    stage = quad(section, "stage", wide) if section.has("stage") else None
    taken = picture(section, "picture")
    section.done()
    return Calibration(wide, grid, corners, tray, stage, taken)


def _camera(section: Section) -> CameraSettings:
    kind = section.text("kind") if section.has("kind") else "auto"
    if kind not in CAMERA_KINDS:
        raise section.error("kind", f"is {kind!r}, not one of {', '.join(CAMERA_KINDS)}")
    device = section.text("device") if section.has("device") else None
    wanted = size(section, "size") if section.has("size") else None
    fps = section.number("fps", 1, 240) if section.has("fps") else None
    section.done()
    return CameraSettings(kind, device, wanted, fps)


def _sensors(section: Section) -> Sensors:
    pins_section = section.section("pins")
    pins: dict[str, int] = {}
    for lane in pins_section.keys():  # noqa: SIM118 (a method, not a dict)
        if len(lane) != 1 or lane not in ascii_lowercase:
            raise pins_section.error(lane, "is not a lane's letter")
        pin = pins_section.whole(lane, 0, 27)
        if pin in pins.values():
            raise pins_section.error(lane, f"is {pin}, which another lane has already")
        pins[lane] = pin
    if not pins:
        raise section.error("pins", "names no lane")
    active_low = section.flag("active_low") if section.has("active_low") else True
    pull_up = section.flag("pull_up") if section.has("pull_up") else True
    geometry = _geometry(section.section("geometry")) if section.has("geometry") else Geometry()
    section.done()
    return Sensors(pins, active_low, pull_up, geometry)


def _extras(section: Section, sensors: Sensors | None) -> dict[str, int]:
    taken = {} if sensors is None else {pin: f"lane {lane}" for lane, pin in sensors.pins.items()}
    pins: dict[str, int] = {}
    for name in EXTRA_PINS:
        if section.has(name):
            pin = section.whole(name, 0, 27)
            if pin in taken:
                raise section.error(name, f"is {pin}, which {taken[pin]} has already")
            taken[pin], pins[name] = name, pin
    section.done()
    return pins


def _geometry(section: Section) -> Geometry:
    values: dict[str, object] = {}
    standard = Geometry()
    for known in fields(Geometry):
        if not section.has(known.name):
            continue
        usual = getattr(standard, known.name)
        if isinstance(usual, str):
            values[known.name] = section.text(known.name)
        elif isinstance(usual, tuple):
            pair = section.items(known.name, 2)
            values[known.name] = tuple(
                type(like)(number_in(section, known.name, part, 0, 1e6)) for part, like in zip(pair, usual, strict=True)
            )
        else:
            values[known.name] = section.number(known.name, 0, 1e6)
    section.done()
    try:
        return Geometry(**values)  # type: ignore[arg-type]  # each is of the kind of its default
    except ValueError as error:
        raise section.error("", f"is impossible: {error}") from error


def dump_table(table: TableFile) -> str:
    """The text of a table file; what `load_table` reads back as the same."""
    lines = [f"version = {table.version}", f"game = {quoted(table.game)}"]
    if table.camera is not None:
        lines += ["", "[camera]", f"kind = {quoted(table.camera.kind)}"]
        if table.camera.device is not None:
            lines.append(f"device = {quoted(table.camera.device)}")
        if table.camera.size is not None:
            lines.append(f"size = {list(table.camera.size)}")
        if table.camera.fps is not None:
            lines.append(f"fps = {table.camera.fps!r}")
    if table.sensors is not None:
        sensors = table.sensors
        lines += ["", "[sensors]", f"active_low = {flag(sensors.active_low)}", f"pull_up = {flag(sensors.pull_up)}"]
        lines += ["", "[sensors.pins]", *(f"{lane} = {pin}" for lane, pin in sensors.pins.items())]
        standard = Geometry()
        changed = [f.name for f in fields(Geometry) if getattr(sensors.geometry, f.name) != getattr(standard, f.name)]
        if changed:
            lines += ["", "[sensors.geometry]"]
            for name in changed:
                value = getattr(sensors.geometry, name)
                shown = quoted(value) if isinstance(value, str) else list(value) if isinstance(value, tuple) else value
                lines.append(f"{name} = {shown}")
    if table.extras:
        lines += ["", "[extras]", *(f"{name} = {pin}" for name, pin in table.extras.items())]
    if table.calibration is not None:
        calibration = table.calibration
        lines += [
            "",
            "[calibration]",
            f"size = {list(calibration.size)}",
            f"lanes = {calibration.grid.lanes}",
            f"rows = {calibration.grid.rows}",
            f"corners = {points(calibration.corners)}",
            f"tray = {quoted(calibration.tray)}",
        ]
        if calibration.stage is not None:
            lines.append(f"stage = {points(calibration.stage)}")
        lines += packed(calibration.picture)
    if table.field is not None:
        lines += ["", "[field]", *dump_field(table.field)]
    return "\n".join(lines) + "\n"


def save_table(path: str | os.PathLike[str], table: TableFile) -> None:
    """Write whole or not at all: a hard power-off leaves the old file or the new one. Raises InputError."""
    write_whole(Path(path), dump_table(table).encode("utf-8"))
