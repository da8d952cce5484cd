"""Remakes vision/marbles.npz from the footage: `python -m tests.slow.train_marbles FOOTAGE [-o FILE] [--leave-out]`.

Cells of the footage's stills, of stills made worse, of tables drawn over them (marbles_drawn), with print laid into
the lanes, fingers on them and hands' shadows. `--leave-out` learns once for each table without anything that was seen
of its marbles and prints how the others' nets judge it (with -o each of these is written too, its table's name after
FILE's). Seeded; NumPy alone; some ten minutes of one core, less with more `--jobs`, and the same.
The weights that are shipped are what it makes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.evaluation import COVERED, UNCOVERED, tables
from tests.slow import marbles_drawn as drawn
from tests.vision.stills import PROFILE, quad
from vision import eye as vision_eye
from vision.arrays import Floats
from vision.calibrate import calibrate
from vision.calibration import Calibration, VisionError
from vision.eye import SURE, Eye
from vision.marbles import FAR, Evidence, Marbles
from vision.picture import Image, decode
from vision.reading import Aim

NETS, HIDDEN, EPOCHS, BATCH, RATE, DECAY = 4, 16, 12, 512, 3e-3, 1e-3
RULE, RAW = 5, 90  # numbers of the eye's own rule; of the circles, as they are and then as against the table's own
HELD = Aim(True, None)
Weights = dict[str, Floats]
Still = tuple[str, Image, Mapping[str, Any]]


class Recorder:
    """In an eye in place of its Marbles: keeps what it is asked with, and answers nothing."""

    def __init__(self, marbles: Marbles) -> None:
        self._marbles = marbles
        self.asked = np.zeros((0, 0), np.float32)

    def odds(self, evidence: Evidence) -> Floats:
        self.asked = self._marbles.features(evidence)
        return np.zeros(len(self.asked), np.float32)


@dataclass(frozen=True, eq=False)
class Examples:
    """cells × numbers; 1 = a marble; how much each counts; of which table's marbles, and how it came about."""

    features: Floats
    marble: Floats
    weight: Floats
    table: np.ndarray[Any, Any]
    kind: np.ndarray[Any, Any]


class Notes:
    def __init__(self) -> None:
        self._rows: list[tuple[Floats, list[str], str, str]] = []

    def add(self, eye: Eye, image: Image, patch: Image, letters: Sequence[str], table: str, kind: str) -> None:
        """`letters`: colour, "." empty, "h" under a hand, "?" left out."""
        eye.look(image, patch, fans=False, aim=HELD)
        recorder = eye.marbles
        assert isinstance(recorder, Recorder)
        self._rows.append((recorder.asked, list(letters), table, kind))

    def examples(self) -> Examples:
        x, y, w, table, kind = [], [], [], [], []
        for asked, letters, name, how in self._rows:
            for row, letter in zip(asked, letters, strict=True):
                if letter == "?":
                    continue
                x.append(row)
                y.append(float(letter in PROFILE.colours))
                w.append((1.0 if how == "finger" else 0.2) if letter == "h" else 1.5 if letter == "." else 1.0)
                table.append(name)
                kind.append(how)
        return Examples(np.stack(x), np.float32(y), np.float32(w), np.array(table), np.array(kind))


def noted(calibration: Calibration) -> Eye:
    eye = Eye(calibration, PROFILE)
    eye.marbles = Recorder(eye.marbles)
    return eye


def letters_of(eye: Eye, truth: Mapping[str, Any]) -> list[str]:
    out = ["?"] * len(eye.cells)
    for cell in truth["cells"]:
        hidden = float(cell["hand_cover"])
        letter = "h" if hidden > COVERED else "?" if hidden > UNCOVERED else str(cell["colour"])
        out[eye.cells.index(f"{cell['lane']}{cell['row']}")] = letter
    return out


def laid(patch: Image, eye: Eye, letters: list[str], most: int, prints: Sequence[Image], rng: drawn.Random) -> Image:
    """Some marbles taken out; `letters` is changed to match."""
    free = [i for i, letter in enumerate(letters) if letter in PROFILE.colours]
    for i in rng.permutation(free)[: int(rng.integers(1, most + 1))]:
        patch = drawn.lay(patch, eye, int(i), drawn.bit(rng, prints), rng)
        letters[int(i)] = "."
    return patch


def skins(stills: Sequence[Still]) -> list[Floats]:
    """What hands look like under this table's lamp."""
    out = []
    for _, image, truth in stills:
        for cell in truth["cells"]:
            if cell["hand_cover"] > 0.95:
                x, y = (int(value) for value in cell["px"])
                out.append(np.median(image[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3), axis=0))
    return out or [np.array([120.0, 150.0, 200.0])]


