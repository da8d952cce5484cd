"""The table's own Wi-Fi: its settings, NetworkManager's words, and when it comes up."""

from __future__ import annotations

import configparser
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from companion import cli
from companion.addresses import address_of, without_route
from companion.commands import pin as pin_command
from companion.doctor.own_wifi import own_wifi
from companion.errors import InputError
from companion.own_wifi.network import Link, Network, ask_system
from companion.own_wifi.settings import OwnWifi, installed, new_settings, read_settings
from companion.own_wifi.watch import EVERY_S, PATIENCE_S, STEP_BACK_S, Watch
from companion.pairing import Pairing

HOME = "wlan0:wifi:connected:Home\nlo:loopback:connected (externally):lo\n"
NOTHING = "wlan0:wifi:disconnected:\nlo:loopback:connected (externally):lo\neth0:ethernet:unavailable:\n"
TRYING = "wlan0:wifi:connecting (configuring):Home\n"
CABLE = "wlan0:wifi:disconnected:\neth0:ethernet:connected:Wired connection 1\n"
OURS = "wlan0:wifi:connected:table-companion\n"
NO_RADIO = "eth0:ethernet:unavailable:\n"


class Nmcli:
    """NetworkManager's and iw's commands, answering as they do; `up` and `down` are done."""

    def __init__(self, devices: str | None, known: str = "Home:802-11-wireless:yes\n", guests: str | None = "") -> None:
        self.devices, self.known, self.guests = devices, known, guests
        self.works = True
        self.done: list[str] = []

    def __call__(self, command: Sequence[str]) -> str | None:
        match list(command):
            case ["nmcli", "-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device"]:
                return self.devices
            case ["nmcli", "-t", "-f", "NAME,TYPE,AUTOCONNECT", "connection"]:
                return self.known + "table-companion:802-11-wireless:no\n"
            case ["iw", "dev", "wlan0", "station", "dump"]:
                return self.guests
            case ["nmcli", "connection", "up", "table-companion", "ifname", "wlan0"]:
                self.done.append("up")
                if self.works:
                    self.devices = OURS
                return "" if self.works else None
            case ["nmcli", "connection", "down", "table-companion"]:
                self.done.append("down")
                self.devices = NOTHING
                return ""
        raise AssertionError(command)


class Evening:
    """A watch that is asked every few seconds of an evening."""

    def __init__(self, nmcli: Nmcli) -> None:
        self.nmcli, self.now_s, self.said = nmcli, 1000.0, list[str]()
        self._watch = Watch(Network(nmcli))

    def passes(self, seconds: float) -> list[str]:
        """What was done in this time."""
        self.nmcli.done = []
        end = self.now_s + seconds
        while self.now_s < end:
            if (news := self._watch.look(self.now_s)) is not None:
                self.said.append(news)
            self.now_s += EVERY_S
        return self.nmcli.done


@pytest.mark.parametrize("devices", [HOME, CABLE], ids=["wifi", "cable"])
def test_where_a_network_is_known_it_never_comes_up(devices: str) -> None:
    assert Evening(Nmcli(devices)).passes(3600) == []


@pytest.mark.parametrize("devices", [NOTHING, TRYING], ids=["nothing", "a known one that never succeeds"])
def test_it_comes_up_after_a_minute_without_one(devices: str) -> None:
    evening = Evening(Nmcli(devices, known=""))
    assert evening.passes(PATIENCE_S) == []
    assert evening.passes(EVERY_S) == ["up"]
    assert evening.passes(3600) == [], "it knows no other: nothing to step back for"
    assert evening.said == ["No network is known here: the table's own Wi-Fi is up."]


def test_a_wifi_that_is_away_for_a_moment_is_waited_for() -> None:
    evening = Evening(Nmcli(HOME))
    for _ in range(5):
        evening.nmcli.devices = NOTHING
        assert evening.passes(PATIENCE_S - EVERY_S) == []
        evening.nmcli.devices = HOME
        assert evening.passes(EVERY_S) == []


