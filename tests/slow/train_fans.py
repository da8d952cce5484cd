"""Remakes vision/fans.npz from the footage: `python -m tests.slow.train_fans FOOTAGE [-o FILE] [--leave-out]`.

First each net learns from boards that are drawn (fans_drawn), with drawn fans, standees, marbles, hands on them. Then
the footage is added: its stills, their boards with the fans taken off and their inks turned, and the fans cut out of
them. `--leave-out` does this second part once for every two tables, without anything of them, reads them and prints the
figures. Seeded; NumPy alone; some fifteen minutes of one free core, two more for every two tables left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.evaluation import Figures, tables
from companion.stills import PROFILE
from tests.slow import fans_drawn as drawn
from tests.slow.fans_drawn import Picture, Piece, Random
from tests.vision.stills import quad
from vision.calibrate import calibrate
from vision.colour import DARK, uvw
from vision.eye import Eye
from vision.fans import COLOURS, INPUTS, LAYERS, STRIDE, Weights, inputs, taps, unpacked
from vision.hue import HUES, white
from vision.picture import Image, decode
from vision.stage import Stage
from vision.upright import MARGIN, TOKEN, WIDTH, Upright

CANVAS = (96, WIDTH + 2 * MARGIN)
SIZES = (3, 3, 3, 3, 3, 1)
CHANNELS = (INPUTS, 8, 16, 20, 20, 24, len(COLOURS))
NEAR, BLUR = 0.5, 0.95  # of a fan's radius: so near a spot is the fan's own, so near it is neither right nor wrong
VISIBLE, HIDDEN = 0.6, 0.3
RATE = 1e-3
BATCH, REAL = 8, 0.2  # scenes a step, and how many of them are real stills, once there are
NOMINAL = 4.7  # w of a board's middle under the light that drawn scenes start from


@dataclass(frozen=True, eq=False)
class Scene:
    """`values` as Upright gives them; `fans`: colour → x, y, visible share; `uses`: tables that it takes from."""

    values: Picture
    fans: dict[str, tuple[float, float, float]]
    radius: float
    uses: frozenset[str]
    name: str = ""


@dataclass(frozen=True)
class Material:
    """What the footage gives: bare boards and fans cut out, BGR at twice the size, by table."""

    boards: list[tuple[str, Picture]]
    fans: list[tuple[str, str, float, Piece]]


# ---- the footage ----------------------------------------------------------------------------------------------------


def board_of(picture: bytes, truth: Any) -> Upright:
    return Upright(decode(picture), quad(truth["board_corners"]), white_of(eye_of(picture, truth)))


def eye_of(picture: bytes, truth: Any) -> Eye:
    """Without `Stage`: the weights may be missing."""
    return Eye(calibrate(picture, quad(truth["corner_centres"]), truth["tray"], None, PROFILE), PROFILE)


def white_of(eye: Eye) -> Any:
    """As the eye tells it to `Stage`."""
    known = [(letter, np.median(disc[:, :2], axis=0)) for _, letter, disc in eye.known if letter in HUES]
    return white(np.array([middle for _, middle in known]), [letter for letter, _ in known])


def stills(footage: Path) -> Iterator[tuple[str, Upright, list[tuple[str, str, Image, list[Any]]]]]:
    """Table, board, then (name, kind, picture, fans) of each still."""
    for folder, found in tables(footage / "stills").items():
        name = Path(folder).name
        pictures = [
            (p.stem, str(t["kind"]), decode(p.read_bytes()), list(t["fans"])) for p, t in found if t["kind"] != "bump"
        ]
        yield name, board_of(found[0][0].read_bytes(), found[0][1]), pictures


def where(board: Upright, fans: Sequence[Any]) -> dict[str, tuple[float, float, float]]:
    out = {}
    for fan in fans:
        if fan.get("px") is not None:
            x, y = cv2.perspectiveTransform(np.array([[fan["px"]]], np.float32), board.move)[0, 0] / 2
            out[fan["colour"]] = (float(x), float(y), float(fan["visible"]) if fan["in_frame"] else 0.0)
    return out


def worse(image: Image, kind: str, rng: Random) -> Image:
    lit = image.astype(np.float32)
    if kind == "dark":
        lit *= rng.uniform(0.4, 0.7)
    elif kind == "lamp":
        lit *= np.exp(rng.normal(0, 0.18, 3)).astype(np.float32) * rng.uniform(0.8, 1.4)
    elif kind == "noise":
        lit += rng.normal(0, rng.uniform(4, 10), lit.shape)
    elif kind == "blur":
        lit[:] = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.7, 2))
    return np.clip(lit, 0, 255).astype(np.uint8)


def fit(values: Picture) -> Picture:
    """On the one canvas that all scenes share."""
    below = CANVAS[0] - values.shape[0]
    return np.asarray(np.pad(values, ((0, below), (0, 0), (0, 0)), mode="edge"), np.float16)


def bgr(values: Picture) -> Picture:
    """u, v, w from white and the board's middle → BGR under even white light."""
    u, v, w = values[..., 0], values[..., 1], values[..., 2] + NOMINAL
    both = (3 * w - v) * 2 / 3
    logs = np.stack([v + both / 2, (both - u) / 2, (both + u) / 2], axis=-1)
    return np.asarray(np.clip(np.exp(logs) - DARK, 0, 400), np.float32)


