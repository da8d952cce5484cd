"""Free markers: what players lay on rows, cells, colours and themselves, and what it asks of a turn.

The rulebook prints no rule for spirits, sticks, amps, tarot and trick cards, "freeze" or "trip" beyond a few answers of
its F.A.Q. and lines of its changelog, so a marker knows no effect. It reminds when something touches it, and it may
block or force marbles (docs/decisions/rules-core.md, Markers). Pure: nothing here knows a `State`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from companion.rules.rematch.chains import attack_name
from companion.rules.rematch.tray import CELLS, COLOUR_NAMES, COLOURS, INDEX, PLAYERS, REACH, ROWS, UNKNOWN, Tray

Touch = Literal["clear", "destroy", "attack"]
TOUCHES: Final[tuple[Touch, ...]] = ("clear", "destroy", "attack")
"""What a marker may react to. A clear touches whoever made it; a destroy or an attack only of its owner's opponent."""

ON_ROWS: Final = tuple(f"row{row}" for row in range(1, ROWS + 1))
ON_PLAYERS: Final = tuple(f"player {player}" for player in PLAYERS)
PLACES: Final = (*ON_ROWS, *CELLS, *COLOURS, *ON_PLAYERS)
"""`row3`, `b3`, `R` (a colour) or `player A`."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker. All that limits a player (`blocks`, `forces`, `turns`) is about the opponent of `owner`.

    `blocks`: a row or cell may not be cleared from, a colour not be attacked with; on a player: no destroying.
    `forces`: the clear has to take a marble of the row or cell. `once`: it is taken off when its reminder is done.
    `turns`: so many turns of the owner's opponent have still to end before it goes by itself; None: it stays.
    """

    id: int
    name: str
    owner: str
    place: str
    reacts: tuple[Touch, ...] = ()
    blocks: bool = False
    turns: int | None = None
    forces: bool = False
    once: bool = False

    @property
    def label(self) -> str:
        return f"{self.name[:1].upper()}{self.name[1:]} of player {self.owner} on {place_name(self.place)}"

    @property
    def cells(self) -> frozenset[str]:
        return cells_of_place(self.place)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "owner": self.owner,
            "place": self.place,
            "reacts": list(self.reacts),
            "blocks": self.blocks,
            "turns": self.turns,
            "forces": self.forces,
            "once": self.once,
        }


