"""Name and password of the table's own Wi-Fi: kept in one file of root's, made once, and the owner's to change."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from companion.errors import InputError
from companion.files import read_file

SETTINGS = Path("/etc/default/table-companion-wifi")
SERVICE = Path("/etc/systemd/system/table-companion-wifi.service")
PROFILE = "table-companion"
"""NetworkManager's name for it."""
ADDRESS = "10.42.0.1"
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that is read as another one."""


@dataclass(frozen=True, slots=True)
class OwnWifi:
    name: str
    password: str

    def join_code(self) -> str:
        """What a phone's camera joins by, as a text for a QR code."""
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"

    def profile(self) -> str:
        """NetworkManager's file for it. It never comes up by itself: companion.own_wifi.watch decides when."""
        return "\n".join((
            "# Made by deploy/install --access-point from /etc/default/table-companion-wifi.",
            "[connection]", f"id={PROFILE}", "type=wifi", "autoconnect=false", "",
            # 2.4 GHz: every tablet has it, and it asks for no radar's leave
            "[wifi]", "mode=ap", "band=bg", f"ssid={self.name}", "",
            "[wifi-security]", "key-mgmt=wpa-psk", "proto=rsn;", "pairwise=ccmp;", "group=ccmp;",
            f"psk={self.password}", "",
            "[ipv4]", "method=shared", f"address1={ADDRESS}/24", "",
            "[ipv6]", "method=disabled", "",
        ))  # fmt: skip


def page(port: int) -> str:
    """Where whoever is in it finds the companion."""
    return f"http://{ADDRESS}:{port}/"


def new_settings() -> str:
    """The text of a first settings file. The name differs from table to table."""
    password = "-".join("".join(secrets.choice(_SIGNS) for _ in range(4)) for _ in range(3))
    return (
        "# The table's own Wi-Fi (./deploy/install --access-point). After a change call that again.\n"
        f'WIFI_NAME="companion-{secrets.token_hex(2)}"\nWIFI_PASSWORD="{password}"\n'
    )


def read_settings(path: Path = SETTINGS) -> OwnWifi | None:
    """None: there is none, or it is not this user's to see. InputError: it cannot be one."""
    try:
        if not path.exists():
            return None
        path.open("rb").close()
    except PermissionError:
        return None
    text = read_file(path, "Wi-Fi settings", 4096).decode(errors="replace")
    found = dict(re.findall(r'(?m)^(WIFI_NAME|WIFI_PASSWORD)="(.*)"\s*$', text))
    # the limits of Wi-Fi and of WPA2
    return OwnWifi(_checked(path, found, "WIFI_NAME", 1, 32), _checked(path, found, "WIFI_PASSWORD", 8, 63))


def installed(settings: Path = SETTINGS, service: Path = SERVICE) -> OwnWifi | None:
    """The settings outlive the installation; None without it."""
    return read_settings(settings) if service.exists() else None


def _checked(path: Path, found: dict[str, str], key: str, least: int, most: int) -> str:
    value = found.get(key, "")
    # what NetworkManager's file would read as something else is left out
    if not (
        least <= len(value) <= most and re.fullmatch(r"[!-~](?:[ -~]*[!-~])?", value) and not set(value) & set('\\";')
    ):
        what = f'{least} to {most} plain letters, digits and signs, without \\ " ; and spaces at the ends'
        raise InputError(f'{path}: {key}="…" must have {what}')
    return value


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,":])', r"\\\1", text)
