"""Which one entry would make the match what is seen, and how to take a board as it lies. Pure; nothing is applied.

Every candidate is decided by the rules, and told only when the board would then agree in all that is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Final

from companion.rules.core import Rejection
from companion.rules.react.decide import decide
from companion.rules.react.events import evolve
from companion.rules.react.field import DIRECTIONS, PLAYERS, opponent
from companion.rules.react.markers import Marked
from companion.rules.react.seeing import (
    TURNS,
    Bound,
    Lay,
    Lays,
    bind,
    damage_seen,
    differences,
    exhausted,
    marked,
    unit_of,
)
from companion.rules.react.state import SPACES, State, Unit
from companion.rules.react.state_json import to_json
from companion.rules.react.telling import named

Command = Mapping[str, Any]
MOST: Final = 3


@dataclass(frozen=True, slots=True)
class Explanation:
    command: Command
    text: str


def explain(state: State, lays: Lays, bound: Bound, most: int = MOST) -> tuple[Explanation, ...]:
    """The single entries after which the match is what is seen, likeliest first; one of those that come to the same."""
    found: list[Explanation] = []
    outcomes: list[Any] = []
    for command in _candidates(state, lays, bound):
        after = _after(state, command)
        if after is None or differences(after, lays, bind(after, lays, bound)):
            continue
        outcome = to_json(after)
        if outcome not in outcomes:
            outcomes.append(outcome)
            found.append(Explanation(command, _words(command)))
            if len(found) == most:
                break
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Taken:
    """`commands`: corrections in an order that the rules accept; `whole`: after them nothing differs any more."""

    commands: tuple[Command, ...] = ()
    whole: bool = False


def corrections(state: State, lays: Lays, bound: Bound) -> Taken:
    """What takes the board as it lies, as far as corrections can: a card that nobody has played is none."""
    before = differences(state, lays, bound)
    done: list[Command] = []
    for command in _corrections(state, lays, bound):
        after = _after(state, command)
        if after is not None:
            done.append(command)
            state = after
    left = differences(state, lays, bind(state, lays, bound))
    return Taken(tuple(done), not left) if len(left) < len(before) else Taken()


def _after(state: State, command: Command) -> State | None:
    """The state after the command; None: it is refused, or something of it failed."""
    events = decide(state, command)
    if isinstance(events, Rejection):
        return None
    for event in events:
        if event["type"] == "failed":
            return None
        state = evolve(state, event)
    return state


def _words(command: Command) -> str:
    text = named(command)
    if command["do"] == "play":
        text += " (an ability card)" if command.get("from") == "ability" else " (from the hand)"
    return text


# --- what may have happened -------------------------------------------------------------------------------------------


def _candidates(state: State, lays: Lays, bound: Bound) -> Iterator[Command]:
    sure = {number: lay for number, lay in lays.items() if not lay.vague}
    yield from _plays(state, sure, bound)
    yield from _of_units(state, sure, bound)
    for number, lay in sure.items():
        mark = marked(number)
        if mark is not None and mark.kind == "token" and lay.place is not None:
            yield from _of_token(state, mark, lay)
    yield from _of_cards(state, sure)
    for player in PLAYERS:
        seen, artist = damage_seen(state, sure, player), state.unit(player)
        more = 0 if seen is None else seen - state.side(player).damage
        if artist is not None and more > 0:
            yield {"do": "damage", "zones": [artist.zone], **({} if more == 1 else {"amount": more})}


def _of_units(state: State, lays: Lays, bound: Bound) -> Iterator[Command]:
    away: list[tuple[Unit, str | None]] = []
    tired: list[str] = []
    fresh: list[str] = []
    for number, lay in lays.items():
        mark, unit_id = marked(number), unit_of(number, bound)
        unit = None if unit_id is None else state.unit(unit_id)
        if unit is None:
            if mark is not None and mark.kind == "summon" and lay.place is not None:
                for kind in state.side(mark.owner).things.summons:
                    yield {"do": "summon", "player": mark.owner, "kind": kind, "zone": lay.place}
            continue
        if lay.place != unit.zone:
            away.append((unit, lay.place))
        if exhausted(lay) is not None and lay.place is not None and exhausted(lay) != unit.exhausted:
            (fresh if unit.exhausted else tired).append(unit.id)
    for unit, place in away:
        if place is None:
            yield {"do": "damage", "zones": [unit.zone]}
            yield {"do": "remove", "unit": unit.id}
            continue
        yield {"do": "move", "unit": unit.id, "to": place}
        for direction in DIRECTIONS:
            yield {"do": "jump", "unit": unit.id, "direction": direction}
        other = state.unit_at(place)
        if other is not None:
            yield {"do": "swap", "units": [unit.id, other.id]}
    for unit_id in tired:
        yield {"do": "exhaust", "unit": unit_id}
    if len(fresh) != 1:
        yield {"do": "end_turn", "player": state.turn}
    for unit_id in fresh:
        yield {"do": "refresh", "unit": unit_id}
        yield {"do": "end_turn", "player": state.turn}


def _plays(state: State, lays: Lays, bound: Bound) -> Iterator[Command]:
    """The next card, with its chain token where that lies and what was exhausted as its costs."""
    if state.phase != "main" or state.resolving or state.due:
        return
    slot = len(state.chain) + 1
    player = state.priority if state.chain else state.turn
    if player is None:
        return
    exhausts = []
    targets: list[list[Command]] = []
    for number, lay in lays.items():
        mark, unit_id = marked(number), unit_of(number, bound)
        unit = None if unit_id is None else state.unit(unit_id)
        own = unit is not None and unit.owner == player
        if unit is not None and own and lay.place is not None and exhausted(lay) and not unit.exhausted:
            exhausts.append({"do": "exhaust", "unit": unit.id})
        if mark is not None and mark.kind == "token" and mark.index == slot and lay.place is not None:
            target = {"do": "target", "zone": lay.place}
            targets.append([target])
            if lay.turn is not None:
                targets.append([target, {"do": "direction", "direction": TURNS[lay.turn]}])
    if not exhausts and not targets:
        return
    kind = "reaction" if state.chain else "intention"
    play = {"do": "play", "player": player, "kind": kind}
    for costs in targets or [[]]:
        sources = ("ability",) if exhausts else ("hand", "ability")
        for source in sources:
            yield {**play, "from": source, "costs": [*exhausts, *costs]}


def _of_token(state: State, mark: Marked, lay: Lay) -> Iterator[Command]:
    if state.card(mark.index) is None:
        return
    yield {"do": "target", "slot": mark.index, "zone": lay.place}
    if lay.turn is not None:
        yield {"do": "direction", "slot": mark.index, "direction": TURNS[lay.turn]}


def _of_cards(state: State, lays: Lays) -> Iterator[Command]:
    """All steps of progress, those of the spaces that differ first: a step may end with cards that leave the zone."""
    seen = _spaces(state, lays)
    odd = [at for at, (was, now) in enumerate(zip(state.spaces, seen, strict=True), start=1) if was != now]
    if not odd:
        return
    spaces = [*odd, *(at for at in range(1, SPACES + 1) if at not in odd)]
    pairs = sorted(combinations(range(1, SPACES + 1), 2), key=lambda pair: -len(set(pair) & set(odd)))
    for player in (state.turn, opponent(state.turn)):
        for how in ("place", "replace"):
            for space, card in product(spaces, state.beside(player)):
                yield {"do": "progress", "player": player, how: card, "space": space}
        for do, pair in product(("progress", "rearrange"), pairs):
            yield {"do": do, "player": player, "swap": list(pair)}


def _spaces(state: State, lays: Lays) -> list[str | None]:
    """The five spaces as they are seen; what is not seen is as the match says."""
    spaces: list[str | None] = list(state.spaces)
    laid: list[tuple[int, str]] = []
    for number, lay in lays.items():
        mark = marked(number)
        if mark is None or mark.kind != "card":
            continue
        card = f"{mark.owner}{mark.index}"
        if card in spaces:
            spaces[spaces.index(card)] = None
        if lay.place is not None and lay.place.startswith("mp"):
            laid.append((int(lay.place[2:]), card))
    for space, card in laid:
        spaces[space - 1] = card
    return spaces


# --- as it lies -------------------------------------------------------------------------------------------------------


def _corrections(state: State, lays: Lays, bound: Bound) -> Iterator[Command]:
    """One correction of all that can be told in one, so that one undo takes it back; then the rest."""
    units: list[dict[str, Any]] = []
    others: list[Command] = []
    for number, lay in lays.items():
        mark, unit_id = marked(number), unit_of(number, bound)
        unit = None if unit_id is None else state.unit(unit_id)
        if lay.vague or mark is None:
            continue
        if unit is not None:
            told = _unit_as_it_lies(unit, lay)
            units += [{"unit": unit.id, **told}] if told else []
        elif mark.kind == "summon" and lay.place is not None:
            kinds = list(state.side(mark.owner).things.summons)
            if len(kinds) == 1:  # of several kinds nobody has said which
                others.append({"do": "summon", "player": mark.owner, "kind": kinds[0], "zone": lay.place})
        elif mark.kind == "token" and lay.place is not None:
            others += _token_as_it_lies(state, mark, lay)
    correct: dict[str, Any] = units[0] if len(units) == 1 else {"units": units} if units else {}
    spaces = _spaces(state, lays)
    if spaces != list(state.spaces):
        correct["masterpiece"] = spaces
    for player in PLAYERS:
        seen = damage_seen(state, lays, player)
        if seen is not None:
            told = {"player": player, "damage": seen}
            if "player" in correct:
                others.append({"do": "correct", **told})
            else:
                correct |= told
    if correct:
        yield {"do": "correct", **correct}
    yield from others


def _unit_as_it_lies(unit: Unit, lay: Lay) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if lay.place is None and unit.kind is None:
        return told  # an artist always stands on the field
    if lay.place != unit.zone:
        told["zone"] = lay.place
    tired = exhausted(lay)
    if lay.place is not None and tired is not None and tired != unit.exhausted:
        told["exhausted"] = tired
    return told


def _token_as_it_lies(state: State, mark: Marked, lay: Lay) -> list[Command]:
    card = state.card(mark.index)
    if card is None:
        return []
    told: list[Command] = []
    if card.zone != lay.place:
        told.append({"do": "target", "slot": mark.index, "zone": lay.place})
    arrow = None if lay.turn is None else TURNS[lay.turn]
    if card.direction is not None and arrow not in (None, card.direction):
        told.append({"do": "direction", "slot": mark.index, "direction": arrow})
    return told