def gather(footage: Path, rng: Random) -> tuple[Material, list[Scene]]:
    material, shots = Material([], []), []
    for table, board, pictures in stills(footage):
        looks, places = [], []
        for name, kind, image, fans in pictures:
            at = where(board, fans)
            for harm in ("", "dark", "lamp", "noise", "blur"):
                if harm and rng.random() < 0.5:
                    continue
                seen = board.look(worse(image, harm, rng))
                shots.append(Scene(fit(seen.values), at, board.radius, frozenset([table]), name + harm))
                if not harm and kind != "hand":
                    looks.append(board.look(image).values)
                    places.append(at)
        _take(material, table, board, looks, places)
        print(f"{table}: {len(looks)} pictures", file=sys.stderr, flush=True)
    return material, shots


def _take(material: Material, table: str, board: Upright, looks: list[Picture], places: list[Any]) -> None:
    """The bare board (the median of what no fan covers) and the fans that differ from it."""
    height, width = looks[0].shape[:2]
    ys, xs = np.mgrid[0:height, 0:width]

    def far(at: Sequence[float]) -> Any:
        return np.hypot(xs - at[0], ys - at[1]) / board.radius

    covered = np.stack([np.min([far(at) for at in fans.values()], axis=0) < 1.75 for fans in places])
    hidden = covered.all(axis=0)
    open_to_view = np.where(covered[..., None], np.nan, np.stack(looks))
    open_to_view[:, hidden] = 0
    plate = np.asarray(np.nanmedian(open_to_view, axis=0), np.float32)
    seen: set[tuple[str, int, int]] = set()
    for look, fans in zip(looks, places, strict=True):
        for colour, (x, y, visible) in fans.items():
            key = (colour, round(x / 2), round(y / 2))
            if visible < 0.9 or key in seen:
                continue
            seen.add(key)
            near = np.asarray(far((x, y)) < 1.75)
            off = look - plate
            differs = np.sqrt(off[..., 0] ** 2 + off[..., 1] ** 2 + 0.5 * off[..., 2] ** 2)
            loose = (cv2.GaussianBlur(differs, (0, 0), 0.7) > 0.3) & near & ~hidden
            if (hidden & near).sum() > 0.2 * near.sum():
                continue
            mask = cv2.morphologyEx(loose.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
            count, labels, parts, _ = cv2.connectedComponentsWithStats(mask)
            if count < 2:
                continue
            mine = np.asarray(labels == 1 + parts[1:, cv2.CC_STAT_AREA].argmax())
            if not 0.5 < mine.sum() / (np.pi * board.radius**2) < 1.5:
                continue
            reach = int(2 * board.radius) + 1
            move = np.array([[2, 0, 2 * (reach - x)], [0, 2, 2 * (reach - y)]], np.float32)
            size = (4 * reach + 1, 4 * reach + 1)
            picture = cv2.warpAffine(bgr(look), move, size, borderMode=cv2.BORDER_REPLICATE)
            alpha = cv2.GaussianBlur(cv2.warpAffine(mine.astype(np.float32), move, size), (0, 0), 1.0)
            material.fans.append((table, colour, board.radius, Piece(picture, alpha)))
    mirrored, gone = plate[:, ::-1], hidden[:, ::-1]
    take = hidden & ~gone
    plate[take] = mirrored[take]
    plate[hidden & gone] = np.median(plate[~hidden], axis=0)
    inside = bgr(plate)[MARGIN : MARGIN + board.height, MARGIN : MARGIN + WIDTH]
    material.boards.append((table, cv2.resize(inside, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)))


# ---- scenes ---------------------------------------------------------------------------------------------------------


def compose(rng: Random, material: Material) -> Scene:
    uses: set[str] = set()
    height = int(rng.integers(54, 71))
    radius = 2 * TOKEN * float(np.sqrt(WIDTH * height))
    if not material.boards or rng.random() < 0.6:
        board = drawn.board(rng, 2 * WIDTH, 2 * height, radius)
    else:
        table, plate = material.boards[int(rng.integers(len(material.boards)))]
        uses.add(table)
        board = cv2.resize(plate, (2 * WIDTH, 2 * height)).clip(0, 255)
        if rng.random() < 0.7:  # other inks
            hsv = cv2.cvtColor(board / 255, cv2.COLOR_BGR2HSV)
            hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 360)) % 360
            hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.5, 1.3), 0, 1)
            board = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR) * 255 * rng.uniform(0.7, 1.1)
        if rng.random() < 0.5:
            board = np.ascontiguousarray(board[:, ::-1])
    scene = np.empty((2 * CANVAS[0], 2 * CANVAS[1], 3), np.float32)
    scene[:] = drawn.any_ink(rng)
    for _ in range(int(rng.integers(0, 5))):
        drawn._print(rng, scene, radius)
    scene[2 * MARGIN : 2 * (MARGIN + height), 2 * MARGIN : 2 * (MARGIN + WIDTH)] = board
    owner = np.full(scene.shape[:2], -1, np.int32)
    at: dict[str, tuple[float, float]] = {}
    sizes: dict[str, int] = {}
    things = [*COLOURS, *["standee"] * int(rng.integers(0, 4)), *["marble"] * int(rng.random() < 0.15)]
    kind = int(rng.choice([0, 0, 0, 1, 1, 1, 1, 2]))  # one game's fans are of one kind
    near = material.fans
    pick = near[int(rng.integers(len(near)))][0] if near and rng.random() < 0.4 else None
    for thing in rng.permutation(things):
        thing = str(thing)
        # a fan on a ground of its own colour is the hard case: it is sought out
        tries = 8 if thing in COLOURS and rng.random() < 0.35 else 1
        found = [_free(rng, at, 1.7 if thing in COLOURS else 0.8, radius, height) for _ in range(tries)]
        spots = [spot for spot in found if spot is not None]
        if not spots:
            continue
        x, y = min(spots, key=lambda spot: _apart(scene, spot, radius, thing)) if tries > 1 else spots[0]
        if thing == "standee":
            drawn.put(rng, scene, owner, drawn.standee(rng, radius), (x, y), -1)
        elif thing == "marble":
            drawn.put(rng, scene, owner, drawn.marble(rng, radius), (x, y), -2)
        elif rng.random() < 0.85:
            cut = [m for m in near if m[0] == pick and m[1] == thing]
            if cut:
                table, _, size, piece = cut[int(rng.integers(len(cut)))]
                uses.add(table)
                piece = _resized(rng, piece, radius / (2 * size))
            else:
                piece = (drawn.disc, drawn.folded, drawn.plain)[kind](rng, thing, radius)
            at[thing] = (x, y)
            sizes[thing] = drawn.put(rng, scene, owner, piece, (x, y), COLOURS.index(thing))
    if rng.random() < 0.2:
        tone, mask = drawn.hand(rng, scene.shape[1], scene.shape[0], radius)
        drawn.blend(scene, tone, mask)
        owner[mask > 0.5] = -1
    small, known = drawn.photograph(rng, scene)
    logs = uvw(small)
    gain_b, gain_g, gain_r = known[..., 0], known[..., 1], known[..., 2]
    logs[..., 0] -= gain_r - gain_g
    logs[..., 1] -= gain_b - 0.5 * (gain_r + gain_g)
    logs[..., 2] -= (gain_r + gain_g + gain_b) / 3
    logs[..., 2] -= np.median(logs[MARGIN : MARGIN + height, MARGIN : MARGIN + WIDTH, 2])
    fans = {c: (x / 2, y / 2, float((owner == COLOURS.index(c)).sum()) / max(1, sizes[c])) for c, (x, y) in at.items()}
    return Scene(logs.astype(np.float16), fans, radius / 2, frozenset(uses))


