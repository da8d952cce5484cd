"""What a command would do: events, or why it is refused (DESIGN §7, §8). Nothing is changed here.

One function a command. Each looks at the state as it is after the events told so far, and tells the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from companion.rules.core import Event, Reason, Rejection
from companion.rules.rematch import commands as c
from companion.rules.rematch.chains import HP_PER_SHORT_CIRCUIT, Verdict, attack_name, judge
from companion.rules.rematch.duty import duty
from companion.rules.rematch.events import evolve
from companion.rules.rematch.ledger import healed, hurt, prices, raised, restored
from companion.rules.rematch.nearest import nearest
from companion.rules.rematch.state import FULL_HP, REPAIR_HP, Dial, State, opponent
from companion.rules.rematch.switches import Rules
from companion.rules.rematch.tray import CELLS, COLOUR_NAMES, COLOURS, EMPTY, PLAYERS, REACH, UNKNOWN_TRAY, Tray

MOST_IN_OPENING: Final = 2
"""Marbles that the second player may destroy before the first turn (rulebook: Set Up)."""


class _Story:
    """The events of one command so far, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def tell(self, kind: str, **facts: Any) -> None:
        event = {"type": kind, **facts}
        self.state = evolve(self.state, event)
        self.events.append(event)


def decide(state: State | None, raw: Mapping[str, Any]) -> Sequence[Event] | Rejection:
    """The events of a command, or its refusal. Form first, then whether it is the time for it, then the rules."""
    command = c.parse(raw)
    if isinstance(command, Rejection):
        return command
    if isinstance(command, c.Setup):
        if state is not None and state.over is None:
            return Rejection("not_now", "A match is under way; concede it or play it to the end before a new one.")
        return _too_many(command.tray, command.rules) or [_set_up(command)]
    if state is None:
        return Rejection("not_now", "There is no match yet; set one up first.")
    if state.over is not None and not isinstance(command, c.Correct):
        return Rejection("match_over", f"The match is over; player {state.over.winner} has won.")
    story = _Story(state)
    if state.phase == "opening" and not isinstance(command, c.Destroy | c.Correct):
        story.tell("begun")
    elif isinstance(command, c.Begin):
        return Rejection("not_now", "The opening has already ended.")
    refused = _HANDLERS[type(command)](story, command)
    return story.events if refused is None else refused


def _set_up(command: c.Setup) -> Event:
    return {
        "type": "set_up",
        "first": command.first,
        "tray": command.tray.text,
        "players": {
            player: {
                "buttons": _dials_json(command.dials[player]),
                "credits": command.credits[player],
                "fighter": command.fighters[player],
            }
            for player in PLAYERS
        },
        "fans": dict(command.fans),
        "fans_at_start": [fan for fan in COLOURS if command.fans[fan] == command.first],
        "rules": command.rules.to_json(),
    }


# --- what several commands share -------------------------------------------------------------------------------------


def _dials_json(dials: Mapping[str, Dial]) -> dict[str, Any]:
    return {colour: dial.to_json() for colour, dial in dials.items()}


def _too_many(tray: Tray, rules: Rules) -> Rejection | None:
    for colour in COLOURS:
        if tray.count(colour) > rules.most_of_a_colour:
            cells = tuple(cell for cell in CELLS if tray.at(cell) == colour)
            text = f"{len(cells)} {COLOUR_NAMES[colour]} marbles in view, but there are only {rules.most_of_a_colour}."
            return Rejection("too_many_of_colour", text, cells)
    return None


def _not_your_turn(state: State, player: str) -> Rejection | None:
    if player == state.turn:
        return None
    return Rejection("not_your_turn", f"It is player {state.turn}'s turn, not player {player}'s.")


def _without(state: State, cells: Sequence[str], refill: Mapping[str, str]) -> Tray | Rejection:
    """The tray after some marbles are gone and others have dropped in."""
    try:
        tray = state.tray.without(cells, refill)
    except ValueError as error:
        return Rejection("bad_value", f"The {error}.")
    return _too_many(tray, state.rules) or tray


def _no_marble(state: State, cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell for cell in cells if state.tray.at(cell) == EMPTY)


# --- the turn --------------------------------------------------------------------------------------------------------


def _begin(story: _Story, command: c.Begin) -> None:
    """Ending the opening is all it does, and that has been told already."""


