"""Providers, their states and what is checked of a credential before anybody is called. Pure.

Specification: "Messenger provider", "Other state sets"; Endpoints, "Messengers, communities and ad cabinets".
"""

import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

# A provider of the list without an adapter: custom channels are an own resource.
CUSTOM = "custom"
AVITO = "av"

MAX_URL, MAX_TOKEN, MAX_SID = 512, 4096, 128
MAX_DETAIL = 255
LONGEST_PENDING_S = 60

_VISIBLE = re.compile(r"[\x21-\x7e]+")
_CABINET = re.compile(r"av__([0-9]{1,18})")


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
    SUBSCRIPTION_NEEDED = "subscription_needed"


class ConnectionState(StrEnum):
    """The worth of a saved key: a saved key is not a connected messenger."""

    CONNECTED = "connected"
    TOLD = "told"  # the provider never says whether it delivers
    TO_PASTE = "to_paste"  # nothing comes in until a person has entered the address there
    PENDING = "pending"
    SILENT = "silent"  # the key is saved, and nothing comes in
    REJECTED = "rejected"
    UNPAID = "unpaid"  # the account there has no subscription that lets programs send and receive


def connection_state(status: WebhookStatus, problem: str, *, has_heard: bool) -> ConnectionState:
    """The state of a connection by its registration and its problem; `has_heard`: something came in by it."""
    if problem == ProblemCode.CREDENTIAL_REJECTED:
        return ConnectionState.REJECTED
    if problem == ProblemCode.SUBSCRIPTION_NEEDED:
        return ConnectionState.UNPAID
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


def url_refusal(url: str, schemes: Sequence[str]) -> str | None:
    """Why visitors can't be shown that link. It is not resolved, as it is never called."""
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


def token_refusal(token: str) -> str | None:
    """Why that can be no provider's token."""
    return None if _VISIBLE.fullmatch(token) else "Must be 1 to 4096 visible ASCII characters."


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
