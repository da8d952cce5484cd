"""What each event does to the state. Nothing is decided here: an event says how things are afterwards.

Events are plain JSON, so what is in the log is what is folded (docs/decisions/rules-core.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.core import Event
from companion.rules.rematch.due import due_of
from companion.rules.rematch.fighters import board_from_json
from companion.rules.rematch.markers import marker_of
from companion.rules.rematch.state import Dial, LastClear, Over, Side, State
from companion.rules.rematch.switches import Rules
from companion.rules.rematch.tray import COLOURS, PLAYERS, Tray


def evolve(state: State | None, event: Event) -> State:
    """The state after the event; LookupError, TypeError or ValueError for an event that these rules never wrote."""
    if event["type"] == "set_up":
        return _set_up(event)
    if state is None:
        raise ValueError(f"event {event['type']!r} before the set-up")
    return _EVENTS[event["type"]](state, event)


def _set_up(event: Event) -> State:
    places = event["fans"]
    state = State(
        rules=Rules(**event["rules"]),
        first=event["first"],
        side_a=_side(event["players"]["A"]),
        side_b=_side(event["players"]["B"]),
        fans=(places["R"], places["Y"], places["B"]),
        turn=event["first"],
        tray=Tray.parse(event["tray"]),
    )
    return _with_start_fans(state, event)


def _side(data: Mapping[str, Any]) -> Side:
    board = data.get("board")  # older logs have none
    side = Side(
        credits=data["credits"],
        fighter=data["fighter"],
        board=None if board is None else board_from_json("board", board),
    )
    return side.with_dials(_dials(data["buttons"]))


def _dial(data: Mapping[str, Any]) -> Dial:
    return Dial(data["hp"], data["broken"])


def _dials(data: Mapping[str, Any]) -> dict[str, Dial]:
    return {colour: _dial(dial) for colour, dial in data.items()}


def _with_dials(state: State, player: str, dials: Mapping[str, Dial]) -> State:
    return state.with_side(player, state.side(player).with_dials(dials))


def _begun(state: State, event: Event) -> State:
    return replace(state, phase="start")


def _destroyed(state: State, event: Event) -> State:
    in_opening = len(event["cells"]) if event["opening"] else 0
    return replace(state, tray=Tray.parse(event["tray"]), opening_destroyed=state.opening_destroyed + in_opening)


def _flipped(state: State, event: Event) -> State:
    state = _with_dials(state, event["player"], {event["button"]: _dial(event)})
    return replace(state, flips=state.flips + 1, declared=None)


def _declared(state: State, event: Event) -> State:
    return replace(state, declared=event["attack"])


def _cleared(state: State, event: Event) -> State:
    cells, chain = event["cells"], event["chain"]
    clear = LastClear(
        player=event["player"],
        attack=event["attack"],
        cells=None if cells is None else tuple(cells),
        chain=None if chain is None else tuple(chain),
        heals=tuple(event["heals"].items()),
        kicker=event["kicker"],
        overruled=tuple(event["overruled"]),
    )
    aside = event["aside"]
    return replace(
        state,
        phase="resolve",
        tray=Tray.parse(event["tray"]),
        declared=None,
        aside=(aside["R"], aside["Y"], aside["B"]),
        last_clear=clear,
    )


def _hit(state: State, event: Event) -> State:
    for hit in event["hits"]:
        state = _with_dials(state, hit["player"], {hit["button"]: _dial(hit)})
    return state


def _healed(state: State, event: Event) -> State:
    return _with_dials(state, event["player"], _dials(event["buttons"]))


def _paid(state: State, event: Event) -> State:
    side = state.side(event["player"])
    side = replace(side, credits=event["left"], owed=() if event["for"] == "breaks" else side.owed)
    return state.with_side(event["player"], side.with_dials(_dials(event["buttons"])))


def _owes(state: State, event: Event) -> State:
    side = state.side(event["player"])
    owed = tuple((item["button"], item["credits"]) for item in event["breaks"])
    return state.with_side(event["player"], replace(side, owed=side.owed + owed))


def _could_not_pay(state: State, event: Event) -> State:
    side = state.side(event["player"])
    owed = () if event["for"] == "breaks" else side.owed
    return state.with_side(event["player"], replace(side, cannot_pay=True, owed=owed))


def _fan_taken(state: State, event: Event) -> State:
    return _fans_moved(state, {event["fan"]: event["to"]}, event)


def _fans_moved(state: State, places: Mapping[str, str], event: Event) -> State:
    red, yellow, blue = (places.get(fan, state.place(fan)) for fan in COLOURS)
    return _with_start_fans(replace(state, fans=(red, yellow, blue)), event)


def _with_start_fans(state: State, event: Event) -> State:
    """Where a turn begins `fans_otherwise` are the same and not told; logs older than the command `rules` never do."""
    start = event["fans_at_start"]
    return replace(state, fans_at_start=tuple(start), fans_otherwise=tuple(event.get("fans_otherwise", start)))


def _skip_set(state: State, event: Event) -> State:
    return state.with_side(event["player"], replace(state.side(event["player"]), skips_next=True))


def _turn_ended(state: State, event: Event) -> State:
    for player in event["skipped"]:
        state = state.with_side(player, replace(state.side(player), skips_next=False))
    left = tuple(item.get("text", item["effect"]["do"]) for item in event.get("left", ()))
    return replace(_fresh_turn(state, event["next"], event), turn_number=event["turn_number"], left=left)


def _fresh_turn(state: State, player: str, event: Event) -> State:
    state = replace(state, turn=player, phase="start", declared=None, flips=0, aside=(0, 0, 0), due=(), reminded=())
    return _with_start_fans(state, event)


def _corrected(state: State, event: Event) -> State:
    for player in PLAYERS:
        side = state.side(player)
        told = event["players"].get(player, {})
        dials = _dials(told.get("buttons", {}))
        settles = any(side.dial(colour).hp == 0 for colour in dials)
        side = replace(side.with_dials(dials), credits=told.get("credits", side.credits))
        if settles:
            side = _settled(side, dials)
        state = state.with_side(player, side)
    if "tray" in event:
        state = replace(state, tray=Tray.parse(event["tray"]))
    if "turn" in event:
        if state.phase == "opening":
            state = replace(state, first=event["turn"], turn=event["turn"])
        elif state.phase == "over":
            state = replace(state, turn=event["turn"])
        else:
            state = _fresh_turn(state, event["turn"], event)
    return _fans_moved(state, event["fans"], event)


def _settled(side: Side, corrected: Collection[str]) -> Side:
    """A dial at 0 HP waits for a payment that failed or is still due: whoever corrects it settles that dial's."""
    owed = tuple(item for item in side.owed if item[0] not in corrected)
    due = {button for button, _ in owed}
    failed = any(side.dial(colour).hp == 0 and colour not in due for colour in COLOURS)
    return replace(side, cannot_pay=side.cannot_pay and failed, owed=owed)


