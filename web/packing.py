"""Texts go out compressed: a Pi's Wi-Fi at the far end of a living room is the slowest part of the way to a tablet."""

from __future__ import annotations

import gzip
from collections import OrderedDict

from flask import Response, request

TEXTS = frozenset({"text/html", "text/css", "text/javascript", "image/svg+xml"})
LEAST = 600
"""Bytes; what is smaller goes in one packet anyway."""
KEPT = 200
"""So many packed texts are kept: all files of the page and its templates, and no more."""
_packed: OrderedDict[tuple[str, str], bytes] = OrderedDict()


def pack(response: Response) -> Response:
    """For `after_request`. Only whole answers that have an ETag, which is what they are kept by; never a stream."""
    etag, _ = response.get_etag()
    if response.status_code != 200 or etag is None or response.mimetype not in TEXTS or request.method != "GET":
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or request.accept_encodings.quality("gzip") <= 0:
        return response
    key = (request.path, etag)
    packed = _packed.get(key)
    if packed is None:
        response.direct_passthrough = False
        whole = response.get_data()
        if len(whole) < LEAST:
            return response
        # the same bytes each time: no clock in it
        packed = _packed[key] = gzip.compress(whole, 6, mtime=0)
        while len(_packed) > KEPT:
            _packed.popitem(last=False)
    response.direct_passthrough = False
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"
    return response
