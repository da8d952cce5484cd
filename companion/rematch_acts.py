"""From what was seen of a turn to commands, verdicts and questions. Pure: a state and an outcome in, acts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.rematch import watch
from companion.rules.rematch.chains import attack_name
from companion.rules.rematch.markers import limits, marker_of
from companion.rules.rematch.tray import CELLS, COLOUR_NAMES, EMPTY, UNKNOWN, Tray
from companion.session import Reply
from companion.table_port import Act, Answer, Ask, Command, Say, Submit, Verdict

State = Mapping[str, Any]
"""The referee's state as JSON (DESIGN §7)."""

OTHER = watch.OTHER
NOTHING = Answer("It did not happen")
MOST_DESTROYED_IN_OPENING = 2


def turn(state: State) -> watch.Turn:
    """Whom the watcher takes for the one who pulls next: once the attack is made, that is the opponent."""
    broken = {
        player: "".join(colour for colour, dial in side["buttons"].items() if dial["broken"])
        for player, side in state["players"].items()
    }
    laid = [marker_of(marker) for marker in state.get("markers", ())]
    limited = {player: limits(laid, player) for player in OTHER}
    if state["phase"] == "resolve":
        return watch.Turn(OTHER[state["turn"]], broken, limits=limited)
    return watch.Turn(state["turn"], broken, state.get("declared"), limited)


def differing(expected: str, seen: str) -> tuple[str, ...]:
    """The cells that are known in both and not the same."""
    pairs = zip(CELLS, expected.replace("/", ""), seen.replace("/", ""), strict=True)
    return tuple(cell for cell, a, b in pairs if a != b and UNKNOWN not in (a, b))


def refill(before: str, after: str, cells: Sequence[str]) -> dict[str, str]:
    """What came down into the lanes of `cells`, as the `refill` of a command: the top of each lane as it lies after."""
    letters = {}
    taken = Tray.parse(before)
    for lane, old, new in zip("abc", taken.lanes, Tray.parse(after).lanes, strict=True):
        gone = {cell for cell in cells if cell[0] == lane}
        if gone:
            stay = sum(letter != EMPTY and f"{lane}{row}" not in gone for row, letter in enumerate(old, start=1))
            letters[lane] = new[stay : stay + len(gone)]
    return letters


def clear(player: str, cells: Sequence[str], before: str | None, after: str | None) -> Command:
    """The `clear` of these cells; without the trays around it what dropped in is not known."""
    command: dict[str, Any] = {"do": "clear", "player": player, "cells": list(cells)}
    if before is not None and after is not None and set(cells) <= set(CELLS):
        command["refill"] = refill(before, after, cells)
    return command


def on_clear(state: State, seen: watch.ClearSeen) -> list[Act]:
    """Marbles were pulled: by the player on turn it is a clear; otherwise it is asked what it was."""
    if state["phase"] == "start":
        due = _due_destroyed(state, seen)
        if due is None:
            return [*_known(state, seen.before), _submit(seen.player, seen, state)]
        # a start effect that destroys is due: both are within the rules, and look the same
        cells, attack = seen.explanation.cells, seen.explanation.attack
        pulled = clear(seen.player, cells, seen.before, seen.after)
        cleared = Answer(_label(seen.player, cells, attack), cells, (pulled,), _refused)
        text = f"Marbles left the tray: {' '.join(cells)}. What was it?"
        return [*_known(state, seen.before), Ask(seen.player, text, (due, cleared, NOTHING))]
    if state["phase"] == "resolve":
        return [_ask_after_the_attack(state, seen)]
    if state["phase"] == "opening":
        return [_in_the_opening(state, seen)]
    return [Say("table", "Marbles were pulled after the end of the match; nothing was counted.")]


