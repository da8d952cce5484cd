"""How long `moves` takes, beside the tests' brute force in the same run. A script: `python -m tests.slow.rules_bench`.

Bars (issue 3): 0.3 ms median on the worst tray, 0.05 ms on an ordinary one. Times are medians; on a busy machine they
mean little, the ratio means more.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from companion.rules.rematch.chains import moves
from companion.rules.rematch.tray import Tray
from tests.companion.rules.brute import legal_clears

Case = tuple[str, str, str]
"""Tray, player, broken colours."""


def ordinary(rng: random.Random) -> str:
    """A full tray out of 33 mixed marbles."""
    bag = list("RYB" * 11)
    rng.shuffle(bag)
    return "/".join("".join(bag[start : start + 5]) for start in (0, 5, 10))


def worst() -> list[Case]:
    """Two colours broken and all ten cells of use: of every count of red marbles among bridges the slowest placing."""
    rng = random.Random(5)
    cases = []
    for reds in range(2, 9):
        for _ in range(6):
            letters = list("R" * reds + "Y" * (5 - reds // 2) + "B" * (5 - (reds + 1) // 2))[:10]
            rng.shuffle(letters)
            cases.append((f"{''.join(letters[:5])}/{''.join(letters[5:])}/BYBYB", "A", "YB"))
    slowest = max(cases, key=lambda case: seconds(lambda: moves(Tray.parse(case[0]), case[1], case[2]), 15))
    return [slowest]


def seconds(call: Callable[[], Any], times: int) -> float:
    """The median of single calls."""
    taken = []
    for _ in range(times):
        before = time.perf_counter()
        call()
        taken.append(time.perf_counter() - before)
    return statistics.median(taken)


def median_ms(cases: Sequence[Case], search: Callable[[Case], Any], times: int) -> float:
    """The median over all calls; each case as often as the others, in turn, so that a pause hits all alike."""
    taken = []
    for _ in range(times):
        for case in cases:
            before = time.perf_counter()
            search(case)
            taken.append(time.perf_counter() - before)
    return 1000 * statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trays", type=int, default=100, help="ordinary trays (default: %(default)s)")
    parser.add_argument("--times", type=int, default=20, help="calls a tray (default: %(default)s)")
    args = parser.parse_args()
    rng = random.Random(2)
    trays = [ordinary(rng) for _ in range(args.trays)]
    rows: list[tuple[str, list[Case], float | None]] = [
        ("ordinary, none broken", [(tray, rng.choice("AB"), "") for tray in trays], 0.05),
        ("ordinary, one broken", [(tray, rng.choice("AB"), rng.choice("RYB")) for tray in trays], None),
        ("ordinary, two broken", [(tray, rng.choice("AB"), rng.choice(["RY", "YB", "RB"])) for tray in trays], None),
        ("worst, two broken", worst(), 0.3),
    ]
    print(f"{'tray':<24}{'moves ms':>10}{'bar ms':>8}{'brute ms':>10}{'ratio':>8}")
    for name, cases, bar in rows:
        parsed = {case[0]: Tray.parse(case[0]) for case in cases}
        times = args.times if len(cases) > 1 else 50 * args.times
        ours = median_ms(cases, lambda case: moves(parsed[case[0]], case[1], case[2]), times)  # noqa: B023 (called within the same round)
        brute = median_ms(cases, lambda case: legal_clears(*case), max(1, args.times // 10))
        print(f"{name:<24}{ours:>10.3f}{bar or '':>8}{brute:>10.3f}{brute / ours:>8.0f}")


if __name__ == "__main__":
    main()
