"""docs/rules-sources-react.md names only code, tests and rows that there are, and leaves no row without a rule."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.companion.rules.react.cases import CASES
from tests.test_rules_sources import named

ROOT = Path(__file__).parents[4]
NAME = re.compile(r"`([a-z_]+)\.([A-Za-z_.0-9]+)`")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in (ROOT / "docs" / "rules-sources-react.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| rule |"))
]
NUMBERS = {case["id"].split("-")[0] for case in CASES}


def names(folder: Path, module: str) -> set[str]:
    return set(named(ast.parse((folder / f"{module}.py").read_text(encoding="utf-8")).body))


@pytest.mark.parametrize(("rule", "code", "test"), ROWS, ids=[row[0][:40] for row in ROWS])
def test_what_a_row_names_exists(rule: str, code: str, test: str) -> None:
    folders = ((code, ROOT / "companion" / "rules" / "react"), (test, Path(__file__).parent))
    for cell, folder in folders:
        for module, name in NAME.findall(cell):
            assert name in names(folder, module), f"{rule}: {module} has no {name}"
    assert NAME.search(code) or code == "at the table"
    told = re.findall(r"A\d\d", test)
    assert set(told) <= NUMBERS, rule
    assert told or NAME.search(test) or test == "at the table", rule


def test_every_row_of_the_cases_is_there() -> None:
    assert len(ROWS) > 55
    assert {number for row in ROWS for number in re.findall(r"A\d\d", row[2])} == NUMBERS
