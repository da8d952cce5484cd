"""From what is seen of a board of Re;ACT to a question. Pure: a state and lays in, a question out, nothing applied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.rules.react import seeing
from companion.rules.react.explaining import corrections, explain
from companion.rules.react.seeing import Bound, Difference, Lay, Lays
from companion.rules.react.state import State
from companion.session import Reply
from companion.table_port import Act, Answer, Ask

PUT_BACK = "The match is right: I put it as it says"
AS_IT_LIES = "Take it as it lies"
PARTLY = "Take as it lies what can be"
MOST_TOLD = 3
MOST_OPTIONS = 4


def ask(state: State, lays: Lays, bound: Bound, refused: Callable[[Reply], Sequence[Act]]) -> Ask | None:
    """None: what is seen agrees with the match. `refused`: what follows when an answer is."""
    found = seeing.differences(state, lays, bound)
    if not found:
        return None
    vague = next((number for number, lay in lays.items() if lay.vague), None)
    if vague is None:
        text = f"{_sentences(found)} What happened?"
        answers = _answers(state, lays, bound)
    else:
        told = next(one for one in found if one.number == vague)
        text = f"{told.text}. Where does it belong?" if lays[vague].why != "askew" else f"{told.text}. How is it meant?"
        answers = _of_vague(state, lays, bound, vague)
    cells = tuple(dict.fromkeys(cell for one in found for cell in one.cells))
    answers.append(Answer(PUT_BACK, cells))
    return Ask(None, text, tuple(replace(one, refused=refused) for one in answers))


def _sentences(found: Sequence[Difference]) -> str:
    told = [f"{one.text}." for one in found[:MOST_TOLD]]
    more = len(found) - len(told)
    return " ".join([*told, f"And {more} more."] if more else told)


def _answers(state: State, lays: Lays, bound: Bound) -> list[Answer]:
    """The best explanations first, then the board as it lies."""
    answers = [Answer(one.text, commands=(one.command,)) for one in explain(state, lays, bound)]
    taken = corrections(state, lays, bound)
    if taken.commands and taken.commands not in [answer.commands for answer in answers]:
        answers.append(Answer(AS_IT_LIES if taken.whole else PARTLY, commands=taken.commands))
    return answers


def _of_vague(state: State, lays: Lays, bound: Bound, number: int) -> list[Answer]:
    """Each thing that a piece between two zones (half turned, seen twice) could be, with what would follow. Of the
    other pieces only those count about which nothing is open.
    """
    sure = seeing.unmistaken(lays)
    answers: list[Answer] = []
    for lay in seeing.options(lays[number], number)[:MOST_OPTIONS]:
        meant = {**sure, number: lay}
        where = _where(lays[number], lay, number)
        if not seeing.differences(state, meant, seeing.bind(state, meant, bound)):
            answers.insert(0, Answer(f"{where}: as the match has it", lay.places))
            continue
        for best in explain(state, meant, bound, most=1):
            answers.append(Answer(f"{where}: {best.text}", lay.places, (best.command,)))
            break
        else:
            taken = corrections(state, meant, bound)
            if taken.whole:
                answers.append(Answer(f"{where}: {AS_IT_LIES.lower()}", lay.places, taken.commands))
    return answers


def _where(seen: Lay, meant: Lay, number: int) -> str:
    if seen.why != "askew":
        return f"In {meant.places[0]}"
    mark = seeing.marked(number)
    if mark is not None and mark.kind == "token" and meant.turn is not None:
        return f"Pointing {seeing.TURNS[meant.turn]}"
    return "Exhausted" if seeing.exhausted(meant) else "Refreshed"