def on_question(state: State, question: watch.Question, last_command: Command) -> list[Act]:
    """The watcher's question with its guesses as commands. A guess that no command can make good is left out."""
    answers = []
    for guess in question.answers:
        if not guess.clears:
            answers.append(_nothing_pulled(state, question))
            continue
        commands = _commands(state, guess.clears, question, last_command)
        if commands:
            cells = tuple(cell for _, pulled, _ in guess.clears for cell in pulled)
            label = " then ".join(_label(*one) for one in guess.clears)
            if state["phase"] == "opening":
                label += ": the match has begun"
            answers.append(Answer(label, cells, commands, _refused))
    if state["phase"] == "opening":
        answers = [*answers[:2], *_destroyed_first(state, question)]
    return [Ask(question.player, question.text, (*answers[:3], NOTHING))]


def _destroyed_first(state: State, question: watch.Question) -> list[Answer]:
    """What of the likeliest guess the second player may have destroyed before the first turn."""
    room = MOST_DESTROYED_IN_OPENING - int(state.get("opening_destroyed", 0))
    for guess in question.answers:
        if len(guess.clears) == 1 and 0 < len(guess.clears[0][1]) <= room:
            return [_destroyed(OTHER[state["turn"]], guess.clears[0][1], question.before, question.after)]
    return []


def aim(found: bool, shift_px: float | None) -> Say:
    """The camera lost the tray, or has it again."""
    if not found:
        text = "The camera or the tray was moved: nothing is scored until the tray is found again. Do not pull now."
        return Say("aim", text, "warn")
    by = f", {shift_px:.0f} px from where it was" if shift_px is not None and shift_px >= 1 else ""
    return Say("aim", f"The tray is found again{by}: the match goes on where it was.")


def put_back(cells: Sequence[str]) -> Say:
    where = f": {' '.join(cells)}" if cells else ""
    return Say("table", f"Marbles were put back{where}. Nothing was counted.")


def hanging(cells: Sequence[str]) -> Say:
    where = " and ".join(sorted({cell[0] for cell in cells}))
    return Say("hanging", f"A marble hangs halfway in lane {where}: nudge it down, then it goes on.", "warn")


def on_fan(state: State, fan: str, place: str) -> Command | None:
    """A fan lies in a new place; None: the score knows it already, or the match is over."""
    known = next((player for player in "AB" if fan in state["players"][player]["fans"]), "stage")
    if known == place or state["phase"] == "over":
        return None
    if place == "stage" or state["phase"] == "opening":  # an effect would end the opening
        return {"do": "correct", "fan": fan, "place": place}
    return {"do": "fan", "player": place, "fan": fan}


def fan_moved(fan: str, place: str, reply: Reply) -> Say:
    where = "the stage" if place == "stage" else place
    if reply.accepted:
        return Say("fan", f"The {COLOUR_NAMES[fan]} fan went to {where}.")
    return Say("fan", f"The {COLOUR_NAMES[fan]} fan lies at {where}: {reply.body['error']['text']}", "warn")


def fans_differ(state: State, seen: Mapping[str, str | None]) -> str:
    """One sentence on the fans that the camera sees elsewhere than the score has them; empty: none."""
    told = []
    for fan, place in seen.items():
        known = next((player for player in "AB" if fan in state["players"][player]["fans"]), "stage")
        if place is not None and place != known:
            where = {"stage": "on the stage"}
            told.append(
                f"the {COLOUR_NAMES[fan]} fan {where.get(place, f'at {place}')}, not {where.get(known, f'at {known}')}"
            )
    return f"The camera sees {' and '.join(told)}: tap it to set the score right, or move it." if told else ""


def fill_in(state: State, seen: str) -> Command | None:
    """The correction that fills empty places and unknown cells of the expected tray; None: it would change nothing."""
    old = state["tray"]
    new = "".join(b if a in (EMPTY, UNKNOWN) and b != UNKNOWN else a for a, b in zip(old, seen, strict=True))
    return None if new == old else {"do": "correct", "tray": new}


