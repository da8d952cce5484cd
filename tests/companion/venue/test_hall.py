from __future__ import annotations

from typing import Any

import pytest

from companion.venue.hall import MOST_TABLES, Hall
from companion.venue.topics import LARGEST, Topic, pack


def a_hall() -> Hall:
    hall = Hall("cup")
    hall.broker(None)
    return hall


def tell(hall: Hall, table: str, kind: str, match: str = "", **body: Any) -> None:
    hall.heard(str(Topic("cup", table, kind, match)), pack(body))


def only(hall: Hall) -> dict[str, Any]:
    (table,) = hall.to_json()["tables"]
    found: dict[str, Any] = table
    return found


def test_a_table_as_it_told_itself() -> None:
    hall = a_hall()
    tell(hall, "t-1", "status", online=True, id="x", name="T 1", page="http://10.0.0.9:8000/")
    figures = {"A": {"R": 7, "credits": 3}}
    seats = {"A": "Ann", "B": "Bo"}
    tell(hall, "t-1", "state", game="rematch", players="Ann – Bo", seats=seats, turn="turn 3 A", figures=figures)
    tell(hall, "t-1", "event", text="Red 2", told=["…"])
    table = only(hall)
    assert (table["name"], table["online"], table["page"]) == ("T 1", True, "http://10.0.0.9:8000/")
    assert (table["turn"], table["figures"], table["seats"], table["last"]) == ("turn 3 A", figures, seats, "Red 2")


def test_the_last_will_takes_a_table_offline_and_leaves_what_it_told() -> None:
    hall = a_hall()
    tell(hall, "t", "status", online=True, id="x", name="T")
    tell(hall, "t", "state", turn="turn 3 A")
    tell(hall, "t", "status", online=False, id="x", name="T")
    assert (only(hall)["online"], only(hall)["turn"]) == (False, "turn 3 A")


def test_two_tables_of_one_name_are_named_until_one_goes() -> None:
    hall = a_hall()
    tell(hall, "t", "status", online=True, id="x", name="T")
    tell(hall, "t", "status", online=True, id="y", name="T")
    assert hall.to_json()["notices"] == [{"code": "twins", "table": "T"}]
    tell(hall, "t", "status", online=False, id="x", name="T")  # the other one's will does not take this one away
    assert only(hall)["online"] is True
    assert hall.to_json()["notices"] == []


def test_standings_count_each_ended_match_once_and_a_name_at_every_table() -> None:
    hall = a_hall()
    tell(hall, "t1", "result", "m1", seats={"A": "Ann", "B": "Bo"}, winner="A", result="A wins")
    tell(hall, "t1", "result", "m1", seats={"A": "Ann", "B": "Bo"}, winner="A", result="A wins")
    tell(hall, "t2", "result", "m2", seats={"A": "ann", "B": "Cy"}, winner="B", result="B wins")
    tell(hall, "t2", "result", "m3", seats={"A": "Ann", "B": "Cy"}, winner="A", result="A wins")
    rows = [(row["name"], row["played"], row["won"], row["lost"]) for row in hall.to_json()["standings"]]
    assert rows == [("Ann", 3, 2, 1), ("Cy", 2, 1, 1), ("Bo", 1, 0, 1)]


def test_a_result_that_is_taken_back_counts_no_more() -> None:
    hall = a_hall()
    tell(hall, "t", "result", "m1", seats={"A": "Ann"}, winner="A")
    hall.heard(str(Topic("cup", "t", "result", "m1")), b"")
    assert hall.to_json()["standings"] == []
    assert hall.to_json()["tables"] == []


def test_a_draw_counts_as_played() -> None:
    hall = a_hall()
    tell(hall, "t", "result", "m", seats={"A": "Ann", "B": "Bo"}, winner=None, result="a tie")
    assert {(row["name"], row["played"], row["won"], row["lost"]) for row in hall.to_json()["standings"]} == {
        ("Ann", 1, 0, 0),
        ("Bo", 1, 0, 0),
    }


def test_tables_stand_in_the_order_of_their_numbers() -> None:
    hall = a_hall()
    for name in ("Table 10", "Table 9", "Annex", "Table 1"):
        tell(hall, name.lower().replace(" ", "-"), "status", online=True, id=name, name=name)
    assert [table["name"] for table in hall.to_json()["tables"]] == ["Annex", "Table 1", "Table 9", "Table 10"]


@pytest.mark.parametrize(
    ("topic", "body"),
    [
        ("table-companion/v1/other/t/status", b"{}"),
        ("table-companion/v1/cup/t/status", b"nonsense"),
        ("table-companion/v1/cup/t/state", b"[]"),
        ("table-companion/v1/cup/t/state", b'{"x":"' + b"y" * LARGEST + b'"}'),
        ("a/b/c", b"{}"),
    ],
)
def test_strangers_are_counted_and_left_out(topic: str, body: bytes) -> None:
    hall = a_hall()
    hall.heard(topic, body)
    assert hall.to_json()["tables"] == []
    assert hall.to_json()["notices"] == [{"code": "strange", "count": 1}]


def test_values_of_the_wrong_kind_harm_nobody() -> None:
    hall = a_hall()
    tell(hall, "t", "status", online="yes", id=5, name=["x"], page="javascript:alert(1)")
    figures = {"A": {"R": "x", "Y": True, "B": 3}, "B": 4}
    tell(hall, "t", "state", turn=7, seats=[1], figures=figures, result={}, winner=1)
    tell(hall, "t", "event", text=5)
    tell(hall, "t", "result", "m", seats={"A": 5, "B": ""}, winner=[])
    table = only(hall)
    assert (table["name"], table["online"], table["page"], table["turn"], table["last"]) == ("t", False, "", "", "")
    assert table["figures"] == {"A": {"B": 3}}
    assert table["result"] is None


def test_no_more_tables_than_a_hall_can_hold() -> None:
    hall = a_hall()
    for number in range(MOST_TABLES + 3):
        tell(hall, f"t{number}", "status", online=True, id=str(number), name=str(number))
    assert len(hall.to_json()["tables"]) == MOST_TABLES
    assert hall.to_json()["notices"] == [{"code": "strange", "count": 3}]


def test_while_the_broker_is_away_what_was_heard_stays() -> None:
    hall = a_hall()
    tell(hall, "t", "status", online=True, id="x", name="T")
    hall.broker("broker pi: gone")
    assert hall.to_json()["broker"] == "broker pi: gone"
    assert only(hall)["online"] is True
