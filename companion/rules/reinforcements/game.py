"""Reinforcements as a `Game`: what the session, the referee and the page are given."""

from __future__ import annotations

from typing import Final

from companion.rules.core import PackagedGame
from companion.rules.reinforcements import telling
from companion.rules.reinforcements.decide import decide
from companion.rules.reinforcements.events import evolve
from companion.rules.reinforcements.state_json import to_json

REINFORCEMENTS: Final = PackagedGame("reinforcements", decide, evolve, to_json, telling.named, telling.told)
