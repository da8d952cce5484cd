"""The JSON texts of a record, packed: a memory card wears out by what is written, and a match says the same for ever.

Each text is deflated after words that every match uses, so that a record is a third as long. `companion matches export`
shows what a log holds. A text that packing makes no shorter stays a text, as all were in logs of format 1 and 2.
"""

from __future__ import annotations

import zlib

_WINDOW, _MEMORY = 13, 6
"""Of packing, see zlib: 64 kB in place of 270 for each text. Unpacking is the same whatever they are."""
LARGEST = 1 << 24
"""Bytes of an unpacked text; the amendment of a long match has 100 kB."""

_WORDS = (
    '{"seq":2,"command":{"do":"amend","error":{"code":"not_now","meant":{"markers":[{"type":"marker_set","id":1,"kind":"'
    '"fighter":null,"board":null}},"fans":{"R":"stage","Y":"stage","B":"stage"},"rules":{"edition":"2.5",'
    '"forced_credit_heals":false,"flips_per_turn":null,"fan_snapshot":"turn_begins","kicker":"mandatory","detours":true,'
    '"breaks_settle":"effect","both_lose":"attacker_wins","marbles_return":"end_of_turn","spare_marbles":false,'
    '"third_break_price":2,"forced_credit_unpaid":"loses"}}][{"type":"set_up","first":"A","players":{"A":{"buttons":{'
    '"R":{"hp":10,"broken":false},"Y":{"hp":10,"broken":false},"B":{"hp":10,"broken":false}},"credits":4,'
    '{"code":"illegal_clear","text":" does not touch ","cells":[""],"reasons":[{"code":"not_connected",'
    '"nearest":[{"attack":"R1","cells":["a1"],"chain":["a1"],"heals":{}},{"code":"not_your_turn"'
    '"wrong_count""mixed_colours""broken_button""branching""must_clear""destroyed","healed","credits_paid","conceded",'
    '[{"type":"begun"}][{"type":"fan_taken","player":"A","fan":"R","to":"A","from":"stage"}'
    '[{"type":"corrected","players":{},"fans":{},"fans_at_start":[],"fans_otherwise":[]}]'
    '[{"type":"flipped","player":"B","button":"R","hp":1,"broken":false}]'
    ',{"type":"could_not_pay","player":"A","credits":1,"for":"breaks"},{"type":"match_over","winner":"B",'
    '"reason":"cannot_pay"}],{"type":"paid","player":"B","credits":1,"left":3,"buttons":{"R":{"hp":1,"broken":true},'
    '"Y":{"hp":10,"broken":false},"B":{"hp":6,"broken":false}},"for":"breaks"}]'
    ',{"type":"healed","player":"B","by":"short_circuits","buttons":{"R":{"hp":3,"broken":true}}}'
    '[{"type":"turn_ended","player":"A","next":"B","skipped":[],"turn_number":2,"fans_at_start":[],"left":[]}]'
    '[{"type":"hit","source":"A","hits":[{"player":"B","button":"R","amount":2,"hp":8,"broken":false}]}]'
    '[{"type":"cleared","player":"A","attack":"Y1","cells":["b2"],"chain":["b2"],"heals":{},"kicker":false,"tray":"RYB'
    '","aside":{"R":0,"Y":1,"B":0},"overruled":[]},{"type":"due_listed","items":[{"id":1,"part":"attack","player":"A",'
    '"effect":{"do":"unknown"},"agreed":false,"counted":null,"destroyed":0}]}]'
)
"""Belongs to the log's format: with other words, all that was packed before would be lost. The commonest come last."""


def pack(text: str, before: str = "") -> bytes | str:
    """`before`: a text that this one repeats much of; unpacking needs it again."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -_WINDOW, _MEMORY, zdict=f"{_WORDS}{before}".encode())
    data = text.encode()
    packed = deflate.compress(data) + deflate.flush()
    return packed if len(packed) < len(data) else text


def unpack(packed: bytes | str, before: str = "") -> str:
    """Raises ValueError: that was not packed here."""
    if isinstance(packed, str):
        return packed
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=f"{_WORDS}{before}".encode())
    try:
        text = inflate.decompress(packed, LARGEST)
    except zlib.error as error:
        raise ValueError(f"a text cannot be unpacked: {error}") from None
    if not inflate.eof or inflate.unused_data:
        raise ValueError("a text cannot be unpacked: it is cut off, too long, or has more behind it")
    return text.decode()
