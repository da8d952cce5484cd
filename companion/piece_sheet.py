"""The printed sheet of markers for the pieces of a game, true to size, to cut out and glue on."""

from __future__ import annotations

from collections.abc import Sequence

from companion.pdf import Page
from vision.pieces import MODULES, modules

LEFT, TOP = 14.0, 44.0
GAP = 4.0
NAME = 4.0  # mm below a marker for its name


def piece_sheet(paper: str, side: float, names: Sequence[str], title: str) -> bytes:
    """`side`: of a marker's black square, mm; `names`: by the marker's number. ValueError: they do not fit the page."""
    page = Page(paper)
    page.words(LEFT, 20, title, 6, bold=True)
    lines = (
        "1. Print at 100 % (actual size).",
        "2. Cut along the dashed lines; the white rim belongs to the marker.",
        f"3. Glue each on its piece, its name at the lower edge.     (markers: {side:g} mm, AprilTag 25h9)",
    )
    for i, text in enumerate(lines):
        page.words(LEFT, 27 + 5 * i, text, 3.3)
    module = side / MODULES
    wide, high = side + 2 * module, side + 2 * module + NAME
    columns = int((page.width - 2 * LEFT + GAP) // (wide + GAP))
    rows = -(-len(names) // max(columns, 1))
    if columns < 1 or TOP + rows * (high + GAP) > page.height - 10:
        raise ValueError(f"{len(names)} markers of {side:g} mm do not fit one page of {paper}")
    for number, name in enumerate(names):
        x, y = LEFT + number % columns * (wide + GAP), TOP + number // columns * (high + GAP)
        page.cut(x, y, wide, high)
        page.modules(x + module, y + module, module, modules(number))
        page.words(x + module, y + high - 1.6, name, 2.8)
    return page.to_bytes(title)
