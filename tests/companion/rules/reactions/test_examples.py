"""The examples of `companion referee --game reactions --help`, all of them, as one session."""

from __future__ import annotations

import json

from companion.rules.reactions.examples import MANUAL
from tests.companion.rules.reactions.table import replies

ORDER = "setup join leave relate rules act announce.0 react proceed.0 announce.1 proceed.1 correct end_turn"


def test_they_are_one_session() -> None:
    entries = {entry.name: entry for entry in MANUAL.entries}
    lines = []
    for name in ORDER.split():
        word, _, number = name.partition(".")
        lines.append(entries[word].examples[int(number or 0)])
    assert sorted(lines) == sorted(line for entry in MANUAL.entries for line in entry.examples)
    for line, answer in zip(lines, replies(*(json.loads(line) for line in lines)), strict=True):
        assert answer["ok"], f"{line}: {answer.get('error')}"
    assert len(answer["state"]["log"]) == 1
