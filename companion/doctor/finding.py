"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["ok", "absent", "warn", "bad"]


@dataclass(frozen=True)
class Finding:
    """`absent`: not there, and nothing is wrong with that. `fix`: the one thing to do; empty where nothing is to be."""

    check: str
    state: State
    text: str
    fix: str = ""
    detail: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "check": self.check, "state": self.state, "text": self.text, "fix": self.fix or None, "detail": self.detail,
        }  # fmt: skip
