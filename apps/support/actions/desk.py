"""The desk's reads: tickets, chats with their accounts, messages. Constant numbers of statements a page."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.ai.actions.facts import answering_facts
from apps.ai.rules.decisions import Mode
from apps.chats.models import Chat, Message
from apps.chats.questions import visitor_language
from apps.chats.rules import SenderKind, Status, Via
from apps.core.endpoints.authentication import Caller
from apps.kb.questions import answering
from apps.support.actions.codes import code_of
from apps.support.actions.holds import shown_holder
from apps.support.actions.interception import handlings, hidden_texts
from apps.support.models import AppRoom, ChatHold, EmailCode, Identity, SupportSettings, Ticket, Verification
from apps.support.querysets import last_answer_id, waiting_words
from apps.support.rules import codes, identities
from apps.support.rules import desk as rules
from apps.support.rules.tickets import REOPEN_WINDOW, TicketPriority

SEEN = {SenderKind.AGENT: "support"}
NO_CODE: Mapping[str, Any] = {
    "code_pending": False,
    "code_expires_at": None,
    "last_code_result": None,
    "last_code_at": None,
    "email_requested": False,
}


def accounts_of(widget_id: int, chats: Iterable[Chat], *, with_email: bool = False) -> dict[int, dict[str, Any]]:
    """The account of each chat: what was proved, never guessed. The mailbox is shown in details alone."""
    now, ids = timezone.now(), [chat.pk for chat in chats]
    found = {one.chat_id: one for one in Identity.objects.for_widget(widget_id).filter(chat_id__in=ids)}
    rooms = {one.chat_id: one for one in AppRoom.objects.for_widget(widget_id).filter(chat_id__in=ids)}
    of_codes = _codes_of(widget_id, [pk for pk in ids if pk not in rooms])
    closed: dict[int, tuple[int, datetime | None]] = {}
    if rooms:
        of_rooms = Ticket.objects.for_widget(widget_id).filter(chat_id__in=rooms).values("chat_id")
        counted = of_rooms.annotate(n=Count("pk", filter=Q(state="open")), at=Max("closed_at"))
        closed = {row["chat_id"]: (row["n"], row["at"]) for row in counted}
    shown = {}
    for chat in ids:
        if chat in rooms:
            shown[chat] = _room_account(rooms[chat], *closed.get(chat, (0, None)), now)
        else:
            shown[chat] = _account(found.get(chat), now, of_codes.get(chat, NO_CODE), with_email=with_email)
    return shown


def _codes_of(widget_id: int, chat_ids: Collection[int]) -> dict[int, Mapping[str, Any]]:
    """The codes of each chat as the desk shows them; chats without any are left out."""
    now = timezone.now()
    wishes = {one.chat_id: one for one in Verification.objects.for_widget(widget_id).filter(chat_id__in=chat_ids)}
    newest = {row.chat_id: code_of(row) for row in EmailCode.objects.for_widget(widget_id).newest(list(wishes))}
    waiting = [pk for pk, one in wishes.items() if identities.is_live(one.asked_until, now)]
    handled = handlings(widget_id, waiting) if waiting else {}
    shown: dict[int, Mapping[str, Any]] = {}
    for pk, wish in wishes.items():
        is_pending = pk in newest and codes.can_be_typed(newest[pk], now)
        shown[pk] = {
            "code_pending": is_pending,
            "code_expires_at": codes.expires_at(newest[pk]) if is_pending else None,
            "last_code_result": wish.last_result,
            "last_code_at": wish.last_result_at,
            "email_requested": pk in handled and not codes.agent_handles(handled[pk], now),
        }
    return shown


def _room_account(room: AppRoom, n_open: int, last_closed_at: datetime | None, now: datetime) -> dict[str, Any]:
    expires_at = identities.room_expires_at(has_open_ticket=bool(n_open), last_closed_at=last_closed_at)
    is_shown = not room.is_hidden and (bool(n_open) or identities.is_live(expires_at, now))
    return {
        "link": "none",
        "email": None,
        "app_user_id": room.user_id if is_shown else None,
        "link_source": identities.LinkSource.APP_TICKET.value if is_shown else None,
        "identity_expires_at": expires_at if is_shown else None,
        "regrant_needed": False,
        **NO_CODE,
    }


def _account(
    identity: Identity | None, now: datetime, of_code: Mapping[str, Any], *, with_email: bool
) -> dict[str, Any]:
    if identity is None or not identities.is_live(identity.expires_at, now):
        link = "awaiting_code" if of_code["code_pending"] else "anonymous"
        nothing = dict.fromkeys(("email", "app_user_id", "link_source", "identity_expires_at"))
        return {"link": link, **nothing, "regrant_needed": False, **of_code}
    had_grant = identity.grant_expires_at is not None
    return {
        "link": "verified",
        "email": identity.email if with_email else None,
        "app_user_id": identity.app_user_id,
        "link_source": identity.link_source,
        "identity_expires_at": identity.expires_at,
        "regrant_needed": had_grant and not identities.is_live(identity.grant_expires_at, now),
        **of_code,
    }


def brief(chat: Chat, settings: SupportSettings, account: Mapping[str, Any]) -> dict[str, Any]:
    """A chat beside its ticket or its messages."""
    return {
        "id": chat.pk,
        "channel": chat.channel,
        "status": chat.status,
        "delivery": rules.delivery_of(chat.channel, chat.status, settings.channels),
        "account": account,
    }


def desk_chats(widget_id: int) -> Any:
    """The chats that the desk knows, with what it shows of them besides their own columns."""
    rows = Chat.objects.for_widget(widget_id).filter(internal=False).select_related("contact", "last_message")
    return rows.annotate(answered=last_answer_id(), touched_at=Coalesce("last_message_at", "created_at")).annotate(
        unanswered=waiting_words(Count("pk")), unanswered_since=waiting_words(Min("created_at"))
    )


def shown_chats(
    caller: Caller, settings: SupportSettings, chats: list[Any], *, is_detail: bool = False
) -> list[dict[str, Any]]:
    """Chats (`desk_chats`) as the desk shows them; a mailbox and a visitor's language only in a detail."""
    widget_id, ids = caller.widget_id, [chat.pk for chat in chats]
    accounts = accounts_of(widget_id, chats, with_email=is_detail)
    holds = {one.chat_id: one for one in ChatHold.objects.for_widget(widget_id).live().filter(chat_id__in=ids)}
    tickets = dict(Ticket.objects.for_widget(widget_id).open().filter(chat_id__in=ids).values_list("chat_id", "pk"))
    locales = dict(AppRoom.objects.for_widget(widget_id).filter(chat_id__in=ids).values_list("chat_id", "locale"))
    states = _ai_states(widget_id, ids)
    hidden = hidden_texts(widget_id, [chat.last_message for chat in chats if chat.last_message])
    return [
        {
            **brief(chat, settings, accounts[chat.pk]),
            "locale": locales.get(chat.pk) or (visitor_language(chat) if is_detail else None),
            "contact": {"id": chat.contact.guid, "name": chat.contact.name or None},
            "ai": {"state": states.get(chat.pk, "off"), "handling": chat.handling},
            "last_message": _last_message(chat, hidden),
            "unanswered": chat.unanswered or 0,
            "waiting_since": chat.unanswered_since,
            "open_ticket": tickets.get(chat.pk),
            "lease": _shown_hold(holds.get(chat.pk), caller.token_id),
            "created_at": chat.created_at,
            "updated_at": chat.touched_at,
        }
        for chat in chats
    ]


