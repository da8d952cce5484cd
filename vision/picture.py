"""Picture files in: decoded only when whole, in colour and 8 bit. OpenCV itself pads a cut-off JPEG in silence."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import VisionError

Image = npt.NDArray[np.uint8]

_JPEG = b"\xff\xd8"
_PNG = b"\x89PNG\r\n\x1a\n"
_BLOCK, _NOTHING = 8, 128  # what decoders give where a JPEG's blocks are missing: grey, without any noise
SMALLEST = 64  # pixels a side: below that no marble can be told from another


def decode(data: bytes) -> Image:
    """The picture as height × width × 3 uint8 in B,G,R order, as it lies in the file (no EXIF turning).

    Raises VisionError for anything but a whole 8-bit colour JPEG or PNG.
    """
    if not data:
        raise VisionError("the file is empty")
    if data.startswith(_JPEG):
        _check_jpeg(data)
    elif data.startswith(_PNG):
        _check_png(data)
    else:
        raise VisionError("it is neither a JPEG nor a PNG picture")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:  # e.g. a header that claims an absurd size
        image = None
    if image is None:
        raise VisionError("the picture cannot be decoded (damaged file)")
    if image.dtype != np.uint8:
        raise VisionError(f"the picture has {8 * image.dtype.itemsize} bits a channel; 8 are needed")
    if image.ndim == 2:
        raise VisionError("the picture is greyscale; colours cannot be read from it")
    if image.shape[2] != 3:
        raise VisionError(f"the picture has {image.shape[2]} channels (transparency?); 3 colour channels are needed")
    height, width = image.shape[:2]
    if data.startswith(_JPEG) and min(height, width) >= _BLOCK and (image[-_BLOCK:] == _NOTHING).all():
        raise VisionError("the JPEG is damaged (its lower part is missing)")
    if min(height, width) < SMALLEST:
        raise VisionError(f"the picture is only {width}x{height} pixels; at least {SMALLEST}x{SMALLEST} are needed")
    return np.asarray(image, np.uint8)


def check_content(image: Image) -> None:
    """Raises VisionError when nothing can be seen: all dark, all white, one flat tone or without any colour."""
    sample = image[:: max(1, image.shape[0] // 120), :: max(1, image.shape[1] // 160)].reshape(-1, 3).astype(np.int16)
    low, high = np.percentile(sample, (2, 98))
    if high < 12:
        raise VisionError("the picture is black")
    if low > 243:
        raise VisionError("the picture is white (over-exposed)")
    each_low, each_high = np.percentile(sample, (2, 98), axis=0)
    if (each_high - each_low).max() < 6:
        raise VisionError("the picture is one flat tone")
    spread = sample.max(axis=1) - sample.min(axis=1)
    if np.percentile(spread, 99) < 6:
        raise VisionError("the picture has no colour in it (a greyscale picture saved as colour?)")


def _check_jpeg(data: bytes) -> None:
    """Walk the segments to the scan, then look for the end marker, which cannot occur inside scan data."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            raise VisionError("the JPEG is damaged (a segment does not start where it should)")
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        if marker == 0xD9:
            break
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:
            at += 2
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if marker == 0xDA:
            if data.find(b"\xff\xd9", at + 2 + length) < 0:
                break
            return
        at += 2 + length
    raise VisionError("the JPEG is cut off (its end is missing)")


def _check_png(data: bytes) -> None:
    """OpenCV decodes what it can of a damaged PNG, and complains past us on stderr."""
    at = len(_PNG)
    while at + 12 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        end = at + 8 + length
        if end + 4 > len(data):
            break
        if zlib.crc32(data[at + 4 : end]) != struct.unpack(">I", data[end : end + 4])[0]:
            raise VisionError("the PNG is damaged (a checksum is wrong)")
        if data[at + 4 : at + 8] == b"IEND":
            return
        at = end + 4
    raise VisionError("the PNG is cut off (its end is missing)")
