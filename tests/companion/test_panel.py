"""Buttons, lights, buzzer and inlet beam: what they mean, and joined to a running service with the toy game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory

from companion.attached import Devices, Found
from companion.config import Sensors, TableFile, load_table, save_table
from companion.errors import InputError
from companion.panel import Panel, Press, beeps, lights, meaning
from companion.view import EMPTY
from tests.companion.test_service import Bench
from tests.toy.table import NoughtsTable, picture

QUESTION = {"id": "q1", "player": "A", "text": "Which?", "answers": [{"label": "b3"}, {"label": "b4"}]}
ILLEGAL = {"kind": "illegal", "player": "B", "text": "B pulled c2, which is not allowed."}
STATE = {"turn": "A", "phase": "resolve", "over": None}


def test_a_short_press_answers_the_question_or_ends_the_turn() -> None:
    asked = {**EMPTY, "question": QUESTION}
    answer = Press(control={"do": "answer", "id": "q1", "choice": 0})
    assert meaning("A", False, STATE, asked) == meaning("B", False, STATE, asked) == answer
    assert meaning("A", False, STATE, EMPTY) == Press(command={"do": "end_turn", "player": "A"})
    # neither the other player's button, nor before the attack, nor after the end
    for player, state in (("B", STATE), ("A", {**STATE, "phase": "start"}), ("A", {**STATE, "over": {}}), ("A", None)):
        press = meaning(player, False, state, EMPTY)
        assert (press.command, press.control) == (None, None)
    assert "tap it" in meaning("A", False, STATE, {**EMPTY, "question": {**QUESTION, "answers": []}}).say


def test_a_long_press_asks_the_judge() -> None:
    assert meaning("A", True, STATE, EMPTY).say == "A asks: nothing has been judged yet."
    assert meaning("A", True, STATE, {**EMPTY, "verdict": ILLEGAL}).say == f"A asks: {ILLEGAL['text']}"
    assert meaning("B", True, STATE, {**EMPTY, "question": QUESTION, "verdict": ILLEGAL}).say == "B asks: Which?"


@pytest.mark.parametrize(
    ("state", "view", "a", "b"),
    [
        (None, {}, "off", "off"),
        (STATE, {}, "on", "off"),
        ({**STATE, "turn": "B"}, {"verdict": ILLEGAL}, "off", "blink"),
        (STATE, {"question": QUESTION}, "blink", "off"),
        (STATE, {"question": {**QUESTION, "player": None}}, "blink", "blink"),
        ({**STATE, "over": {"winner": "B", "reason": "x"}}, {}, "off", "blink"),
    ],
)
def test_lights(state: dict[str, Any] | None, view: dict[str, Any], a: str, b: str) -> None:
    assert lights(state, {**EMPTY, **view}) == {"A": a, "B": b}


def test_the_buzzer_tells_news_once() -> None:
    asked, wrong = {**EMPTY, "question": QUESTION}, {**EMPTY, "verdict": ILLEGAL}
    ill = {**EMPTY, "notices": [{"level": "error", "text": "Sensor fault, lane b"}]}
    assert [beeps(EMPTY, now) for now in (EMPTY, asked, wrong, ill)] == [0, 2, 3, 1]
    assert [beeps(now, now) for now in (asked, wrong, ill)] == [0, 0, 0]


class Wired(Bench):
    def __init__(self, **pins: int) -> None:
        super().__init__(NoughtsTable())
        self.do(do="setup", first="O")
        self.factory = MockFactory()
        self.panel = Panel(self.service, pins, None, self.factory, self.clock)
        self.panel.start()

    def press(self, pin: int) -> None:
        self.factory.pin(pin).drive_low()
        self.factory.pin(pin).drive_high()


@pytest.fixture
def wired() -> Iterator[Wired]:
    wired = Wired(button_a=5, light_a=19, inlet=16)
    yield wired
    wired.panel.stop()
    wired.service.stop()
    wired.factory.reset()


def test_a_button_answers_on_every_page(wired: Wired) -> None:
    wired.service.offer_frame(picture(9))
    wired.until(lambda s: s.view["question"] is not None)
    wired.press(5)
    state = wired.until(lambda s: s.view["question"] is None).state
    assert state is not None
    assert state["squares"] == ".......O."


def test_the_inlets_beam_is_counted_and_scores_nothing(wired: Wired) -> None:
    wired.until(lambda s: s.view["inlet"] == {"drops": 0, "certain": True, "fault": None})
    pin = wired.factory.pin(16)
    pin.drive_low()
    # real stamps: how long this marble took is the machine's affair, so it only has to be one
    for _ in range(200_000):
        pass
    pin.drive_high()
    wired.clock.t_ns = 1 << 62
    nothing = (None, {"drops": 0, "certain": True, "fault": None})
    inlet = wired.until(lambda s: s.view["inlet"] not in nothing)
    assert inlet.view["inlet"]["fault"] is None
    assert inlet.state is not None
    assert inlet.state["squares"] == "........."


def test_pins_of_the_table_file(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    table = TableFile(sensors=Sensors({"a": 17}), extras={"inlet": 5, "button_a": 6, "light_b": 26, "buzzer": 12})
    save_table(file, table)
    assert load_table(file) == table
    for line, says in (
        ("light_a = 17", "extras.light_a is 17, which lane a has already"),
        ("buzzer = 5\nlight_a = 5", "which light_a has already"),
        ("buzzer = 28", "not between 0 and 27"),
        ("siren = 5", "extras.siren is not a known key"),
    ):
        file.write_text(f'version = 1\ngame = "rematch"\n[sensors.pins]\na = 17\n[extras]\n{line}\n')
        with pytest.raises(InputError, match=says):
            load_table(file)


def test_a_pin_that_cannot_be_opened_is_named_and_the_rest_starts() -> None:
    """Another device has taken lane b's pin and the light's; lanes a and c count, the button works."""
    factory = MockFactory()
    other = LED(27, pin_factory=factory)
    table = TableFile(sensors=Sensors({"a": 17, "b": 27, "c": 22}), extras={"button_a": 5, "light_a": 22})
    bench = Bench(NoughtsTable())
    devices = Devices(Found(None, table), bench.service, factory)
    devices.start()
    texts = [one["text"] for one in bench.until(lambda s: len(s.view["notices"]) >= 2).view["notices"]]
    assert texts[0].startswith("One lane is not counted: lane b: pin 27 ")
    assert texts[1] == "light a: pin 22 is used twice, give each a pin of its own. The rest works."
    assert devices._beams is not None
    assert devices._beams.lanes == ("a", "c")
    devices.stop()
    bench.service.stop()
    other.close()
    factory.reset()
