"""The examples of `companion referee --game react --help`, all of them, as one match."""

from __future__ import annotations

import json

from companion.rules.react.examples import MANUAL
from tests.companion.rules.react.cases import replies

ORDER = """
setup rules draw play.0 target direction play.1 pass.0 pass.1 resolve.0 resolve.1 passive RESOLVE
move.0 move.1 jump summon swap remove block damage.0 damage.1 token.0 token.1 token.2 tile.0 tile.1 refresh exhaust
discard ascend descend other draw.1 end_turn progress rearrange correct.0 correct.1 correct.2 concede UNDO lose
"""


def test_they_are_a_match() -> None:
    lines = []
    for name in ORDER.split():  # in capitals: without fields
        word, _, number = name.partition(".")
        entry = next((entry for entry in MANUAL.entries if entry.name == word), None)
        lines.append(f'{{"do":"{name.lower()}"}}' if entry is None else entry.examples[int(number or 0)])
    assert sorted(set(lines) - {'{"do":"undo"}'}) == sorted(line for entry in MANUAL.entries for line in entry.examples)
    answers = replies([json.loads(line) for line in lines])
    for line, answer in zip(lines, answers, strict=True):
        assert answer["ok"], f"{line}: {answer.get('error')}"
        assert not [event for event in answer["events"] if event["type"] == "failed"], line
    assert answers[-1]["state"]["over"] == {"winner": "A", "reason": "effect"}
