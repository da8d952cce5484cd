"""The clear: judged, trusted or overruled, and then its healing (rulebook: Making an Attack; Resolving an Attack)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.core import Reason, Rejection
from companion.rules.rematch import commands as c
from companion.rules.rematch.chains import HP_PER_SHORT_CIRCUIT, Verdict, attack_name
from companion.rules.rematch.ledger import healed
from companion.rules.rematch.limited import denied_colour, judge_within
from companion.rules.rematch.listing import after_clear
from companion.rules.rematch.markers import limits
from companion.rules.rematch.nearest import nearest
from companion.rules.rematch.reminding import at_clear
from companion.rules.rematch.state import State
from companion.rules.rematch.story import Story, dials_json, without
from companion.rules.rematch.tray import CELLS, COLOUR_NAMES, COLOURS, REACH, UNKNOWN_TRAY, Tray
from companion.rules.rematch.turn import may_attack


def clear_cells(story: Story, command: c.ClearCells) -> Rejection | None:
    state = story.state
    refused = may_attack(state, command.player)
    if refused:
        return refused
    verdict = _judged(state, command)
    if not verdict.legal and not command.overrule:
        return _illegal(verdict.reasons, _instead(state, command))
    # players may waive a rule, but not pull a marble that is not there
    impossible = tuple(r for r in verdict.reasons if r.code in ("empty_cell", "repeated_cell"))
    if impossible:
        return _illegal(impossible, _instead(state, command))
    tray = without(state, command.cells, command.refill)
    if isinstance(tray, Rejection):
        return tray
    if verdict.legal and verdict.attack is not None:
        _cleared(story, verdict.attack, command.cells, verdict.chain, verdict.heals, tray)
    elif command.attack is not None:
        shorts = {colour: 0 for colour in COLOURS if colour in state.side(command.player).broken}
        for cell in command.cells:
            colour = state.tray.at(cell)
            if colour in shorts and colour != command.attack[0]:
                shorts[colour] += HP_PER_SHORT_CIRCUIT
        heals = {colour: amount for colour, amount in shorts.items() if amount}
        _cleared(story, command.attack, command.cells, None, heals, tray, verdict.reasons)
    return None


def _judged(state: State, command: c.ClearCells) -> Verdict:
    """The verdict on the cells, the attack that was named and the one that was declared."""
    broken = state.side(command.player).broken
    named = command.attack or state.declared
    bounds = limits(state.markers, command.player)
    verdict = judge_within(state.tray, command.player, command.cells, broken, named, state.rules.detours, bounds)
    contrary = _not_as_declared(state, command.attack)
    if contrary is None or any(reason.code == "wrong_attack" for reason in verdict.reasons):
        return verdict
    if not verdict.legal and not command.overrule:
        return verdict
    return Verdict(False, verdict.attack, reasons=(*verdict.reasons, contrary))


def _not_as_declared(state: State, attack: str | None) -> Reason | None:
    if attack is None or state.declared is None or attack == state.declared:
        return None
    return Reason("wrong_attack", f"{attack_name(state.declared)} was declared, not {attack_name(attack)}.")


def clear_by_taps(story: Story, command: c.ClearByTaps) -> Rejection | None:
    """A clear that nobody watched: trusted as far as the attack itself can be right."""
    state = story.state
    refused = may_attack(state, command.player)
    if refused:
        return refused
    reasons = _tap_reasons(state, command)
    if reasons and not command.overrule:
        return _illegal(reasons)
    broken = state.side(command.player).broken - {command.attack[0]}
    heals = {colour: HP_PER_SHORT_CIRCUIT * count for colour, count in command.shorts.items() if colour in broken}
    _cleared(story, command.attack, None, None, heals, UNKNOWN_TRAY, reasons, command.shorts)
    return None


def _tap_reasons(state: State, command: c.ClearByTaps) -> tuple[Reason, ...]:
    broken = state.side(command.player).broken
    name = COLOUR_NAMES[command.attack[0]]
    size = int(command.attack[1])
    reasons = []
    strangers = [colour for colour in command.shorts if colour not in broken or colour == command.attack[0]]
    if strangers:
        names = " and ".join(COLOUR_NAMES[colour] for colour in strangers)
        reasons.append(Reason("mixed_colours", f"{names} marbles are no short circuits in this clear."))
    if command.attack[0] in broken:
        reasons.append(Reason("broken_button", f"The {name} button is broken, so there is no {name} attack."))
    denied = denied_colour(command.attack, limits(state.markers, command.player))
    if denied:
        reasons.append(denied)
    total = size + sum(command.shorts.values())
    most = sum(cell[0] in REACH[command.player] for cell in CELLS)
    if total > most:
        reasons.append(Reason("wrong_count", f"{total} marbles are more than the {most} cells in reach."))
    if size == 1 and command.shorts:
        text = "A one-marble attack begins and ends on that marble, so it has no short circuits."
        reasons.append(Reason("ends_on_short_circuit", text))
    contrary = _not_as_declared(state, command.attack)
    return (*reasons, *([contrary] if contrary else ()))


def _instead(state: State, command: c.ClearCells) -> list[dict[str, Any]]:
    """The legal clears the player may have meant, for the refusal."""
    broken = state.side(command.player).broken
    named = command.attack or state.declared
    bounds = limits(state.markers, command.player)
    found = nearest(state.tray, command.player, command.cells, broken, named, state.rules.detours, bounds)
    return [clear.to_json() for clear in found]


def _illegal(reasons: Sequence[Reason], instead: Sequence[Mapping[str, Any]] | None = None) -> Rejection:
    """`instead`: None where the cells are not known, so that nothing is near to them."""
    named = {cell for reason in reasons for cell in reason.cells}
    cells = tuple(cell for cell in CELLS if cell in named)
    first, *others = (reason.text.removesuffix(".") for reason in reasons)
    text = "; ".join((first, *(part if part[0] in COLOURS else part[0].lower() + part[1:] for part in others)))
    extra = {} if instead is None else {"nearest": list(instead)}
    return Rejection("illegal_clear", f"{text}.", cells, tuple(reasons), extra)


def _cleared(
    story: Story,
    attack: str,
    cells: Sequence[str] | None,
    chain: Sequence[str] | None,
    heals: Mapping[str, int],
    tray: Tray,
    overruled: Sequence[Reason] = (),
    shorts: Mapping[str, int] | None = None,
) -> None:
    """The clear and then its healing, which comes before any other effect (rulebook: Resolving an Attack)."""
    state = story.state
    player = state.turn
    aside = dict.fromkeys(COLOURS, 0)
    if state.rules.marbles_return == "end_of_turn":
        for colour in COLOURS:
            if cells is not None:
                aside[colour] = sum(state.tray.at(cell) == colour for cell in cells)
            else:
                aside[colour] = (shorts or {}).get(colour, 0) + (int(attack[1]) if colour == attack[0] else 0)
    story.tell(
        "cleared",
        player=player,
        attack=attack,
        cells=None if cells is None else list(cells),
        chain=None if chain is None else list(chain),
        heals=dict(heals),
        kicker=attack[0] in state.fans_at_start,
        tray=tray.text,
        aside=aside,
        overruled=[reason.to_json() for reason in overruled],
    )
    if heals:
        dials = healed(story.state.side(player), heals)
        story.tell("healed", player=player, by="short_circuits", buttons=dials_json(dials))
    after_clear(story)
    at_clear(story, player, attack, state.tray, cells)
