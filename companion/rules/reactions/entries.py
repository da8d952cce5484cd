"""The sheet's eleven entries as data: a pair of actions → its parts → who may react with what.

Four actions: attack A, move >, stunt !, defend D; each of the ten unordered pairs has an entry, Recovery is the
eleventh. A part without rights is not listed (a defend; the sheet's Double-Defend).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Action = Literal["A", ">", "!", "D"]
Role = Literal["target", "adjacent", "in_range", "leaves"]
PartName = Literal["recovery", "attack", "move", "stunt"]

ACTIONS: Final[Mapping[str, str]] = {"A": "attack", ">": "move", "!": "stunt", "D": "defend"}
RECOVERY: Final = "recovery"


@dataclass(frozen=True, slots=True)
class Right:
    """`role`: what one must be to the active character; `reactions`: which it gives.

    `target_too`: the line says "any character" and not "that is not the target" (a question of reading where the
    target has a line of its own). `said`: the line says that it is just before; where it does not, a switch does.
    """

    role: Role
    reactions: tuple[Action, ...]
    target_too: bool = False
    said: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    name: PartName
    rights: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """`key`: its two actions in the order A > ! D, or "recovery"."""

    key: str
    name: str
    parts: tuple[Part, ...]

    def part(self, name: str) -> Part | None:
        return next((part for part in self.parts if part.name == name), None)


_ALL: Final[tuple[Action, ...]] = ("A", ">", "!")
_NO_ATTACK: Final[tuple[Action, ...]] = (">", "!")


def _leaving(reactions: tuple[Action, ...] = _ALL) -> Part:
    return Part("move", (Right("leaves", reactions),))


_DEFEND: Final = Right("target", ("D",), said=False)

ENTRIES: Final[Mapping[str, Entry]] = {
    entry.key: entry
    for entry in (
        Entry(RECOVERY, "Recovery", (Part("recovery", (Right("in_range", ("A",), said=False),)),)),
        Entry(
            "AA",
            "Double-Attack",
            (
                Part(
                    "attack",
                    (
                        Right("target", _ALL, said=False),
                        Right("adjacent", _ALL, said=False),
                        Right("in_range", ("A",), said=False),
                    ),
                ),
            ),
        ),
        Entry(">>", "Double-Move", (_leaving(),)),
        Entry("!!", "Double-Stunt", (Part("stunt", (Right("adjacent", _ALL), Right("in_range", ("A",)))),)),
        Entry("DD", "Double-Defend", ()),
        Entry("AD", "Attack-Defend", (Part("attack", (_DEFEND, Right("adjacent", _NO_ATTACK))),)),
        Entry("A>", "Attack-Move", (Part("attack", (_DEFEND, Right("adjacent", _ALL))), _leaving())),
        Entry(
            "A!",
            "Attack-Stunt",
            (
                Part("attack", (_DEFEND, Right("adjacent", _ALL), Right("in_range", ("A",), target_too=True))),
                # its last line is printed twice, once with "or makes the attack": the part before has it already
                Part("stunt", (Right("adjacent", _ALL), Right("in_range", ("A",)))),
            ),
        ),
        Entry(">D", "Defend-Move", (_leaving(_NO_ATTACK),)),
        Entry("!D", "Defend-Stunt", (Part("stunt", (Right("adjacent", _NO_ATTACK, said=False),)),)),
        Entry(
            ">!",
            "Move-Stunt",
            (
                _leaving(),
                Part("stunt", (Right("adjacent", _ALL, said=False), Right("in_range", ("A",), said=False))),
            ),
        ),
    )
}


def key_of(actions: tuple[str, ...]) -> str:
    """The entry's key of one pair, whatever its order; ("recovery",) for Recovery."""
    if actions == (RECOVERY,):
        return RECOVERY
    return "".join(sorted(actions, key=list(ACTIONS).index))
