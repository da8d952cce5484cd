"""Array types of the vision, for the reader: NumPy's stubs say nothing of shapes and too much of widths."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

Floats = npt.NDArray[Any]
"""float32 (or float64 where a matrix is solved)."""
Mask = npt.NDArray[Any]
"""bool."""
Index = npt.NDArray[Any]
"""integer places in another array."""
