"""The table of Re;ACT for the service: pieces at rest are compared with the match, and what differs is asked about.

Nothing that is seen is ever applied by itself. Three things hold a question back, each for a while only: something
moves, a piece has just been picked up, or the match was told first and the hand is still on its way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion import react_asks
from companion.field_finding import FieldFinder
from companion.onlookers import Look
from companion.react_lays import SPACES, lay, other_side
from companion.rules.core import Reason
from companion.rules.react import seeing
from companion.rules.react.explaining import corrections
from companion.rules.react.markers import MARKED
from companion.rules.react.seeing import Difference, Lay
from companion.rules.react.state import State
from companion.session import Reply
from companion.table_port import Act, Command, Say, Withdraw
from hardware.camera import Frame
from hardware.edges import Edge
from vision.board_gaze import BoardGaze, BoardSight
from vision.calibration import VisionError

ARTISTS = frozenset(number for number, mark in enumerate(MARKED) if mark.kind == "artist")

SETTLE_NS = 600_000_000
"""So long a board that differs must lie like that before it is asked about ..."""
LAG_NS = 10_000_000_000
"""... and so long when the match was told first: the pieces follow by hand."""
PICKED_NS = 3_000_000_000
"""A piece that went out of sight so lately is in somebody's hand; after it a summon is asked about."""
MOST_NS = 8_000_000_000
"""A board that differs for so long is asked about all the same: a lamp that flickers, markers that come and go must
not hide it."""


