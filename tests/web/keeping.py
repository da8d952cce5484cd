"""Pictures for people who look: made by the tests when COMPANION_PICTURES names a folder, such as docs."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np


def keep(page: Any, name: str) -> None:
    """The page as it is now, as page-NAME.png. "landscape" or "portrait" belongs into the name where both are made."""
    if folder := os.environ.get("COMPANION_PICTURES"):
        (Path(folder) / f"page-{name}.png").write_bytes(with_few_colours(page.screenshot()))


def shape(size: tuple[int, int]) -> str:
    return "landscape" if size[0] > size[1] else "portrait"


def with_few_colours(png: bytes, colours: int = 256) -> bytes:
    """The picture as a PNG with a palette, a quarter of the size: the many soft gradients of the page pack badly."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    height, width = image.shape[:2]
    pixels = image.reshape(-1, 3).astype(np.float32)
    cv2.setRNGSeed(1)
    sample = pixels[np.random.default_rng(1).choice(len(pixels), 40_000, replace=False)]
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0)
    _, _, centres = cv2.kmeans(sample, colours, np.empty(0), stop, 1, cv2.KMEANS_PP_CENTERS)
    parts = np.array_split(pixels, 64)
    nearest = np.concatenate([((part[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1) for part in parts])
    rows = nearest.astype(np.uint8).reshape(height, width)
    lines = b"".join(b"\0" + row.tobytes() for row in rows)
    palette = np.round(centres[:, ::-1]).astype(np.uint8).tobytes()

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) + chunk(b"PLTE", palette)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