def _known(state: State, before: str) -> list[Act]:
    """A clear is judged on known cells only: what the score does not know of the tray is told first, if it was seen."""
    command = fill_in(state, before) if UNKNOWN in state["tray"] else None
    return [] if command is None else [Submit(command)]


def _submit(player: str, seen: watch.ClearSeen, state: State) -> Submit:
    command = clear(player, seen.explanation.cells, seen.before, seen.after)
    return Submit(command, lambda reply: [_verdict(player, seen, state, reply)])


def _verdict(player: str, seen: watch.ClearSeen, state: State, reply: Reply) -> Verdict:
    found = seen.explanation
    if reply.accepted:
        attack = reply.body["state"]["last_clear"]["attack"]
        text = f"{player} cleared {' '.join(found.cells)}: {attack_name(attack)}."
        return Verdict("legal", player, found.cells, attack, text, sure=seen.sure)
    error = reply.body["error"]
    reasons = error.get("reasons") or [reason.to_json() for reason in found.reasons] or [error]
    verdict = _not_allowed(player, found.cells, found.attack, reasons, seen.sure, error.get("nearest", ()))
    if error["code"] != "illegal_clear":
        return verdict
    return replace(verdict, stand=lambda said: _let_stand(reply.command, state, seen, said.get("attack")))


def _let_stand(pulled: Command, state: State, seen: watch.ClearSeen, attack: object) -> tuple[Command, ...]:
    """The illegal pull as the attack that the players name."""
    if set(pulled["cells"]) <= set(CELLS):
        return ({**pulled, "attack": attack, "overrule": True},)
    # a marble that came in during the pull lay in no cell of the tray: told without cells, then the tray as it lies
    broken = [colour for colour, dial in state["players"][pulled["player"]]["buttons"].items() if dial["broken"]]
    taken = [Tray.parse(seen.before).at(cell) for cell in pulled["cells"] if cell in CELLS]
    shorts = {c: taken.count(c) for c in broken if c in taken and not str(attack).startswith(c)}
    told = {"do": "clear", "player": pulled["player"], "attack": attack, "shorts": shorts, "overrule": True}
    return (told, {"do": "correct", "tray": seen.after})


def _not_allowed(
    player: str,
    cells: Sequence[str],
    attack: str | None,
    reasons: Sequence[Mapping[str, Any]],
    sure: bool,
    nearest: Sequence[Mapping[str, Any]],
) -> Verdict:
    text = f"{player} pulled {' '.join(cells)}, which is not allowed. {reasons[0]['text']}"
    return Verdict("illegal", player, tuple(cells), attack, text, tuple(reasons), sure, tuple(nearest))


def _refused(reply: Reply) -> list[Act]:
    """The players have said what was pulled, and it is not allowed: why not."""
    error, command = reply.body["error"], reply.command
    if command.get("do") != "clear":
        return []
    reasons, nearest = error.get("reasons") or [error], error.get("nearest", ())
    verdict = _not_allowed(command["player"], command["cells"], None, reasons, True, nearest)
    if error["code"] == "illegal_clear":
        verdict = replace(verdict, stand=lambda said: ({**command, "attack": said.get("attack"), "overrule": True},))
    return [verdict]


def _label(player: str, cells: Sequence[str], attack: str | None) -> str:
    what = f"{player} cleared {' '.join(cells)}"
    return f"{what} ({attack_name(attack)})" if attack else f"{what} (not legal)"


def _ask_after_the_attack(state: State, seen: watch.ClearSeen) -> Ask:
    attacker, other = state["turn"], OTHER[state["turn"]]
    cells = seen.explanation.cells
    answers = []
    if seen.legal and seen.player == other:
        commands = ({"do": "end_turn", "player": attacker}, clear(other, cells, seen.before, seen.after))
        label = f"{attacker}'s turn is over; {_label(other, cells, seen.explanation.attack)}"
        answers.append(Answer(label, cells, commands, _refused))
    due = _due_destroyed(state, seen)
    taken = _destroyed(attacker, cells, seen.before, seen.after)
    answers = [*answers, taken] if due is None else [due, *answers]
    return Ask(seen.player, f"Marbles left the tray: {' '.join(cells)}. What was it?", (*answers, NOTHING))


