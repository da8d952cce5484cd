"""Edges of the light beams."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Edge:
    """A beam's level from `t_ns` (monotonic ns, stamped at its source) on. A lane's first: its level at the start."""

    t_ns: int
    lane: str
    blocked: bool
