"""Proven identities: how long each lives, and what a chat's account shows. Nothing is inferred; the time decides.

Source: specification, "Support surface" (identity lifetimes) and "Account-link clamps".
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

MAX_GRANT = timedelta(minutes=30)
APP_ROOM_LIFE = timedelta(days=7)
MAX_USER_ID = 128


class LinkSource(StrEnum):
    EMAIL_CODE = "email_code"
    AGENT_CODE = "agent_code"
    CABINET = "cabinet"
    TELEGRAM_LINK = "telegram_link"
    APP_TICKET = "app_ticket"


LIFETIMES = {
    LinkSource.EMAIL_CODE: timedelta(hours=24),
    LinkSource.AGENT_CODE: timedelta(hours=24),
    LinkSource.CABINET: timedelta(hours=12),
    LinkSource.TELEGRAM_LINK: timedelta(days=7),
    LinkSource.APP_TICKET: timedelta(days=37),
}


class Clamped(NamedTuple):
    """A moment that is not later than it may be, and whether it was."""

    at: datetime
    was_later: bool


def clamped(wanted: datetime, latest: datetime) -> Clamped:
    return Clamped(min(wanted, latest), wanted > latest)


def is_live(expires_at: datetime | None, now: datetime) -> bool:
    """Whether what ends then still holds."""
    return expires_at is not None and now < expires_at


def room_expires_at(*, has_open_ticket: bool, last_closed_at: datetime | None) -> datetime | None:
    """When the account of an app room lapses: 7 days after its last ticket closed; None while one is open."""
    if has_open_ticket or last_closed_at is None:
        return None
    return last_closed_at + APP_ROOM_LIFE