def marker_of(data: Mapping[str, Any]) -> Marker:
    """The marker of `Marker.to_json`."""
    return Marker(**{**data, "reacts": tuple(data["reacts"])})


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something to do by hand because `marker` was touched; its owner says when it is done.

    `part`: prediction = at once, before the attack goes on; card = after the whole attack. `last`: no other reminder of
    this touch follows, so that a marker of the kind `once` is taken off with it.
    """

    marker: Marker
    part: Literal["prediction", "card"]
    text: str
    last: bool = True

    @property
    def removes(self) -> bool:
        return self.last and self.marker.once


@dataclass(frozen=True, slots=True)
class Limits:
    """What the markers leave a player. `shields`: those that keep the player from destroying marbles.

    `blocked`, `denied`: cells and colours that the player may not clear and attack with. `forced`: if it can, a clear
    takes a marble of the attack in one of these cells.
    """

    blocked: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    forced: frozenset[str] = frozenset()
    shields: tuple[Marker, ...] = ()

    def open_tray(self, tray: Tray) -> Tray:
        """The tray with nothing in the blocked cells: what may be cleared on it may be cleared."""
        for cell in self.blocked:
            tray = tray.replace(cell, ".")
        return tray


NO_LIMITS: Final = Limits()


# --- making ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    reacts: tuple[Touch, ...] = ()
    blocks: bool = False
    forces: bool = False
    once: bool = False


_KINDS: Final[Mapping[str, _Kind]] = {
    "spirit": _Kind(("clear",)),
    "stick": _Kind(("clear",)),
    "amp": _Kind(("destroy",), once=True),
    "frozen": _Kind(("clear",)),
    "freeze": _Kind(("clear",)),
    "trip": _Kind(("clear",)),
    "tarot": _Kind(("attack",), once=True),
    "trick": _Kind(("attack",), once=True),
    "shield": _Kind(blocks=True),
    "denied": _Kind(blocks=True),
    "blocked": _Kind(blocks=True),
    "forced": _Kind(forces=True),
}
"""What markers are for unless it is said otherwise, by a word of their name ("AMP token", "Trick card")."""


def make(
    number: int,
    name: str,
    owner: str,
    place: str,
    reacts: Sequence[Touch] | None = None,
    blocks: bool | None = None,
    turns: int | None = None,
    forces: bool | None = None,
    once: bool | None = None,
) -> Marker:
    """A marker numbered `number`; what is None comes from its name, and from its place if the name is a free one.

    ValueError (one sentence) for a place or a reaction that there is not, or that do not go together.
    """
    if place not in PLACES:
        raise ValueError(
            f"there is no place {place!r} for a marker: row1 to row5, a1 to c5, R, Y, B, player A, player B"
        )
    kind = _kind(name, place)
    marker = Marker(
        id=number,
        name=name,
        owner=owner,
        place=place,
        reacts=kind.reacts if reacts is None else tuple(touch for touch in TOUCHES if touch in reacts),
        blocks=kind.blocks if blocks is None else blocks,
        turns=turns,
        forces=kind.forces if forces is None else forces,
        once=kind.once if once is None else once,
    )
    if "attack" in marker.reacts and marker.cells:
        raise ValueError("a marker that reacts to an attack lies on a colour or on a player")
    if marker.forces and not marker.cells:
        raise ValueError("a marker that forces marbles lies on a row or on a cell")
    return marker


def _kind(name: str, place: str) -> _Kind:
    words = name.lower().replace("-", " ").split()
    for known, kind in _KINDS.items():
        # the plural too; but "damp" is no amp
        if any(word in (known, f"{known}s") for word in words) and _fits(kind, place):
            return kind
    if cells_of_place(place):
        return _Kind(("clear",))
    return _Kind(("attack",)) if place in COLOURS else _Kind()


def _fits(kind: _Kind, place: str) -> bool:
    on_tray = bool(cells_of_place(place))
    return on_tray or not kind.forces if "attack" not in kind.reacts else not on_tray


def shield(number: int, owner: str, turns: int = 1) -> Marker:
    """The owner's opponent destroys no marbles for so many turns (rulebook: changelog V2.3, Dancer)."""
    return make(number, "shield", owner, f"player {owner}", turns=turns)


def denial(number: int, owner: str, colour: str, turns: int = 1) -> Marker:
    """The owner's opponent makes no attack of the colour for so many turns (rulebook: F.A.Q. on Trickster)."""
    return make(number, "denied", owner, colour, turns=turns)


# --- places ----------------------------------------------------------------------------------------------------------


def place_name(place: str) -> str:
    """`row3` as people say it: row 3."""
    if place in ON_ROWS:
        return f"row {place[3:]}"
    return COLOUR_NAMES.get(place, place)


def cells_of_place(place: str) -> frozenset[str]:
    """The cells of a row or cell; none for a colour and a player."""
    if place in ON_ROWS:
        return frozenset(cell for cell in CELLS if cell[1] == place[3:])
    return frozenset((place,)) if place in INDEX else frozenset()


# --- what is touched -------------------------------------------------------------------------------------------------


def counted(tray: Tray, cells: Collection[str], attack: str) -> tuple[str, ...]:
    """The cells of a clear whose marbles count as cleared, on the tray as it lay: those of the attack's colour.

    Short circuits never do (rulebook: Rules for using Short Circuit Marbles; F.A.Q.). An unknown marble that the
    players vouch for does.
    """
    return tuple(cell for cell in cells if tray.at(cell) in (attack[0], UNKNOWN))