def _free(
    rng: Random, taken: dict[str, tuple[float, float]], apart: float, radius: float, height: int
) -> tuple[float, float] | None:
    for _ in range(20):
        x = 2 * MARGIN + rng.uniform(0.2 * radius, 2 * WIDTH - 0.2 * radius)
        y = 2 * MARGIN + rng.uniform(0.4 * radius, 2 * height - 0.4 * radius)
        if all(np.hypot(x - a, y - b) > apart * radius for a, b in taken.values()):
            return x, y
    return None


def _apart(scene: Picture, spot: tuple[float, float], radius: float, colour: str) -> float:
    """How far the ground's colour there is from the fan's."""
    x, y, reach = int(spot[0]), int(spot[1]), int(radius)
    ground = scene[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].mean(axis=(0, 1))
    own = np.array(drawn.ink(float(np.mean(drawn.HUES[colour])), 0.8, 0.8))
    logs = np.log(np.stack([ground, own]) + DARK)
    u, v = logs[:, 2] - logs[:, 1], logs[:, 0] - logs[:, 1:].mean(axis=1)
    return float(np.hypot(u[0] - u[1], v[0] - v[1]))


def _resized(rng: Random, piece: Piece, scale: float) -> Piece:
    picture = cv2.resize(piece.picture, None, fx=scale, fy=scale)
    alpha = cv2.resize(piece.alpha, None, fx=scale, fy=scale)
    if alpha.shape[0] % 2 == 0:
        picture, alpha = picture[:-1, :-1], alpha[:-1, :-1]
    return Piece(picture * np.float32(rng.uniform(0.8, 1.15)), alpha)


