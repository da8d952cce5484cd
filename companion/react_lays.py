"""Pieces of a picture as the rules of Re;ACT know places."""

from __future__ import annotations

from companion.rules.react import seeing
from companion.rules.react.markers import MARKED
from companion.rules.react.seeing import Lay
from vision.pieces import Piece, Zone

SPACES = "spaces"
"""The area of the Masterpiece Zone, as the table file names it; the other one is the field."""


def lay(piece: Piece) -> Lay:
    """A piece of the picture as the rules know places."""
    if piece.zone is not None:
        return Lay((_place(piece.zone),), piece.turn, piece.reason)
    return Lay(tuple(_place(zone) for zone in piece.between), piece.turn, "" if piece.reason == "off" else piece.reason)


def _place(zone: Zone) -> str:
    return f"mp{zone.column}" if zone.area == SPACES else f"{zone.column},{zone.row}"


def other_side(number: int) -> int | None:
    """A Masterpiece card's marker on its back, or its front."""
    mark = seeing.marked(number)
    if mark is None or mark.kind != "card":
        return None
    return next(
        other
        for other, one in enumerate(MARKED)
        if (one.kind, one.owner, one.index) == ("card", mark.owner, mark.index) and one.back != mark.back
    )
