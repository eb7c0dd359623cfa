"""Tickets: opening, closing, reopening. Each locks the chat's row first, so that a chat has one open ticket."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from apps.chats.actions import record_mark
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.problems import ProblemType
from apps.support.errors import (
    CHAT_HAS_OPEN_TICKET,
    REOPEN_WINDOW_PASSED,
    TICKET_NOT_CLOSED,
    TICKET_NOT_OPEN,
)
from apps.support.models import Ticket
from apps.support.rules import tickets as rules
from apps.support.rules.tickets import (
    CloseReason,
    TicketEffect,
    TicketPriority,
    TicketReason,
    TicketSource,
    TicketStanding,
    TicketState,
)

_REFUSALS: dict[str, ProblemType] = {
    "ticket_not_open": TICKET_NOT_OPEN,
    "ticket_not_closed": TICKET_NOT_CLOSED,
    "reopen_window_passed": REOPEN_WINDOW_PASSED,
    "chat_has_open_ticket": CHAT_HAS_OPEN_TICKET,
}


class Opened(NamedTuple):
    """The open ticket of a chat, and whether it was opened just now."""

    ticket: Ticket
    is_new: bool


def open_ticket(
    *,
    widget_id: int,
    chat_id: int,
    reason: TicketReason,
    priority: TicketPriority,
    source: TicketSource,
    message_id: int,
    **about: Any,
) -> Opened:
    """Opens a ticket, or raises the priority of the chat's open one. Inside a transaction, the chat locked.

    `about` may have category, subject, context, client and refund; of an open ticket the last three are replaced.
    """
    found = Ticket.objects.for_widget(widget_id).open().filter(chat_id=chat_id).select_for_update(no_key=True).first()
    if found is not None:
        later = {name: value for name, value in about.items() if name in ("context", "client", "refund") and value}
        save_changed(found, set_changes(found, {"priority": min(found.priority, priority), **later}))
        return Opened(found, is_new=False)
    now = timezone.now()
    ticket = Ticket.objects.create(
        widget_id=widget_id,
        chat_id=chat_id,
        reason=reason,
        priority=priority,
        source=source,
        opening_message_id=message_id,
        opened_at=now,
        queued_at=now,
        updated_at=now,
        **about,
    )
    record_mark(widget_id=widget_id, chat_id=chat_id)
    return Opened(ticket, is_new=True)


@transaction.atomic
def close_ticket(
    *, widget_id: int, number: int, reason: CloseReason, by: Mapping[str, str], duplicate_of: int | None = None
) -> Ticket:
    """Closes an open ticket; a hold ends.

    Raises NOT_FOUND (404), also for a `duplicate_of` that is not the widget's; INVALID_INPUT (422) on `duplicate_of`;
    TICKET_NOT_OPEN (409).
    """
    ticket = Ticket.objects.for_widget(widget_id).get_for_update(pk=number)
    if duplicate_of is not None:
        if duplicate_of == number:
            raise INVALID_INPUT(errors={"duplicate_of": ["A ticket is no duplicate of itself."]})
        if not Ticket.objects.for_widget(widget_id).filter(pk=duplicate_of).exists():
            raise NOT_FOUND("There is no such ticket.")
    try:
        standing = rules.closed(standing_of(ticket), reason)
    except rules.TicketMoveRefused as refused:
        raise _REFUSALS[refused.code]() from None
    move(ticket, standing, by=by, duplicate_of_id=duplicate_of)
    return ticket


@transaction.atomic
def reopen_ticket(*, widget_id: int, number: int) -> Ticket:
    """Opens a closed ticket again, under the same number.

    Raises NOT_FOUND (404); TICKET_NOT_CLOSED, REOPEN_WINDOW_PASSED, CHAT_HAS_OPEN_TICKET (409).
    """
    ticket = Ticket.objects.for_widget(widget_id).get_for_update(pk=number)
    has_open = Ticket.objects.for_widget(widget_id).open().filter(chat_id=ticket.chat_id).exclude(pk=number).exists()
    try:
        standing = rules.reopened(
            standing_of(ticket), closed_at=ticket.closed_at, now=timezone.now(), chat_has_open=has_open
        )
    except rules.TicketMoveRefused as refused:
        raise _REFUSALS[refused.code]() from None
    move(ticket, standing)
    return ticket


def answer_ticket(ticket: Ticket, *, close_ticket: bool, by: Mapping[str, str]) -> TicketEffect:
    """Moves a locked ticket as a reply that names it does; tells what that did."""
    standing, effect = rules.answered(standing_of(ticket), close_ticket=close_ticket)
    if standing != standing_of(ticket):
        move(ticket, standing, by=by)
    return effect


def standing_of(ticket: Ticket) -> TicketStanding:
    """A ticket's state, as the rules see it."""
    reason = CloseReason(ticket.close_reason) if ticket.close_reason else None
    return TicketStanding(TicketState(ticket.state), reason, ticket.held_for_owner)


def move(ticket: Ticket, standing: TicketStanding, *, by: Mapping[str, str] | None = None, **more: Any) -> None:
    """Writes a locked ticket's new state, with the times that follow from it."""
    now = timezone.now()
    changes: dict[str, Any] = {
        "state": standing.state,
        "close_reason": standing.close_reason,
        "held_for_owner": standing.held_for_owner,
        **more,
    }
    if standing.state != ticket.state:
        is_closed = standing.state is TicketState.CLOSED
        changes |= {"closed_at": now, "closed_by": by} if is_closed else {"closed_at": None, "closed_by": None}
        changes |= {} if is_closed else {"queued_at": now, "duplicate_of_id": None}
    save_changed(ticket, set_changes(ticket, changes))
    record_mark(widget_id=ticket.widget_id, chat_id=ticket.chat_id)
