"""Tickets of sockets. Pure."""

import re
from datetime import timedelta

from apps.accounts.rules import random_base62

TICKET_PREFIX, TICKET_BODY_LENGTH = "ot_", 40
TICKET_LASTS = timedelta(seconds=60)

_TICKET = re.compile(rf"{TICKET_PREFIX}[0-9A-Za-z]{{{TICKET_BODY_LENGTH}}}")


def new_ticket() -> str:
    """A fresh ticket: `ot_` and 40 random base62 characters."""
    return TICKET_PREFIX + random_base62(TICKET_BODY_LENGTH)


def is_ticket(text: str) -> bool:
    """Whether a text has the form of a ticket."""
    return _TICKET.fullmatch(text) is not None
