"""The settings of the support desk: which there are, and what each may hold. One validation for cabinet and command."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from apps.ai.rules.links import is_host

CHANNELS = ("widget", "tg", "app")
APP = "app"
DEFAULT_CHANNELS = ("widget", "tg")
MOST_ENTRIES = 200
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


class _Kind(NamedTuple):
    """The values that a setting may hold; `is_good_entry` says so of one entry, where it is a list of texts."""

    is_good: Callable[[Any], bool]
    refusal: str
    is_good_entry: Callable[[str], bool] | None = None


def _list_of(is_good: Callable[[str], bool]) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        if not isinstance(value, list) or len(value) > MOST_ENTRIES or not all(isinstance(v, str) for v in value):
            return False
        return all(map(is_good, value)) and len(set(value)) == len(value)

    return check


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _ids(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_ENTRIES
        and all(map(_whole(1, 2**63 - 1), value))
        and len(set(value)) == len(value)
    )


def _texts(is_good: Callable[[str], bool], refusal: str) -> _Kind:
    return _Kind(_list_of(is_good), refusal, is_good)


_FLAG = _Kind(lambda value: isinstance(value, bool), "Must be true or false.")
_LIMIT = _Kind(_whole(0, MAX_LIMIT), f"Must be a whole number from 0 (unlimited) to {MAX_LIMIT}.")

KINDS: Mapping[str, _Kind] = {
    "enabled": _FLAG,
    "operator_id": _Kind(
        lambda value: value is None or _whole(1, 2**63 - 1)(value), "Must be an operator's id, or null."
    ),
    "token_ids": _Kind(_ids, "Must be a list of ids of API tokens, each once."),
    "ip_allowlist": _texts(is_network, "Must be a list of addresses and networks, each once."),
    "link_hosts": _texts(is_host, "Must be a list of hosts' names, without wildcard, scheme, port or path."),
    "exact_links": _texts(is_exact_link, "Must be a list of links that begin with https://."),
    "app_store_id": _Kind(
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"[0-9]{0,20}", value)), "Must be digits, or empty."
    ),
    "play_package": _Kind(
        lambda value: isinstance(value, str) and len(value) <= 150 and (not value or bool(_PACKAGE.fullmatch(value))),
        "Must be a package's name, such as com.example.app, or empty.",
    ),
    "ipv4_literals": _texts(is_ipv4, "Must be a list of IPv4 addresses."),
    "messenger_handles": _texts(
        lambda one: bool(_HANDLE.fullmatch(one)),
        "Must be a list of handles of 3 to 32 letters, digits and _, without @.",
    ),
    "emails": _texts(is_email, "Must be a list of e-mail addresses."),
    "channels": _Kind(_list_of(lambda one: one in CHANNELS), "Must be a list of widget, tg and app."),
    "room_reply_limit": _Kind(_whole(1, MAX_ROOM_REPLIES), f"Must be a whole number from 1 to {MAX_ROOM_REPLIES}."),
    "token_reply_limit_10min": _LIMIT,
    "token_reply_limit_day": _LIMIT,
    "email_codes": _FLAG,
    "account_link": _FLAG,
    "unanswered_ticket_after_sec": _Kind(
        _whole(0, MAX_SECONDS), f"Must be a whole number of seconds from 0 (never) to {MAX_SECONDS}."
    ),
}


def refusals(changes: Mapping[str, Any]) -> dict[str, str]:
    """The refusals of new values of settings, by name; checks that need the database are not made here."""
    found: dict[str, str] = {}
    for name, value in changes.items():
        kind = KINDS.get(name)
        if kind is None:
            found[name] = "There is no such setting."
        elif not kind.is_good(value):
            found[name] = kind.refusal
    return found


def bad_entries(name: str, value: Any) -> list[str]:
    """The entries of a list that the setting can't hold, each once: what is no good, and what stands there twice."""
    is_good = KINDS[name].is_good_entry
    if is_good is None or not isinstance(value, list):
        return []
    return list(dict.fromkeys(one for at, one in enumerate(value) if not is_good(one) or one in value[:at]))


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
