"""Pieces over time: what lies still is told, what is carried or covered is not; unseen is not gone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.pieces import Piece

MS = 1_000_000
STILL_NS = 400 * MS
"""A piece that did not move for so long lies."""
PICTURES = 3
"""... and was seen that often meanwhile, so that a slow camera does not make things sure."""
UNSEEN_NS = 500 * MS
"""A marker that is not read for so long is covered, or away; before that it was noise."""
SHAKE_PX = 4.0


@dataclass(frozen=True, slots=True)
class Lying:
    """By marker number.

    `at_rest`: as it lies, or lay when it was last seen lying; `covered`: those of them that are not seen now; `moving`:
    seen, but not yet at rest, wherever they lay before.
    """

    at_rest: Mapping[int, Piece]
    covered: frozenset[int]
    moving: frozenset[int]

    @property
    def settled(self) -> bool:
        """Everything that was ever seen is seen, and lies."""
        return not self.covered and not self.moving


@dataclass(slots=True)
class _Track:
    piece: Piece
    since_ns: int
    last_ns: int
    times: int


class Resting:
    """Feed it every picture's pieces, oldest first."""

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._at_rest: dict[int, Piece] = {}

    def see(self, pieces: Sequence[Piece], t_ns: int) -> Lying:
        """`pieces`: of one picture; `t_ns`: when it was taken."""
        for piece in pieces:
            track = self._tracks.get(piece.number)
            if track is not None and track.last_ns == t_ns:
                continue  # seen twice in one picture: the first says so already
            if track is None or not _same(track.piece, piece) or t_ns - track.last_ns > UNSEEN_NS:
                self._tracks[piece.number] = _Track(piece, t_ns, t_ns, 1)
            else:
                # against where it began to lie: a slow push is a move too
                track.last_ns, track.times = t_ns, track.times + 1
        moving: set[int] = set()
        for number, track in self._tracks.items():
            if t_ns - track.last_ns > UNSEEN_NS:
                continue
            if track.times >= PICTURES and track.last_ns - track.since_ns >= STILL_NS:
                self._at_rest[number] = track.piece
            else:
                moving.add(number)
        unseen = {number for number, track in self._tracks.items() if t_ns - track.last_ns > UNSEEN_NS}
        return Lying(dict(self._at_rest), frozenset(unseen & set(self._at_rest)), frozenset(moving))

    def away(self, number: int) -> None:
        """Somebody said that this piece left the table."""
        self._tracks.pop(number, None)
        self._at_rest.pop(number, None)


def _same(one: Piece, other: Piece) -> bool:
    still = math.dist(one.at, other.at) <= SHAKE_PX
    return still and (one.zone, one.turn, one.reason) == (other.zone, other.turn, other.reason)
