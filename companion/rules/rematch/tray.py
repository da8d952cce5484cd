"""The marble tray as text and as a value (DESIGN §2).

Three lanes of five cells; row 1 is the open end, row 5 lies next to the tower. Nothing here knows whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

LANES: Final = "abc"
ROWS: Final = 5
COLOURS: Final = "RYB"
EMPTY: Final = "."
UNKNOWN: Final = "?"
LETTERS: Final = COLOURS + EMPTY + UNKNOWN
PLAYERS: Final = "AB"
REACH: Final[Mapping[str, str]] = {"A": "ab", "B": "bc"}
"""The two lanes nearest to each player (rulebook: Making an Attack)."""

CELLS: Final = tuple(f"{lane}{row}" for lane in LANES for row in range(1, ROWS + 1))
INDEX: Final[Mapping[str, int]] = {cell: number for number, cell in enumerate(CELLS)}

COLOUR_NAMES: Final[Mapping[str, str]] = {"R": "Red", "Y": "Yellow", "B": "Blue"}


def check_cell(cell: str) -> str:
    """The cell itself; ValueError when the tray has no such place."""
    if cell not in INDEX:
        raise ValueError(f"there is no cell {cell!r}: cells are a1 to c5")
    return cell


@dataclass(frozen=True, slots=True)
class Tray:
    """What lies in the tray. `lanes` holds one string a lane, each from row 1 to row 5, in the letters `RYB.?`."""

    lanes: tuple[str, str, str]

    @classmethod
    def parse(cls, text: str) -> Tray:
        """The tray of a text such as `RYBRY/YBRBY/BRYBR`; ValueError (one sentence) when it is none."""
        lanes = text.split("/")
        if len(lanes) != len(LANES):
            raise ValueError(f"tray {text!r} has {len(lanes)} lane(s) where 3 are needed, as in RYBRY/YBRBY/BRYBR")
        for name, lane in zip(LANES, lanes, strict=True):
            if len(lane) != ROWS:
                raise ValueError(f"tray {text!r}: lane {name} has {len(lane)} cell(s) where {ROWS} are needed")
            for row, letter in enumerate(lane, start=1):
                if letter not in LETTERS:
                    raise ValueError(f"tray {text!r}: cell {name}{row} is {letter!r}, which is none of R Y B . ?")
        return cls((lanes[0], lanes[1], lanes[2]))

    @property
    def text(self) -> str:
        return "/".join(self.lanes)

    def at(self, cell: str) -> str:
        """The letter in a cell; ValueError when the tray has no such place."""
        number = INDEX[check_cell(cell)]
        return self.lanes[number // ROWS][number % ROWS]

    def count(self, letter: str) -> int:
        """How many cells show this letter."""
        return sum(lane.count(letter) for lane in self.lanes)

    def replace(self, cell: str, letter: str) -> Tray:
        """The tray with one cell seen otherwise; nothing moves."""
        number = INDEX[check_cell(cell)]
        if len(letter) != 1 or letter not in LETTERS:
            raise ValueError(f"cell {cell} cannot be {letter!r}, which is none of R Y B . ?")
        lanes = list(self.lanes)
        lane, row = divmod(number, ROWS)
        lanes[lane] = lanes[lane][:row] + letter + lanes[lane][row + 1 :]
        return Tray((lanes[0], lanes[1], lanes[2]))

    def without(self, cells: Iterable[str], refill: Mapping[str, str] | None = None) -> Tray:
        """The tray after all `cells` have been removed at once and their lanes have rolled down.

        `refill`: lane → the letters that dropped in, first drop first. `.` = nothing came, left out = `?` for each
        marble removed. A lane that had gaps settles, and may then take more marbles than were removed (a jam that
        came loose). A lane nobody touched does not change. ValueError (one sentence): no such cell or lane, the same
        cell twice, a letter that is none, more marbles than there is room for.
        """
        removed: dict[str, set[int]] = {}
        for cell in cells:
            row = int(check_cell(cell)[1]) - 1
            if row in removed.setdefault(cell[0], set()):
                raise ValueError(f"cell {cell} is named twice")
            removed[cell[0]].add(row)
        drops = dict(refill or {})
        for lane, letters in drops.items():
            if len(lane) != 1 or lane not in LANES:
                raise ValueError(f"there is no lane {lane!r}: lanes are a, b, c")
            for letter in letters:
                if letter not in LETTERS:
                    raise ValueError(f"refill of lane {lane}: {letter!r} is none of R Y B . ?")
            if letters and lane not in removed:
                raise ValueError(f"refill of lane {lane}: nothing was taken from that lane")
        lanes = []
        for name, lane in zip(LANES, self.lanes, strict=True):
            gone = removed.get(name)
            lanes.append(lane if gone is None else _roll_down(name, lane, gone, drops.get(name, "")))
        return Tray((lanes[0], lanes[1], lanes[2]))


def _roll_down(name: str, lane: str, gone: set[int], letters: str) -> str:
    stay = "".join(letter for row, letter in enumerate(lane) if row not in gone and letter != EMPTY)
    room = ROWS - len(stay)
    if len(letters) > room:
        raise ValueError(f"refill of lane {name}: {letters!r} is {len(letters)} letters where {room} place(s) are free")
    unseen = UNKNOWN * max(0, len(gone) - len(letters))
    return (stay + letters.replace(EMPTY, "") + unseen).ljust(ROWS, EMPTY)


UNKNOWN_TRAY: Final = Tray.parse("?????/?????/?????")
