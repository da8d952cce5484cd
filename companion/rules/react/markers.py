"""Which marker belongs to which piece of Re;ACT: one for each thing to be told apart (rulebook: Components).

A Masterpiece card has another marker on its back, since it is flipped to track damage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from companion.rules.react.field import PLAYERS
from companion.rules.react.state import CARDS, SLOTS

Kind = Literal["artist", "summon", "token", "card"]

SUMMONS: Final = 7
"""A player's summons with a marker; more are kept by taps."""


@dataclass(frozen=True, slots=True)
class Marked:
    """`owner`: A or B, "" for the shared chain tokens; `index`: of a summon, a token's slot or a card, 0 for an artist;
    `back`: a card's grey side.
    """

    kind: Kind
    owner: str
    index: int = 0
    back: bool = False

    @property
    def name(self) -> str:
        """As printed beside the marker."""
        if self.kind == "token":
            return f"Chain {self.index}"
        what = {"artist": "artist", "summon": f"summon {self.index}", "card": f"art {self.index}"}[self.kind]
        return f"{self.owner} {what}{' back' if self.back else ''}"


def _all() -> tuple[Marked, ...]:
    units = [
        Marked("summon" if index else "artist", player, index)
        for player in PLAYERS
        for index in range(SUMMONS + 1)
    ]  # fmt: skip
    tokens = [Marked("token", "", slot) for slot in range(1, SLOTS + 1)]
    cards = [Marked("card", player, card, back) for player in PLAYERS for card in CARDS for back in (False, True)]
    return (*units, *tokens, *cards)


MARKED: Final = _all()
"""By the marker's number."""