@dataclass(frozen=True)
class BoardSize:
    """What the table file tells of the field, for the set-up of a match."""

    columns: int
    rows: int
    stars: tuple[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        stars = None if self.stars is None else dict(zip("AB", self.stars, strict=True))
        return {"columns": self.columns, "rows": self.rows, "stars": stars}


class ReactTable:
    """Implements companion.table_port.GameTable."""

    def __init__(self, gaze: BoardGaze | None = None, size: BoardSize | None = None) -> None:
        """None: no table file knows the board; its tiles are looked for, and its size is the match's."""
        self._gaze = gaze
        self._size = size
        self._finder = FieldFinder() if gaze is None else None
        self._state: State | None = None
        self._sight: BoardSight | None = None
        self._lost = False
        self._t_ns = 0
        self._bound: dict[int, str] = {}
        self._lays: dict[int, Lay] = {}
        self._unsure: tuple[int, ...] = ()  # seen, but never at rest
        self._covered: dict[int, int] = {}  # since when
        self._moved_ns: int | None = None
        self._laid_ns = self._told_ns = 0  # when the board, when the match changed last
        self._found: tuple[Difference, ...] = ()
        self._since: int | None = None
        self._asked = False
        self._hushed: tuple[Difference, ...] | None = None  # asked, and answered with "the match is right"

    # -- what comes in -----------------------------------------------------------------------------

    def see(self, frame: Frame) -> Sequence[Act]:
        try:
            gaze = self._gaze or self._find(frame)
            if gaze is None:
                return []
            sight = gaze.look(frame.image, frame.t_ns)
        except VisionError as error:  # the camera gives another size than the calibration's
            return [Say("vision", f"The camera cannot be used: {error}.", "error")]
        if sight is self._sight:
            return []
        self._sight, self._t_ns = sight, sight.t_ns
        acts = self._aim(sight)
        if sight.moving or self._moved_ns is None:
            self._moved_ns = sight.t_ns
        if self._state is None or self._lost or not self._compares(self._state):
            self._found, self._since = (), None
            return [*acts, *self._withdraw()]
        if not sight.found:  # not known yet, for a picture or two
            return acts
        self._take(sight)
        return [*acts, *self._compare(self._state)]

    def edge(self, edge: Edge) -> Sequence[Act]:
        return []

    def tick(self, t_ns: int) -> Sequence[Act]:
        return []

    def follow(self, reply: Reply) -> Sequence[Act]:
        self._state, self._told_ns = reply.state, self._t_ns
        if reply.command.get("do") == "setup":
            self._bound = {}
        if self._finder is not None and self._state is not None and not self._fits(self._state):
            self._gaze, self._sight, self._lost = None, None, False  # another board: its zones are others
        self._found, self._since, self._hushed = (), None, None
        told = [] if self._state is None else [Say("board", self._misfit(self._state), "warn")]
        return [*told, *self._withdraw()]

    def answered(self) -> None:
        self._asked, self._hushed = False, self._found

    def take_tray(self) -> Command | Reason:
        taken = () if self._state is None else corrections(self._state, self._lays, self._bound).commands
        if len(taken) != 1:
            return Reason("not_now", "The board cannot be taken in one correction now: answer what is asked.")
        return taken[0]

    # -- what goes out -----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        sight = self._sight
        view: dict[str, Any] = {"differs": [cell for one in self._found for cell in one.cells]}
        if sight is not None:
            shift = None if sight.found or sight.shift_px is None else round(sight.shift_px)
            view |= {"hand": sight.moving, "moving": sight.moving, "aim": {"ok": not self._lost, "shift_px": shift}}
        return {**view, "board": self._board()}

    def look(self) -> Look | None:
        return None

    def _board(self) -> dict[str, Any]:
        """`state`: none, unknown, lost, idle, other, blind, moving, agrees or differs."""
        text = [f"{one.text}." for one in self._found]
        if self._gaze is None:
            state = "unknown"
        elif self._sight is None:
            state = "none"
        elif self._lost:
            state = "lost"
        elif self._state is None or self._state.over is not None:
            state = "idle"
        elif not self._fits(self._state):
            state = "other"
        elif not self._lays and not self._covered:
            state = "blind"
        else:
            state = "moving" if self._sight.moving else "differs" if self._found else "agrees"
        missed = self._missed() if state in ("moving", "agrees", "differs") else ()
        unseen = [seeing.name_of(number, self._bound) for number in missed]
        return {
            "state": state,
            "text": text,
            "unseen": unseen,
            "field": None if self._size is None else self._size.to_json(),
        }

    # -- parts ---------------------------------------------------------------------------------------

    def _missed(self) -> tuple[int, ...]:
        """What the match has on the board, has a marker (artists have), and is not seen there; and what never rests."""
        state = self._state
        if state is None:
            return ()
        known = {*self._covered, *ARTISTS} - self._lays.keys()
        known |= {number for number, lay in self._lays.items() if lay.why == "gone"}
        there = {number for number in known if seeing.expected(state, number, self._bound)}
        return tuple(sorted({*there, *self._unsure}))

    def _compares(self, state: State) -> bool:
        return state.over is None and self._fits(state)

    def _fits(self, state: State) -> bool:
        size = self._size
        return size is not None and (state.field.columns, state.field.rows) == (size.columns, size.rows)

    def _misfit(self, state: State) -> str:
        if self._gaze is None or self._size is None or self._fits(state):
            return ""
        return (
            f"The match is played on {state.field.columns} × {state.field.rows} zones, the camera knows a board of "
            f"{self._size.columns} × {self._size.rows}: nothing is read from it."
        )

    def _find(self, frame: Frame) -> BoardGaze | None:
        if self._finder is None or self._state is None:
            return None
        field = self._state.field
        found = self._finder.look(frame.image, frame.t_ns, field.columns, field.rows)
        if found is None:
            return None
        self._gaze, self._size = BoardGaze(found), BoardSize(field.columns, field.rows)
        self._moved_ns = None
        return self._gaze

    def _aim(self, sight: BoardSight) -> list[Act]:
        lost = self._gaze is not None and self._gaze.lost
        if lost == self._lost:
            return []
        self._lost = lost
        if lost:
            text = "The camera or the board was moved: no piece is read until the board is found again."
            return [Say("aim", text, "warn")]
        return [Say("aim", "")]

    def _take(self, sight: BoardSight) -> None:
        """What lies at rest and in view; a card that shows its other side is not out of sight."""
        lying, t_ns = sight.lying, sight.t_ns
        waits = t_ns - (self._moved_ns or 0) < PICKED_NS
        self._unsure = () if waits else tuple(sorted(lying.moving))
        lays = {}
        for number, piece in sorted(lying.at_rest.items()):
            mark = seeing.marked(number)
            if number in lying.covered or number in lying.moving:
                continue
            if mark is not None and mark.kind == "card" and SPACES not in sight.readable:
                continue
            lays[number] = lay(piece)
        covered = {number for number in lying.covered if other_side(number) not in lays}
        self._covered = {number: self._covered.get(number, t_ns) for number in sorted(covered)}
        for number, since in self._covered.items():
            unit = self._bound.get(number)
            here = lying.at_rest[number].zone is not None
            if unit is not None and here and not waits and t_ns - since >= PICKED_NS:
                lays[number] = Lay((), None, "gone")
        if lays != self._lays:
            self._lays, self._laid_ns = lays, t_ns

    def _compare(self, state: State) -> list[Act]:
        t_ns = self._t_ns
        self._bound = seeing.bind(state, self._lays, self._bound)
        found = seeing.differences(state, self._lays, self._bound)
        if found != self._found:
            # what was asked about is of the past
            self._found, self._since = found, t_ns
            return self._withdraw()
        if not found:
            self._since, self._hushed = None, None
            return self._withdraw()
        self._since = t_ns if self._since is None else self._since
        if self._asked or found == self._hushed or not self._due(t_ns - self._since):
            return []
        question = react_asks.ask(state, self._lays, self._bound, self._refused)
        if question is None:
            return []
        self._asked = True
        return [question]

    def _due(self, waited_ns: int) -> bool:
        """Whether what differs is to be asked about now."""
        sight = self._sight
        if sight is None or waited_ns < SETTLE_NS or (sight.moving and waited_ns < MOST_NS):
            return False
        if waited_ns >= max(MOST_NS, LAG_NS):
            return True
        if self._told_ns > self._laid_ns:
            return False
        picked = any(self._t_ns - since < PICKED_NS for since in self._covered.values())
        unrest = bool(sight.lying.moving) and not self._unsure
        return not (picked or unrest) or waited_ns >= MOST_NS

    def _refused(self, reply: Reply) -> Sequence[Act]:
        self._hushed = None
        return []

    def _withdraw(self) -> list[Act]:
        if not self._asked:
            return []
        self._asked = False
        return [Withdraw(verdict=False)]
