"""The import rules of DESIGN §4: who may know whom."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "hardware", "vision", "web")
GAMES = {path.name for path in (ROOT / "companion" / "rules").iterdir() if (path / "game.py").exists()}

# a port or value type may be imported from where it is defined
PORTS = {"hardware.camera", "hardware.edges", "web.port"}

# what makes a function's answer depend on more than its arguments
IMPURE = {
    "asyncio", "concurrent", "datetime", "io", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip


def imported(source: str, package: str) -> Iterator[str]:
    """Every module that the source imports, absolute; `package` is the one it lies in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *base.split(".")]).rstrip(".")
            # `from companion import rules` imports companion.rules
            yield from (f"{base}.{alias.name}" for alias in node.names)


def offence(module: str, target: str) -> str | None:
    """Why `module` may not import `target`; None: it may."""
    top, other = module.split(".")[0], target.split(".")[0]
    if module == "companion.rules" or module.startswith("companion.rules."):
        if other in PACKAGES:
            if not target.startswith("companion.rules."):
                return "rules import nothing of the others"
            own, named = (name.split(".")[2:3] for name in (module, target))
            return "a game's rules know no other game's" if named != own and named[0] in GAMES else None
        if other not in sys.stdlib_module_names:
            return "rules need nothing but Python"
        return "rules are pure: no clock, random, files or threads" if other in IMPURE else None
    if top == "companion" or other not in PACKAGES or other == top:
        return None
    if any(target == port or target.startswith(f"{port}.") for port in PORTS):
        return None
    return "hardware, vision and web import neither each other nor companion"


def offences(module: str, source: str, package: str) -> list[str]:
    found = ((target, offence(module, target)) for target in imported(source, package))
    return [f"{module} imports {target}: {why}" for target, why in found if why]


def modules() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def test_every_module_keeps_the_import_rules() -> None:
    checked, wrong = 0, []
    for module, path in modules():
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        wrong += offences(module, path.read_text(encoding="utf-8"), package)
        checked += 1
    assert checked > 20
    assert {"rematch", "react"} <= GAMES
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("companion.rules.rematch.tray", "import numpy"),
        ("companion.rules.rematch.tray", "import time"),
        ("companion.rules.rematch.tray", "from companion import log"),
        ("companion.rules.rematch.tray", "from ... import session"),
        ("companion.rules.react.chain", "from companion.rules.rematch.tray import PLAYERS"),
        ("companion.rules.form", "from companion.rules.rematch import tray"),
        ("companion.rules.core", "import vision.eye"),
        ("hardware.beams", "from vision.eye import Eye"),
        ("vision.eye", "import hardware.beams"),
        ("vision.eye", "from companion.rules.rematch import tray"),
        ("web.app", "from companion.session import Session"),
    ],
)
def test_a_breach_is_found(module: str, line: str) -> None:
    assert offences(module, line, module.rpartition(".")[0])


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("companion.rules.rematch.tray", "from dataclasses import dataclass"),
        ("companion.rules.rematch.tray", "from .chains import judge"),
        ("companion.rules.react.chain", "from companion.rules.form import Fields"),
        ("vision.gaze", "from hardware.camera import Frame"),
        ("hardware.cameras", "import cv2, numpy, threading"),
        ("companion.pipeline", "from vision.eye import Eye"),
    ],
)
def test_what_is_allowed_is_no_breach(module: str, line: str) -> None:
    assert not offences(module, line, module.rpartition(".")[0])