def _destroy(story: _Story, command: c.Destroy) -> Rejection | None:
    state = story.state
    opening = state.phase == "opening"
    if opening and command.player == state.first:
        return Rejection(
            "not_now", f"In the opening only the second player, {opponent(state.first)}, destroys marbles."
        )
    if opening and state.opening_destroyed + len(command.cells) > MOST_IN_OPENING:
        text = f"In the opening at most {MOST_IN_OPENING} marbles are destroyed, {state.opening_destroyed} already are."
        return Rejection("too_many", text, command.cells)
    empty = _no_marble(state, command.cells)
    if empty:
        return Rejection("empty_cell", f"There is no marble in {', '.join(empty)}.", empty)
    tray = _without(state, command.cells, command.refill)
    if isinstance(tray, Rejection):
        return tray
    if command.cells:
        cells = list(command.cells)
        story.tell("destroyed", player=command.player, cells=cells, tray=tray.text, opening=opening)
    return None


def _flip(story: _Story, command: c.Flip) -> Rejection | None:
    state = story.state
    name = COLOUR_NAMES[command.button]
    refused = _not_your_turn(state, command.player)
    if refused:
        return refused
    if state.phase == "resolve":
        return Rejection("too_late", "Buttons are flipped at the start of the turn, before the clear.")
    dial = state.side(command.player).dial(command.button)
    owed = duty(state)
    # a flip without which there is no valid move at all is never too late (rulebook: F.A.Q. on broken buttons)
    forced = owed is not None and owed.code == "must_flip" and command.button in owed.buttons
    if state.declared is not None and not forced:
        return Rejection("too_late", "Buttons are flipped at the start of the turn, before an attack is declared.")
    if not dial.broken:
        return Rejection("not_broken", f"The {name} button of player {command.player} is not broken.")
    if state.rules.flips_per_turn is not None and state.flips >= state.rules.flips_per_turn and not forced:
        return Rejection("too_many", f"At most {state.rules.flips_per_turn} button is flipped in a turn.")
    story.tell("flipped", player=command.player, button=command.button, hp=dial.hp, broken=False)
    return None


def _declare(story: _Story, command: c.Declare) -> Rejection | None:
    state = story.state
    refused = _may_attack(state, command.player)
    if refused:
        return refused
    if command.attack[0] in state.side(command.player).broken:
        name = COLOUR_NAMES[command.attack[0]]
        return Rejection("broken_button", f"The {name} button is broken, so there is no {name} attack.")
    if command.attack != state.declared:
        story.tell("declared", player=command.player, attack=command.attack)
    return None


def _may_attack(state: State, player: str) -> Rejection | None:
    refused = _not_your_turn(state, player)
    if refused is None and state.phase == "resolve":
        return Rejection("already_cleared", f"Player {player} has already cleared in this turn.")
    return refused


def _skip_next(story: _Story, command: c.SkipNext) -> None:
    if not story.state.side(command.player).skips_next:
        story.tell("skip_set", player=command.player)


def _end_turn(story: _Story, command: c.EndTurn) -> Rejection | None:
    state = story.state
    refused = _not_your_turn(state, command.player)
    if refused:
        return refused
    owed = duty(state) if state.phase != "resolve" else None
    if owed is not None and owed.code == "must_clear":
        hint = f", {owed.cells[0]} for one" if owed.cells else ""
        return Rejection(
            "must_clear", f"Player {state.turn} can clear{hint}, and so must before the turn ends.", owed.cells
        )
    if owed is not None:
        names = " or ".join(COLOUR_NAMES[button] for button in owed.buttons)
        text = f"Player {state.turn} has no legal clear, and must flip {names} to have one."
        return Rejection("must_flip", text, owed.cells)
    _settle_attack(story)
    if story.state.over is None:
        _pass_turn(story)
    return None


def _pass_turn(story: _Story) -> None:
    state = story.state
    player, skipped = opponent(state.turn), []
    while state.side(player).skips_next and player not in skipped:
        skipped.append(player)
        player = opponent(player)
    fans = list(state.fans_at(player))
    number = state.turn_number + 1
    story.tell("turn_ended", player=state.turn, next=player, skipped=skipped, turn_number=number, fans_at_start=fans)


def _concede(story: _Story, command: c.Concede) -> None:
    story.tell("match_over", winner=opponent(command.player), reason="conceded")


# --- the clear -------------------------------------------------------------------------------------------------------


def _clear_cells(story: _Story, command: c.ClearCells) -> Rejection | None:
    state = story.state
    refused = _may_attack(state, command.player)
    if refused:
        return refused
    verdict = _judged(state, command)
    if not verdict.legal and not command.overrule:
        return _illegal(verdict.reasons, _instead(state, command))
    # players may waive a rule, but not pull a marble that is not there
    impossible = tuple(r for r in verdict.reasons if r.code in ("empty_cell", "repeated_cell"))
    if impossible:
        return _illegal(impossible, _instead(state, command))
    tray = _without(state, command.cells, command.refill)
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
    verdict = judge(state.tray, command.player, command.cells, broken, named, state.rules.detours)
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