def _in_the_opening(state: State, seen: watch.ClearSeen) -> Act:
    first, second = state["turn"], OTHER[state["turn"]]
    cells = seen.explanation.cells
    if len(cells) > MOST_DESTROYED_IN_OPENING - int(state.get("opening_destroyed", 0)):
        return _submit(first, seen, state)
    answers = [_destroyed(second, cells, seen.before, seen.after), NOTHING]
    if seen.legal:
        label = f"{_label(first, cells, seen.explanation.attack)}: the match has begun"
        answers.insert(0, Answer(label, cells, (clear(first, cells, seen.before, seen.after),), _refused))
    return Ask(first, f"Marbles left the tray before the first turn: {' '.join(cells)}. What was it?", tuple(answers))


def _due_destroyed(state: State, seen: watch.ClearSeen) -> Answer | None:
    """The marbles that left as those that are due to be destroyed now; None: no such thing, or not so many."""
    first = next(iter(state.get("due", ())), None)
    choice = first and first["choice"]
    cells = seen.explanation.cells
    if first is None or choice is None or not set(cells) <= set(CELLS):
        return None
    wanted: tuple[Command, ...] = ()
    most = choice.get("most", 0)
    if choice["kind"] == "yes_no" and first["effect"]["do"] == "destroy":
        wanted = ({"do": "resolve", "item": first["id"], "yes": True},)  # whoever took them wanted to
        most = first["effect"].get("amount", 0)
    if len(cells) > most:
        return None
    destroyed = _destroyed(first["player"], cells, seen.before, seen.after)
    given = {key: value for key, value in destroyed.commands[0].items() if key in ("cells", "refill")}
    return Answer(destroyed.label, cells, (*wanted, {"do": "resolve", "item": first["id"], **given}))


def _destroyed(player: str, cells: tuple[str, ...], before: str | None, after: str | None) -> Answer:
    command = {**clear(player, cells, before, after), "do": "destroy"}
    return Answer(f"{player} destroyed {' '.join(cells)}", cells, (command,))


def _nothing_pulled(state: State, question: watch.Question) -> Answer:
    """No clear: the tray is taken as it lies."""
    now = "".join(old if new == UNKNOWN else new for old, new in zip(state["tray"], question.after, strict=True))
    cells = differing(state["tray"], question.after)
    return Answer("Nothing was pulled: the tray is right as it lies", cells, ({"do": "correct", "tray": now},))


def _commands(
    state: State,
    clears: Sequence[tuple[str, tuple[str, ...], str | None]],
    question: watch.Question,
    last_command: Command,
) -> tuple[Command, ...]:
    """The commands that make a guess true, from the phase the match is in; none when there are none.

    A clear of the first player's ends the opening.
    """
    if not clears or state["phase"] == "over":
        return ()
    if any(attack is None for _, _, attack in clears[:-1]):
        return ()  # nothing can be built on a clear that is none: its marbles have to be put back
    commands: list[Command] = []
    on_turn, phase = state["turn"], state["phase"]
    for number, (player, cells, _) in enumerate(clears):
        if phase == "resolve" and player == on_turn:
            # more of a clear that was counted already: that one goes, if nothing was built on it
            if number or last_command.get("do") != "clear":
                return ()
            commands.append({"do": "undo"})
        elif player != on_turn:
            if phase != "resolve":
                return ()
            commands.append({"do": "end_turn", "player": on_turn})
        alone = len(clears) == 1 and commands[-1:] != [{"do": "undo"}]
        commands.append(clear(player, cells, question.before if alone else None, question.after if alone else None))
        on_turn, phase = player, "resolve"
    return tuple(commands)
