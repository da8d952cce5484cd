"""Letting devices in: the PIN, the guesses, and what is kept across restarts, power cuts and damaged files."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.pairing import DEVICES, EVERYBODY, FILE, FORGOTTEN_S, FREE_TRIES, LONGEST_WAIT_S, Pairing, read_pin
from web.pairing import Paired

HERE = "192.168.1.20"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def wrong(pairing: Pairing) -> str:
    return "000000" if pairing.pin != "000000" else "111111"


def token_of(paired: Paired) -> str:
    assert paired.token is not None, paired
    return paired.token


def test_the_pin_lets_a_device_in_and_it_stays_in_over_a_restart(tmp_path: Path) -> None:
    first = Pairing(tmp_path)
    assert len(first.pin) == 6
    assert first.pin.isdigit()
    token = token_of(first.pair(first.pin, HERE))
    again = Pairing(tmp_path)
    assert again.pin == first.pin == read_pin(tmp_path)
    assert again.allows(token)
    assert not again.allows(token + "x")
    assert not again.allows("")


def test_the_file_is_private_and_holds_no_token(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    token = token_of(pairing.pair(pairing.pin, HERE))
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert token not in (tmp_path / FILE).read_text()


def test_two_tables_have_two_pins_and_two_devices_two_tokens(tmp_path: Path) -> None:
    pins = set()
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        pins.add(Pairing(tmp_path / name).pin)
    assert len(pins) > 1
    pairing = Pairing(tmp_path / "a")
    assert len({token_of(pairing.pair(pairing.pin, HERE)) for _ in range(20)}) == 20


def test_wrong_pins_are_slowed_down_and_said(tmp_path: Path) -> None:
    clock = Clock()
    pairing = Pairing(tmp_path, clock_s=clock)
    for _ in range(FREE_TRIES - 1):
        assert pairing.pair(wrong(pairing), HERE) == Paired(None, "That is not the PIN of this table.")
    waits = []
    for _ in range(8):
        found = pairing.pair(wrong(pairing), HERE)
        assert found.token is None
        assert "Too many wrong PINs: try again in" in found.text
        waits.append(found.wait_s)
        # a right one is not looked at meanwhile, or guesses could go on
        assert pairing.pair(pairing.pin, HERE).token is None
        clock.now += found.wait_s
    assert waits[:3] == [5.0, 10.0, 20.0]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST_WAIT_S
    # another device at the table need not wait for the one that guesses
    assert pairing.pair(pairing.pin, "192.168.1.21").token is not None
    assert pairing.pair(pairing.pin, HERE).token is not None
    assert pairing.pair(wrong(pairing), HERE).wait_s == 0


def test_guesses_from_many_addresses_are_slowed_down_together(tmp_path: Path) -> None:
    clock = Clock()
    pairing = Pairing(tmp_path, clock_s=clock)
    tried = 0
    for number in range(10_000):
        found = pairing.pair(wrong(pairing), f"fe80::{number:x}")
        tried += "not the PIN" in found.text
    assert tried == EVERYBODY
    clock.now += FORGOTTEN_S
    assert pairing.pair(pairing.pin, HERE).token is not None


def test_a_new_pin_keeps_only_the_device_that_asked(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    mine, other = (token_of(pairing.pair(pairing.pin, HERE)) for _ in range(2))
    before = pairing.pin
    pins = {pairing.renew(mine) for _ in range(3)}
    assert pairing.pin in pins
    assert pins != {before}
    assert (pairing.allows(mine), pairing.allows(other)) == (True, False)
    assert (Pairing(tmp_path).allows(mine), Pairing(tmp_path).allows(other)) == (True, False)


def test_the_newest_devices_stay(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    tokens = [token_of(pairing.pair(pairing.pin, HERE)) for _ in range(DEVICES + 1)]
    assert [pairing.allows(token) for token in (tokens[0], tokens[1], tokens[-1])] == [False, True, True]


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", '{"version": 2, "pin": "123456", "devices": []}', '{"version": 1, "pin": 123456, "devices": []}',
        '{"version": 1, "pin": "12345", "devices": []}', '{"version": 1, "pin": "١٢٣٤٥٦", "devices": []}',
        '{"version": 1, "pin": "123456"}', '{"version": 1, "pin": "123456", "devices": [1]}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InputError, match=r"pairing\.json"):
        read_pin(tmp_path)
    notices: list[str] = []
    pairing = Pairing(tmp_path, notices.append)
    assert len(notices) == 1
    assert "set aside as pairing.json.damaged-1" in notices[0]
    assert (tmp_path / "pairing.json.damaged-1").read_text() == text
    assert json.loads((tmp_path / FILE).read_text())["pin"] == pairing.pin


def test_nothing_changes_when_it_cannot_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairing = Pairing(tmp_path)
    pin, before = pairing.pin, (tmp_path / FILE).read_bytes()

    def full(path: Path, data: bytes, private: bool = False) -> None:
        raise InputError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr("companion.pairing.write_whole", full)
    found = pairing.pair(pin, HERE)
    assert (found.token, found.code) == (None, "not_saved")
    assert "No space left" in found.text
    assert pairing.renew("any") is None
    assert pairing.pin == pin
    assert (tmp_path / FILE).read_bytes() == before