def photographed(
    notes: Notes, name: str, eye: Eye, stills: Sequence[Still], prints: Sequence[Image], each: int, rng: drawn.Random
) -> None:
    skin = skins(stills)
    for _, image, truth in stills:
        patch, known = eye.patch(image), letters_of(eye, truth)
        notes.add(eye, image, patch, known, name, "still")
        for k in range(6 * each):
            letters = known.copy()
            made = patch if k % 4 == 0 else laid(patch, eye, letters, 4, prints, rng)
            made = drawn.shadowed(made, eye, rng) if rng.random() < 0.3 else made
            made = drawn.harmed(made, rng) if rng.random() < 0.65 else made
            notes.add(eye, image, made, letters, name, "laid" if k % 4 else "harmed")
        for k in range(each):
            letters = known.copy()
            made = drawn.shadowed(laid(patch, eye, letters, 3, prints, rng) if k % 3 == 2 else patch, eye, rng)
            notes.add(eye, image, drawn.harmed(made, rng) if k % 2 else made, letters, name, "shadow")
            if truth["kind"] == "hand":
                continue
            made, cover = drawn.fingered(patch, eye, skin[int(rng.integers(len(skin)))], rng)
            told = zip(known, cover, strict=True)
            letters = ["h" if hidden > COVERED else "?" if hidden > UNCOVERED else one for one, hidden in told]
            notes.add(eye, image, drawn.harmed(made, rng) if k % 2 else made, letters, name, "finger")


def other_tables(
    notes: Notes, name: str, eye: Eye, stills: Sequence[Still], prints: Sequence[Image], count: int, rng: drawn.Random
) -> None:
    """`stills`: the first is the calibration's."""
    kept = eye.calibration
    for _ in range(count):
        table = drawn.Drawn(eye, prints, rng)
        _, image, truth = stills[0]
        data = cv2.imencode(".png", table.picture(image, truth, letters_of(eye, truth)))[1].tobytes()
        try:
            other = noted(Calibration(kept.size, kept.grid, kept.corners, kept.tray, kept.stage, data))
        except VisionError:
            continue
        for _, image, truth in stills[1:]:
            for again in range(3):
                letters = letters_of(eye, truth)
                if again and table.new_floor and truth["kind"] != "hand":
                    for i in rng.permutation(len(letters))[: int(rng.integers(5))]:
                        letters[int(i)] = "."
                shown = table.picture(image, truth, letters)
                patch = other.patch(shown)
                if again:
                    patch = laid(patch, other, letters, 2, prints, rng) if rng.random() < 0.5 else patch
                    patch = drawn.harmed(patch, rng) if rng.random() < 0.65 else patch
                notes.add(other, shown, patch, letters, name, "drawn")


def gather(footage: Path, each: int, count: int, jobs: int = 1) -> Examples:
    work, folders = partial(of_table, footage, each, count), range(len(tables(footage)))
    if jobs == 1:
        parts = list(map(work, folders))
    else:
        with ProcessPoolExecutor(jobs) as pool:
            parts = list(pool.map(work, folders))
    return Examples(*(np.concatenate(part) for part in zip(*(vars(one).values() for one in parts), strict=True)))


def of_table(footage: Path, each: int, count: int, number: int) -> Examples:
    """What the table of this number gives, with print from all of them; a seed of its own."""
    cv2.setNumThreads(1)
    vision_eye.LEAST, vision_eye.MOST = -np.inf, np.inf  # every cell is asked about
    rng = np.random.default_rng((5, number))
    given: list[tuple[str, Eye, list[Still]]] = []
    prints: list[Image] = []
    for folder, found in tables(footage).items():
        path, truth = found[0]
        corners, stage = quad(truth["corner_centres"]), quad(truth["board_corners"])
        eye = noted(calibrate(path.read_bytes(), corners, truth["tray"], stage, PROFILE))
        stills = [(path.stem, decode(path.read_bytes()), told) for path, told in found if told["kind"] != "bump"]
        given.append((Path(folder).name, eye, stills))
        scale = 1 / eye.geometry.scale
        for _, image, _ in stills[::4]:
            prints.append(np.asarray(cv2.resize(image, None, fx=scale, fy=scale), np.uint8))
    notes, (name, eye, stills) = Notes(), given[number]
    photographed(notes, name, eye, stills, prints, each, rng)
    other_tables(notes, name, eye, stills, prints, count, rng)
    print(f"{name} seen", flush=True)
    return notes.examples()


