from __future__ import annotations

import pytest

from companion.venue.topics import LARGEST, Topic, level, pack, parse, unpack


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Table 3", "table-3"),
        ("  Tisch Nr. 4 / hinten ", "tisch-nr-4-hinten"),
        ("Straße+#", "strasse"),
        ("Ａ１", "a1"),
        ("+/#", ""),
        ("", ""),
    ],
)
def test_a_name_becomes_one_level_of_a_topic(name: str, expected: str) -> None:
    assert level(name) == expected


@pytest.mark.parametrize(
    "topic",
    [Topic("main", "table-1", "status"), Topic("cup", "t", "event"), Topic("cup", "t", "result", "0a1b")],
)
def test_a_topic_is_read_as_it_was_written(topic: Topic) -> None:
    assert parse(str(topic)) == topic


@pytest.mark.parametrize(
    "text",
    [
        "table-companion/v2/main/t/status",
        "table-companion/v1/main/t",
        "table-companion/v1/main/t/other",
        "table-companion/v1/main/t/result",
        "table-companion/v1/main/t/status/more",
        "table-companion/v1//t/status",
        "homeassistant/light/1/state",
        "",
    ],
)
def test_other_topics_are_none_of_ours(text: str) -> None:
    assert parse(text) is None


def test_a_body_is_an_object_of_bearable_size() -> None:
    assert unpack(pack({"name": "Köln"})) == {"name": "Köln"}
    for body in (b"[1]", b"", b"\xff", b"{", b"[" * 100_000, b'{"a":"' + b"x" * LARGEST + b'"}'):
        assert unpack(body) is None
