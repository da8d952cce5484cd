"""Tic-tac-toe as a `Game`: it proves that session, log, undo and event stream know nothing of marbles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.core import Event, Rejection

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_FIELDS = {"setup": {"do", "first"}, "mark": {"do", "player", "square"}}


@dataclass(frozen=True)
class State:
    turn: str
    squares: str = "........."
    winner: str | None = None


class Noughts:
    name = "noughts"

    def decide(self, state: State | None, command: Mapping[str, Any]) -> Sequence[Event] | Rejection:
        fields = _FIELDS.get(command["do"])
        if fields is None:
            return Rejection("unknown_command", "There is no such command.")
        if set(command) != fields:
            return Rejection("bad_command", "Its fields are wrong.")
        if command["do"] == "setup":
            if command["first"] not in ("O", "X"):
                return Rejection("bad_value", "O or X begins.")
            if state is not None and state.winner is None and "." in state.squares:
                return Rejection("not_now", "A game is under way.")
            return [{"type": "began", "first": command["first"]}]
        if state is None:
            return Rejection("not_now", "Nothing is set up.")
        square, player = command["square"], command["player"]
        if type(square) is not int or not 0 <= square < 9:
            return Rejection("bad_value", "A square is 0 to 8.")
        if state.winner is not None:
            return Rejection("match_over", "It is over.")
        if player != state.turn:
            return Rejection("not_your_turn", "It is the other's turn.")
        if state.squares[square] != ".":
            return Rejection("taken", "That square is taken.", (str(square),))
        events: list[Event] = [{"type": "marked", "player": player, "square": square}]
        after = self.evolve(state, events[0])
        if any(all(after.squares[i] == player for i in line) for line in _LINES):
            events.append({"type": "won", "winner": player})
        return events

    def evolve(self, state: State | None, event: Event) -> State:
        if event["type"] == "began":
            return State(event["first"])
        assert state is not None
        if event["type"] == "marked":
            square = event["square"]
            squares = state.squares[:square] + event["player"] + state.squares[square + 1 :]
            return replace(state, squares=squares, turn="X" if state.turn == "O" else "O")
        if event["type"] == "won":
            return replace(state, winner=event["winner"])
        raise ValueError(event["type"])

    def state_to_json(self, state: State | None) -> dict[str, Any] | None:
        return state and {"turn": state.turn, "squares": state.squares, "winner": state.winner}


NOUGHTS = Noughts()
