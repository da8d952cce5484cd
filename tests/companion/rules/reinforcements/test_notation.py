"""What lists, standings and texts say of a match."""

from __future__ import annotations

from companion import match_text
from companion.games import game, notation
from companion.rules.notation import Seated
from tests.companion.rules.reinforcements.table import Match, player


def test_a_match_as_text_is_the_same_match() -> None:
    match = Match(player(name="Ann"), player(1, name="Bo"))
    match.do("attack", player="A", card="G4", target="B1", seen=["B2"])
    words = notation("reinforcements")
    text = match_text.write(match.session.timeline, game("reinforcements"), words)
    again = match_text.play(match_text.read(text.encode(), "t"), game("reinforcements"), words)
    assert again.state_json == match.state


def test_names_figures_and_result() -> None:
    match = Match(player(name="Ann"), player(1, name="Bo"))
    words = notation("reinforcements")
    assert isinstance(words, Seated)
    assert words.names(match.state) == "Ann – Bo"
    assert words.turn(match.state) == "turn 1 A"
    assert words.figures(match.state)["B"] == {"stacks": 1, "cards": 1, "hand": 5}
    assert (words.result(match.state), words.winner(match.state)) == (None, None)
    match.do("attack", player="A", card="G4", target="B1", seen=["B2"])
    assert words.winner(match.state) == "A"
    assert str(words.result(match.state)).startswith("A wins")
    assert words.seats(match.state) == {"A": "Ann", "B": "Bo"}