def _clear_by_taps(story: _Story, command: c.ClearByTaps) -> Rejection | None:
    """A clear that nobody watched: trusted as far as the attack itself can be right."""
    state = story.state
    refused = _may_attack(state, command.player)
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
    found = nearest(state.tray, command.player, command.cells, broken, named, state.rules.detours)
    return [clear.to_json() for clear in found]


def _illegal(reasons: Sequence[Reason], instead: Sequence[Mapping[str, Any]] | None = None) -> Rejection:
    """`instead`: None where the cells are not known, so that nothing is near to them."""
    named = {cell for reason in reasons for cell in reason.cells}
    cells = tuple(cell for cell in CELLS if cell in named)
    text = "; ".join(reason.text.removesuffix(".") for reason in reasons)
    extra = {} if instead is None else {"nearest": list(instead)}
    return Rejection("illegal_clear", f"{text}.", cells, tuple(reasons), extra)


def _cleared(
    story: _Story,
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
        story.tell("healed", player=player, by="short_circuits", buttons=_dials_json(dials))


# --- effects ---------------------------------------------------------------------------------------------------------


def _hit(story: _Story, command: c.Hit) -> Rejection | None:
    state = story.state
    hits = [hit for hit in command.hits if hit.amount]
    live = [hit for hit in hits if not state.side(hit.player).dial(hit.button).broken]
    if hits and not live:
        names = " and ".join(f"{COLOUR_NAMES[hit.button]} of player {hit.player}" for hit in hits)
        return Rejection("broken_button", f"{names} cannot be damaged: broken buttons take no damage.")
    if not live:
        return None
    after = {(hit.player, hit.button): hurt(state.side(hit.player).dial(hit.button), hit.amount) for hit in live}
    story.tell(
        "hit",
        source=command.source,
        hits=[
            {
                "player": hit.player,
                "button": hit.button,
                "amount": hit.amount,
                **after[hit.player, hit.button].to_json(),
            }
            for hit in live
        ],
    )
    due: dict[str, list[tuple[str, int]]] = {}
    for player in PLAYERS:
        broke = [colour for colour in COLOURS if (player, colour) in after and after[player, colour].broken]
        costs = prices(len(state.side(player).broken), len(broke), state.rules)
        if broke:
            due[player] = list(zip(broke, costs, strict=True))
    if state.phase == "resolve" and state.rules.breaks_settle == "attack_end":
        for player, breaks in due.items():
            owed = [{"button": button, "credits": price} for button, price in breaks]
            story.tell("owes", player=player, breaks=owed)
    else:
        _judge_loss(story, _pay_breaks(story, due), command.source)
    return None


def _pay_breaks(story: _Story, due: Mapping[str, Sequence[tuple[str, int]]]) -> list[str]:
    """Pay for breaks, (button, credits) of each player, all at once. The players who cannot: they pay nothing."""
    failed = []
    for player, breaks in due.items():
        side = story.state.side(player)
        price = sum(credits for _, credits in breaks)
        if price > side.credits:
            failed.append(player)
            story.tell("could_not_pay", player=player, credits=price, **{"for": "breaks"})
            continue
        dials = restored(side, price, [button for button, _ in breaks], story.state.rules)
        left = side.credits - price
        story.tell("paid", player=player, credits=price, left=left, buttons=_dials_json(dials), **{"for": "breaks"})
    return failed


def _judge_loss(story: _Story, failed: Collection[str], source: str) -> None:
    """Whether the match is over because somebody could not pay just now (DESIGN §7, last paragraph)."""
    if not failed:
        return
    state = story.state
    attacker, defender = state.turn, opponent(state.turn)
    if state.phase != "resolve":
        winner = source if len(failed) > 1 else opponent(next(iter(failed)))
    elif defender in failed:
        winner = attacker
    elif state.rules.both_lose == "first_loses":
        winner = defender
    else:
        return
    _lose(story, winner)


def _settle_attack(story: _Story) -> None:
    """The end of an attack: pay what is still due, then judge an attacker who could not pay."""
    owed = {player: story.state.side(player).owed for player in PLAYERS}
    _pay_breaks(story, {player: breaks for player, breaks in owed.items() if breaks})
    attacker, defender = story.state.turn, opponent(story.state.turn)
    if story.state.side(defender).cannot_pay:
        _lose(story, attacker)
    elif story.state.side(attacker).cannot_pay:
        _lose(story, defender)


def _lose(story: _Story, winner: str) -> None:
    both = story.state.side(winner).cannot_pay
    story.tell("match_over", winner=winner, reason="both_cannot_pay" if both else "cannot_pay")


def _heal(story: _Story, command: c.Heal) -> None:
    if command.amount:
        dial = raised(story.state.side(command.player).dial(command.button), command.amount)
        story.tell("healed", player=command.player, by="effect", buttons=_dials_json({command.button: dial}))


def _take_fan(story: _Story, command: c.TakeFan) -> None:
    state = story.state
    place = state.place(command.fan)
    if place == command.player:
        return
    counts = state.rules.fan_snapshot == "after_start_effects" and state.phase == "start" and state.declared is None
    start = _start_fans(state, {command.fan: command.player}) if counts else list(state.fans_at_start)
    story.tell(
        "fan_taken", player=command.player, fan=command.fan, to=command.player, fans_at_start=start, **{"from": place}
    )


def _start_fans(state: State, places: Mapping[str, str]) -> list[str]:
    """The fans that make a kicker due, after some were moved and that counts."""
    return [fan for fan in COLOURS if (places[fan] == state.turn if fan in places else fan in state.fans_at_start)]


def _pay(story: _Story, command: c.Pay) -> None:
    """A forced credit (rulebook: F.A.Q. on effects that make a player pay)."""
    state = story.state
    side = state.side(command.player)
    if not command.credits:
        return
    if command.credits > side.credits:
        story.tell("could_not_pay", player=command.player, credits=command.credits, **{"for": "effect"})
        _judge_loss(story, [command.player], opponent(command.player))
        return
    restores = state.rules.forced_credit_heals if command.restores is None else command.restores
    dials = healed(side, dict.fromkeys(COLOURS, command.credits)) if restores else {}
    left = side.credits - command.credits
    story.tell(
        "paid",
        player=command.player,
        credits=command.credits,
        left=left,
        buttons=_dials_json(dials),
        **{"for": "effect"},
    )


# --- corrections -----------------------------------------------------------------------------------------------------


def _correct(story: _Story, command: c.Correct) -> Rejection | None:
    """Set something to what it really is. Nothing is paid or healed, and nobody wins or loses by it."""
    state = story.state
    told: dict[str, Any] = {}
    if command.player is not None and command.button is not None:
        old = state.side(command.player).dial(command.button)
        hp = old.hp if command.hp is None else command.hp
        broken = old.broken if command.broken is None else command.broken
        most = REPAIR_HP - 1 if broken else FULL_HP
        if not 1 <= hp <= most:
            what = "A broken" if broken else "An active"
            return Rejection("bad_value", f"correct: {what} dial holds 1 to {most} HP, not {hp}.")
        told["buttons"] = {command.button: {"hp": hp, "broken": broken}}
    if command.player is not None and command.credits is not None:
        told["credits"] = command.credits
    facts: dict[str, Any] = {"players": {command.player: told} if command.player is not None else {}}

    tray = command.tray or state.tray
    if command.cell is not None and command.colour is not None:
        tray = tray.replace(command.cell, command.colour)
    if tray != state.tray:
        refused = _too_many(tray, state.rules)
        if refused:
            return refused
        facts["tray"] = tray.text

    fans = {command.fan: command.place} if command.fan is not None and command.place is not None else {}
    facts["fans"] = fans
    places = {fan: fans.get(fan, state.place(fan)) for fan in COLOURS}
    turn = command.turn or state.turn
    if turn != state.turn:
        facts["turn"] = turn
        facts["fans_at_start"] = [fan for fan in COLOURS if places[fan] == turn]
    elif state.phase in ("opening", "start"):
        # where a fan really stands is where it stood when the turn began
        facts["fans_at_start"] = _start_fans(state, fans)
    else:
        facts["fans_at_start"] = list(state.fans_at_start)
    story.tell("corrected", **facts)
    return None


_HANDLERS: Final[Mapping[type[Any], Callable[[_Story, Any], Rejection | None]]] = {
    c.Begin: _begin,
    c.Destroy: _destroy,
    c.Flip: _flip,
    c.Declare: _declare,
    c.ClearCells: _clear_cells,
    c.ClearByTaps: _clear_by_taps,
    c.Hit: _hit,
    c.Heal: _heal,
    c.TakeFan: _take_fan,
    c.Pay: _pay,
    c.SkipNext: _skip_next,
    c.EndTurn: _end_turn,
    c.Concede: _concede,
    c.Correct: _correct,
}
