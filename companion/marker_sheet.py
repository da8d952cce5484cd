"""The printed sheet of corner markers: four tiles to cut out, where each lies, and rulers for the printer's scale."""

from __future__ import annotations

from companion.pdf import Page
from vision.markers import MODULES, RIM, modules, names
from vision.profile import Grid

STRIP = 10.0  # mm of a tile on its outer side, for its name
RULER = 100  # mm
LEFT, TOP = 20.0, 74.0
_AROUND = ("tower", "tray", "open end")
_TRAY = (
    "3. Lay each tile beside the tray, flat, its arrow pointing away from the tray, its top towards the tower.",
    "    The corner with the small black mark touches the corner of the grid of marbles: half a marble",
    "    beyond the centre of the named cell, to the side and along the lane. Tape it down.",
    "4. companion calibrate PICTURE --markers --tray ... -o table.toml",
)
_BOARD = (
    "3. Lay each tile beside the field of zones, flat, its arrow pointing away from it, its top towards player B.",
    "    The corner with the small black mark touches the corner of the field: of its outermost zone.",
    "    A and B are the players' sides, left and right as player A sees them. Tape it down.",
    "4. companion calibrate PICTURE --game react --markers ... -o table.toml",
)
_SHORT = ("A l", "A r", "B r", "B l")  # the strip is narrow


def marker_sheet(paper: str, side: float, grid: Grid | None) -> bytes:
    """`side`: of a marker's black square, mm; `grid`: of the tray, None: for the corners of a board's field."""
    page = Page(paper)
    page.words(LEFT, 20, "Corner markers for the table companion", 6, bold=True)
    touches = _TRAY if grid is not None else _BOARD
    last = f"(markers: {side:g} mm, ArUco 4x4)"
    lines = (
        "1. Print at 100 % (actual size). Measure both rulers: each must be 100 mm long.",
        "2. Cut along the dashed lines.",
        *touches[:3],
        f"{touches[3]}     {last}",
    )
    for i, text in enumerate(lines):
        page.words(LEFT, 28 + 5 * i, text, 3.3)
    corners, (top, inside, low) = (_SHORT, ("B", "field", "A")) if grid is None else (names(grid), _AROUND)
    wide, high = side * (1 + 2 * RIM) + STRIP, side * (1 + 2 * RIM)
    gap = 16.0
    # as they lie round the tray, seen with the tower at the top
    places = {3: (0, 0), 2: (1, 0), 0: (0, 1), 1: (1, 1)}
    for number, (column, row) in places.items():
        x, y = LEFT + column * (wide + gap), TOP + row * (high + gap)
        _tile(page, number, corners[number], x, y, side, left=column == 0)
    middle = LEFT + wide + gap / 2
    page.words(middle - 5, TOP - 4, top, 3.3)
    page.words(middle - 5, TOP + high + gap / 2 + 1, inside, 3.3)
    page.words(middle - 8, TOP + 2 * high + gap + 6, low, 3.3)
    _rulers(page, TOP + 2 * high + gap + 22)
    return page.to_bytes("Corner markers, true to size")


def _tile(page: Page, number: int, cell: str, x: float, y: float, side: float, left: bool) -> None:
    """`left`: it lies left of the tray, so that its strip is on its left."""
    rim, module = side * RIM, side / MODULES
    wide, high = side + 2 * rim + STRIP, side + 2 * rim
    page.cut(x, y, wide, high)
    page.modules(x + rim + (STRIP if left else 0), y + rim, module, modules(number))
    strip = x + 2 if left else x + wide - STRIP + 2
    page.words(strip, y + high / 2, cell, 5, bold=True)
    page.words(strip, y + high / 2 + 5, "<-" if left else "->", 3.5)
    # the corner that touches the grid: row 1 with its lower, the last row with its upper inner corner
    corner_x = x + wide - 1.2 if left else x
    corner_y = y + high - 1.2 if number in (0, 1) else y
    page.box(corner_x, corner_y, 1.2, 1.2)


def _rulers(page: Page, low: float) -> None:
    """One each way: printers do not always scale both alike."""
    right = page.width - 24
    page.line(LEFT, low, LEFT + RULER, low)
    page.line(right, TOP, right, TOP + RULER)
    for mm in range(RULER + 1):
        tick = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        page.line(LEFT + mm, low, LEFT + mm, low - tick, 0.1)
        page.line(right, TOP + mm, right - tick, TOP + mm, 0.1)
        if mm % 50 == 0:
            page.words(LEFT + mm - 2, low - 6.5, str(mm), 3)
            page.words(right + 2, TOP + mm + 1, str(mm), 3)
    page.words(LEFT, low + 6, "Both rulers are 100 mm long when the scale is right.", 3.3)
