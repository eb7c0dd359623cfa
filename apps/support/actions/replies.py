"""Replies of support agents. A reply is an action first; then it is stored, or honestly unconfirmed.

The action with its key and text is committed before anything is said. Message, ticket and the action's end are one
transaction, which waits for no lock longer than STORED_WITHIN_S. A reply without a known end is checked again: by a
job, and by a read of the action.
"""

import logging
import uuid
from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from itertools import accumulate
from typing import Any

from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.rules.links import tokens
from apps.chats.actions import SaidMeanwhile, post_agent_message
from apps.chats.models import Chat, Message
from apps.chats.rules import MessageType, SenderKind, Via
from apps.core import database
from apps.core.endpoints.authentication import Caller
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.problems import Problem
from apps.core.quotas import wait_for
from apps.support.actions.holds import add_note, locked, require_claim
from apps.support.actions.records import about_text, effect_of
from apps.support.actions.tickets import answer_ticket
from apps.support.errors import (
    CHANNEL_UNSUPPORTED,
    CHAT_CHANGED,
    CHAT_UNAVAILABLE,
    FORBIDDEN_CHARACTERS,
    FORBIDDEN_WHITESPACE,
    GUARD_ERROR,
    LINK_NOT_ALLOWED,
    ROOM_REPLY_LIMIT,
    SUPPORT_RATE_LIMITED,
    TEXT_NOT_PLAIN,
)
from apps.support.models import Identity, SupportAction, SupportSettings, Ticket
from apps.support.rules import desk as rules
from apps.support.rules.desk import ActionKind, ActionStatus
from apps.support.rules.guard import Catalogue, GuardFailed, LinksRefused, TextRefused, checked
from apps.support.rules.tickets import TicketEffect
from apps.support.settings import settings_of

logger = logging.getLogger(__name__)

# Under which a reply's message is stored once, however often that is tried.
_NAMES = uuid.UUID("5b0f7c52-58a4-4b7b-9f2c-6b2f0c4f7a11")
_SAID_BEFORE = 200
_READ_BEFORE = 100_000  # characters of them, the newest first
_PATIENCE = timedelta(seconds=5)
_TEXT_PROBLEMS = {
    "forbidden_whitespace": FORBIDDEN_WHITESPACE,
    "forbidden_characters": FORBIDDEN_CHARACTERS,
    "text_not_plain": TEXT_NOT_PLAIN,
}


def reply(
    *,
    caller: Caller,
    settings: SupportSettings,
    outbound: ExternalCall,
    chat_id: int,
    key: str,
    agent: str,
    text: str,
    expected_last_message_id: int,
    ticket: int | None = None,
    close_ticket: bool = True,
    claim_id: str | None = None,
    note: str | None = None,
) -> SupportAction:
    """Answers a customer as the configured person; the action says whether that is stored.

    Raises, in this order, NOT_FOUND (404) for the ticket, what is wrong with the text (422), CHAT_UNAVAILABLE,
    CHANNEL_UNSUPPORTED, CLAIM_LOST, CHAT_CLAIMED, CHAT_CHANGED (409), ROOM_REPLY_LIMIT, SUPPORT_RATE_LIMITED (429).
    """
    widget_id = caller.widget_id
    chat = Chat.objects.for_widget(widget_id).filter(internal=False).select_related("contact").get_or_404(pk=chat_id)
    if ticket is not None and not Ticket.objects.for_widget(widget_id).filter(pk=ticket, chat_id=chat_id).exists():
        raise NOT_FOUND("The chat has no such ticket.")
    text = checked_text(text, settings, chat)
    expected = expected_last_message_id
    wanted = {"expected": expected, "close_ticket": close_ticket, "claim_id": claim_id, "note": note}
    _refuse_unless_ready(chat, settings, wanted)
    with outbound.reserve():
        _refuse_over_limits(settings, caller.token_id, chat_id)
        action = SupportAction.objects.create(
            widget_id=widget_id,
            token_id=caller.token_id,
            kind=ActionKind.REPLY,
            status=ActionStatus.UNCONFIRMED,
            http_status=202,
            key=key,
            agent=agent,
            chat_id=chat_id,
            ticket=ticket,
            text=text,
            wanted=wanted,
            **about_text(text, note),
        )
    _stored_or_not(action, settings, outbound)
    return action


def _stored_or_not(action: SupportAction, settings: SupportSettings, outbound: ExternalCall) -> None:
    """Tries to store a reply that has been committed, and reads the outcome. A refusal leaves nothing."""
    try:
        with outbound.write():
            store(action, settings)
    except Problem:
        SupportAction.objects.for_widget(action.widget_id).filter(pk=action.pk).delete()
        raise
    except DatabaseError as error:
        if not database.is_unavailable(error):
            raise
        logger.warning("the reply %s is not confirmed: %s", action.pk, error)
    action.refresh_from_db()


