"""The support desk's rules: values of its settings, when it may open, the links that its agents may send. Pure."""

import ipaddress
import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from apps.ai.rules.links import is_host

CHANNELS = ("widget", "tg", "app")
APP = "app"
DEFAULT_CHANNELS = ("widget", "tg")
MAX_ROOM_REPLIES = 30
MAX_LIMIT = 1_000_000
MAX_SECONDS = 7 * 86_400

_HANDLE = re.compile(r"[A-Za-z0-9_]{3,32}")
_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+")
_EMAIL = re.compile(r"[^\s@<>()\[\]\\,;:\"]{1,64}@[^\s@]{1,253}")


def default_channels() -> list[str]:
    return list(DEFAULT_CHANNELS)


def is_exact_link(text: str) -> bool:
    """Whether it is one https address: a host, no port and no credentials, nothing that is not printable ASCII."""
    if not re.fullmatch(r"https://[!-~]+", text) or "\\" in text:
        return False
    parts = urlsplit(text)
    return parts.netloc == (parts.hostname or "") and is_host(parts.netloc)


def is_network(text: str) -> bool:
    """Whether it is an address or a network, of either version."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def is_ipv4(text: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(text)) == text
    except ValueError:
        return False


def is_handle(text: str) -> bool:
    """Whether it is a name in a messenger, without @."""
    return bool(_HANDLE.fullmatch(text))


def is_app_store_id(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9]{1,20}", text))


def is_package(text: str) -> bool:
    """Whether it names a package in Google Play."""
    return len(text) <= 150 and bool(_PACKAGE.fullmatch(text))


def is_email(text: str) -> bool:
    return bool(_EMAIL.fullmatch(text)) and is_host(text.rpartition("@")[2])


def admits(allowlist: list[str], address: str) -> bool:
    """Whether an address is on the list; a list without a readable entry admits no address."""
    try:
        caller: Any = ipaddress.ip_address(address)
    except ValueError:
        return False
    if getattr(caller, "ipv4_mapped", None):
        caller = caller.ipv4_mapped
    networks = [ipaddress.ip_network(one) for one in allowlist if is_network(one)]
    return any(caller.version == network.version and caller in network for network in networks)


class Ready(NamedTuple):
    """The conditions of enabling."""

    has_operator: bool
    has_token: bool
    has_address: bool


def enabling_refusals(ready: Ready) -> dict[str, str]:
    """Why the desk can't be enabled, by the setting that is missing."""
    found: dict[str, str] = {}
    if not ready.has_operator:
        found["operator_id"] = "Enabling needs an active human operator of the widget."
    if not ready.has_token:
        found |= {"token_ids": "Enabling needs a token of the widget that is not revoked."}
    if not ready.has_address:
        found["ip_allowlist"] = "Enabling needs at least one address or network."
    return found


class Sent(NamedTuple):
    """The text that the catalogue lets an agent write, and the address to which its link leads; "" for no link."""

    text: str
    address: str


def as_sent(settings: Any) -> list[Sent]:
    """The links of the catalogue as a customer sees them, in the order of the settings."""
    shown = [Sent(host, f"https://{host}") for host in settings.link_hosts]
    shown += [Sent(link, link) for link in settings.exact_links]
    if settings.app_store_id:
        link = f"https://apps.apple.com/app/id{settings.app_store_id}"
        shown.append(Sent(link, link))
    if settings.play_package:
        link = f"https://play.google.com/store/apps/details?id={settings.play_package}"
        shown.append(Sent(link, link))
    shown += [Sent(address, "") for address in settings.ipv4_literals]
    shown += [Sent(f"@{handle}", f"https://t.me/{handle}") for handle in settings.messenger_handles]
    return shown + [Sent(mailbox, f"mailto:{mailbox}") for mailbox in settings.emails]
