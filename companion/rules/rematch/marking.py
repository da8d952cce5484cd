"""Markers laid, lifted and counted in a match, and the reminders of those that are touched.

Every function tells events; none of them asks whose turn it is: markers are what players say they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from companion.rules.core import Rejection
from companion.rules.rematch.marker_form import AddMarker, RemoveMarker
from companion.rules.rematch.markers import Marker, after_turn
from companion.rules.rematch.state import State
from companion.rules.rematch.story import Story

MOST_MARKERS = 60
"""More on one table are a slip of somebody's finger."""

Why = Literal["removed", "touched"]


def add_marker(story: Story, command: AddMarker) -> Rejection | None:
    if len(story.state.markers) >= MOST_MARKERS:
        return Rejection("too_many", f"There are {MOST_MARKERS} markers already; take one off first.")
    lay(story, command.marker)
    return None


def remove_marker(story: Story, command: RemoveMarker) -> Rejection | None:
    if find(story.state, command.id) is None:
        return Rejection("bad_value", f"There is no marker {command.id}.")
    lift(story, command.id, "removed")
    return None


def lay(story: Story, marker: Marker) -> Marker:
    """Lay a marker (`markers.make`, `shield`, `denial`), whose number is given here."""
    laid = replace(marker, id=story.state.marker_ids + 1)
    story.tell("marker_laid", marker=laid.to_json())
    return laid


def lift(story: Story, number: int, why: Why) -> None:
    """Take a marker off; nothing when it is gone already. `why`: removed by hand, or touched (its reminder is done)."""
    marker = find(story.state, number)
    if marker is not None:
        story.tell("marker_lifted", marker=marker.to_json(), why=why)


def find(state: State, number: int) -> Marker | None:
    return next((marker for marker in state.markers if marker.id == number), None)


def count_turn(story: Story, player: str) -> None:
    """A turn of `player` has ended: markers that are about so many turns have one fewer, or go."""
    before = story.state.markers
    stay, gone = after_turn(before, player)
    if stay != before:
        left = [{"id": marker.id, "turns": marker.turns} for marker in stay if marker not in before]
        story.tell("markers_counted", turns=left, gone=[marker.to_json() for marker in gone])


def shielded(shields: Sequence[Marker], player: str) -> Rejection | None:
    """The refusal of `player`'s destroying, if a marker keeps off marbles from it."""
    if not shields:
        return None
    return Rejection("not_now", f"Player {player} may not destroy marbles now: {shields[0].label}.")
