"""The reaction sheet as a `Game`: what the session, the referee and the page are given."""

from __future__ import annotations

from typing import Final

from companion.rules.core import PackagedGame
from companion.rules.reactions import telling
from companion.rules.reactions.decide import decide
from companion.rules.reactions.events import evolve
from companion.rules.reactions.state_json import to_json

REACTIONS: Final = PackagedGame("reactions", decide, evolve, to_json, telling.named, telling.told)