def learn(examples: Examples) -> Weights:
    """Half the nets are not told the circles as they are, only against the table's own."""
    x = examples.features
    middle, spread = x.mean(axis=0), x.std(axis=0) + 1e-3
    x = np.clip((x - middle) / spread, -FAR, FAR).astype(np.float32)
    nets = []
    for seed in range(NETS):
        shown = x.copy()
        if seed % 2:
            shown[:, RULE : RULE + RAW] = 0
        net = _descend(shown, examples.marble, examples.weight, seed)
        if seed % 2:
            net[0][RULE : RULE + RAW] = 0
        nets.append(net)
    first, bias, second, last = (np.stack([net[k] for net in nets]) for k in range(4))
    names = ("middle", "spread", "first", "first_bias", "second", "second_bias")
    return dict(zip(names, (middle, spread, first, bias[:, None], second, last[:, 0]), strict=True))


def _descend(x: Floats, y: Floats, weight: Floats, seed: int) -> list[Floats]:
    """Adam on the weighted cross entropy of one hidden layer."""
    rng = np.random.default_rng(seed)
    size = x.shape[1]
    start = (rng.normal(0, size**-0.5, (size, HIDDEN)), np.zeros(HIDDEN), rng.normal(0, 0.3, HIDDEN), np.zeros(1))
    net = [part.astype(np.float32) for part in start]
    mean, square = [np.zeros_like(part) for part in net], [np.zeros_like(part) for part in net]
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        order = rng.permutation(len(x))
        for at in range(0, len(x), BATCH):
            few = order[at : at + BATCH]
            hidden = np.tanh(x[few] @ net[0] + net[1])
            off = (1 / (1 + np.exp(-(hidden @ net[2] + net[3]))) - y[few]) * weight[few] / len(few)
            back = np.outer(off, net[2]) * (1 - hidden * hidden)
            slopes = (
                x[few].T @ back + DECAY * net[0],
                back.sum(0),
                hidden.T @ off + DECAY * net[2],
                off.sum(keepdims=True),
            )
            step += 1
            for k, slope in enumerate(slopes):
                mean[k] = 0.9 * mean[k] + 0.1 * slope
                square[k] = 0.999 * square[k] + 0.001 * slope * slope
                move = mean[k] / (1 - 0.9**step) / (np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8)
                net[k] = (net[k] - rate * move).astype(np.float32)
    return net


def judged(weights: Weights, examples: Examples) -> Floats:
    x = np.clip((examples.features - weights["middle"]) / weights["spread"], -FAR, FAR)
    hidden = np.tanh(x @ weights["first"] + weights["first_bias"])
    return np.asarray((hidden @ weights["second"][..., None])[..., 0].mean(axis=0) + weights["second_bias"].mean())


def saved(weights: Weights, path: Path) -> None:
    small = {**weights, "first": weights["first"].astype(np.float16)}
    np.savez_compressed(path, **small)


def left_out(examples: Examples, out: Path | None = None) -> Iterator[str]:
    odds = np.zeros(len(examples.marble))
    for name in np.unique(examples.table):
        mine = examples.table == name
        one, rest = (Examples(*(part[which] for part in vars(examples).values())) for which in (mine, ~mine))
        weights = learn(rest)
        odds[mine] = judged(weights, one)
        if out:
            saved(weights, out.with_name(f"{out.stem}_{name}.npz"))
    limit = np.log(SURE / (1 - SURE))
    for kind in np.unique(examples.kind):
        marbles = odds[(examples.kind == kind) & (examples.marble > 0.5)]
        others = odds[(examples.kind == kind) & (examples.marble < 0.5)]
        wrong, sure = int((others > limit).sum()), int((others > np.log(99)).sum())
        doubt = 100 * float((marbles < limit).mean())
        yield f"{kind}: {doubt:.2f} % of {len(marbles)} marbles doubted, {wrong} of {len(others)} taken, {sure} surely"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("footage", type=Path)
    parser.add_argument("-o", type=Path, dest="out")
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--each", type=int, default=8, help="of every kind for each still")
    parser.add_argument("--drawn", type=int, default=12, help="tables drawn over each table")
    parser.add_argument("--jobs", type=int, default=1, help="processes that draw")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    examples = gather(args.footage, args.each, args.drawn, args.jobs)
    print(f"{len(examples.marble)} cells, {examples.features.shape[1]} numbers each", flush=True)
    if args.leave_out:
        print(*left_out(examples, args.out), sep="\n")
    if args.out:
        saved(learn(examples), args.out)


if __name__ == "__main__":
    main()
