"""Legal clears by brute force, written from the rulebook alone.

Sections: Making an Attack; Rules for using Short Circuit Marbles.

Shares no code and no representation with companion.rules: marbles are points, chains are lists of points.
"""

from __future__ import annotations

from collections.abc import Iterator

Point = tuple[int, int]  # (lane 0-2 from A's side, row 1-5 from the open end)


def points(tray: str) -> dict[Point, str]:
    return {(x, y): colour for x, lane in enumerate(tray.split("/")) for y, colour in enumerate(lane, start=1)}


def chains(marbles: dict[Point, str], colour: str, bridges: str, start: Point) -> Iterator[list[Point]]:
    """Every unbroken line without backtracking from `start`, over marbles of the colour and bridges."""
    stack = [[start]]
    while stack:
        chain = stack.pop()
        yield chain
        x, y = chain[-1]
        for step in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if step not in chain and step in marbles and marbles[step] in colour + bridges:
                stack.append([*chain, step])


def legal_clears(tray: str, player: str, broken: str) -> dict[frozenset[str], str]:
    """Set of cells → attack."""
    lanes = (0, 1) if player == "A" else (1, 2)
    marbles = {point: colour for point, colour in points(tray).items() if point[0] in lanes}
    clears = {}
    for colour in "RYB":
        if colour in broken:
            continue
        for start, found in marbles.items():
            if found != colour:
                continue
            for chain in chains(marbles, colour, broken, start):
                count = sum(marbles[point] == colour for point in chain)
                if marbles[chain[-1]] == colour and count in (1, 2, 4):
                    clears[frozenset("abc"[x] + str(y) for x, y in chain)] = f"{colour}{count}"
    return clears
