"""What an artist brings to the table: decks, summons, tokens, tiles, passives. No card's text is known here.

Of the printed artists only what the rulebook and public pages say is filled in (docs/decisions/react.md): a pool whose
size they do not tell is not counted. Players who fill in their own replace it, one list at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

Effect = Mapping[str, Any]
"""One line of a card or passive as plain JSON: `{"do": TOOL, ...}` (effect_form.py)."""

DECK: Final = 30
OPENING_HAND: Final = 4
MOST_IN_HAND: Final = 6
DAMAGE_TO_LOSE: Final = 3
BLOCK: Final = "block"
"""The token kind that negates damage; its pool is counted like any other's if it is told."""


@dataclass(frozen=True, slots=True)
class Passive:
    """`when`: enter (a unit enters a tile `of` that kind; `who`: whose unit, any, own or foe), tokens (a zone comes to
    hold `count` of the kind `of`), start or end (of `turns`: own or every). `lines` None: the players enter them.
    """

    name: str
    when: str
    of: str | None = None
    count: int = 1
    who: str = "any"
    turns: str = "own"
    lines: tuple[Effect, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"name": self.name, "when": self.when}
        if self.when in ("enter", "tokens"):
            told["of"] = self.of
            told |= {"who": self.who} if self.when == "enter" else {"count": self.count}
        else:
            told["turns"] = self.turns
        return told if self.lines is None else {**told, "effects": [dict(line) for line in self.lines]}


@dataclass(frozen=True, slots=True)
class SummonKind:
    """`count` None: not counted. `follows`: it keeps its place beside its artist, and moves with the artist."""

    count: int | None = None
    follows: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"count": self.count, "follows": self.follows}


@dataclass(frozen=True, slots=True)
class Things:
    """`deck`: cards in it, None: the artist has none. `invincible`: damage does nothing to the artist."""

    deck: int | None = DECK
    summons: Mapping[str, SummonKind] = field(default_factory=dict)
    tokens: Mapping[str, int | None] = field(default_factory=dict)
    tiles: Mapping[str, int | None] = field(default_factory=dict)
    passives: tuple[Passive, ...] = ()
    invincible: bool = False
    sheet: str = ""
    """What to look up on the reference sheet; a reminder."""


_PLAIN: Final = Things()
ARTISTS: Final[Mapping[str, Things]] = {
    "Tagger": replace(_PLAIN, tiles={"mural": None}, passives=(Passive("Mural", "enter", "mural"),)),
    "Dancer": replace(_PLAIN, tokens={"scale": None}, passives=(Passive("Third scale", "tokens", "scale", 3),)),
    "Sculptor": _PLAIN,
    "Calligrapher": replace(_PLAIN, tokens={"ink": None}),
    "Tattooist": replace(_PLAIN, sheet="what damage does to her, and when she loses"),
    "Painter": replace(_PLAIN, deck=None, sheet="what she does instead of drawing, and how she ascends"),
    "Animator": replace(_PLAIN, deck=None, sheet="what is done instead of drawing"),
    "Fortune Teller": replace(_PLAIN, sheet="reactions that lie face down ahead"),
    "DJ": _PLAIN,
}


def known_artist(name: str) -> str | None:
    """The name as it is printed, however it is written, with "the" or without."""
    said = " ".join(name.casefold().split()).removeprefix("the ")
    return next((known for known in ARTISTS if known.casefold() == said), None)
