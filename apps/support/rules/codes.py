"""Codes that prove a mailbox: when one is sent, what a typed one is, and what is said of it.

Source: specification, "Support surface" (`chat.account`) and "Limits" (10 minutes).
"""

import unicodedata
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

DIGITS = 6
LIVES = timedelta(minutes=10)
ASKED_FOR = timedelta(minutes=30)
TRIES_TAKEN_FOR = timedelta(hours=24)
PERSON_HAS_WORD_FOR = timedelta(hours=24)
MAX_WRONG = 5
# Longer texts are no code, however it is spaced.
LONGEST_TRY = 64
HIDDEN = "······"


class CodeResult(StrEnum):
    VERIFIED = "verified"
    WRONG = "wrong"
    EXPIRED = "expired"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    RATE_LIMITED = "rate_limited"
    CONSUMED = "consumed"


class TakenKind(StrEnum):
    MAILBOX = "mailbox"
    CODE = "code"


class ChatHandling(NamedTuple):
    """The facts that say whether an agent handles a chat.

    Without an open ticket `is_held` is false and `queued_at` null.
    """

    is_leased: bool = False
    is_held: bool = False
    queued_at: datetime | None = None
    agent_wrote_at: datetime | None = None
    person_replied_at: datetime | None = None
    assistant_chosen_at: datetime | None = None


def agent_handles(chat: ChatHandling, now: datetime) -> bool:
    """Whether an agent, or a person, handles the chat: then no code is asked for and none is mailed."""
    if chat.is_leased or chat.is_held:
        return True
    if chat.queued_at and chat.agent_wrote_at and chat.agent_wrote_at >= chat.queued_at:
        return True
    replied_at, chosen_at = chat.person_replied_at, chat.assistant_chosen_at
    if replied_at is None or now - replied_at >= PERSON_HAS_WORD_FOR:
        return False
    return chosen_at is None or chosen_at <= replied_at


class SentCode(NamedTuple):
    """The newest code of a chat. `sent_at` is null while it waits to be sent."""

    sent_at: datetime | None
    used_at: datetime | None
    died_at: datetime | None
    wrong: int


def expires_at(code: SentCode) -> datetime | None:
    """When a code stops working; None before it was sent."""
    return code.sent_at + LIVES if code.sent_at else None


def can_be_typed(code: SentCode, now: datetime) -> bool:
    """Whether a code that was sent would still be taken."""
    ends_at = expires_at(code)
    is_open = code.used_at is None and code.died_at is None and code.wrong < MAX_WRONG
    return is_open and ends_at is not None and now < ends_at


def result_of(code: SentCode, *, is_right: bool, now: datetime) -> CodeResult:
    """The result of a typed code; for a wrong one, `code.wrong` is from before it."""
    ends_at = expires_at(code)
    if code.used_at is not None:
        return CodeResult.CONSUMED if is_right else CodeResult.WRONG
    if code.wrong >= MAX_WRONG:
        return CodeResult.ATTEMPTS_EXHAUSTED
    if code.died_at is not None or (ends_at is not None and now >= ends_at):
        return CodeResult.EXPIRED
    if is_right:
        return CodeResult.VERIFIED
    return CodeResult.ATTEMPTS_EXHAUSTED if code.wrong + 1 >= MAX_WRONG else CodeResult.WRONG


def typed_code(text: str) -> str | None:
    """The six digits that are all of a text, as ASCII: digits of any script, spaces and hyphens aside."""
    if len(text) > LONGEST_TRY:
        return None
    kept = [each for each in text if not each.isspace() and unicodedata.category(each) not in ("Pd", "Zs")]
    if len(kept) != DIGITS or any(unicodedata.category(each) != "Nd" for each in kept):
        return None
    return "".join(str(unicodedata.decimal(each)) for each in kept)