def scenes(seed: int, count: int, material: Material, jobs: int = 1) -> list[Scene]:
    """The same whatever the number of processes, `jobs`."""
    draw = partial(_some, material)
    seeds = [[(seed, k) for k in range(at, min(count, at + 100))] for at in range(0, count, 100)]
    if jobs == 1:
        return [scene for some in map(draw, seeds) for scene in some]
    with ProcessPoolExecutor(jobs) as pool:
        return [scene for some in pool.map(draw, seeds) for scene in some]


def _some(material: Material, seeds: Sequence[tuple[int, int]]) -> list[Scene]:
    cv2.setNumThreads(1)
    return [compose(np.random.default_rng(seed), material) for seed in seeds]


# ---- the net --------------------------------------------------------------------------------------------------------


def fresh(rng: Random) -> dict[str, Picture]:
    out = {"absent": np.full(len(COLOURS), 4.0, np.float32)}
    for k, size in enumerate(SIZES):
        seen = size * size * CHANNELS[k]
        shape = (size, size, CHANNELS[k], CHANNELS[k + 1])
        out[f"w{k}"] = rng.normal(0, np.sqrt(2 / seen), shape).astype(np.float32)
        out[f"b{k}"] = np.zeros(CHANNELS[k + 1], np.float32)
    return out


def forward(x: Picture, weights: Weights) -> tuple[Picture, list[tuple[Picture, Picture]]]:
    """channels × h × w → the last layer's output alike; of each layer what its outputs see and what it was given."""
    kept = []
    for k, (stride, dilation) in enumerate(LAYERS):
        kernel = weights[f"w{k}"]
        height, width = x.shape[1] // stride, x.shape[2] // stride
        seen = taps(x, kernel.shape[0], stride, dilation)
        kept.append((seen, x))
        x = kernel.reshape(-1, kernel.shape[-1]).T @ seen + weights[f"b{k}"][:, None]
        if k + 1 < len(LAYERS):
            np.maximum(x, 0, out=x)
        x = x.reshape(-1, height, width)
    return x, kept


def backward(grad: Picture, kept: list[tuple[Picture, Picture]], weights: Weights) -> dict[str, Picture]:
    out = {}
    for k in range(len(LAYERS) - 1, -1, -1):
        (stride, dilation), (seen, given) = LAYERS[k], kept[k]
        kernel = weights[f"w{k}"]
        size, wide = kernel.shape[0], kernel.shape[2]
        flat = grad.reshape(len(grad), -1)
        out[f"w{k}"] = (seen @ flat.T).reshape(kernel.shape)
        out[f"b{k}"] = flat.sum(axis=1)
        if k == 0:
            break
        below = kernel.reshape(-1, kernel.shape[-1]) @ flat
        if size > 1:
            _, height, width = given.shape
            parts = below.reshape(size * size, wide, *grad.shape[1:])
            padded = np.zeros((wide, height + 2 * dilation, width + 2 * dilation), below.dtype)
            for tap, (i, j) in enumerate(np.ndindex(size, size)):
                padded[:, i * dilation :, j * dilation :][:, :height:stride, :width:stride] += parts[tap]
            below = padded[:, dilation : dilation + height, dilation : dilation + width]
        grad = below.reshape(given.shape) * (given > 0)
    return out