def _match_over(state: State, event: Event) -> State:
    return replace(state, phase="over", over=Over(event["winner"], event["reason"]), due=())


def _due_listed(state: State, event: Event) -> State:
    due = tuple(due_of(item) for item in event["items"])
    return replace(state, due=due, due_ids=max((state.due_ids, *(item.id for item in due))))


def _reminded(state: State, event: Event) -> State:
    return replace(state, reminded=(*state.reminded, *event["markers"]))


def _resolved(state: State, event: Event) -> State:
    return replace(state, due=tuple(item for item in state.due if item.id != event["item"]))


def _marker_laid(state: State, event: Event) -> State:
    marker = marker_of(event["marker"])
    return replace(state, markers=(*state.markers, marker), marker_ids=marker.id)


def _marker_lifted(state: State, event: Event) -> State:
    return _without_markers(state, [event["marker"]])


def _without_markers(state: State, gone: Collection[Mapping[str, Any]]) -> State:
    numbers = {marker["id"] for marker in gone}
    return replace(state, markers=tuple(marker for marker in state.markers if marker.id not in numbers))


def _markers_counted(state: State, event: Event) -> State:
    left = {item["id"]: item["turns"] for item in event["turns"]}
    markers = tuple(replace(marker, turns=left.get(marker.id, marker.turns)) for marker in state.markers)
    return _without_markers(replace(state, markers=markers), event["gone"])


def _rules_changed(state: State, event: Event) -> State:
    return _with_start_fans(replace(state, rules=Rules(**event["rules"])), event)


_EVENTS: Final[Mapping[str, Callable[[State, Event], State]]] = {
    "begun": _begun,
    "destroyed": _destroyed,
    "flipped": _flipped,
    "declared": _declared,
    "cleared": _cleared,
    "hit": _hit,
    "healed": _healed,
    "paid": _paid,
    "owes": _owes,
    "could_not_pay": _could_not_pay,
    "fan_taken": _fan_taken,
    "skip_set": _skip_set,
    "turn_ended": _turn_ended,
    "corrected": _corrected,
    "marker_laid": _marker_laid,
    "marker_lifted": _marker_lifted,
    "markers_counted": _markers_counted,
    "rules_set": _rules_changed,
    "due_listed": _due_listed,
    "resolved": _resolved,
    "reminded": _reminded,
    "match_over": _match_over,
}
