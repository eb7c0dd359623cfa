"""Tickets: their states and what moves them, priorities, and the window for reopening.

Source: specification, "Ticket state". A chat has at most one open ticket; a further fact on it only raises priority.
"""

from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import NamedTuple

REOPEN_WINDOW = timedelta(days=7)


class TicketState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"


class TicketReason(StrEnum):
    """Why a ticket was opened."""

    APP_REQUEST = "app_request"
    OFFLINE_FORM = "offline_form"
    CUSTOMER_REQUEST = "customer_request"
    SAFETY = "safety"
    AI_FAILED = "ai_failed"
    AI_HANDOFF = "ai_handoff"
    UNANSWERED = "unanswered"


class CloseReason(StrEnum):
    """Why it was closed: the four that an agent may say, and that a reply answered it."""

    RESOLVED = "resolved"
    ANSWERED_BY_EMAIL = "answered_by_email"
    DUPLICATE = "duplicate"
    FALSE_POSITIVE = "false_positive"
    ANSWERED = "answered"


class TicketPriority(IntEnum):
    """The lower, the more urgent: the queue's order."""

    URGENT = 0
    HIGH = 1
    NORMAL = 2
    LOW = 3

    @property
    def word(self) -> str:
        return self.name.lower()


PRIORITIES = {priority.word: priority for priority in TicketPriority}


class TicketSource(StrEnum):
    """The source of a ticket: the application's own word, the widget, or the AI."""

    APP = "app"
    ASSISTANT = "assistant"
    WEB_CABINET = "web_cabinet"
    EMAIL = "email"
    WIDGET = "widget"
    AI = "ai"


INTAKE_SOURCES = (TicketSource.APP, TicketSource.ASSISTANT, TicketSource.WEB_CABINET, TicketSource.EMAIL)


class Category(StrEnum):
    QUESTION = "question"
    BUG = "bug"
    BILLING = "billing"
    REFUND = "refund"
    ACCOUNT = "account"
    COMPLAINT = "complaint"
    FEEDBACK = "feedback"
    OTHER = "other"


def intake_priority(category: str, *, has_refund: bool) -> TicketPriority:
    """The priority of what an application files."""
    return TicketPriority.HIGH if has_refund or category == Category.COMPLAINT else TicketPriority.NORMAL


# By the reason of a handover to people who are away; of any other it is `ai_handoff`, high.
OF_HANDOVER = {
    "human_request": (TicketReason.CUSTOMER_REQUEST, TicketPriority.HIGH),
    "safety_floor": (TicketReason.SAFETY, TicketPriority.URGENT),
    "provider_failure": (TicketReason.AI_FAILED, TicketPriority.NORMAL),
    "reply_limit": (TicketReason.AI_FAILED, TicketPriority.NORMAL),
    "budget_exhausted": (TicketReason.AI_FAILED, TicketPriority.NORMAL),
}


class TicketStanding(NamedTuple):
    """A ticket's state, as far as its moves go."""

    state: TicketState
    close_reason: CloseReason | None = None
    held_for_owner: bool = False


class TicketMoveRefused(Exception):
    """A move that the ticket's state does not allow; `code` is the problem's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class TicketEffect(StrEnum):
    """The effect of a reply on the ticket that it names."""

    CLOSED = "closed"
    HELD_FOR_OWNER = "held_for_owner"
    ALREADY_CLOSED = "already_closed"
    NONE = "none"


def closed(standing: TicketStanding, reason: CloseReason) -> TicketStanding:
    """After a close; a hold ends. Raises TicketMoveRefused."""
    if standing.state is TicketState.CLOSED:
        raise TicketMoveRefused("ticket_not_open")
    return TicketStanding(TicketState.CLOSED, reason)


def reopened(
    standing: TicketStanding, *, closed_at: datetime | None, now: datetime, chat_has_open: bool
) -> TicketStanding:
    """After a reopening, under the same number, within 7 days of closing. Raises TicketMoveRefused."""
    if standing.state is TicketState.OPEN:
        raise TicketMoveRefused("ticket_not_closed")
    if not may_reopen(closed_at, now):
        raise TicketMoveRefused("reopen_window_passed")
    if chat_has_open:
        raise TicketMoveRefused("chat_has_open_ticket")
    return TicketStanding(TicketState.OPEN)


def may_reopen(closed_at: datetime | None, now: datetime) -> bool:
    """Whether the window for reopening is open."""
    return closed_at is not None and now < closed_at + REOPEN_WINDOW


def answered(standing: TicketStanding, *, close_ticket: bool) -> tuple[TicketStanding, TicketEffect]:
    """After a reply that names the ticket was stored."""
    if standing.state is TicketState.CLOSED:
        return standing, TicketEffect.ALREADY_CLOSED
    if close_ticket:
        return TicketStanding(TicketState.CLOSED, CloseReason.ANSWERED), TicketEffect.CLOSED
    return standing._replace(held_for_owner=True), TicketEffect.HELD_FOR_OWNER
