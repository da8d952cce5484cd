"""What is said about the page's addresses, and who is told what."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import door as module
from companion.door import Door
from companion.pairing import Pairing
from companion.qr import as_svg, as_text


@pytest.fixture
def pairing(tmp_path: Path) -> Pairing:
    return Pairing(tmp_path)


def opened(host: str, pairing: Pairing | None) -> Door:
    door = Door(host, pairing)
    door.port = 8000
    return door


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_on_every_network_the_page_has_the_home_networks_address(
    host: str, pairing: Pairing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "own_address", lambda: "10.1.2.3")
    door = opened(host, pairing)
    assert list(door.words())[:2] == ["The page: http://10.1.2.3:8000/", "On this machine: http://127.0.0.1:8000/"]
    assert f"this PIN: {pairing.pin}" in list(door.words())[2]
    found = door.invitation()
    assert found is not None
    assert (found.url, found.svg()) == ("http://10.1.2.3:8000/", as_svg(f"http://10.1.2.3:8000/#pin={pairing.pin}"))
    assert door.code() == as_text(f"http://10.1.2.3:8000/#pin={pairing.pin}")


def test_a_network_that_comes_later_is_found(pairing: Pairing, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [None, "10.1.2.3"]
    monkeypatch.setattr(module, "own_address", lambda: addresses.pop(0))
    door = opened("0.0.0.0", pairing)
    assert door.invitation() is None
    assert door.invitation() is not None


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_page_of_this_machine_alone_invites_nobody(host: str, pairing: Pairing) -> None:
    door = opened(host, pairing)
    assert (door.invitation(), door.code()) == (None, None)
    assert any("Only this machine" in line for line in door.words())
    assert pairing.pin not in "".join(door.words())


def test_an_open_table_has_an_address_without_a_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    door = opened("fd00::2", None)
    found = door.invitation()
    assert found is not None
    assert (found.url, found.svg()) == ("http://[fd00::2]:8000/", as_svg("http://[fd00::2]:8000/"))
    assert any("Every device" in line for line in door.words())


def test_before_it_is_bound_nobody_is_invited(pairing: Pairing) -> None:
    assert Door("10.0.0.2", pairing).invitation() is None
