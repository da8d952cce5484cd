"""Packed texts: what goes in comes out, whatever it is, and what is none is said."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import log_packing
from companion.log_packing import pack, unpack

HIT = '{"do":"hit","source":"A","hits":[{"player":"B","button":"R","amount":2}]}'
HAPPENED = '[{"type":"hit","source":"A","hits":[{"player":"B","button":"R","amount":2,"hp":8,"broken":false}]}]'


def test_the_words_are_part_of_the_format() -> None:
    """With others, no older match could be read any more: new words need a new format, and these for the old ones."""
    digest = hashlib.sha256(log_packing._WORDS.encode()).hexdigest()
    assert digest == "bccdeb786634d4a74cbcaa93d4a19e14d6eaf0ddeb6f04695ea1dd5fe6a5c8de"


@given(st.text(), st.text())
def test_every_text_comes_back(text: str, before: str) -> None:
    assert unpack(pack(text, before), before) == text


def test_what_the_command_said_is_not_said_again() -> None:
    assert len(pack(HIT)) < len(HIT) / 3
    assert len(pack(HAPPENED, HIT)) < len(HAPPENED) / 5
    # what packing makes longer stays as it is
    assert pack("[]") == "[]"


def test_old_texts_are_taken_as_they_are() -> None:
    assert unpack(HIT, "whatever") == HIT


@pytest.mark.parametrize(
    "spoil", [lambda data: data[:-1], lambda data: data + b"x", lambda data: b"", lambda data: b"\xff" * 9]
)
def test_what_was_not_packed_here_is_said(spoil: object) -> None:
    packed = pack(HIT)
    assert isinstance(packed, bytes)
    with pytest.raises(ValueError, match="cannot be unpacked"):
        unpack(spoil(packed))


def test_a_text_that_would_fill_the_memory_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_packing, "LARGEST", 1000)
    assert unpack(pack("x" * 1000)) == "x" * 1000
    with pytest.raises(ValueError, match="too long"):
        unpack(pack("x" * 1001))