def store(action: SupportAction, settings: SupportSettings) -> None:
    """Stores an unconfirmed reply with what follows from it. Inside a transaction.

    Raises the 409 of a change that came first.
    """
    with database.statements_may_take(rules.STORED_WITHIN_S):
        widget_id, wanted, chat_id = action.widget_id, action.wanted or {}, action.chat_id or 0
        action = SupportAction.objects.for_widget(widget_id).get_for_update(pk=action.pk)
        if action.status != ActionStatus.UNCONFIRMED:
            return
        chat = locked(widget_id, chat_id)  # before the hold is read: a claim takes the same lock
        _refuse_unless_ready(chat, settings, {**wanted, "expected": None})
        try:
            posted = post_agent_message(
                widget_id=widget_id,
                chat_id=chat_id,
                agent_id=settings.operator_id,
                content={"type": MessageType.TEXT, "body": action.text or ""},
                client_id=uuid.uuid5(_NAMES, str(action.pk)),
                via=Via.SUPPORT_API,
                read_up_to=wanted.get("expected"),
            )
        except SaidMeanwhile as said:
            raise CHAT_CHANGED(last_message_id=said.last_message_id) from None
        effect = TicketEffect.NONE
        if action.ticket is not None:
            named = Ticket.objects.for_widget(widget_id).get_for_update(pk=action.ticket)
            by = {"kind": "agent", "name": action.agent}
            effect = answer_ticket(named, close_ticket=bool(wanted.get("close_ticket")), by=by)
        add_note(settings, chat_id=chat_id, agent=action.agent, note=wanted.get("note"))
        _end(action, ActionStatus.STORED, http_status=201, message_id=posted.id, ticket_effect=effect)


def confirm(action: SupportAction) -> SupportAction:
    """Looks at an unconfirmed reply again: it is stored now, or has failed; the action as it is then."""
    if action.status != ActionStatus.UNCONFIRMED:
        return action
    try:
        with transaction.atomic():
            store(action, settings_of(action.widget_id))
    except Problem as refused:
        _fail(action, refused.type.code)
    except DatabaseError as error:
        if not database.is_unavailable(error):
            raise
        if timezone.now() >= action.created_at + rules.FAILED_AFTER:
            _fail(action, "try_again")
    action.refresh_from_db()
    return action


def confirm_replies() -> int:
    """Checks every unconfirmed reply whose caller has given up; returns how many there were."""
    waiting = SupportAction.objects.unscoped("every widget's rows").filter(status=ActionStatus.UNCONFIRMED)
    rows = list(waiting.filter(created_at__lt=timezone.now() - 2 * _PATIENCE).order_by("id")[:100])
    for row in rows:
        try:
            confirm(row)
        except Exception:
            logger.exception("the reply %s could not be looked at", row.pk)
    return len(rows)


def answer_of(action: SupportAction, settings: SupportSettings) -> dict[str, Any]:
    """The answer to a reply."""
    chat = Chat.objects.for_widget(action.widget_id).get_or_404(pk=action.chat_id or 0)
    is_stored = action.status == ActionStatus.STORED
    body = ""
    if is_stored:
        body = (
            Message.objects.for_widget(action.widget_id).values_list("body", flat=True).get(pk=action.message_id or 0)
        )
    return {
        "action_id": action.pk,
        "status": action.status,
        "chat_id": action.chat_id,
        "message_id": action.message_id,
        "delivery": rules.delivery_of(chat.channel, chat.status, settings.channels),
        "text": body if is_stored else action.text or "",
        "ticket_effect": effect_of(action)
        or ({"ticket": None, "effect": TicketEffect.NONE.value} if is_stored else None),
        "at": action.finished_at or action.created_at,
    }


def checked_text(text: str, settings: SupportSettings, chat: Chat) -> str:
    """The text as it is sent and stored. Raises what is wrong with it (422)."""
    catalogue = Catalogue(
        hosts=tuple(settings.link_hosts),
        links=tuple(settings.exact_links),
        app_store_id=settings.app_store_id,
        play_package=settings.play_package,
        ipv4=tuple(settings.ipv4_literals),
        handles=tuple(settings.messenger_handles),
        emails=tuple(settings.emails),
        customer_emails=tuple(_mailboxes(chat)),
    )
    try:
        return checked(text, catalogue)
    except TextRefused as refused:
        if refused.reason == "invalid_input":
            raise INVALID_INPUT(errors={"text": [str(refused)]}) from None
        raise _TEXT_PROBLEMS[refused.reason](str(refused)) from None
    except LinksRefused as refused:
        offending = [offence._asdict() for offence in refused.offending]
        raise LINK_NOT_ALLOWED(offending=offending, allowed=_allowed(settings)) from None
    except GuardFailed:
        raise GUARD_ERROR() from None