def _ai_states(widget_id: int, chat_ids: Collection[int]) -> dict[int, str]:
    ai = answering(widget_id)
    if not ai.enabled or not any(assistant.enabled for assistant in ai.assistants):
        return {}
    facts = answering_facts(widget_id, chat_ids)
    paused = (Mode.WAITING, Mode.PERSON)
    return {pk: "paused" if fact["mode"] in paused else "active" for pk, fact in facts.items()}


def _last_message(chat: Chat, hidden: Mapping[int, str]) -> dict[str, Any] | None:
    last = chat.last_message
    if last is None:
        return None
    kind = SEEN.get(SenderKind(last.sender_kind), last.sender_kind)
    return {
        "id": last.pk,
        "kind": kind,
        "type": last.type,
        "text": hidden.get(last.pk, last.body)[: rules.MAX_PREVIEW],
        "at": last.created_at,
    }


def _shown_hold(hold: ChatHold | None, token_id: int) -> dict[str, Any] | None:
    if hold is None:
        return None
    return {**shown_holder(hold), "claimed_at": hold.claimed_at, "mine": hold.token_id == token_id}


def list_chats(
    caller: Caller,
    settings: SupportSettings,
    *,
    updated_since: datetime,
    awaiting: str = "client",
    min_idle_sec: int = rules.DEFAULT_IDLE_S,
    channel: str | None = None,
    has_open_ticket: bool | None = None,
) -> tuple[list[dict[str, Any]], bool]:
    """The chats of a list, the longest unchanged first, and whether there are more than 200."""
    idle_since = timezone.now() - timedelta(seconds=min_idle_sec)
    rows = desk_chats(caller.widget_id).exclude(status=Status.SPAM)
    rows = rows.filter(last_message_at__gte=updated_since, last_message_at__lte=idle_since)
    if awaiting == "client":
        rows = rows.filter(last_message__sender_kind=SenderKind.CLIENT)
    if channel is not None:
        rows = rows.filter(channel=channel)
    if has_open_ticket is not None:
        of_open = Q(pk__in=Ticket.objects.for_widget(caller.widget_id).open().values("chat_id"))
        rows = rows.filter(of_open if has_open_ticket else ~of_open)
    found = list(rows.order_by("last_message_at", "pk")[: rules.MAX_CHATS + 1])
    return shown_chats(caller, settings, found[: rules.MAX_CHATS]), len(found) > rules.MAX_CHATS


