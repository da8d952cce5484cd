"""Commands as lines of words and back (docs/match-text.md): `A play intention card=Wave costs=[(exhaust A)]`. Pure.

The grammar is that of all games (companion/rules/wordlines.py); an effect may stand in ( ).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.react.commands import READERS
from companion.rules.react.effect_form import TOOLS
from companion.rules.react.field import PLAYERS
from companion.rules.wordlines import Words

ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "play": ("kind",),
    "passive": ("name",),
    "move": ("unit",),
    "jump": ("unit", "direction"),
    "swap": ("units",),
    "summon": ("kind", "zone"),
    "remove": ("unit",),
    "damage": ("zones",),
    "block": ("zone",),
    "token": ("kind",),
    "tile": ("kind", "zone"),
    "exhaust": ("unit",),
    "refresh": ("unit",),
    "direction": ("direction",),
    "target": ("zone",),
    "other": ("text",),
}
"""Values that stand without their name."""

WORDS: Final = Words(READERS, ORDER, PLAYERS, TOOLS)
write, read = WORDS.write, WORDS.read
value_text, read_fields = WORDS.value_text, WORDS.read_fields
