"""The Masterpiece zone (rulebook: Masterpiece Phase, Progressing Your Masterpiece): five spaces that both share."""

from __future__ import annotations

from companion.rules.react.artists import Effect
from companion.rules.react.field import opponent
from companion.rules.react.state import CARDS, State
from companion.rules.react.story import Failure, Story


def options(state: State, player: str) -> tuple[str, ...]:
    """What progressing could be now: place, replace or swap; at most one of them applies."""
    if state.beside(player):
        if None in state.spaces:
            return ("place",)
        return ("replace",) if any(_owner(card) == opponent(player) for card in state.spaces) else ()
    return ("swap",) if _placed(state, player) == len(CARDS) else ()


def must(state: State, player: str) -> bool:
    """Whether something has to be done: only two of the three options say "may"."""
    return state.rules.placing == "must" and "place" in options(state, player)


def complete(state: State, player: str) -> bool:
    """The three cards side by side, in order from the owner's left (or as `masterpiece_order` has it)."""
    if _placed(state, player) < len(CARDS):
        return False
    ahead = {"owner": player == "A", "mirrored": player == "B", "table": True}[state.rules.masterpiece_order]
    first = state.spaces.index(f"{player}{CARDS[0]}")
    return all(state.spaces.index(f"{player}{card}") - first == (at if ahead else -at) for at, card in enumerate(CARDS))


def progress(story: Story, effect: Effect) -> Failure | None:
    """One step of the player's masterpiece, in the phase or by a card."""
    state, player = story.state, effect["player"]
    spaces = list(state.spaces)
    out: dict[str, list[int]] = {}
    if "swap" in effect:
        one, two = effect["swap"]
        failure = _cannot_swap(state, player, one, two)
        if failure is None:
            spaces[one - 1], spaces[two - 1] = spaces[two - 1], spaces[one - 1]
    else:
        how = "place" if "place" in effect else "replace"
        card, space = effect[how], effect["space"]
        failure = _cannot_lay(state, player, how, card, space)
        if failure is None:
            old = spaces[space - 1]
            if old is not None and state.rules.replaced_card == "out":
                out[_owner(old)] = sorted((*state.side(_owner(old)).out, int(old[1])))
            spaces[space - 1] = f"{player}{card}"
    if failure is not None:
        return failure
    how = next(name for name in ("place", "replace", "swap") if name in effect)
    where = effect["swap"] if how == "swap" else [effect["space"]]
    story.tell("progressed", player=player, how=how, spaces=where, masterpiece=spaces, out=out)
    settle(story, player)
    return None


def rearrange(story: Story, effect: Effect) -> Failure | None:
    """Two spaces swapped by a card that says so: no step of progress, so it needs no three cards of one's own."""
    one, two = effect["swap"]
    spaces = list(story.state.spaces)
    if spaces[one - 1] is None and spaces[two - 1] is None:
        return Failure("empty_cell", f"Spaces {one} and {two} are both empty.", (f"mp{one}", f"mp{two}"), slip=True)
    spaces[one - 1], spaces[two - 1] = spaces[two - 1], spaces[one - 1]
    story.tell("progressed", player=effect["player"], how="rearrange", spaces=[one, two], masterpiece=spaces, out={})
    settle(story, effect["player"])
    return None


def settle(story: Story, by: str) -> None:
    """Whoever has a complete masterpiece ascends. `by`: who changed the zone."""
    for player in (by, opponent(by)):
        state = story.state
        if player != by and not state.rules.foe_completes:
            continue
        if complete(state, player) and not state.side(player).ascended:
            left = [None if card is None or _owner(card) == player else card for card in state.spaces]
            story.tell("ascended", player=player, masterpiece=left)


def ascend(story: Story, effect: Effect) -> Failure | None:
    """By a card, whatever lies in the zone."""
    player = effect["player"]
    if story.state.side(player).ascended:
        return Failure("not_now", f"Player {player}'s artist is ascended already.")
    story.tell("ascended", player=player, masterpiece=list(story.state.spaces))
    return None


def descend(story: Story, effect: Effect) -> Failure | None:
    player = effect["player"]
    if not story.state.side(player).ascended:
        return Failure("not_now", f"Player {player}'s artist is not ascended.")
    story.tell("descended", player=player)
    if story.state.rules.reascend == "at_once":
        settle(story, player)
    return None


def _owner(card: str | None) -> str:
    return "" if card is None else card[0]


def _placed(state: State, player: str) -> int:
    return sum(_owner(card) == player for card in state.spaces)


def _cannot_lay(state: State, player: str, how: str, card: int, space: int) -> Failure | None:
    allowed, there, cells = options(state, player), state.spaces[space - 1], (f"mp{space}",)
    if how not in allowed:
        if not state.beside(player):
            text = f"Player {player} has no Masterpiece card left to {how}."
        elif how == "replace":
            text = "There is an empty space: a card is placed there, none is replaced."
        else:
            text = "There is no empty space: a card can only replace one of the opponent's."
        return Failure("not_now", text, cells)
    if card not in state.beside(player):
        return Failure("bad_value", f"Card {player}{card} is not beside the board.", cells)
    if how == "place" and there is not None:
        return Failure("bad_value", f"Space {space} holds {there}: a card is placed in an empty one.", cells)
    if how == "replace" and _owner(there) != opponent(player):
        return Failure(
            "bad_value", f"{there} is the player's own card: only an opponent's is replaced.", cells, slip=True
        )
    return None


def _cannot_swap(state: State, player: str, one: int, two: int) -> Failure | None:
    cells = (f"mp{one}", f"mp{two}")
    if "swap" not in options(state, player):
        text = f"Player {player} swaps only when all three own cards are placed."
        return Failure("not_now", text, cells)
    if state.spaces[one - 1] is None and state.spaces[two - 1] is None:
        return Failure("empty_cell", f"Spaces {one} and {two} are both empty.", cells)
    return None