def list_messages(
    caller: Caller, settings: SupportSettings, *, chat_id: int, after_id: int, limit: int, include: Collection[str]
) -> dict[str, Any]:
    """Messages of a chat after an id, oldest first. Raises NOT_FOUND (404)."""
    widget_id = caller.widget_id
    chat = Chat.objects.for_widget(widget_id).filter(internal=False).get_or_404(pk=chat_id)
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, id__gt=after_id)
    if "notes" not in include:
        rows = rows.filter(is_internal=False)
    if "system" not in include:
        rows = rows.exclude(sender_kind=SenderKind.SYSTEM)
    found = list(rows.order_by("id")[: limit + 1])
    shown = found[:limit]
    account = accounts_of(widget_id, [chat])[chat_id]
    hidden = hidden_texts(widget_id, shown)
    return {
        "data": [shown_message(message, hidden.get(message.pk)) for message in shown],
        "next_cursor": str(shown[-1].pk) if len(found) > limit else None,
        "chat": brief(chat, settings, account),
    }


def shown_message(message: Message, hidden: str | None) -> dict[str, Any]:
    """A message, or in place of its text what hides a code or a mailbox."""
    kind, details = SenderKind(message.sender_kind), message.details or {}
    file = details.get("file")
    return {
        "id": message.pk,
        "type": message.type,
        "text": message.body if hidden is None else hidden,
        "sender": {"kind": SEEN.get(kind, kind.value), "name": message.sender_name or None, "via": _via(message)},
        "created_at": message.created_at,
        "attachment": {
            "name": file["name"],
            "content_type": file["content_type"],
            "size": file["size"],
            "readable": readable_kind(file["name"], file["content_type"]) if kind is SenderKind.CLIENT else None,
        }
        if file
        else None,
        "keyboard": details.get("keyboard"),
        "is_note": message.is_internal,
        "redacted": hidden is not None,
    }


