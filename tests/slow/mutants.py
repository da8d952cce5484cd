"""Small wrong changes of a module's text, one at a time: what `mutate_rules` tries."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SMALL: Final = 100
LONGEST: Final = 120
SPARED: Final = ("maxsize", "strict")
"""Keywords whose values change no answer: how much a cache keeps, and a check of our own that never strikes."""

FLIPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True)
class Place:
    """What is changed: a constant, or the sign `sign` of a comparison. `where`: the function it stands in."""

    node: ast.expr
    sign: int
    where: str
    shown: ast.AST


@dataclass(frozen=True)
class Mutant:
    """`number`: which of the file's places; `told`: the change in words, the `nth` like it in the same function."""

    module: str
    number: int
    line: int
    where: str
    told: str
    nth: int

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What stays the same when lines move."""
        return self.module, self.where, self.told, self.nth

    def __str__(self) -> str:
        nth = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.module}:{self.line}: `{self.where}`: `{self.told}`{nth}"


def mutants(text: str, module: str) -> Iterator[Mutant]:
    """Every change that can be made to one module."""
    seen: Counter[tuple[str, str]] = Counter()
    for number, place in enumerate(_places(ast.parse(text))):
        before = _shown(place)
        undo = _change(place)
        told = f"{before} -> {_shown(place)}"
        undo()
        seen[place.where, told] += 1
        yield Mutant(module, number, place.node.lineno, place.where, told, seen[place.where, told])


def mutated(text: str, mutant: Mutant) -> ast.Module:
    """The module with the change made."""
    tree = ast.parse(text)
    _change(_places(tree)[mutant.number])
    return tree


def _places(tree: ast.Module) -> list[Place]:
    """Signs of comparisons, numbers and True/False, always in the same order; no annotations, no decorators."""
    places: list[Place] = []

    def walk(node: ast.AST, where: str, around: ast.AST) -> None:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
            places.append(Place(node, 0, where, around))
        if isinstance(node, ast.Compare):
            places.extend(Place(node, i, where, node) for i, op in enumerate(node.ops) if type(op) in FLIPPED)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            where = node.name if where == "module" else f"{where}.{node.name}"
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.keyword) and child.arg in SPARED:
                    continue
                if isinstance(child, ast.AST):
                    walk(child, where, node if isinstance(node, ast.expr | ast.stmt) else around)

    walk(tree, "module", tree)
    return places


def _shown(place: Place) -> str:
    for node in (place.shown, place.node):
        text = " ".join(ast.unparse(node).split())
        if len(text) <= LONGEST and not isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            return text
    return text[:LONGEST]


def _change(place: Place):
    """Make the change; the answer takes it back."""
    node = place.node
    if isinstance(node, ast.Compare):
        old = node.ops[place.sign]
        node.ops[place.sign] = FLIPPED[type(old)]()
        return lambda: node.ops.__setitem__(place.sign, old)
    assert isinstance(node, ast.Constant)
    value = node.value
    node.value = other(value)
    return lambda: setattr(node, "value", value)


def other(value: object) -> object:
    """Another constant: True for False, one more than a small number, twice a large one or one with a point."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if value <= SMALL else value * 2
    assert isinstance(value, float)
    return value * 2 if value else 1.0


LINE: Final = re.compile(r"- `([^`]+)`: `([^`]+)`(?: \((\d+)\))?: (\S.*)")


def explained(path: Path) -> dict[tuple[str, str, str, int], str]:
    """The survivors of a list in Markdown (`## module`, then "- `where`: `told`: why") that need no test, and why."""
    found = {}
    module = ""
    for line in path.read_text().splitlines():
        if line.startswith("## "):
            module = line[3:].strip()
        elif line.startswith("- `"):
            match = LINE.fullmatch(line)
            if match is None:
                raise ValueError(f"{path.name}: not understood: {line}")
            where, told, nth, why = match.groups()
            found[module, where, told, int(nth or 1)] = why
    return found