def test_while_nobody_is_in_it_a_known_one_is_looked_for_now_and_then() -> None:
    evening = Evening(Nmcli(NOTHING))
    evening.passes(PATIENCE_S + EVERY_S)
    assert evening.passes(STEP_BACK_S) == []
    assert evening.passes(EVERY_S) == ["down"]
    assert evening.passes(PATIENCE_S + EVERY_S) == ["up"], "the known one is not there"
    assert evening.passes(STEP_BACK_S + EVERY_S) == ["down"]
    evening.nmcli.devices = HOME
    assert evening.passes(3600) == []


@pytest.mark.parametrize("guests", ["Station 02:00:00:00:01:00 (on wlan0)\n", None], ids=["a tablet", "cannot be told"])
def test_it_stays_while_somebody_may_be_in_it(guests: str | None) -> None:
    evening = Evening(Nmcli(NOTHING, guests=guests))
    evening.passes(PATIENCE_S + EVERY_S)
    assert evening.passes(4 * STEP_BACK_S) == []
    evening.nmcli.guests = ""
    assert evening.passes(STEP_BACK_S) == []
    assert evening.passes(2 * EVERY_S) == ["down"]


@pytest.mark.parametrize("devices", [NO_RADIO, None], ids=["no Wi-Fi", "no NetworkManager"])
def test_what_cannot_be_is_said_once(devices: str | None) -> None:
    evening = Evening(Nmcli(devices))
    assert evening.passes(3600) == []
    assert len(evening.said) == 1


def test_what_fails_is_tried_again() -> None:
    nmcli = Nmcli(NOTHING)
    nmcli.works = False
    evening = Evening(nmcli)
    assert evening.passes(5 * PATIENCE_S) == ["up"] * 4
    assert len(evening.said) == 1
    nmcli.works = True
    assert evening.passes(PATIENCE_S + EVERY_S) == ["up"]
    assert evening.said[-1].endswith("is up.")


def test_names_with_colons_are_read_as_nmcli_writes_them() -> None:
    nmcli = Nmcli(r"wlan0:wifi:connected:The \\ pub\: upstairs" + "\n")
    assert Network(nmcli).links() == [Link("wlan0", "wifi", "connected", r"The \ pub: upstairs")]


def test_a_command_that_is_not_there_or_fails_has_no_words() -> None:
    assert ask_system(["/nonexistent/nmcli"]) is None
    assert ask_system(["false"]) is None
    assert ask_system(["echo", "yes"]) == "yes\n"


def settings(folder: Path, text: str) -> Path:
    (folder / "wifi").write_text(text)
    return folder / "wifi"


def test_first_settings_differ_and_are_good_ones(tmp_path: Path) -> None:
    made = [read_settings(settings(tmp_path, new_settings())) for _ in range(20)]
    assert len({wifi.password for wifi in made if wifi is not None}) == 20
    assert all(wifi is not None and len(wifi.password) == 14 for wifi in made)
    assert read_settings(tmp_path / "none") is None
    assert installed(tmp_path / "wifi", tmp_path / "no.service") is None
    assert installed(tmp_path / "wifi", tmp_path / "wifi") == made[-1]


@pytest.mark.parametrize(
    "text",
    ["", 'WIFI_NAME="t"\nWIFI_PASSWORD="short"\n', 'WIFI_NAME=""\nWIFI_PASSWORD="long-enough"\n',
     'WIFI_NAME="Tisch für drei"\nWIFI_PASSWORD="long-enough"\n', 'WIFI_NAME="t"\nWIFI_PASSWORD="semi;colon"\n',
     f'WIFI_NAME="{"t" * 33}"\nWIFI_PASSWORD="long-enough"\n', f'WIFI_NAME="t"\nWIFI_PASSWORD="{"p" * 64}"\n',
     'WIFI_NAME="t"\nWIFI_PASSWORD=" spaced out"\n'],
)  # fmt: skip
def test_settings_that_no_wifi_can_have_are_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as told:
        read_settings(settings(tmp_path, text))
    assert str(told.value).startswith(f"{tmp_path}/wifi: WIFI_")


