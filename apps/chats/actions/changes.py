"""How a change of a chat is recorded: its fields, its `version`, and the event that tells of it.

Every change of a chat, of what its messages show, of its visitor, or of its operator's name, raises `version`. Posting
compares it to see whether the chat is still as it was read; sockets, whether there is something to read.
"""

from typing import Any

from django.db.models import F, Q

from apps.chats.actions.owners import BEGINS_A_WAIT, follow_owner
from apps.chats.events import ChatAccepted, ChatUpdated, EventChat
from apps.chats.models import Chat, ChatActivity, Contact, Message
from apps.chats.rules import OPEN, Attribution
from apps.chats.rules.activities import MAX_COMMENT, StepKind
from apps.chats.rules.attribution import is_acceptance
from apps.core import bus
from apps.core.bus import DomainEvent

# For statements by hand, which call the chat `c`; they publish ChatUpdated themselves.
VERSION_RAISED = "version = c.version + 1"


def locked_chat(widget_id: int, chat_id: int) -> Chat:
    """A chat of the widget with what its answer shows, locked until the transaction ends. Raises NOT_FOUND (404)."""
    related = ("widget", "contact", "last_message")
    chat = (
        Chat.objects.for_widget(widget_id)
        .select_related(*related)
        .select_for_update(of=("self",))
        .get_or_404(pk=chat_id)
    )
    if chat.last_message is None and chat.last_message_id is not None:
        # It was posted while the lock was waited for: the chat's row is of now, what is joined to it is of before.
        chat.last_message = Message.objects.for_widget(widget_id).filter(pk=chat.last_message_id).first()
    return chat


def record_change(chat: Chat, *events: DomainEvent, **fields: Any) -> None:
    """Saves those fields of a locked chat, and publishes what happened (`events`) and that the chat was updated.

    Notes on its owner go with that owner; the patience with one who is away begins anew (`owners.py`).
    """
    before = {name: getattr(chat, name) for name in fields}
    changed = {name for name, value in fields.items() if before[name] != value}
    followed = ChatUpdated.followed(before, fields)
    if "agent_id" in changed:
        fields = {"owner_away_at": None, "owner_silent_at": None, **fields}
    fields["version"] = chat.version + 1
    for name, value in fields.items():
        setattr(chat, name, value)
    chat.save(update_fields=fields)
    if changed & BEGINS_A_WAIT and not (changed & {"status"} and chat.status not in OPEN):
        follow_owner(chat)
    bus.publish(*events, ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk, changed=followed))


def accepted(chat: EventChat, before: Attribution, after: Attribution) -> list[ChatAccepted]:
    """The event of a chat whose first answer changes its attribution so; none for any other change."""
    operator = after.accepted_by
    if operator is None or not is_acceptance(before, after):
        return []
    return [ChatAccepted.of(chat, agent_id=operator.agent_id, operator_type=operator.type.value)]


def newest_message_id(chat: Chat) -> int:
    """The newest message of a locked chat, notes too; 0 without any. Index: chats_message_in_chat, backwards."""
    messages = Message.objects.for_widget(chat.widget_id).filter(chat=chat)
    return messages.order_by("-id").values_list("id", flat=True).first() or 0


def record_step(
    chat: Chat,
    kind: StepKind,
    *,
    agent_id: int | None = None,
    to_agent_id: int | None = None,
    department_id: int | None = None,
    comment: str = "",
    run_id: int | None = None,
    version: int | None = None,
) -> None:
    """Notes what happens to a locked chat, for its operators to read between the messages. `run_id` and `version` are
    of an automation.
    """
    ChatActivity.objects.create(
        widget_id=chat.widget_id,
        chat=chat,
        kind=kind,
        agent_id=agent_id,
        to_agent_id=to_agent_id,
        department_id=department_id,
        comment=comment[:MAX_COMMENT],
        run_id=run_id,
        version=version,
        after_message_id=newest_message_id(chat),
    )


def record_contact_change(contact: Contact) -> None:
    """Raises the version of each of a contact's chats, and tells of it: operators see the contact beside the chat."""
    _record_changes(contact.widget_id, Q(contact=contact))


def record_agent_change(*, widget_id: int, agent_id: int) -> None:
    """Raises the version of each open chat of an operator, and tells of it: the visitor sees their name."""
    _record_changes(widget_id, Q(agent_id=agent_id, status__in=OPEN))


def release_department(*, widget_id: int, department_id: int) -> None:
    """Each open chat of a department belongs to none. The closed ones, of which it may have any number, no socket
    counts by department."""
    _record_changes(widget_id, Q(department_id=department_id, status__in=OPEN), department_id=None)


def _record_changes(widget_id: int, which: Q, **fields: Any) -> None:
    chats = Chat.objects.for_widget(widget_id)
    # In one order: two changes that share chats wait for each other, and none of them fails.
    locked = chats.filter(which).select_for_update(no_key=True).order_by("pk")
    before = {row["pk"]: row for row in locked.values("pk", *fields)}
    if before:
        chats.filter(pk__in=before).update(version=F("version") + 1, **fields)
        changed = {chat_id: ChatUpdated.followed(row, fields) for chat_id, row in before.items()}
        bus.publish(*(ChatUpdated(widget_id=widget_id, chat_id=each, changed=changed[each]) for each in changed))


def raise_version(chat_id: int) -> None:
    """For a change of the chat's messages, of which the caller tells."""
    Chat.objects.unscoped("read with their widget before").filter(pk=chat_id).update(version=F("version") + 1)


def record_mark(*, widget_id: int, chat_id: int) -> None:
    """Records a change of another app's marks on a chat (the hook `chat_marks`): operators' lists read the row
    again.
    """
    raise_version(chat_id)
    bus.publish(ChatUpdated(widget_id=widget_id, chat_id=chat_id))
