"""Tickets from the application: one room and one open ticket for an account, and what became of them."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.chats.actions import create_contact, post_client_message, update_contact
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import SenderKind, Via
from apps.core import database
from apps.core.errors import NOT_FOUND
from apps.core.quotas import Quota
from apps.support.actions.requests import answered_once
from apps.support.actions.tickets import move, open_ticket, standing_of
from apps.support.errors import ASSISTANT_RATE_LIMITED
from apps.support.models import AppRoom, Binding, SignedRequest, Ticket
from apps.support.rules import settings as settings_rules
from apps.support.rules import tickets as rules
from apps.support.rules.tickets import TicketReason, TicketSource, TicketState
from apps.support.settings import settings_of

FILED = Quota("app_tickets", 60, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)
FILED_BY_ACCOUNT = Quota("app_tickets_of_account", 10, timedelta(hours=1), ASSISTANT_RATE_LIMITED, "customer's account")
ASKED = Quota("app_ticket_status", 120, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)
NEWEST = 20
MAX_REPLIES = 50


def account_key(widget_id: int, user_id: str) -> str:
    """The key of an account's limit: ids of the application may be long."""
    return f"{widget_id}:{hashlib.sha256(user_id.encode()).hexdigest()[:32]}"


def takes_app_tickets(widget_id: int) -> bool:
    """Whether the widget's owner wants tickets from the application."""
    return settings_rules.APP in settings_of(widget_id).channels


@transaction.atomic
def file_ticket(*, binding: Binding, request_id: str, **body: Any) -> dict[str, Any]:
    """Stores what the application's customer says in the account's room, and sees to it that a ticket is open there.

    Raises NOT_FOUND (404) for an `in_reply_to` that is no ticket of the account; REQUEST_ID_REUSED (409);
    ASSISTANT_RATE_LIMITED (429).
    """
    answer = answered_once(
        binding, SignedRequest.Endpoint.TICKET, request_id, body, lambda: _filed(binding.widget_id, **body)
    )
    return {"replayed": False, **answer}


