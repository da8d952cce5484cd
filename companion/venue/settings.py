"""`venue.toml` in the data folder: which broker this table tells, and as which table. Without the file: none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.errors import InputError
from companion.files import read_file
from companion.toml_text import parse_toml
from companion.venue.topics import level

FILE = "venue.toml"
LARGEST = 64 * 1024
PORT = 1883
EVENT = "main"
_KEYS = ("broker", "table", "event", "user", "password")


@dataclass(frozen=True)
class BrokerAddress:
    """Where the broker is, and what it asks for; `user` None: nothing."""

    host: str
    port: int = PORT
    user: str | None = None
    password: str | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORT else f"{host}:{self.port}"


@dataclass(frozen=True)
class VenueSettings:
    """`table`: its name as people say it; `event`: under which name the venue's tables find together."""

    broker: BrokerAddress
    table: str
    event: str = EVENT


def broker_address(text: str, where: str, user: str | None = None, password: str | None = None) -> BrokerAddress:
    """HOST or HOST:PORT ([HOST]:PORT for IPv6). Raises InputError; `where`: what the sentence begins with."""
    host, port = text.strip(), ""
    if host.startswith("["):
        host, _, rest = host[1:].partition("]")
        port = rest.removeprefix(":")
    elif host.count(":") == 1:
        host, _, port = host.partition(":")
    number = PORT
    if port:
        if not (port.isascii() and port.isdecimal() and 1 <= int(port) <= 65535):
            raise InputError(f"{where}: {text[:100]!r}: {port[:20]!r} is no port from 1 to 65535")
        number = int(port)
    if not host or any(char.isspace() or char in "/@" for char in host):
        raise InputError(f"{where}: {text[:100]!r} is no broker; write HOST or HOST:PORT")
    return BrokerAddress(host, number, user, password)


def load_venue(data: Path) -> VenueSettings | None:
    """The settings of this table; None: it tells nobody. Raises InputError with the key that is wrong."""
    path = data / FILE
    if not path.exists():
        return None
    content = parse_toml(read_file(path, "venue file", LARGEST), path, "venue file")
    unknown = next((key for key in content if key not in _KEYS), None)
    if unknown is not None:
        raise InputError(f"{path}: {unknown} is not a known key (there are {', '.join(_KEYS)})")
    for key, value in content.items():
        if not isinstance(value, str):
            raise InputError(f"{path}: {key} must be a text in quotes")
    for key in ("broker", "table"):
        if not content.get(key, "").strip():
            raise InputError(f"{path}: {key} is missing")
    table, event = content["table"].strip(), content.get("event", EVENT).strip()
    for key, name in (("table", table), ("event", event)):
        check_name(name, f"{path}: {key}")
    if "password" in content and "user" not in content:
        raise InputError(f"{path}: password needs a user")
    broker = broker_address(content["broker"], f"{path}: broker", content.get("user"), content.get("password"))
    return VenueSettings(broker, table, event)


def check_name(name: str, where: str) -> None:
    """Raises InputError for a name of a table or an event that cannot stand in a topic."""
    if not level(name) or len(name) > 60:
        raise InputError(f"{where}: {name[:80]!r} must have 1 to 60 characters, a letter or digit among them")