def test_networkmanagers_file_has_them_and_never_comes_up_by_itself() -> None:
    parsed = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parsed.read_string(OwnWifi("Table # 1", "a%b:c=d#e").profile())
    assert parsed["wifi"]["ssid"] == "Table # 1"
    assert parsed["wifi"]["mode"] == "ap"
    assert parsed["wifi-security"]["psk"] == "a%b:c=d#e"
    assert parsed["connection"]["autoconnect"] == "false"
    assert parsed["ipv4"]["method"] == "shared"


def test_the_code_that_a_phone_joins_by() -> None:
    assert OwnWifi("a,b", "c:d-efgh").join_code() == r"WIFI:T:WPA;S:a\,b;P:c\:d-efgh;;"


WIFI = 'WIFI_NAME="companion-1a2b"\nWIFI_PASSWORD="abcd-efgh-jkmn"\n'


@pytest.mark.parametrize(
    ("devices", "state", "words"),
    [(OURS, "ok", "is up"), (HOME, "ok", "Where no network is known"), (NO_RADIO, "bad", "no Wi-Fi"),
     ("wlan0:wifi:unavailable:\n", "bad", "switched off"), (None, "bad", "NetworkManager")],
    ids=["up", "not needed", "no radio", "no country", "no NetworkManager"],
)  # fmt: skip
def test_the_doctor_tells_how_it_is(devices: str | None, state: str, words: str, tmp_path: Path) -> None:
    (found,) = own_wifi(8000, partial(read_settings, settings(tmp_path, WIFI)), Network(Nmcli(devices)))
    assert (found.check, found.state) == ("wifi", state)
    assert words in found.text
    assert (found.fix == "") == (state == "ok")
    if state == "ok":
        assert "companion-1a2b, password abcd-efgh-jkmn" in found.text
        assert found.detail["address"] == "http://10.42.0.1:8000/"


def test_the_doctor_has_nothing_to_say_without_one_and_one_sentence_for_a_bad_one(tmp_path: Path) -> None:
    assert own_wifi(8000, lambda: None, Network(Nmcli(HOME))) == []
    (found,) = own_wifi(8000, partial(read_settings, settings(tmp_path, "WIFI_NAME=table\n")), Network(Nmcli(HOME)))
    assert found.state == "bad"


def test_the_pin_comes_with_the_wifi_that_leads_to_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pin = Pairing(tmp_path).pin
    monkeypatch.setattr(pin_command, "installed", lambda: None)
    assert cli.main(["pin", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{pin}\n"
    monkeypatch.setattr(pin_command, "installed", lambda: OwnWifi("companion-1a2b", "abcd-efgh-jkmn"))
    assert cli.main(["pin", "--data", str(tmp_path), "--port", "8080"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == pin
    assert lines[1].endswith("companion-1a2b, password abcd-efgh-jkmn")
    assert any(line.endswith("http://10.42.0.1:8080/") for line in lines)


def test_without_a_way_out_the_tables_own_networks_are_looked_at() -> None:
    known = {"wlan0": "10.42.0.1", "eth0": "169.254.1.2", "docker0": "172.17.0.1", "lo": "127.0.0.1"}
    names = ["lo", "docker0", "eth0", "wlan0", "wlan1"]
    assert without_route(names, known.get) == "10.42.0.1"
    assert without_route(["lo", "docker0", "eth0"], known.get) == "169.254.1.2"
    assert without_route(["lo", "docker0"], known.get) is None
    assert address_of("lo") == "127.0.0.1"
    assert address_of("none0") is None
