from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InputError
from companion.venue.settings import BrokerAddress, VenueSettings, broker_address, load_venue


def write(data: Path, text: str) -> Path:
    (data / "venue.toml").write_text(text, encoding="utf-8")
    return data


def test_without_a_file_the_table_tells_nobody(tmp_path: Path) -> None:
    assert load_venue(tmp_path) is None


def test_a_file_with_everything(tmp_path: Path) -> None:
    text = 'broker = "10.0.0.5:1884"\ntable = "Table 3"\nevent = "Club night"\nuser = "t3"\npassword = "p"\n'
    expected = VenueSettings(BrokerAddress("10.0.0.5", 1884, "t3", "p"), "Table 3", "Club night")
    assert load_venue(write(tmp_path, text)) == expected


def test_the_least_that_is_needed(tmp_path: Path) -> None:
    found = load_venue(write(tmp_path, 'broker = "club.local"\ntable = "1"\n'))
    assert found == VenueSettings(BrokerAddress("club.local", 1883), "1", "main")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('table = "1"', "broker is missing"),
        ('broker = "x"', "table is missing"),
        ('broker = "x"\ntable = ""', "table is missing"),
        ('broker = "x"\ntable = "///"', "table: '///' must have 1 to 60 characters"),
        ('broker = "x"\ntable = "1"\nevent = "#"', "event: '#' must have"),
        ('broker = 5\ntable = "1"', "broker must be a text in quotes"),
        ('broker = "x"\ntable = "1"\nport = "5"', "port is not a known key"),
        ('broker = "x"\ntable = "1"\npassword = "p"', "password needs a user"),
        ('broker = "x:0"\ntable = "1"', "'0' is no port from 1 to 65535"),
        ('broker = "x:y"\ntable = "1"', "'y' is no port"),
        ('broker = "mqtt://x"\ntable = "1"', "is no"),
        ("broker = ", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_named_in_one_sentence(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(InputError) as caught:
        load_venue(write(tmp_path, text))
    assert named in str(caught.value)
    assert "venue.toml" in str(caught.value)
    assert "\n" not in str(caught.value).strip()


@pytest.mark.parametrize(
    ("text", "host", "port", "shown"),
    [
        ("pi", "pi", 1883, "pi"),
        ("pi:99", "pi", 99, "pi:99"),
        ("fe80::1", "fe80::1", 1883, "[fe80::1]"),
        ("[::1]:99", "::1", 99, "[::1]:99"),
    ],
)
def test_addresses(text: str, host: str, port: int, shown: str) -> None:
    found = broker_address(text, "--broker")
    assert (found.host, found.port, str(found)) == (host, port, shown)
