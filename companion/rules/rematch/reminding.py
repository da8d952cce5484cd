"""When markers (`markers`) remind: at an attack, a clear and destroyed marbles, in the list of what is due."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.rules.rematch import markers
from companion.rules.rematch.listing import remind
from companion.rules.rematch.story import Story
from companion.rules.rematch.tray import Tray


def at_declared(story: Story, player: str, attack: str) -> None:
    """What acts at once; what waits for the whole attack is due when it is made, and not before."""
    _at_once(story, player, attack)


def at_clear(story: Story, player: str, attack: str, tray: Tray, cells: Collection[str] | None) -> None:
    """`tray`: as it lay; `cells`: all that were pulled, None = not known. The rest of what is due is listed already."""
    _at_once(story, player, attack)
    laid = story.state.markers
    remind(story, [reminder for reminder in markers.on_attack(laid, player, attack) if reminder.part == "card"])
    counted = None if cells is None else markers.counted(tray, cells, attack)
    remind(story, markers.on_clear(laid, player, attack, counted))


def at_destroyed(story: Story, player: str, cells: Sequence[str], tray: Tray) -> None:
    """`tray`: as it lay. In the opening, which is nobody's turn, nothing is asked."""
    if story.state.phase != "opening":
        remind(story, markers.on_destroy(story.state.markers, player, cells, tray))


def _at_once(story: Story, player: str, attack: str) -> None:
    """Each marker once a turn: it is not asked about again when the attack that was declared is made."""
    told = story.state.reminded
    fresh = [
        reminder
        for reminder in markers.on_attack(story.state.markers, player, attack)
        if reminder.part == "prediction" and reminder.marker.id not in told
    ]
    if fresh:
        story.tell("reminded", markers=[reminder.marker.id for reminder in fresh])
        remind(story, fresh)
