"""The kinds of data that a widget may keep for a limited time. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta

CHATS, FILES, CONTACTS, DELIVERIES, EXCHANGES = KINDS = ("chats", "files", "contacts", "deliveries", "exchanges")
MAX_DAYS = 3650


def kept_since(days: Mapping[str, int], kind: str, now: datetime) -> datetime | None:
    """Before when things of that kind are forgotten; None where they are kept for ever."""
    return now - timedelta(days=days[kind]) if kind in days else None