def targets(scene: Scene, flip: tuple[bool, bool]) -> tuple[Picture, Picture, Picture]:
    """Which spots are the fan's, which count at all, and for which colours something can be learnt."""
    rows, columns = CANVAS[0] // STRIDE, CANVAS[1] // STRIDE
    ys, xs = np.mgrid[0:rows, 0:columns] * STRIDE
    own = np.zeros((rows, columns, len(COLOURS)), bool)
    counts = np.ones((rows, columns, len(COLOURS)), bool)
    known = np.ones(len(COLOURS), bool)
    for k, colour in enumerate(COLOURS):
        x, y, visible = scene.fans.get(colour, (0.0, 0.0, 0.0))
        if visible < HIDDEN:
            continue
        if visible < VISIBLE:
            known[k] = False
            continue
        x, y = (CANVAS[1] - 1 - x if flip[0] else x), (CANVAS[0] - 1 - y if flip[1] else y)
        far = np.hypot(xs - x, ys - y) / scene.radius
        own[..., k] = (far < NEAR) | (far == far.min())
        counts[..., k] = own[..., k] | (far > BLUR)
    return own, counts, known


def learn(
    drawn_ones: list[Scene], real: list[Scene], steps: int, seed: int, start: Weights | None = None
) -> dict[str, Picture]:
    """Adam on the softmax over spots and "not in sight"."""
    rng = np.random.default_rng(seed)
    weights = fresh(rng) if start is None else {name: part.astype(np.float32) for name, part in start.items()}
    mean = {name: np.zeros_like(part) for name, part in weights.items()}
    square = {name: np.zeros_like(part) for name, part in weights.items()}
    shown, started = 0.0, time.monotonic()
    for step in range(1, steps + 1):
        chosen = [
            real[int(rng.integers(len(real)))]
            if real and rng.random() < REAL
            else drawn_ones[int(rng.integers(len(drawn_ones)))]
            for _ in range(BATCH)
        ]
        seen, parts = [], []
        for scene in chosen:
            flip = (bool(rng.random() < 0.5), bool(rng.random() < 0.5))
            values = scene.values.astype(np.float32)
            values = values[:, ::-1] if flip[0] else values
            values = values[::-1] if flip[1] else values
            off = np.append(rng.normal(0, 0.09, 2), rng.normal(0, 0.1)).astype(np.float32)
            values = values * np.float32(rng.uniform(0.85, 1.15)) + off
            seen.append(inputs(values))
            parts.append(targets(scene, flip))
        # one scene at a time: what it needs stays in the cache
        passes = [forward(one, weights) for one in seen]
        out = np.stack([told.transpose(1, 2, 0) for told, _ in passes])
        own, counts, known = (np.asarray(np.stack([part[k] for part in parts])) for k in range(3))
        n = len(chosen)
        flat = np.where(counts, out, -30).reshape(n, -1, len(COLOURS))
        flat = np.concatenate([flat, np.broadcast_to(weights["absent"], (n, 1, len(COLOURS)))], axis=1)
        mine = np.concatenate([own.reshape(n, -1, len(COLOURS)), ~np.asarray(own.any(axis=(1, 2)))[:, None]], axis=1)
        share = np.exp(flat - flat.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        right = (share * mine).sum(axis=1, keepdims=True)
        pull = share - share * mine / np.maximum(right, 1e-9)
        pull *= np.expand_dims(known, 1) / n
        loss = float((-np.log(np.maximum(right[:, 0], 1e-9)) * known).mean())
        grad = (pull[:, :-1] * counts.reshape(n, -1, len(COLOURS))).reshape(out.shape).astype(np.float32)
        pulls = np.ascontiguousarray(grad.transpose(0, 3, 1, 2))
        each = [backward(one, kept, weights) for one, (_, kept) in zip(pulls, passes, strict=True)]
        grads = {name: np.sum([one[name] for one in each], axis=0) for name in each[0]}
        grads["absent"] = pull[:, -1].sum(axis=0)
        rate = (2.5e-3 if start is None else RATE) * min(1, 20 * step / steps) * 0.5 * (
            1 + np.cos(np.pi * step / steps)
        ) + 1e-5
        norm = float(np.sqrt(sum(float((g * g).sum()) for g in grads.values())))
        for name, part in grads.items():
            part = part * min(1.0, 3.0 / (norm + 1e-9)) + (1e-5 * weights[name] if name[0] == "w" else 0)
            mean[name] += 0.1 * (part - mean[name])
            square[name] += 0.002 * (part * part - square[name])
            there = (mean[name] / (1 - 0.9**step)) / (np.sqrt(square[name] / (1 - 0.998**step)) + 1e-8)
            weights[name] = (weights[name] - rate * there).astype(np.float32)
        shown += (loss - shown) * max(0.01, 1 / step)
        if step % 250 == 0:
            print(f"step {step}: loss {shown:.3f}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return weights


# ---- the command ----------------------------------------------------------------------------------------------------


def saved(nets: Sequence[Weights], path: Path) -> None:
    small: Any = {f"{n}.{name}": part.astype(np.float16) for n, net in enumerate(nets) for name, part in net.items()}
    np.savez_compressed(path, **small)


def read_left_out(footage: Path, names: Sequence[str], nets: tuple[Weights, ...]) -> dict[str, Figures]:
    """The fans of these tables' stills, each table calibrated on its first one."""
    out = {}
    for folder, found in tables(footage / "stills").items():
        if Path(folder).name not in names:
            continue
        picture, truth = found[0]
        data = picture.read_bytes()
        eye = eye_of(data, truth)
        stage = Stage(decode(data), quad(truth["board_corners"]), PROFILE, white_of(eye), nets)
        figures = out[Path(folder).name] = Figures()
        for path, told in found:
            image = decode(path.read_bytes())
            if eye.anchor.check(image).ok:
                places = stage.read(image)
                for fan in told["fans"]:
                    figures.score_fan(path.stem, fan, places[fan["colour"]])
    return out


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Remake vision/fans.npz from the footage.")
    parser.add_argument("footage", type=Path, help="the folder that holds stills/")
    parser.add_argument("-o", "--out", type=Path, default=Path("vision/fans.npz"))
    parser.add_argument("--start", type=Path, help="what the drawn boards alone taught: read if there, else written")
    parser.add_argument(
        "--leave-out", nargs="*", metavar="t01,t05", help="learn without these tables, read them; alone: every two"
    )
    parser.add_argument("--nets", type=int, default=1, help="that are averaged")
    parser.add_argument("--scenes", type=int, default=5000, help="drawn, and as many with parts of the footage")
    parser.add_argument("--steps", type=int, default=5000, help="of each net on the drawn ones; a fifth as many on all")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=1, help="processes that draw")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    seeds = range(given.seed, given.seed + given.nets)
    if given.start and given.start.exists():
        with np.load(given.start) as file:
            starts = unpacked(dict(file))
    else:
        bare = scenes(given.seed, given.scenes, Material([], []), given.jobs)
        starts = tuple(learn(bare, [], given.steps, seed) for seed in seeds)
        if given.start:
            saved(starts, given.start)
        starts = tuple(
            {name: part.astype(np.float16).astype(np.float32) for name, part in one.items()} for one in starts
        )
    material, shots = gather(given.footage, np.random.default_rng(given.seed))
    names = sorted({table for table, _ in material.boards})
    mixed = scenes(given.seed + 1, given.scenes, material, given.jobs)

    def without(out: Sequence[str]) -> tuple[Weights, ...]:
        kept, seen = ([scene for scene in part if not scene.uses & set(out)] for part in (mixed, shots))
        return tuple(learn(kept, seen, given.steps // 5, seed, one) for seed, one in zip(seeds, starts, strict=True))

    if given.leave_out is None:
        saved(without([]), given.out)
        return
    total = Figures()
    every = [names[k :: (len(names) + 1) // 2] for k in range((len(names) + 1) // 2)]
    for out in [group.split(",") for group in given.leave_out] or every:
        nets = without(out)
        if given.out != parser.get_default("out"):
            saved(nets, given.out.with_name(f"{given.out.stem}_{'_'.join(out)}.npz"))
        for name, figures in read_left_out(given.footage, out, nets).items():
            print(f"{name}: {figures.fans_right} right, {figures.fans_wrong} wrong of {figures.fans}")
            print(*(f"  {mistake}" for mistake in figures.mistakes), sep="\n", flush=True)
            total.fans, total.fans_right = total.fans + figures.fans, total.fans_right + figures.fans_right
            total.fans_wrong += figures.fans_wrong
    print(f"all: {total.fans_right} right, {total.fans_wrong} wrong of {total.fans}")


if __name__ == "__main__":
    main()
