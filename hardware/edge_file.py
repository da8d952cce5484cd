"""Edge files: `t_ns,lane,blocked` (DESIGN §6)."""

from __future__ import annotations

import re
from pathlib import Path

from hardware.edges import Edge

HEADER = ("t_ns", "lane", "blocked")
_NUMBER = re.compile(r"-?[0-9]{1,18}")


def read_edges(path: str | Path, lanes: str = "abc") -> list[Edge]:
    """The edges in the file's order; ValueError = one sentence that names the file, the line and the field."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such edge file") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not UTF-8, so this is no edge file") from None
    except OSError as error:
        raise ValueError(f"{path}: the edge file cannot be read ({error.strerror})") from None
    lines = text.splitlines()
    header = ",".join(HEADER)
    if not lines or tuple(name.strip() for name in lines[0].split(",")) != HEADER:
        raise ValueError(f"{path}: line 1 must be the header {header}, not {_short(lines[0] if lines else '')}")
    return [_edge(path, number, line, lanes) for number, line in enumerate(lines[1:], start=2) if line.strip()]


def _edge(path: Path, number: int, line: str, lanes: str) -> Edge:
    fields = [part.strip() for part in line.split(",")]
    if len(fields) != len(HEADER):
        raise ValueError(f"{path}: line {number} has {len(fields)} fields, not the 3 of {','.join(HEADER)}")
    t_ns, lane, blocked = fields
    if not _NUMBER.fullmatch(t_ns):
        raise ValueError(f"{path}: line {number}: t_ns must be a whole number of nanoseconds, not {_short(t_ns)}")
    if len(lane) != 1 or lane not in lanes:
        raise ValueError(f"{path}: line {number}: lane must be one of {' '.join(lanes)}, not {_short(lane)}")
    if blocked not in ("0", "1"):
        raise ValueError(f"{path}: line {number}: blocked must be 0 or 1, not {_short(blocked)}")
    return Edge(int(t_ns), lane, blocked == "1")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
