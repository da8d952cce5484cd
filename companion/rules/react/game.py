"""Re;ACT as a `Game`: what the session, the referee and the page are given."""

from __future__ import annotations

from typing import Final

from companion.rules.core import PackagedGame
from companion.rules.react import telling
from companion.rules.react.decide import decide
from companion.rules.react.events import evolve
from companion.rules.react.state_json import to_json

REACT: Final = PackagedGame("react", decide, evolve, to_json, telling.named, telling.told)
