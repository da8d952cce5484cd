"""QR codes for addresses: as a picture for the page, as text for a terminal. OpenCV makes them; it is there anyway."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

QUIET = 4
"""Modules of white around the code that readers need."""


def modules(text: str) -> npt.NDArray[np.bool_]:
    """The code of `text`, True = dark, with its quiet zone; (n, n)."""
    found = np.asarray(cv2.QRCodeEncoder.create().encode(text)) == 0
    rows, columns = np.flatnonzero(found.any(axis=1)), np.flatnonzero(found.any(axis=0))
    # how much white OpenCV leaves around it is its own affair
    return np.pad(found[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], QUIET)


def as_svg(text: str) -> bytes:
    """A square picture of one unit a module, dark on white whatever the page's colours are."""
    dark = modules(text)
    path = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(dark))
    size = len(dark)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    ).encode()


def as_text(text: str) -> str:
    """Lines of half blocks, two modules high each; light on dark as terminals are, which phones read as well."""
    light = ~modules(text)
    if len(light) % 2:
        light = np.pad(light, ((0, 1), (0, 0)))
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return "\n".join(
        "".join(blocks[bool(upper), bool(lower)] for upper, lower in zip(light[y], light[y + 1], strict=True))
        for y in range(0, len(light), 2)
    )
