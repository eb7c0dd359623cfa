"""Providers, their states and what is checked of a credential before anybody is called. Pure.

Specification: "Messenger provider", "Other state sets"; Endpoints, "Messengers, communities and ad cabinets".
"""

import base64
import binascii
import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

# In the order in which they are listed. `custom` has no adapter: custom channels are an own resource.
PROVIDERS = ("tg", "vk", "wa", "vb", "fb", "ok", "mx", "cian", "ali", "apple", "custom")
AVITO = "av"
# What can be connected to: Avito's cabinets are no provider of the list.
CONNECTED = (*PROVIDERS[:-1], AVITO)
NOT_WRITABLE = ("vk", "custom")

MAX_URL, MAX_TOKEN, MAX_SID = 512, 4096, 128
MAX_DETAIL = 255
LONGEST_PENDING_S = 60

_TOKENS = {"tg": re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{20,128}")}
_SIDS = {"wa": re.compile(r"[0-9]{5,20}"), "apple": re.compile(r"[A-Za-z0-9._:-]{1,128}")}
_VISIBLE = re.compile(r"[\x21-\x7e]+")
_CABINET = re.compile(r"av__([0-9]{1,18})")
_MIN_APPLE_SECRET = 16


class Updates(StrEnum):
    """How Telegram's updates come: as PUBLIC_URL allows, or always by the one or the other way."""

    AUTO = "auto"
    WEBHOOK = "webhook"
    LONG_POLL = "long_poll"


class WebhookStatus(StrEnum):
    """The outcome of the last registration."""

    REGISTERED = "registered"
    LONG_POLL = "long_poll"
    FAILED = "failed"
    UNCONFIRMED = "unconfirmed_provider_api"
    MANUAL = "manual"
    PENDING = "pending"


class ProblemCode(StrEnum):
    """The problem of a connection until it is repaired."""

    CREDENTIAL_REJECTED = "credential_rejected"
    WEBHOOK_LOST = "webhook_lost"
    CONFLICT = "conflict"


class ConnectionState(StrEnum):
    """The worth of a saved key: a saved key is not a connected messenger."""

    CONNECTED = "connected"
    TOLD = "told"  # the provider never says whether it delivers
    TO_PASTE = "to_paste"  # nothing comes in until a person has entered the address there
    PENDING = "pending"
    SILENT = "silent"  # the key is saved, and nothing comes in
    REJECTED = "rejected"


def connection_state(status: WebhookStatus, problem: str, *, has_heard: bool) -> ConnectionState:
    """The state of a connection by its registration and its problem; `has_heard`: something came in by it."""
    if problem == ProblemCode.CREDENTIAL_REJECTED:
        return ConnectionState.REJECTED
    if problem or status == WebhookStatus.FAILED:
        return ConnectionState.SILENT
    if status == WebhookStatus.PENDING:
        return ConnectionState.PENDING
    if status in (WebhookStatus.REGISTERED, WebhookStatus.LONG_POLL) or has_heard:
        return ConnectionState.CONNECTED
    return ConnectionState.TO_PASTE if status == WebhookStatus.MANUAL else ConnectionState.TOLD


class CabinetStatus(StrEnum):
    """An ad cabinet's status. The last one is the system's alone."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    SUSPENDED = "suspended_by_billing"


SETTABLE = (CabinetStatus.ENABLED, CabinetStatus.DISABLED)


def cabinet_channel(cabinet_id: int) -> str:
    """The channel by which chats and departments know an ad cabinet."""
    return f"av__{cabinet_id}"


def cabinet_of(channel: str) -> int | None:
    """The id of the ad cabinet whose channel that is."""
    found = _CABINET.fullmatch(channel)
    return int(found[1]) if found else None


def is_messenger(channel: str) -> bool:
    """Whether what operators write in a chat of that channel goes to a provider."""
    return channel in CONNECTED or cabinet_of(channel) is not None


def url_refusal(provider: str, url: str) -> str | None:
    """Why visitors can't be shown that link. It is not resolved, as it is never called."""
    schemes = ("https", "viber") if provider == "vb" else ("https",)
    if "\\" in url or any(unicodedata.category(character) in ("Cc", "Zs", "Zl", "Zp", "Cf") for character in url):
        return "Must not contain spaces, backslashes or control characters."
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "Must be an absolute URL."
    if parts.scheme not in schemes or not url.lower().startswith(f"{parts.scheme}://"):
        return f"Must be an absolute URL that starts with {' or '.join(f'{scheme}://' for scheme in schemes)}."
    if "@" in parts.netloc:
        return "Must not contain a user name or password."
    if not parts.hostname and parts.scheme == "https":
        return "Must be an absolute URL that starts with https://."
    return None


def token_refusal(provider: str, token: str) -> str | None:
    """Why that can't be the provider's token."""
    if not _VISIBLE.fullmatch(token):
        return "Must be 1 to 4096 visible ASCII characters."
    pattern = _TOKENS.get(provider)
    if pattern and not pattern.fullmatch(token):
        return "Must be a bot token: the bot's id, a colon and its secret."
    if provider == "apple" and len(apple_secret(token)) < _MIN_APPLE_SECRET:
        return f"Must be base64 of at least {_MIN_APPLE_SECRET} bytes."
    return None


def apple_secret(token: str) -> bytes:
    """The bytes of Apple's secret; none for what is no base64."""
    try:
        return base64.b64decode(token, validate=True)
    except (binascii.Error, ValueError):
        return b""


def sid_refusal(provider: str, sid: str) -> str | None:
    """Why that can't be the provider's second identifier."""
    pattern = _SIDS.get(provider)
    if pattern is None or pattern.fullmatch(sid):
        return None
    return "Must be 5 to 20 digits." if provider == "wa" else "Must be 1 to 128 letters, digits or `._:-`."


def bot_id(token: str) -> str:
    """The id of the bot that a Telegram token is of."""
    return token.partition(":")[0]


def new_key() -> str:
    """A fresh path key of a callback address: 43 url-safe characters."""
    return secrets.token_urlsafe(32)


def new_secret() -> str:
    """A fresh secret that a provider's calls carry: 40 letters and digits, which every provider takes."""
    return secrets.token_hex(20)


def cleaned(detail: str, hidden: Sequence[str]) -> str:
    """A provider's words as they may be shown: on one line, short, and without the connection's secrets."""
    for secret in sorted(filter(None, hidden), key=len, reverse=True):
        detail = detail.replace(secret, "[redacted]")
    return " ".join(detail.split())[:MAX_DETAIL]


# --- Slots of ad cabinets -----------------------------------------------------------------------------------------


def to_suspend(enabled: Sequence[tuple[int, datetime]], slots: int) -> list[int]:
    """The cabinets that no longer fit into so many slots, newest first."""
    newest = sorted(enabled, key=lambda one: (one[1], one[0]), reverse=True)
    return [id_ for id_, _ in newest[: max(0, len(enabled) - slots)]]


def to_resume(suspended: Sequence[tuple[int, datetime]], free: int) -> list[int]:
    """The cabinets that fit again, oldest first."""
    oldest = sorted(suspended, key=lambda one: (one[1], one[0]))
    return [id_ for id_, _ in oldest[: max(0, free)]]


# --- VK's communities ---------------------------------------------------------------------------------------------

_VK_HOSTS = ("vk.com", "m.vk.com", "vk.ru", "vk.me")
_GROUP = re.compile(r"(?:club|public|event)([1-9][0-9]{0,17})")
_SCREEN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.]{1,63}")
_DIGITS = re.compile(r"[1-9][0-9]{0,17}")


def read_community(given: str | int) -> str | None:
    """The name to ask VK for: an id, or a screen name; None for what names no community."""
    text = str(given)
    if text.lower().startswith("https://"):
        host, _, path = text[len("https://") :].partition("/")
        if host.lower() not in _VK_HOSTS:
            return None
        text = path.removesuffix("/")
    if found := _GROUP.fullmatch(text):
        return found[1]
    return text if _DIGITS.fullmatch(text) or _SCREEN_NAME.fullmatch(text) else None