def _allowed(settings: SupportSettings) -> dict[str, Any]:
    """The values that may be sent; never the customer's own."""
    store_id, package = settings.app_store_id, settings.play_package
    return {
        "hosts": list(settings.link_hosts),
        "links": list(settings.exact_links),
        "app_store": {"app_store_id": store_id or None, "play_package": package or None}
        if store_id or package
        else None,
        "ipv4": list(settings.ipv4_literals),
        "handles": list(settings.messenger_handles),
        "emails": list(settings.emails),
    }


def _mailboxes(chat: Chat) -> set[str]:
    """The customer's own mailboxes: the contact's, the confirmed one, and those in their messages of this chat."""
    said = Message.objects.for_widget(chat.widget_id).filter(
        chat=chat, sender_kind=SenderKind.CLIENT, body__contains="@"
    )
    texts = said.order_by("-id").values_list("body", flat=True)[:_SAID_BEFORE]
    sizes = accumulate(map(len, texts))
    boxes = {box for text, size in zip(texts, sizes, strict=True) if size <= _READ_BEFORE for box in _written_in(text)}
    identity = Identity.objects.for_widget(chat.widget_id).filter(chat=chat, expires_at__gt=Now()).first()
    return boxes | {box for box in (chat.contact.email, identity.email if identity else None) if box}


@lru_cache(maxsize=500)
def _written_in(text: str) -> frozenset[str]:
    """The mailboxes of a message: looked for once, for each reply asks for those of all messages before."""
    return frozenset(token.text for token in tokens(text) if token.kind == "email")


def _refuse_unless_ready(chat: Chat, settings: SupportSettings, wanted: Mapping[str, Any]) -> None:
    if chat.status == "spam":
        raise CHAT_UNAVAILABLE()
    if rules.delivery_of(chat.channel, chat.status, settings.channels) is None:
        raise CHANNEL_UNSUPPORTED()
    require_claim(chat.widget_id, chat.pk, wanted["claim_id"])
    expected = wanted["expected"]
    if expected is None:
        return
    last = chat.last_message_id or 0
    if expected > last:
        raise INVALID_INPUT(errors={"expected_last_message_id": ["The chat has no such message."]})
    if last > expected:
        raise CHAT_CHANGED(last_message_id=last)


def _refuse_over_limits(settings: SupportSettings, token_id: int, chat_id: int) -> None:
    """Raises ROOM_REPLY_LIMIT, SUPPORT_RATE_LIMITED (429): exact windows over rows, one reply at a time."""
    database.lock(f"support-replies:{settings.widget_id}:{token_id}")
    database.lock(f"support-room:{chat_id}")
    replies = SupportAction.objects.for_widget(settings.widget_id).replies()
    of_chat, of_token = replies.filter(chat_id=chat_id), replies.filter(token_id=token_id)
    for rows, limit, window, problem in (
        (of_chat, settings.room_reply_limit, rules.ROOM_WINDOW, ROOM_REPLY_LIMIT),
        (of_token, settings.token_reply_limit_10min, rules.TOKEN_WINDOW, SUPPORT_RATE_LIMITED),
        (of_token, settings.token_reply_limit_day, rules.DAY, SUPPORT_RATE_LIMITED),
    ):
        if not limit:
            continue
        age = ExpressionWrapper(Now() - F("created_at"), output_field=DurationField())
        counted = rows.filter(created_at__gt=Now() - window).annotate(age=age).order_by("-created_at")[:limit]
        spent = [(one, 1) for one in counted.values_list("age", flat=True)][::-1]
        if wait_s := wait_for(1, spent, limit=limit, window=window):
            raise problem(headers={"Retry-After": str(wait_s)})


def _end(action: SupportAction, status: ActionStatus, *, http_status: int, **about: Any) -> None:
    changes = {"status": status, "http_status": http_status, "text": None, "wanted": None, **about}
    mine = SupportAction.objects.for_widget(action.widget_id).filter(pk=action.pk, status=ActionStatus.UNCONFIRMED)
    mine.update(finished_at=timezone.now(), **changes)


def _fail(action: SupportAction, code: str) -> None:
    _end(action, ActionStatus.FAILED, http_status=409, code=code)
