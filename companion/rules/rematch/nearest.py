"""What a player who made an illegal clear may have meant: the legal clears that differ from it least."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from companion.rules.rematch.chains import Clear, judge, mask_of
from companion.rules.rematch.limited import moves_within
from companion.rules.rematch.markers import NO_LIMITS, Limits
from companion.rules.rematch.tray import Tray

AT_MOST: Final = 3


def nearest(
    tray: Tray,
    player: str,
    cells: Sequence[str],
    broken: Collection[str],
    attack: str | None = None,
    detours: bool = True,
    limits: Limits = NO_LIMITS,
) -> tuple[Clear, ...]:
    """The legal clears with the fewest cells added to or left out of `cells`, up to three; empty: there is none.

    All of them are equally near. The attack that was named comes first, or else the one that the cells would have
    been (`judge`); then the order of `moves`. So a legal set of cells is nearest to itself, and alone. Raises as
    `judge` does.
    """
    meant = judge(tray, player, cells, broken, attack, detours).attack
    pulled = mask_of(cells)
    legal = moves_within(tray, player, broken, detours, limits)
    changed = [((mask_of(clear.cells) ^ pulled).bit_count(), clear) for clear in legal]
    fewest = min((count for count, _ in changed), default=0)
    found = [clear for count, clear in changed if count == fewest]
    found.sort(key=lambda clear: clear.attack != meant)  # stable: otherwise as `moves` has them
    return tuple(found[:AT_MOST])
