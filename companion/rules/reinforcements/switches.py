"""What rulebook and FAQ leave open, each a switch; why each default is one: docs/decisions/reinforcements.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Rules:
    bleed_hides_again: bool = True
    bleed_tie_red: bool = True
    reveal_at_five: str = "nothing"
    adapt: str = "own"
    mage_on_one: bool = True
    lock_by_any: bool = True
    hero_lost: str = "any"
    totem_call: str = "second"
    rally: str = "R"
    foresight: str = "G"

    @property
    def shield(self) -> str:
        """The colour that is left."""
        return next(colour for colour in "BRG" if colour not in (self.rally, self.foresight))

    def to_json(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}


CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "bleed_hides_again": (True, False),
    "bleed_tie_red": (True, False),
    "reveal_at_five": ("nothing", "draw"),
    "adapt": ("own", "any"),
    "mage_on_one": (True, False),
    "lock_by_any": (True, False),
    "hero_lost": ("any", "all"),
    "totem_call": ("second", "later"),
    "rally": ("R", "B", "G"),
    "foresight": ("G", "R", "B"),
}
MEANINGS: Final[Mapping[str, str]] = {
    "bleed_hides_again": "a face-down card that bleeding flipped and that stays is turned face down again",
    "bleed_tie_red": "the red passive wins a tie that comes of bleeding, too",
    "reveal_at_five": "a stack is revealed at five stacks: nothing more, or a card is drawn without a new stack",
    "adapt": "Adapt swaps two cards of one's own revealed green stacks, or of anybody's",
    "mage_on_one": "a Mage may be deployed against a stack of one card",
    "lock_by_any": "the last hidden stack destroyed by a Deploy or a totem locks as an attack does",
    "hero_lost": "the Hero returns when any of the three colours is lost, or only when all are",
    "totem_call": "a totem comes with the second revealed stack of its colour alone, or with a later one too",
    "rally": "the colour of the Mercenaries that Rally",
    "foresight": "the colour of the Mercenaries with Foresight; the third colour has Shield",
}
