"""Taking back what a program did to a chat, where nothing has changed since."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.chats.actions.changes import locked_chat, raise_version, record_change
from apps.chats.actions.snoozes import AT_HAND, follow_snooze
from apps.chats.events import ChatReturned, ChatTaken, ChatUpdated, MessageChanged, PriorityChanged
from apps.chats.models import Chat, ChatActivity, Message, MessageEdit
from apps.chats.rules import ATTRIBUTION_COLUMNS, MessageType, SenderKind
from apps.chats.rules.edits import MessageChange
from apps.core import bus
from apps.core.bus import DomainEvent

_COLUMNS = (
    *ATTRIBUTION_COLUMNS,
    *AT_HAND,
    "department_id",
    "internal",
    "priority",
    "status",
    "expired_at",
    "dealt_with_message_id",
    "waiting_since",
    "left_unanswered_at",
    "for_people_since",
)
Columns = Mapping[str, Any]


def columns_of(chat: Chat) -> dict[str, Any]:
    """The columns of a chat that can be taken back, as JSON keeps them."""
    return {name: _kept(getattr(chat, name)) for name in _COLUMNS}


def differences(was: Columns, now: Columns) -> tuple[Columns, Columns]:
    """The columns that changed: as they were, and as they are."""
    changed = [name for name in was if was[name] != now[name]]
    return {name: was[name] for name in changed}, {name: now[name] for name in changed}


@transaction.atomic
def restore_chat(
    *, widget_id: int, chat_id: int, was: Columns, left: Columns, after_id: int, step_id: int | None = None
) -> str | None:
    """Gives a chat back the columns that it had (`was`), if they are still as they were `left`; the step goes, too.

    An owner whose words stand behind the message `after_id` stays. Returns why nothing was done: `changed_since`, or
    `gone` for an owner or a department that is no more. Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    if any(_kept(getattr(chat, name)) != value for name, value in left.items()):
        return "changed_since"
    if "agent_id" in left and _has_answered(chat, after_id):
        return "changed_since"
    if _is_gone(widget_id, was):
        return "gone"
    if step_id is not None:
        ChatActivity.objects.for_widget(widget_id).filter(chat=chat, pk=step_id).delete()
    fields = {name: _read(name, value) for name, value in was.items()}
    record_change(chat, *_events(chat, fields), **fields)
    if "snoozed_at" in fields:
        follow_snooze(chat)
    return None


@transaction.atomic
def take_back_note(*, widget_id: int, chat_id: int, message_id: int) -> str | None:
    """Takes back a note of a program; its row stays, a text without words. Returns why not: `changed_since`.

    Raises NOT_FOUND (404) for the chat.
    """
    chat = locked_chat(widget_id, chat_id)
    notes = Message.objects.for_widget(widget_id).filter(chat=chat, is_internal=True)
    note = notes.filter(pk=message_id).first()
    if note is None or {"deleted_at", "edited_at"} & set(note.details or {}):
        return "changed_since"
    MessageEdit.objects.create(
        widget_id=widget_id,
        chat=chat,
        message=note,
        change=MessageChange.DELETED,
        type=note.type,
        body=note.body,
        markdown=note.markdown,
        details=note.details,
    )
    gone = f"{timezone.now():%Y-%m-%dT%H:%M:%S.%f}Z"
    notes.filter(pk=note.pk).update(type=MessageType.TEXT, body="", markdown=None, details={"deleted_at": gone})
    raise_version(chat.pk)
    bus.publish(
        MessageChanged.of(chat, message_id=note.pk, is_internal=True, change=MessageChange.DELETED.value),
        ChatUpdated(widget_id=widget_id, chat_id=chat.pk),
    )
    return None


def _kept(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _read(name: str, value: Any) -> Any:
    field: Any = Chat._meta.get_field(name)
    return field.to_python(value)


def _has_answered(chat: Chat, after_id: int) -> bool:
    said = Message.objects.for_widget(chat.widget_id).filter(chat=chat, pk__gt=after_id, is_internal=False)
    return said.filter(sender_kind=SenderKind.AGENT).exists()


def _is_gone(widget_id: int, was: Columns) -> bool:
    agent_id, department_id = was.get("agent_id"), was.get("department_id")
    people, departments = Agent.objects.for_widget(widget_id).people(), Department.objects.for_widget(widget_id)
    return (agent_id is not None and not people.filter(pk=agent_id).exists()) or (
        department_id is not None and not departments.filter(pk=department_id).exists()
    )


def _events(chat: Chat, fields: Mapping[str, Any]) -> list[DomainEvent]:
    """Tells others of the columns that they follow: who has the chat, and how urgent it is."""
    events: list[DomainEvent] = []
    if fields.get("agent_id") is not None:
        events.append(ChatTaken.of(chat, agent_id=fields["agent_id"]))
    elif "agent_id" in fields and chat.agent_id is not None:
        events.append(ChatReturned.of(chat, from_agent_id=chat.agent_id))
    if "priority" in fields:
        events.append(PriorityChanged.of(chat, before=chat.priority, priority=fields["priority"]))
    return events
