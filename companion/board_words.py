"""A fighter's board in plain words, for the page that picks one."""

from __future__ import annotations

from typing import Any

from companion.rules.rematch.effect_words import effects_words, kicker_words
from companion.rules.rematch.fighters import Board


def board_in_words(board: Board) -> dict[str, Any]:
    """`attacks`: each with `effects`, `kicker` (null: none) and `known` (known, partly, unknown)."""
    return {
        "name": board.name,
        "edition": board.edition,
        "remarks": list(board.remarks),
        "start": effects_words(board.start),
        "end": effects_words(board.end),
        "attacks": {
            name: {
                "effects": effects_words(attack.effects),
                "kicker": None if attack.kicker is None else kicker_words(attack.kicker),
                "known": attack.known,
            }
            for name, attack in board.attacks.items()
        },
    }