def _via(message: Message) -> str | None:
    if message.sender_kind != SenderKind.AGENT:
        return None
    return "support_api" if message.via == Via.SUPPORT_API else "console"


_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_TEXTS = ("txt", "log", "csv", "json", "md", "pdf", "docx", "odt")
_FILES = ("heic", "doc", "xls", "xlsx", "rtf")


def readable_kind(name: str, content_type: str) -> str | None:
    """The form in which an attachment is handed out, by its name and type; None if it is not."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if content_type in _IMAGES:
        return "image"
    if ending in _TEXTS:
        return "text"
    return "file" if ending in _FILES else None


def shown_ticket(ticket: Ticket, chat: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the queue."""
    return {
        "number": ticket.pk,
        "state": ticket.state,
        "reason": ticket.reason,
        "close_reason": ticket.close_reason,
        "priority": TicketPriority(ticket.priority).word,
        "category": ticket.category,
        "subject": ticket.subject,
        "source": ticket.source,
        "held_for_owner": ticket.held_for_owner,
        "opened_at": ticket.opened_at,
        "queued_at": ticket.queued_at,
        "updated_at": ticket.updated_at,
        "closed_at": ticket.closed_at,
        "closed_by": ticket.closed_by,
        "reopen_until": ticket.closed_at + REOPEN_WINDOW if ticket.closed_at else None,
        "duplicate_of": ticket.duplicate_of_id,
        "chat": chat,
    }


def shown_tickets(settings: SupportSettings, tickets: list[Ticket]) -> list[dict[str, Any]]:
    accounts = accounts_of(settings.widget_id, [ticket.chat for ticket in tickets])
    return [shown_ticket(one, brief(one.chat, settings, accounts[one.chat_id])) for one in tickets]


def ticket_detail(caller: Caller, settings: SupportSettings, number: int) -> dict[str, Any]:
    """A ticket whole. Raises NOT_FOUND (404)."""
    widget_id = caller.widget_id
    ticket = Ticket.objects.for_widget(widget_id).get_or_404(pk=number)
    chat = desk_chats(widget_id).get(pk=ticket.chat_id)
    (whole,) = shown_chats(caller, settings, [chat], is_detail=True)
    messages = Message.objects.for_widget(widget_id).filter(chat_id=ticket.chat_id)
    before = messages.filter(is_internal=False, id__lte=ticket.opening_message_id).exclude(sender_kind="system")
    opening = list(before.order_by("-id")[: rules.MAX_TRANSCRIPT])[::-1]
    hidden = hidden_texts(widget_id, opening)
    others = Ticket.objects.for_widget(widget_id).in_chat(ticket.chat_id).filter(pk__lt=number)
    return {
        **shown_ticket(ticket, whole),
        "opening_transcript": [
            {
                "id": said.pk,
                "kind": SEEN.get(SenderKind(said.sender_kind), said.sender_kind),
                "text": hidden.get(said.pk, said.body),
                "at": said.created_at,
            }
            for said in opening
        ],
        "previous_numbers": list(others.values_list("pk", flat=True)),
        "agent_notes": agent_notes(ticket),
        "context": ticket.context,
        "client": ticket.client,
        "refund": ticket.refund,
    }


def agent_notes(ticket: Ticket) -> list[dict[str, Any]]:
    """The notes of agents in the ticket's chat since it was first opened, oldest first."""
    notes = Message.objects.for_widget(ticket.widget_id).filter(
        chat_id=ticket.chat_id, is_internal=True, via=Via.SUPPORT_API
    )
    return [
        {"id": note.pk, "agent": (note.origin or "").removeprefix("agent:"), "note": note.body, "at": note.created_at}
        for note in notes.filter(created_at__gte=ticket.opened_at).order_by("id")
    ]
