"""The table's own Wi-Fi: whether it is up, and how to join it."""

from __future__ import annotations

from collections.abc import Callable

from companion.doctor.finding import Finding
from companion.errors import InputError
from companion.own_wifi.network import Network
from companion.own_wifi.settings import PROFILE, OwnWifi, installed, page
from companion.qr import as_text


def own_wifi(port: int, there: Callable[[], OwnWifi | None] = installed, net: Network | None = None) -> list[Finding]:
    """Nothing where there is none (`deploy/install --access-point`)."""
    try:
        wifi = there()
    except InputError as error:
        return [Finding("wifi", "bad", f"{error}.", "Correct it, then: sudo ./deploy/install --access-point")]
    if wifi is None:
        return []
    links = (net or Network()).links()
    if links is None:
        fix = "sudo systemctl status NetworkManager"
        return [Finding("wifi", "bad", "The table's own Wi-Fi cannot come up: NetworkManager does not answer.", fix)]
    radios = [link for link in links if link.kind == "wifi"]
    if not radios:
        fix = "sudo systemctl disable table-companion-wifi, or plug a Wi-Fi in."
        return [Finding("wifi", "bad", "The table's own Wi-Fi cannot come up: this machine has no Wi-Fi.", fix)]
    if all(link.state == "unavailable" for link in radios):
        fix = "Set the country (sudo raspi-config, Localisation), or: sudo rfkill unblock wifi"
        return [Finding("wifi", "bad", "The table's own Wi-Fi cannot come up: Wi-Fi is switched off.", fix)]
    address = page(port)
    join = f"{wifi.name}, password {wifi.password}; the page in it: {address}"
    detail = {"name": wifi.name, "address": address, "code": as_text(wifi.join_code())}
    if any(link.connection == PROFILE for link in links):
        return [Finding("wifi", "ok", f"The table's own Wi-Fi is up: {join}", detail=detail)]
    return [Finding("wifi", "ok", f"Where no network is known, the table's own Wi-Fi comes up: {join}", detail=detail)]
