"""What is said of ill beams: one notice a lane, for as long as it is so (field reports G7, G15)."""

from __future__ import annotations

from companion.table_port import Say
from hardware.counting import DropCounter


class BeamWords:
    """Ask `news` now and then: the notices that have changed since."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}

    def news(self, counter: DropCounter) -> list[Say]:
        acts = []
        for lane in counter.lanes:
            text, level = _state(counter, lane)
            if text != self._said.get(lane, ""):
                self._said[lane] = text
                acts.append(Say(f"beam {lane}", text, level))
        return acts


def _state(counter: DropCounter, lane: str) -> tuple[str, str]:
    fault = counter.fault(lane)
    if fault is not None:
        text = f"{fault[:1].upper()}{fault[1:]}. Lane {lane} is not counted until it is quiet; everything else goes on."
        return text, "error"
    if counter.stands(lane):
        why = "a marble stands in it, or light blinds the sensor"
        return f"Lane {lane}'s beam is blocked: {why}. Drops there are not sure.", "warn"
    return "", "info"
