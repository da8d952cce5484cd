"""What pages that look on are given: at most five looks a second for all of them, each worked out once."""

from __future__ import annotations

from typing import Any

from companion.onlookers import KEPT, PACE_NS, Onlookers, Pace

MS = 1_000_000


class FakeLook:
    def __init__(self, t_ns: int) -> None:
        self.t_ns = t_ns
        self.worked = 0

    def to_json(self) -> dict[str, Any]:
        self.worked += 1
        return {"tray": f"at {self.t_ns}"}

    def jpeg(self) -> bytes:
        self.worked += 1
        return b"\xff\xd8%d" % self.t_ns


class Table:
    def __init__(self) -> None:
        self.now_ns = 0
        self.look: FakeLook | None = None
        self.onlookers = Onlookers(lambda: self.look, lambda: self.now_ns)

    def see(self, t_ns: int) -> FakeLook:
        self.now_ns, self.look = t_ns, FakeLook(t_ns)
        return self.look


def test_nothing_seen_is_told_and_has_no_picture() -> None:
    table = Table()
    assert table.onlookers.seen() == {"frame": None, "age_ms": None}
    assert table.onlookers.picture() is None


def test_nobody_looks_nothing_is_worked_out() -> None:
    table = Table()
    looks = [table.see(t * 30 * MS) for t in range(100)]
    assert [look.worked for look in looks] == [0] * 100


def test_each_look_is_worked_out_once_for_all() -> None:
    table = Table()
    look = table.see(50 * MS)
    table.now_ns = 80 * MS
    for _ in range(5):
        assert table.onlookers.seen() == {"frame": 1, "age_ms": 30, "tray": f"at {50 * MS}"}
        assert table.onlookers.picture() == (1, b"\xff\xd850000000")
    assert look.worked == 2


def test_there_are_five_a_second_however_often_they_ask() -> None:
    table = Table()
    frames = set()
    for t in range(300):  # ten seconds at 30 frames/s, asked at every one
        table.see(t * 1000 * MS // 30)
        frames.add(table.onlookers.seen()["frame"])
    assert 45 <= len(frames) <= 52
    assert max(frames) == len(frames)


def test_the_age_grows_while_no_new_picture_comes() -> None:
    table = Table()
    table.see(0)
    ages = []
    for table.now_ns in (0, 1_000 * MS, 2_500 * MS):
        ages.append(table.onlookers.seen()["age_ms"])
    assert ages == [0, 1000, 2500]
    assert table.onlookers.seen()["frame"] == 1


def test_a_page_gets_the_picture_that_goes_with_its_words_while_it_is_kept_and_else_the_newest() -> None:
    table = Table()
    for n in range(1, KEPT + 2):
        table.see(n * PACE_NS)
        assert table.onlookers.seen()["frame"] == n
    newest = KEPT + 1
    assert table.onlookers.picture(newest - 1) == (newest - 1, b"\xff\xd8%d" % ((newest - 1) * PACE_NS))
    for number in (1, 99, -1, None):  # forgotten, not there yet, nonsense, none told
        assert table.onlookers.picture(number) == (newest, b"\xff\xd8%d" % (newest * PACE_NS))


def test_another_table_begins_anew() -> None:
    table = Table()
    table.see(0)
    assert table.onlookers.seen()["frame"] == 1
    table.look = None
    assert table.onlookers.seen()["frame"] is None
    assert table.onlookers.picture(1) is None
    table.see(10 * MS)
    assert table.onlookers.seen()["frame"] == 2  # no page takes it for the picture that it has


def test_the_pace_is_that_of_the_frames() -> None:
    pace = Pace()
    assert pace.to_json() == {"fps": None, "work_ms": None}
    for t in range(20):
        pace.saw(t * 100 * MS, 0.004)
    assert pace.to_json() == {"fps": 10.0, "work_ms": 4.0}
    pace.saw(19 * 100 * MS, 0.004)  # the same picture once more is no pace
    assert pace.to_json()["fps"] == 10.0
