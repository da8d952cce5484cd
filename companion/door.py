"""Where other devices find the page: its addresses in words, and the QR code that a phone needs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.addresses import own_address
from companion.pairing import Pairing
from companion.qr import as_svg, as_text
from web.pairing import Invitation


class Door:
    """The page of one server. `port` is set once it is bound; `pairing` None: everybody may come in.

    Addresses are asked for anew each time: the network may come after the companion.
    """

    def __init__(self, host: str, pairing: Pairing | None) -> None:
        self._host, self._pairing = host, pairing
        self.port: int | None = None

    def invitation(self) -> Invitation | None:
        """What a further device needs; None where no other device can reach this machine."""
        page = self.page()
        return None if page is None else Invitation(page, lambda: as_svg(page + self._key()))

    def code(self) -> str | None:
        """The same as a QR code for a terminal."""
        page = self.page()
        return None if page is None else as_text(page + self._key())

    def words(self) -> Iterator[str]:
        """The addresses, and who may do what; the first is the one to open."""
        yield from self.addresses()
        if _is_local(self._host):
            yield "Only this machine can open the page; without --host every device on the network can."
        elif self._pairing is None:
            yield "Every device on the network may change the score (--open)."
        else:
            yield f"Other devices may watch; to keep the score they are asked once for this PIN: {self._pairing.pin}"

    def addresses(self) -> Iterator[str]:
        page, here = self.page(), self._host
        if _is_everybody(here):
            here = "127.0.0.1"
            if page is not None:
                yield f"The page: {page}"
        yield f"On this machine: {_url(here, self.port)}"

    def page(self) -> str | None:
        """Where other devices find the page; None: they cannot."""
        if self.port is None or _is_local(self._host):
            return None
        host = own_address() if _is_everybody(self._host) else self._host
        return None if host is None else _url(host, self.port)

    def _key(self) -> str:
        # after the "#": browsers send that to nobody
        return "" if self._pairing is None else f"#pin={self._pairing.pin}"


def _url(host: str, port: int | None) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _is_everybody(host: str) -> bool:
    return host in ("0.0.0.0", "::", "")


def _is_local(host: str) -> bool:
    return host in ("127.0.0.1", "::1", "localhost")
