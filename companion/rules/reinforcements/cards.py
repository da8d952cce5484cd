"""The 96 cards and 4 totems as data (rulebook: Contents, Card Types, Totems).

A card is its colour and its rank: R5 a red Druid, BA the blue Assassin, GM the green Mage, RC a red Mercenary. "?" is
a card that nobody but its owner knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

COLOURS: Final = "RBG"
COLOUR_NAMES: Final[Mapping[str, str]] = {"R": "red", "B": "blue", "G": "green"}
UNKNOWN: Final = "?"

RANKS: Final[Mapping[str, tuple[str, int, int]]] = {
    "1": ("Peasant", 1, 7),
    "2": ("Soldier", 2, 6),
    "3": ("Ranger", 3, 5),
    "4": ("Knight", 4, 4),
    "5": ("Druid", 5, 3),
    "6": ("Heir", 6, 2),
    "7": ("Monarch", 7, 1),
    "A": ("Assassin", 2, 1),
    "M": ("Mage", 2, 1),
    "C": ("Mercenary", 3, 2),
}
"""Rank → its name, its power, how many of it each kingdom has."""

CARDS: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
DECK: Final = sum(count for _, _, count in RANKS.values()) * len(COLOURS)

TOTEMS: Final[Mapping[str, str]] = {"wurm": "R", "elk": "B", "chameleon": "G", "hero": "RBG"}
"""Totem → the colours of the stacks that call it."""
TOTEM_NAMES: Final[Mapping[str, str]] = {
    "wurm": "the Berserker Wurm",
    "elk": "the Guardian Elk",
    "chameleon": "the Elusive Chameleon",
    "hero": "the Hero of the People",
}


def power(card: str) -> int:
    return RANKS[card[1]][1]


def how_many(card: str) -> int:
    """Of this very card in the deck."""
    return RANKS[card[1]][2]


def name(card: str) -> str:
    if card == UNKNOWN:
        return "a hidden card"
    return f"{COLOUR_NAMES[card[0]]} {RANKS[card[1]][0]}"


def counted(cards: Iterable[str]) -> dict[str, int]:
    """The known ones among them, by card."""
    found: dict[str, int] = {}
    for card in cards:
        if card != UNKNOWN:
            found[card] = found.get(card, 0) + 1
    return found
