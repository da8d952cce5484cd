"""docs/rules-sources.md names only code, tests and cases that there are, and leaves no rule without any."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RULES = ROOT / "companion" / "rules" / "rematch"
TESTS = ROOT / "tests" / "companion" / "rules"
NAME = re.compile(r"`([a-z_]+)\.([A-Za-z_.0-9]+)`")
CASES = re.compile(r"cases? ([A-Z]\d+\w?(?:, [A-Z]\d+\w?)*)")


def rows() -> list[tuple[str, str, str]]:
    found = []
    for line in (ROOT / "docs" / "rules-sources.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("rule", "answer", "entry", "---"):
            assert len(cells) == 3, line
            found.append((cells[0], cells[1], cells[2]))
    return found


def named(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    """`function`, `CONSTANT`, `Class`, `Class.method`, `Class.field`."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name
            yield from named(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield prefix + node.target.id
        elif isinstance(node, ast.Assign):
            yield from (prefix + target.id for target in node.targets if isinstance(target, ast.Name))


def names(folder: Path, module: str) -> set[str]:
    path = folder / f"{module}.py"
    assert path.exists(), f"there is no {path.relative_to(ROOT)}"
    return set(named(ast.parse(path.read_text()).body))


ROWS = rows()


@pytest.mark.parametrize(("rule", "code", "test"), ROWS, ids=[row[0][:40] for row in ROWS])
def test_what_a_row_names_exists(rule: str, code: str, test: str) -> None:
    for cell, folder in ((code, RULES), (test, TESTS)):
        assert NAME.search(cell) or cell.startswith("at the table"), f"{rule}: {cell}"
        dotted = [text for text in cell.split("`")[1::2] if "." in text]
        assert len(dotted) == len(NAME.findall(cell)), f"{rule}: a name that is no module.name in {cell}"
        for module, name in NAME.findall(cell):
            assert name in names(folder, module), f"{rule}: {module} has no {name}"
    assert all(name.startswith("test_") for _, name in NAME.findall(test)), f"{rule}: {test}"
    cases = {case["id"] for file in ("clears", "matches") for case in json.loads(data(file))}
    for listed in CASES.findall(test):
        assert set(listed.split(", ")) <= cases, f"{rule}: {listed}"


def data(file: str) -> str:
    return (ROOT / "tests" / "data" / "rules" / f"{file}.json").read_text()


def test_every_section_of_the_rulebook_is_there() -> None:
    page = (ROOT / "docs" / "rules-sources.md").read_text()
    for section in (
        "Set Up", "Objective", "How to Play", "Structure of a Turn", "Making an Attack", "Resolving an Attack",
        "Common Attack Effects", "Breaking Button Health Dials", "While a Button Is Broken",
        "Rules for using Short Circuit Marbles", "Repairing Broken Buttons", "F.A.Q.s", "Balance Changelog",
    ):  # fmt: skip
        assert re.search(rf"^## .*{re.escape(section)}", page, re.MULTILINE), section
    assert len(ROWS) > 80
