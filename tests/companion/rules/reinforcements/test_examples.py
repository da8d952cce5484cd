"""The examples of `companion referee --game reinforcements --help`, all of them, as two matches."""

from __future__ import annotations

import json

from companion.games import game
from companion.log import MemoryLog
from companion.rules.reinforcements.examples import MANUAL
from companion.session import Session

NORMAL = """
setup.0 rules draw attack flip reinforcements end_turn draw:B defend.0 end_turn:B draw discard:A end_turn draw:B discard
end_turn:B draw correct.0 correct.1 correct.3 totem defend:A
defend:A reveal elk_done correct.4 correct.2 deploy.0
hero
"""
CHAOS = """
setup.1 barrage fortify adapt deploy.1 rallied flip clash totem_drawn.0 send totem_drawn.1 gift.0 gift.1 end_round
correct.5 correct.6 correct.7 broken correct.8 concede
"""


def test_they_are_two_matches() -> None:
    entries = {entry.name: entry for entry in MANUAL.entries}
    used = set()
    for order in (NORMAL, CHAOS):
        session = Session(game("reinforcements"), MemoryLog())
        for word in order.split():
            name, _, number = word.partition(".")
            name, _, seat = name.partition(":")
            line = entries[name].examples[int(number or 0)]
            used.add(line)
            command = json.loads(line)
            if seat:
                command["player"] = seat
                if name == "defend":
                    command["stack"] = "A2"
            reply = session.submit(command).body
            assert reply["ok"], f"{command}: {reply.get('error')}"
            assert reply["state"]["total"] == 96
    missing = [line for entry in MANUAL.entries for line in entry.examples if line not in used]
    assert missing == []