def _filed(
    widget_id: int,
    *,
    source: str,
    category: str,
    message: str,
    account: Mapping[str, str],
    client: Mapping[str, str],
    subject: str | None = None,
    in_reply_to: int | None = None,
    context: Mapping[str, Any] | None = None,
    refund: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    user_id = account["user_id"]
    database.lock(f"app-room:{widget_id}:{user_id}")
    room = AppRoom.objects.for_widget(widget_id).filter(user_id=user_id).first()
    named = None
    if in_reply_to is not None:
        tickets = Ticket.objects.for_widget(widget_id)
        named = tickets.filter(pk=in_reply_to, chat_id=room.chat_id).first() if room else None
        if named is None:
            raise NOT_FOUND("The account has no such ticket.")
    FILED.spend(widget_id)
    FILED_BY_ACCOUNT.spend(account_key(widget_id, user_id))
    contact = _contact(widget_id, room, account)
    posted = post_client_message(contact=contact, content={"type": "text", "body": message}, channel=settings_rules.APP)
    room = _shown(room, widget_id, user_id, posted.chat_id, account.get("locale"))
    Chat.objects.for_widget(widget_id).select_for_update(no_key=True).get(pk=posted.chat_id)
    is_reopened = _reopen(widget_id, room, named)
    opened = open_ticket(
        widget_id=widget_id,
        chat_id=posted.chat_id,
        reason=TicketReason.APP_REQUEST,
        priority=rules.intake_priority(category, has_refund=refund is not None),
        source=TicketSource(source),
        message_id=posted.id,
        category=category,
        subject=subject,
        context=context,
        client=client or None,
        refund=refund,
    )
    return {
        "number": opened.ticket.pk,
        "state": TicketState.OPEN.value,
        "chat_id": posted.chat_id,
        "message_id": posted.id,
        "created": opened.is_new,
        "reopened": is_reopened,
    }


def _contact(widget_id: int, room: AppRoom | None, account: Mapping[str, str]) -> Contact:
    """The room's own contact, with the account's name and e-mail as far as they were said."""
    about = {name: account[name] for name in ("name", "email") if name in account}
    if room is None:
        return create_contact(widget_id=widget_id, about=about)
    contact = Contact.objects.for_widget(widget_id).get(chats=room.chat_id)
    if about:
        update_contact(widget_id=widget_id, guid=contact.guid, changes=about)
        contact.refresh_from_db()
    return contact


def _shown(room: AppRoom | None, widget_id: int, user_id: str, chat_id: int, locale: str | None) -> AppRoom:
    """The account's room, whose account is shown from now on."""
    if room is None:
        return AppRoom.objects.create(widget_id=widget_id, user_id=user_id, chat_id=chat_id, locale=locale or "")
    room.is_hidden, room.locale = False, locale or room.locale
    room.save(update_fields=["is_hidden", "locale"])
    return room


def _reopen(widget_id: int, room: AppRoom, named: Ticket | None) -> bool:
    """Opens the named ticket again, if none is open and it was closed less than 7 days ago."""
    if named is None or Ticket.objects.for_widget(widget_id).open().filter(chat_id=room.chat_id).exists():
        return False
    named = Ticket.objects.for_widget(widget_id).get_for_update(pk=named.pk)
    now = timezone.now()
    if not rules.may_reopen(named.closed_at, now):
        return False
    move(named, rules.reopened(standing_of(named), closed_at=named.closed_at, now=now, chat_has_open=False))
    return True


@transaction.atomic
def read_status(
    *, binding: Binding, user_id: str, tickets: Sequence[Mapping[str, int]] | None = None
) -> dict[str, Any]:
    """An account's tickets, with people's replies after each cursor; without `tickets`, the newest 20.

    Raises ASSISTANT_RATE_LIMITED (429).
    """
    widget_id = binding.widget_id
    ASKED.spend(widget_id)
    room = AppRoom.objects.for_widget(widget_id).filter(user_id=user_id).first()
    every = list(Ticket.objects.for_widget(widget_id).in_chat(room.chat_id)) if room else []
    cursors = {one["number"]: one["after_message_id"] for one in tickets or ()}
    if not cursors:
        cursors = dict.fromkeys([ticket.pk for ticket in every[:NEWEST]], 0)
    own = {ticket.pk: ticket for ticket in every}
    ends = dict(zip((t.pk for t in every[1:]), (t.opening_message_id for t in every), strict=False))
    return {
        "tickets": [_status(own[n], after, ends.get(n)) for n, after in cursors.items() if n in own],
        "not_found": [number for number in cursors if number not in own],
    }


def _status(ticket: Ticket, after: int, end: int | None) -> dict[str, Any]:
    """One ticket: replies of its own time, from its opening to the next one's."""
    said = Message.objects.for_widget(ticket.widget_id).filter(
        chat_id=ticket.chat_id,
        id__gt=max(after, ticket.opening_message_id),
        is_internal=False,
        sender_kind=SenderKind.AGENT,
    )
    said = said.exclude(via=Via.LEGACY_BOT) if end is None else said.exclude(via=Via.LEGACY_BOT).filter(id__lt=end)
    rows = list(said.order_by("id").values_list("id", "body", "created_at")[: MAX_REPLIES + 1])
    shown = rows[:MAX_REPLIES]
    return {
        "number": ticket.pk,
        "state": ticket.state,
        "close_reason": ticket.close_reason,
        "category": ticket.category,
        "subject": ticket.subject,
        "opened_at": ticket.opened_at,
        "updated_at": ticket.updated_at,
        "closed_at": ticket.closed_at,
        "replies": [{"id": id_, "text": text, "at": at} for id_, text, at in shown],
        "last_message_id": shown[-1][0] if shown else after,
        "has_more": len(rows) > MAX_REPLIES,
    }
