"""The arithmetic of dials and credits (rulebook: Breaking Button Health Dials; Repairing Broken Buttons)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.rules.rematch.state import FULL_HP, REPAIR_HP, Dial, Side
from companion.rules.rematch.switches import Rules
from companion.rules.rematch.tray import COLOURS


def hurt(dial: Dial, amount: int) -> Dial:
    """An active dial after damage; what is more than it holds is lost. At 0 it breaks."""
    hp = max(0, dial.hp - amount)
    return Dial(hp, broken=hp == 0)


def raised(dial: Dial, amount: int) -> Dial:
    """A dial after healing, capped; a broken one that reaches the repair mark is active again at once."""
    hp = min(FULL_HP, dial.hp + amount)
    return Dial(hp, broken=dial.broken and hp < REPAIR_HP)


def healed(side: Side, heals: Mapping[str, int]) -> dict[str, Dial]:
    """The dials that heal, as they are afterwards, in the order R, Y, B."""
    return {colour: raised(side.dial(colour), heals[colour]) for colour in COLOURS if heals.get(colour)}


def prices(broken_before: int, breaks: int, rules: Rules) -> list[int]:
    """What each of some simultaneous breaks costs: 1 for an only broken button, more when others are broken."""
    tariff = (1, 2, rules.third_break_price)
    return [tariff[number] for number in range(broken_before, broken_before + breaks)]


def restored(side: Side, credits: int, just_broken: Collection[str], rules: Rules) -> dict[str, Dial]:
    """The dials after `credits` were paid for the breaks of `just_broken`."""
    if rules.restores_all:
        return healed(side, dict.fromkeys(COLOURS, credits))
    return healed(side, dict.fromkeys(just_broken, 1))
