"""Operators' edits and deletions of what they wrote in the console themselves (rules/edits.py).

The message's row has its new text, and what it was before stands beside it: for operators to look up, with the same end
as the message. Statistics count the message as before.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.chats.actions.changes import locked_chat, raise_version
from apps.chats.actions.owners import follow_owner
from apps.chats.errors import (
    CHANNEL_CANNOT_DELETE,
    CHANNEL_CANNOT_EDIT,
    MESSAGE_DELETED,
    NOT_YOURS,
    TOO_LATE,
)
from apps.chats.events import ChatUpdated, MessageChanged
from apps.chats.models import Chat, Message, MessageEdit
from apps.chats.questions import ChatHooks
from apps.chats.rules import MessageType, SenderKind, Via
from apps.chats.rules.edits import EditRefusal, MessageChange, edit_refusal
from apps.chats.rules.translations import TRANSLATIONS, translations_of
from apps.core import bus, plugins
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.problems import ProblemType

_REFUSALS: dict[EditRefusal, ProblemType] = {
    EditRefusal.NOT_YOURS: NOT_YOURS,
    EditRefusal.GONE: MESSAGE_DELETED,
    EditRefusal.TOO_LATE: TOO_LATE,
}


@transaction.atomic
def edit_message(
    *,
    widget_id: int,
    message_id: int,
    agent_id: int,
    body: str,
    markdown: str | None = None,
    translations: Sequence[Mapping[str, Any]] = (),
) -> Message:
    """Gives an operator's own message, or note, another text; the same text again changes nothing.

    Translations of the former text go; `translations` are those of the new one, which a note has none of.

    Raises NOT_FOUND (404), NOT_YOURS (403), TOO_LATE, MESSAGE_DELETED, CHANNEL_CANNOT_EDIT (409), INVALID_INPUT (422)
    on `body` for a message that is no text.
    """
    chat, message = _locked(widget_id, message_id)
    if refusal := _refusal(chat, message, agent_id):
        raise _REFUSALS.get(refusal, CHANNEL_CANNOT_EDIT)()
    if message.type != MessageType.TEXT:
        raise INVALID_INPUT(errors={"body": ["Only texts are edited."]})
    told = [] if message.is_internal else list(translations)
    if (message.body, message.markdown, translations_of(message.details)) != (body, markdown, told):
        kept = {name: value for name, value in (message.details or {}).items() if name != TRANSLATIONS}
        details = kept | {"edited_at": _written(timezone.now())} | ({TRANSLATIONS: told} if told else {})
        _change(chat, message, agent_id, MessageChange.EDITED, body=body, markdown=markdown, details=details)
    return message


@transaction.atomic
def delete_message(*, widget_id: int, message_id: int, agent_id: int) -> None:
    """Takes an operator's own message, or note, back: its row stays, a text without words. Repeatable.

    A visitor whose question it answered waits again, since they asked. Raises NOT_FOUND (404), NOT_YOURS (403),
    TOO_LATE, CHANNEL_CANNOT_DELETE (409).
    """
    chat, message = _locked(widget_id, message_id)
    refusal = _refusal(chat, message, agent_id)
    if refusal is EditRefusal.GONE:
        return
    if refusal:
        raise _REFUSALS.get(refusal, CHANNEL_CANNOT_DELETE)()
    details = {"deleted_at": _written(timezone.now()), "deleted_by": agent_id}
    _change(
        chat,
        message,
        agent_id,
        MessageChange.DELETED,
        type=MessageType.TEXT,
        body="",
        markdown=None,
        details=details,
    )


def _locked(widget_id: int, message_id: int) -> tuple[Chat, Message]:
    """The message and its chat, both locked, in the order in which messages are posted."""
    messages = Message.objects.for_widget(widget_id)
    chat_id = messages.filter(pk=message_id).values_list("chat_id", flat=True).first()
    if chat_id is None:
        raise NOT_FOUND()
    chat = locked_chat(widget_id, chat_id)
    return chat, messages.select_for_update(of=("self",), no_key=True).get_or_404(pk=message_id)


def _refusal(chat: Chat, message: Message, agent_id: int) -> EditRefusal | None:
    is_own = message.sender_kind == SenderKind.AGENT and message.agent_id == agent_id and message.via == Via.CONSOLE
    refusal = edit_refusal(
        is_own=is_own,
        is_deleted="deleted_at" in (message.details or {}),
        created_at=message.created_at,
        now=timezone.now(),
    )
    return refusal or (None if _can_change(chat, message) else EditRefusal.CHANNEL)


def _can_change(chat: Chat, message: Message) -> bool:
    """Whether all who have the message can be shown it as it is then."""
    if message.is_internal or chat.channel == "widget":
        return True
    asked = plugins.hooked(lambda app: app.changes_sent, ChatHooks)
    return any(can_change(chat.widget_id, message.pk, chat.channel) for can_change in asked)


def _change(chat: Chat, message: Message, agent_id: int, change: MessageChange, **fields: Any) -> None:
    MessageEdit.objects.create(
        widget_id=message.widget_id,
        chat_id=message.chat_id,
        message=message,
        agent_id=agent_id,
        change=change,
        type=message.type,
        body=message.body,
        markdown=message.markdown,
        details=message.details,
    )
    for name, value in fields.items():
        setattr(message, name, value)
    message.save(update_fields=fields)
    if change is MessageChange.DELETED and not message.is_internal:
        _wait_again(chat)
    raise_version(chat.pk)
    bus.publish(
        MessageChanged.of(chat, message_id=message.pk, is_internal=message.is_internal, change=change.value),
        ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk),
    )


def _wait_again(chat: Chat) -> None:
    """The chat's last message is the newest that is left; its visitor waits again if that is theirs."""
    is_ours = ~Q(sender_kind=SenderKind.CLIENT)
    left = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=False)
    left = left.exclude(is_ours & Q(details__has_key="deleted_at"))
    newest = left.order_by("-id").first()
    since = None
    if newest is not None and newest.sender_kind == SenderKind.CLIENT:
        answer = left.filter(is_ours).order_by("-id").values_list("id", flat=True).first() or 0
        since = left.filter(pk__gt=answer).order_by("id").values_list("created_at", flat=True).first()
    chat.last_message, chat.waiting_since = newest, since
    chat.save(update_fields=["last_message", "waiting_since"])
    if since is not None:
        follow_owner(chat)


def _written(moment: datetime) -> str:
    """A moment as `details` keeps it."""
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"
