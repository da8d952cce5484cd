"""Marbles that fall through a beam, as physics: pulse trains with their truth. Everything from one seeded generator.

Units: mm, ms, m/s (= mm/ms). A marble is a disc in the plane of track and beam; the beam cuts its chord.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random

from hardware.edges import Edge

G = 9.81e-3  # mm/ms²
RESPONSE_MS = 0.02  # a photo-transistor that is quicker than any we would buy


@dataclass
class Track:
    """One lane: the beam's offset (radii), how fast marbles come (m/s) and how they gain speed (mm/ms²)."""

    offset: float
    speed: tuple[float, float]
    gain: float

    def run(self, speed: float, way: float) -> float:
        """Time (ms) for `way` mm from `speed` on."""
        if self.gain < 1e-9:
            return way / speed
        return (sqrt(speed * speed + 2 * self.gain * way) - speed) / self.gain


@dataclass
class Train:
    edges: list[Edge]
    drops: int
    times_ms: list[float]


def chord(diameter: float, offset: float) -> float:
    return diameter * sqrt(1 - offset * offset)


def falling(
    random: Random, track: Track, groups: list[int], apart_ms: tuple[float, float], touching: float
) -> tuple[list[tuple[float, float]], list[float]]:
    """Blocked stretches of a beam that is clear at rest. `groups`: so many marbles come together each time."""
    stretches, times = [], []
    t = 200.0
    for size in groups:
        speed = random.uniform(*track.speed)
        diameters = [random.uniform(14, 16) for _ in range(size)]
        start = t
        for number, diameter in enumerate(diameters):
            cut = chord(diameter, track.offset)
            if number and random.random() < touching:
                # centres stay (d1+d2)/2 apart, both move as one
                before = diameters[number - 1]
                way = (before + diameter) / 2 - chord(before, track.offset) / 2 - cut / 2
                start = stretches[-1][1] + track.run(speed, way)
                speed = sqrt(speed * speed + 2 * track.gain * way)
            elif number:
                # free of each other, but no nearer than touching
                before = diameters[number - 1]
                way = (before + diameter) / 2 - chord(before, track.offset) / 2 - cut / 2
                start = stretches[-1][1] + max(random.uniform(*apart_ms), track.run(speed, way))
                speed = random.uniform(*track.speed)
            end = start + track.run(speed, cut)
            speed = sqrt(speed * speed + 2 * track.gain * cut)
            stretches.append((start, end))
            times.append(start)
        t = stretches[-1][1] + random.uniform(150, 900)
    return stretches, times


def queue(random: Random, track: Track, drops: int) -> tuple[list[tuple[float, float]], list[float]]:
    """Openings of a beam that a queue stands in: the front marble rolls off, the next one follows and stops there."""
    openings, times = [], []
    t = 200.0
    for _ in range(drops):
        diameters = random.uniform(14, 16), random.uniform(14, 16)
        stands = random.uniform(-0.25, 0.25)  # where in the marble the beam goes through, in diameters
        gain = random.uniform(2e-3, 5e-3)
        follow = random.uniform(0, 50)
        cuts = chord(diameters[0], track.offset), chord(diameters[1], track.offset)
        leaves = t + sqrt(2 * (cuts[0] / 2 - stands * diameters[0]) / gain)
        way = sum(diameters) / 2 - stands * diameters[0] - cuts[1] / 2
        arrives = t + follow + sqrt(2 * max(0.0, way) / gain)
        if arrives - leaves > RESPONSE_MS:
            openings.append((leaves, arrives))
        times.append(leaves)
        t = max(leaves, arrives) + random.uniform(150, 900)
    return openings, times


def levels(stretches: list[tuple[float, float]], rest: bool) -> list[tuple[float, bool]]:
    """Stretches away from the rest level → level changes; what is too short for the sensor is swallowed."""
    merged: list[tuple[float, float]] = []
    for start, end in stretches:
        if merged and start - merged[-1][1] < RESPONSE_MS:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [edge for start, end in merged for edge in ((start, not rest), (end, rest))]


def spoil(
    random: Random, changes: list[tuple[float, bool]], rest: bool, chatter: float, glitches: float
) -> list[tuple[float, bool]]:
    """Chatter at edges (share of them) and glitches under 1 ms (chance for each pause and each pulse)."""
    out: list[tuple[float, bool]] = []
    level = rest
    at = 0.0
    for number, (t, after) in enumerate(changes):
        # a glitch somewhere in the stretch before this edge, clear of its ends
        if t - at > 6 and random.random() < glitches:
            start = random.uniform(at + 2.5, t - 3.5)
            out += [(start, not level), (start + random.uniform(0.02, 0.95), level)]
        room = changes[number + 1][0] - t if number + 1 < len(changes) else 1e9
        before = t - at
        out.append((t, after))
        last = t
        if random.random() < chatter and min(room, before) > 2.5:
            for _ in range(random.randint(1, 4)):
                last += random.uniform(0.02, 0.15)
                out.append((last, not after))
                last += random.uniform(0.02, 0.15)
                out.append((last, after))
        at, level = last, after
    return out


def train(
    random: Random,
    *,
    lane: str = "b",
    drops: int = 6,
    rest: bool = False,
    speed: tuple[float, float] = (0.3, 2.0),
    offset: tuple[float, float] = (0.0, 0.6),
    touching: float = 0.3,
    pairs: float = 0.5,
    chatter: float = 0.3,
    glitches: float = 0.1,
) -> Train:
    track = Track(random.uniform(*offset), speed, random.uniform(0, G))
    if rest:
        stretches, times = queue(random, track, drops)
    else:
        groups = []
        while sum(groups) < drops:
            groups.append(min(2 if random.random() < pairs else 1, drops - sum(groups)))
        stretches, times = falling(random, track, groups, (0, 50), touching)
    changes = spoil(random, levels(stretches, rest), rest, chatter, glitches)
    edges = [Edge(0, lane, rest)] + [Edge(round(t * 1e6), lane, level) for t, level in changes]
    return Train(edges, len(times), times)
