"""The tray found in the picture without taps: places that look like marbles, grids through them, the told colours.

Nothing here is believed: the best guesses go to `calibrate`, which holds each against the tray text, and only one that
fits in every cell while no other does is taken.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Index, Mask
from vision.calibrate import calibrate, check_tray, fit_words, present
from vision.calibration import Calibration, Quad, VisionError
from vision.cold import read_cold
from vision.colour import uvw
from vision.picture import Image, check_content, decode
from vision.profile import Grid, Profile
from vision.refine import beside, clearness, refine

WIDTH = 400  # pixels of the picture in which marbles are looked for
RADII = (6.0, 7.0, 8.2, 9.6, 11.2, 13.0, 15.2)
ANGLES = 24
PEAKS = 140  # places looked at, the most likely ones of each radius
GUESSES = 400  # grids whose colours are compared
BLIND_GUESSES = 250  # the same when nothing is told: people are waiting, and help if it is not found
TRIED = 5  # grids that are looked at closely
ALIKE = 0.5  # share of the cells whose hue, read cold, must be the told one
KNOWN = 0.6  # share of the cells that show a known hue, when nothing is told of them
PLAIN = 0.15  # radii that marbles may then lie beside the grid
CLEARER = 1.0  # outlines of marbles a row or a lane farther on, beside those here
APART, TWICE = 0.5, 0.1  # half rows within which two guesses are one: as guessed, and fitted to the rims
SAME_TRAY = 1.2  # half rows: farther off, on average, the cells of a grid are others


def calibrate_auto(picture: bytes, tray: str, stage: Quad | None, profile: Profile) -> Calibration:
    """Raises VisionError: no tray is found, or more than one place fits."""
    image = decode(picture)
    check_content(image)
    check_tray(tray, profile)
    here = present(tray, profile)
    fitting: list[tuple[float, Calibration]] = []
    tried: list[Quad] = []
    for guess in guesses(image, tray, profile):
        try:
            corners = refine(image, guess, profile.grid, here).corners
            if any(_same(corners, other, profile.grid, TWICE) for other in tried):
                continue
            tried.append(corners)
            # what is cheap first
            if not (_true_hues(image, corners, tray, profile) and _amid(image, corners, profile.grid)):
                continue
            one = calibrate(picture, corners, tray, stage, profile)
            fit = fit_words(one, profile)
        except VisionError:
            continue
        if not fit.differs and not fit.odd and fit.word == "good":
            fitting.append((fit.px, one))
    if not fitting:
        raise VisionError(
            "the tray is not found surely enough: tap the corners (--corners), or lay markers beside it (--markers)"
        )
    best = min(fitting, key=lambda pair: pair[0])[1]
    if any(not _same(best.corners, other.corners, profile.grid, SAME_TRAY) for _, other in fitting):
        raise VisionError("the tray text fits in more than one place: tap the corners (--corners)")
    return best


def _true_hues(image: Image, corners: Quad, tray: str, profile: Profile) -> bool:
    """Whether what is red, yellow or blue to an eye that was told nothing is so in the tray text.

    `calibrate` learns each letter's colour from the text, so that letters which change places all alike fit as well.
    """
    told = tray.replace("/", "")
    pairs = list(zip(read_cold(image, corners, profile).tray.replace("/", ""), told, strict=True))
    alike = sum(cold == letter for cold, letter in pairs if letter in profile.colours)
    against = any(cold != letter for cold, letter in pairs if cold in profile.colours and letter in profile.colours)
    return not against and alike >= ALIKE * len(told)


def _amid(image: Image, corners: Quad, grid: Grid) -> bool:
    """Whether the outlines of marbles are clearest here: not a row or a lane farther on."""
    return max(clearness(image, corners, grid)) < CLEARER


def find_tray(image: Image, profile: Profile) -> Quad:
    """The corners of a full tray of which nothing is told, for people to look at: they see whether it is the tray.

    The tower is taken to be at the picture's top: a tray looks the same from both ends. Raises VisionError.
    """
    check_content(image)
    grid = profile.grid
    for guess in guesses(image, None, profile):
        try:
            corners = refine(image, guess, grid).corners
            cold = read_cold(image, corners, profile).tray.replace("/", "")
            share = beside(image, corners, grid) / _radius(corners, grid)
            amid = _amid(image, corners, grid)
        except VisionError:
            continue
        if share < PLAIN and amid and sum(letter in profile.colours for letter in cold) >= KNOWN * len(cold):
            a, b, c, d = corners
            return corners if a[1] + b[1] >= c[1] + d[1] else (c, d, a, b)
    raise VisionError("the tray is not found surely enough: tap the four corner marbles, or lay markers beside it")


def _radius(corners: Quad, grid: Grid) -> float:
    """Of a marble, about: those of a lane touch one another."""
    sides = [float(np.hypot(*np.subtract(corners[i], corners[j]))) for i, j in ((1, 2), (3, 0))]
    return sum(sides) / 2 / (grid.rows - 1) / 2


def guesses(image: Image, tray: str | None, profile: Profile) -> list[Quad]:
    """Corners of grids that may be the tray, the likeliest first. `tray` None: nothing is told of what lies there."""
    scale = min(1.0, WIDTH / image.shape[1])
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    maps = _rim_maps(small)
    letters = None if tray is None else tray.replace("/", "")
    colours = uvw(np.asarray(cv2.blur(small, (5, 5)), np.uint8))
    rated: list[tuple[float, Quad]] = []
    for radius, rims in zip(RADII, maps, strict=True):
        rated += _grids(rims, radius, colours, letters, profile)
    rated = [pair for pair in rated if _plausible(pair[1], profile.grid)]
    rated.sort(key=lambda pair: -pair[0])
    result: list[Quad] = []
    for _, quad in rated:
        full = _scaled(quad, scale)
        if not any(_same(full, other, profile.grid, APART) for other in result):
            result.append(full)
        if len(result) >= TRIED:
            break
    return result


def _scaled(quad: Quad, scale: float) -> Quad:
    a, b, c, d = (((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5) for x, y in quad)
    return a, b, c, d


def _plausible(quad: Quad, grid: Grid) -> bool:
    """Lanes at least about as far apart as rows, and opposite sides of about the same length."""
    sides = [float(np.hypot(*np.subtract(quad[i], quad[(i + 1) % 4]))) for i in range(4)]
    lane, row = (sides[0] + sides[2]) / (grid.lanes - 1), (sides[1] + sides[3]) / (grid.rows - 1)
    even = all(max(one, other) < 1.4 * min(one, other) for one, other in ((sides[0], sides[2]), (sides[1], sides[3])))
    return even and 0.8 < lane / row < 2.2


def _same(one: Quad, other: Quad, grid: Grid, most: float) -> bool:
    """Whether their corners lie less than so many half rows apart on average."""
    half = np.hypot(one[3][0] - one[0][0], one[3][1] - one[0][1]) / (grid.rows - 1) / 2
    return bool(np.hypot(*(np.array(one) - np.array(other)).T).mean() < most * half)


def _rim_maps(small: Image) -> list[Floats]:
    """For each radius: how much of the circle round each pixel is an edge, 0–1."""
    light = cv2.GaussianBlur(np.log(small.astype(np.float32) + 20), (0, 0), 0.8)
    dx = cv2.Sobel(light, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    dy = cv2.Sobel(light, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    height, width = small.shape[:2]
    maps = [np.zeros((height, width), np.float32) for _ in RADII]
    for angle in np.arange(ANGLES) * (2 * np.pi / ANGLES):
        across = np.abs(dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle))).sum(axis=2)
        edge = across / (across + 0.2)
        for radius, total in zip(RADII, maps, strict=True):
            shift = np.array([[1, 0, -radius * np.cos(angle)], [0, 1, -radius * np.sin(angle)]], np.float32)
            total += cv2.warpAffine(edge, shift, (width, height)) / ANGLES
    return maps


def _peaks(rims: Floats, radius: float) -> Floats:
    """n × 3: x, y, height; the highest first."""
    size = int(radius) | 1
    top = (rims == cv2.dilate(rims, np.ones((size, size), np.uint8))) & (rims > np.percentile(rims, 80))
    ys, xs = np.nonzero(top)
    order = np.argsort(-rims[ys, xs])[:PEAKS]
    return np.stack([xs[order], ys[order], rims[ys[order], xs[order]]], axis=1).astype(np.float32)


def _grids(
    rims: Floats, radius: float, colours: Floats, letters: str | None, profile: Profile
) -> list[tuple[float, Quad]]:
    grid = profile.grid
    peaks = _peaks(rims, radius)
    places = peaks[:, :2]
    height, width = rims.shape
    level = float(np.median(rims))
    reached = cv2.dilate(rims, np.ones((3, 3), np.uint8)) - level
    cells = np.array([(lane, row) for lane in range(grid.lanes) for row in range(grid.rows)], np.float32)
    found: list[tuple[float, Floats, Floats]] = []
    for i, start in enumerate(places):
        apart = places - start
        far = np.hypot(apart[:, 0], apart[:, 1])
        for j in np.nonzero((far > 1.35 * radius) & (far < 2.35 * radius))[0]:
            up = apart[j]
            for k in np.nonzero((far > 1.5 * radius) & (far < 4.0 * radius))[0]:
                side = apart[k]
                turn = float(up[0] * side[1] - up[1] * side[0]) / float(far[j] * far[k])
                if turn < 0.8:  # lanes run to the right of a row's way up, and about square to it
                    continue
                # the start may be any cell of the middle lane or the first
                found.append((0.0, start, np.stack([side, up])))
        if i > 70:
            break
    if not found:
        return []
    starts = np.array([one[1] for one in found])
    bases = np.array([one[2] for one in found])
    best: list[tuple[float, Floats]] = []
    for lane in range(grid.lanes - 1):
        for row in range(grid.rows - 1):
            offsets = cells - (lane, row)
            at = starts[:, None] + np.einsum("nc,bcd->bnd", offsets, bases)
            x, y = np.round(at[..., 0]).astype(int), np.round(at[..., 1]).astype(int)
            inside = ((x >= 0) & (y >= 0) & (x < width) & (y < height)).all(axis=1)
            worth = np.full(len(at), -1.0)
            worth[inside] = reached[y[inside], x[inside]].mean(axis=1)
            for n in np.argsort(-worth)[:60]:
                if worth[n] > 0.08:
                    best.append((float(worth[n]), at[n]))
    best.sort(key=lambda pair: -pair[0])
    best = best[: GUESSES if letters is not None else BLIND_GUESSES]
    if not best:
        return []
    settled, good = _settle(reached, np.stack([at for _, at in best]), cells, radius)
    places = np.round(settled).astype(int)
    good &= ((places >= 0) & (places < (width, height))).all(axis=(1, 2))
    ends = [0, (grid.lanes - 1) * grid.rows, grid.lanes * grid.rows - 1, grid.rows - 1]
    result = []
    for at, (x, y) in zip(settled[good], places[good].transpose(0, 2, 1), strict=True):
        a, b, c, d = ((float(each[0]), float(each[1])) for each in at[ends])
        worth_of = float(reached[y, x].mean())
        result.append((_told(colours, at, letters, profile) + 2.0 * worth_of, (a, b, c, d)))
    return result


def _settle(reached: Floats, at: Floats, cells: Floats, radius: float) -> tuple[Floats, Mask]:
    """Let each cell of n grids (n × cells × 2) slip onto the nearest marble, then lay each grid through all of its own;
    twice. And which grids stay within the picture all the while."""
    height, width = reached.shape
    w = max(2, round(0.45 * radius))
    steps = np.arange(-w, w + 1)
    good = np.ones(len(at), bool)
    for _ in range(2):
        middle = np.round(np.where(good[:, None, None], at, w)).astype(int)
        x, y = middle[..., 0], middle[..., 1]
        good &= ((w <= x) & (x < width - w) & (w <= y) & (y < height - w)).all(axis=1)
        x, y = np.where(good[:, None], x, w), np.where(good[:, None], y, w)
        part = reached[y[..., None, None] + steps[:, None], x[..., None, None] + steps]
        dy, dx = np.divmod(part.reshape(*x.shape, -1).argmax(axis=2), 2 * w + 1)
        at = _laid(cells, np.stack([x + dx - w, y + dy - w], axis=2).astype(np.float64), 0.3 * radius)
        good &= np.isfinite(at).all(axis=(1, 2))
    return at.astype(np.float32), good


def _laid(cells: Floats, marbles: Floats, near: float) -> Floats:
    """Each grid seen in perspective (n × cells × 2) that lies nearest to its marbles; the farther one lies from it than
    `near`, the less it says."""
    across, up = (cells - cells.mean(axis=0)).T.astype(np.float64)
    middle = marbles.mean(axis=1, keepdims=True)
    u, v = np.moveaxis(marbles - middle, 2, 0)
    one, none = np.ones_like(u), np.zeros_like(u)
    a, b = np.broadcast_to(across, u.shape), np.broadcast_to(up, u.shape)
    for_u = np.stack([a, b, one, none, none, none, -u * a, -u * b], axis=2)
    for_v = np.stack([none, none, none, a, b, one, -v * a, -v * b], axis=2)
    rows, target = np.concatenate([for_u, for_v], axis=1), np.concatenate([u, v], axis=1)
    weight = np.ones_like(u)
    for _ in range(4):
        weighed = rows * np.concatenate([weight, weight], axis=1)[..., None]
        turned = weighed.transpose(0, 2, 1)
        normal = turned @ rows + 1e-6 * np.eye(8)
        h = np.linalg.solve(normal, turned @ target[..., None])[..., 0]
        below = 1 + h[:, 6:7] * a + h[:, 7:8] * b
        x = (h[:, 0:1] * a + h[:, 1:2] * b + h[:, 2:3]) / below
        y = (h[:, 3:4] * a + h[:, 4:5] * b + h[:, 5:6]) / below
        weight = 1 / (1 + ((x - u) ** 2 + (y - v) ** 2) / near**2) ** 2
    return np.asarray(np.stack([x, y], axis=2) + middle)


def _told(colours: Floats, at: Floats, letters: str | None, profile: Profile) -> float:
    """How much of the cells' differences in colour the told letters explain, or as many kinds as there are, 0–1."""
    height, width = colours.shape[:2]
    x = np.clip(np.round(at[:, 0]).astype(int), 0, width - 1)
    y = np.clip(np.round(at[:, 1]).astype(int), 0, height - 1)
    seen = colours[y, x, :2]
    if letters is None:
        kinds = _kinds(seen, len(profile.colours))
    else:
        here: Mask = np.array([letter in profile.colours for letter in letters])
        seen, kinds = seen[here], np.array(list(letters))[here]
    total = float(((seen - seen.mean(axis=0)) ** 2).sum())
    within = sum(float(((seen[kinds == k] - seen[kinds == k].mean(axis=0)) ** 2).sum()) for k in set(kinds.tolist()))
    return 1 - within / (total + 0.05)


def _kinds(seen: Floats, count: int) -> Index:
    """Each cell's kind: as many as there are colours, begun with those that differ most."""
    middles = [seen[int(((seen - seen.mean(axis=0)) ** 2).sum(axis=1).argmax())]]
    for _ in range(count - 1):
        far = np.min([((seen - one) ** 2).sum(axis=1) for one in middles], axis=0)
        middles.append(seen[int(far.argmax())])
    centres = np.array(middles)
    kinds = np.zeros(len(seen), np.intp)
    for _ in range(3):
        kinds = ((seen[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
        centres = np.array([seen[kinds == k].mean(axis=0) if (kinds == k).any() else centres[k] for k in range(count)])
    return kinds
