"""The turn around its clear: flips, a declared attack, skipping, the end of it (rulebook: Structure of a Turn)."""

from __future__ import annotations

from companion.rules.core import Rejection
from companion.rules.rematch import commands as c
from companion.rules.rematch.duty import duty
from companion.rules.rematch.limited import denied_colour
from companion.rules.rematch.listing import left_at_end, start_turn
from companion.rules.rematch.markers import limits
from companion.rules.rematch.marking import count_turn
from companion.rules.rematch.paying import settle_attack
from companion.rules.rematch.reminding import at_declared
from companion.rules.rematch.state import State, opponent
from companion.rules.rematch.story import Story, not_your_turn
from companion.rules.rematch.tray import COLOUR_NAMES


def begin(story: Story, command: c.Begin) -> None:
    """Ending the opening is all it does, and that has been told already."""


def flip(story: Story, command: c.Flip) -> Rejection | None:
    state = story.state
    name = COLOUR_NAMES[command.button]
    refused = not_your_turn(state, command.player)
    if refused:
        return refused
    if state.phase == "resolve":
        return Rejection("too_late", "Buttons are flipped at the start of the turn, before the clear.")
    dial = state.side(command.player).dial(command.button)
    owed = duty(state)
    # a flip without which there is no valid move at all is never too late (rulebook: F.A.Q. on broken buttons)
    forced = owed is not None and owed.code == "must_flip" and command.button in owed.buttons
    if state.declared is not None and not forced:
        return Rejection("too_late", "Buttons are flipped at the start of the turn, before an attack is declared.")
    if not dial.broken:
        return Rejection("not_broken", f"The {name} button of player {command.player} is not broken.")
    if state.rules.flips_per_turn is not None and state.flips >= state.rules.flips_per_turn and not forced:
        return Rejection("too_many", f"At most {state.rules.flips_per_turn} button is flipped in a turn.")
    story.tell("flipped", player=command.player, button=command.button, hp=dial.hp, broken=False)
    return None


def declare(story: Story, command: c.Declare) -> Rejection | None:
    state = story.state
    refused = may_attack(state, command.player)
    if refused:
        return refused
    if command.attack[0] in state.side(command.player).broken:
        name = COLOUR_NAMES[command.attack[0]]
        return Rejection("broken_button", f"The {name} button is broken, so there is no {name} attack.")
    denied = denied_colour(command.attack, limits(state.markers, command.player))
    if denied:
        return Rejection("not_now", denied.text)
    if command.attack != state.declared:
        story.tell("declared", player=command.player, attack=command.attack)
        at_declared(story, command.player, command.attack)
    return None


def may_attack(state: State, player: str) -> Rejection | None:
    refused = not_your_turn(state, player)
    if refused is None and state.phase == "resolve":
        return Rejection("already_cleared", f"Player {player} has already cleared in this turn.")
    return refused


def skip_next(story: Story, command: c.SkipNext) -> None:
    if not story.state.side(command.player).skips_next:
        story.tell("skip_set", player=command.player)


def end_turn(story: Story, command: c.EndTurn) -> Rejection | None:
    state = story.state
    refused = not_your_turn(state, command.player)
    if refused:
        return refused
    owed = duty(state) if state.phase != "resolve" else None
    if owed is not None and owed.code == "must_clear":
        hint = f", {owed.cells[0]} for one" if owed.cells else ""
        return Rejection(
            "must_clear", f"Player {state.turn} can clear{hint}, and so must before the turn ends.", owed.cells
        )
    if owed is not None:
        names = " or ".join(COLOUR_NAMES[button] for button in owed.buttons)
        text = f"Player {state.turn} has no legal clear, and must flip {names} to have one."
        return Rejection("must_flip", text, owed.cells)
    settle_attack(story)
    if story.state.over is None:
        _pass_turn(story)
    return None


def _pass_turn(story: Story) -> None:
    state = story.state
    player, skipped = opponent(state.turn), []
    while state.side(player).skips_next and player not in skipped:
        skipped.append(player)
        player = opponent(player)
    fans = list(state.fans_at(player))
    number = state.turn_number + 1
    story.tell(
        "turn_ended",
        player=state.turn,
        next=player,
        skipped=skipped,
        turn_number=number,
        fans_at_start=fans,
        left=left_at_end(state),
    )
    count_turn(story, state.turn)
    start_turn(story)


def concede(story: Story, command: c.Concede) -> None:
    story.tell("match_over", winner=opponent(command.player), reason="conceded")
