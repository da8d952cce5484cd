"""Readings of drawn tables against their truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.vision.drawn_pieces import Drawn
from vision.pieces import Piece


@dataclass(frozen=True)
class Score:
    """Of pieces in full view in one zone: `right`, or `asked` (not told, or without zone or turn). `wrong`: of all.

    `between`: pieces between two zones that were told as that; `covered`: markers under a finger that were not told.
    """

    right: int = 0
    asked: int = 0
    wrong: int = 0
    between: int = 0
    covered: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.right + other.right,
            self.asked + other.asked,
            self.wrong + other.wrong,
            self.between + other.between,
            self.covered + other.covered,
        )


def score(drawn: Drawn, read: Sequence[Piece]) -> Score:
    found = {piece.number: piece for piece in read}
    right = asked = between = covered = 0
    wrong = len(found.keys() - {truth.number for truth in drawn.pieces})
    for truth in drawn.pieces:
        piece = found.get(truth.number)
        known = piece is not None and piece.zone is not None and piece.turn is not None
        if known and piece is not None and (piece.zone, piece.turn) != (truth.zone, truth.turn):
            wrong += 1
        elif not truth.whole:
            covered += not known
        elif truth.zone is None:
            between += piece is not None and piece.reason == "between"
        elif known:
            right += 1
        else:
            asked += 1
    return Score(right, asked, wrong, between, covered)