def on_clear(
    markers: Sequence[Marker], player: str, attack: str, cells: Collection[str] | None
) -> tuple[Reminder, ...]:
    """Reminders of a clear by `player`. `cells`: those that are `counted`; None: it is not known which they were."""
    found = []
    for marker in markers:
        if "clear" not in marker.reacts:
            continue
        if marker.cells:
            text = _cleared_there(marker, player, cells)
        elif marker.place in (attack[0], *ON_PLAYERS):
            text = f"{marker.label}: player {player} cleared {attack_name(attack)}."
        else:
            continue
        if text:
            found.append(Reminder(marker, "prediction", text))
    return tuple(found)


def _cleared_there(marker: Marker, player: str, cells: Collection[str] | None) -> str | None:
    if cells is None:
        if not any(cell[0] in REACH[player] for cell in marker.cells):
            return None
        where = "which marbles were cleared is not known; check whether one of them lay there"
        return f"{marker.label}: {where}."
    there = [cell for cell in cells if cell in marker.cells]
    return f"{marker.label}: player {player} cleared {', '.join(there)} there." if there else None


def on_destroy(markers: Sequence[Marker], player: str, cells: Collection[str], tray: Tray) -> tuple[Reminder, ...]:
    """Reminders of marbles destroyed by `player`, on the tray as it lay."""
    found = []
    for marker in markers:
        if "destroy" not in marker.reacts or marker.owner == player or not cells:
            continue
        there = [cell for cell in cells if _lies_at(marker, cell, tray)]
        if not there:
            continue
        goes = ", so it is taken off" if marker.once else ""
        text = f"{marker.label}: player {player} destroyed {', '.join(there)} there{goes}."
        found.append(Reminder(marker, "prediction", text))
    return tuple(found)


def _lies_at(marker: Marker, cell: str, tray: Tray) -> bool:
    if marker.place in COLOURS:
        return tray.at(cell) in (marker.place, UNKNOWN)
    return cell in marker.cells or marker.place in ON_PLAYERS


def on_attack(markers: Sequence[Marker], player: str, attack: str) -> tuple[Reminder, ...]:
    """Reminders of an attack that `player` declared or, undeclared, made.

    A right prediction acts at once, before the attack (rulebook: changelog V1.3); a trick card is turned over at once
    and acts after the whole attack (F.A.Q.; V1.3). A marker on a player stands for cards whose colour stays secret.
    """
    found = []
    name = attack_name(attack)
    for marker in markers:
        if "attack" not in marker.reacts or marker.owner == player:
            continue
        if marker.place not in (attack[0], *ON_PLAYERS):
            continue
        right = "" if marker.place in COLOURS else " if it is right"
        if "trick" in marker.name.lower():
            text = f"{marker.label}: player {player} uses {name}; turn it over now{right}, it acts after the attack."
            found.append(Reminder(marker, "prediction", text, last=False))
            found.append(Reminder(marker, "card", f"{marker.label}: after the attack its effect comes now{right}."))
        else:
            text = f"{marker.label}: player {player} uses {name}; it acts now{right}, before the attack."
            found.append(Reminder(marker, "prediction", text))
    return tuple(found)


# --- what they ask of a turn -----------------------------------------------------------------------------------------


def limits(markers: Sequence[Marker], player: str) -> Limits:
    """What the markers of the opponent leave `player`."""
    if not markers:
        return NO_LIMITS
    others = [marker for marker in markers if marker.owner != player]
    blocking = [marker for marker in others if marker.blocks]
    return Limits(
        blocked=frozenset[str]().union(*(marker.cells for marker in blocking)),
        denied=frozenset(marker.place for marker in blocking if marker.place in COLOURS),
        forced=frozenset[str]().union(*(marker.cells for marker in others if marker.forces)),
        shields=tuple(marker for marker in blocking if marker.place in ON_PLAYERS),
    )


def after_turn(markers: Sequence[Marker], player: str) -> tuple[tuple[Marker, ...], tuple[Marker, ...]]:
    """The markers when a turn of `player` has ended: (those that stay, with fewer turns to go; those that went)."""
    stay, gone = [], []
    for marker in markers:
        if marker.turns is None or marker.owner == player:
            stay.append(marker)
        elif marker.turns > 1:
            stay.append(replace(marker, turns=marker.turns - 1))
        else:
            gone.append(marker)
    return tuple(stay), tuple(gone)
