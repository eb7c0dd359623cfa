"""Posting a message: the statement that locks the chat, the rules, the statement that writes; then what follows.

Every message's id is given under its chat's lock, so that within a chat the order of ids is the order of commits, and a
reader that goes on after an id misses none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from apps.chats import rules
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import AuthorType, ChatAccepted, ChatCreated, ChatUpdated, MessagePosted
from apps.chats.models import Contact
from apps.chats.querysets import message_with_client_id
from apps.chats.rules import Attribution, Handling, MessageType, Mover, Operator, OperatorType, SenderKind, Status
from apps.chats.rules.attribution import Fact, after, is_acceptance
from apps.chats.shapes import show_message
from apps.core import bus, nudges
from apps.core.bus import DomainEvent
from apps.core.database import Parameters, Row, fetch_one
from apps.core.errors import IDEMPOTENCY_KEY_REUSED, INVALID_INPUT, NOT_FOUND
from apps.core.idempotency import CLAIM_SQL, Claim


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A stored message in its wire shape; `is_new` is False when the same `client_id` had stored it before."""

    message: dict[str, Any]
    is_new: bool

    @property
    def id(self) -> int:
        return int(self.message["id"])

    @property
    def chat_id(self) -> int:
        return int(self.message["chat_id"])


@dataclass(frozen=True, slots=True)
class _LockedChat:
    """What the rules need to know of the chat, read under its lock."""

    id: int
    widget_id: int
    widget_guid: str
    contact_guid: str
    channel: str
    status: Status
    attribution: Attribution


@dataclass(frozen=True, slots=True)
class _Sender:
    """The operator who writes; None fields when the chat has no agent and none was named."""

    agent_id: int | None
    type: str | None
    status: str | None
    name: str


_LOCK = """
SELECT {claimed}, c.id, c.widget_id, widget.guid, contact.guid, c.channel, c.status, c.agent_id, c.handling,
       c.accepted_agent_id, c.accepted_type, c.accepted_at, c.handled_agent_id, c.handled_type, c.handled_at,
       sender.id, sender.type, sender.status, concat_ws(' ', sender.name, nullif(sender.surname, '')),
       file.id, file.name, file.size, file.content_type
FROM chats_chat c
JOIN accounts_widget widget ON widget.id = c.widget_id
JOIN chats_contact contact ON contact.id = c.contact_id
LEFT JOIN agents_agent sender ON sender.id = coalesce(%(agent_id)s, c.agent_id) AND sender.widget_id = c.widget_id
LEFT JOIN chats_file file ON file.id = %(file_id)s AND file.widget_id = c.widget_id
     AND (file.contact_id = c.contact_id OR NOT %(by_client)s)
WHERE c.id = %(chat_id)s AND c.widget_id = %(widget_id)s
FOR UPDATE OF c"""
_CLAIM_AND_LOCK = f"WITH claim AS ({CLAIM_SQL})" + _LOCK.format(claimed="EXISTS (SELECT FROM claim)")
_ONLY_LOCK = _LOCK.format(claimed="true")


@transaction.atomic
def post_agent_message(
    *,
    widget_id: int,
    chat_id: int,
    content: Mapping[str, Any],
    agent_id: int | None = None,
    claim: Claim | None = None,
) -> PostedMessage:
    """Posts a message of a human agent into a chat of the widget.

    `content` has `type` and what belongs to it: `body`, `markdown`, `origin`, `file_id`, `details` (coords, sticker or
    keyboard, as it is to be read). Without `agent_id` the chat's owner writes. An expired chat becomes active. The
    first person to reply accepts the chat and becomes its owner. With a `claim`, the idempotency key is taken in the
    same statement that locks the chat.

    Raises NOT_FOUND (404) for a chat, agent or file that is not the widget's; INVALID_INPUT (422) on `agent_id` when
    nobody is named and the chat has no owner, or who is named is no human agent or is banned, and on `file` when it
    cannot be sent as that type; CHAT_IS_SPAM (409); IDEMPOTENCY_KEY_REUSED (409).
    """
    chat, sender, file = _lock(widget_id, chat_id, agent_id=agent_id, file_id=content.get("file_id"), claim=claim)
    content = _with_file(content, file, member="file")
    writer_id = _human_agent(sender, named=agent_id is not None)
    try:
        status = rules.next_status(chat.status, Mover.AGENT_WRITES)
    except rules.Refused:
        raise CHAT_IS_SPAM() from None
    attribution = after(chat.attribution, Fact.HUMAN_REPLIED, agent_id=writer_id, now=timezone.now())
    row = _write(
        chat,
        content,
        status=status,
        attribution=attribution,
        sender_kind=SenderKind.AGENT,
        agent_id=writer_id,
        sender_name=sender.name,
    )
    assert row is not None  # noqa: S101 - without a client_id nothing can be a repetition
    events: list[DomainEvent] = [_posted(chat, message_id=row[0], author_type="OPERATOR")]
    if is_acceptance(chat.attribution, attribution):
        events.append(
            ChatAccepted(
                widget_id=chat.widget_id,
                widget_guid=chat.widget_guid,
                chat_id=chat.id,
                contact_guid=chat.contact_guid,
                agent_id=writer_id,
                operator_type="human",
            )
        )
    _publish(chat, events, message_id=row[0], moved=status is not chat.status or attribution != chat.attribution)
    return PostedMessage(show_message(row), is_new=True)


@transaction.atomic
def post_client_message(
    *,
    contact: Contact,
    content: Mapping[str, Any],
    channel: str = "widget",
    client_id: UUID | None = None,
    department_id: int | None = None,
) -> PostedMessage:
    """Posts a message of a visitor; the first one on a channel makes the chat.

    The same `client_id` again gives the message that it stored. An expired chat becomes active; a spam chat takes the
    message and stays spam. A file must be the visitor's own.

    Raises NOT_FOUND (404) for any other file; INVALID_INPUT (422) on `file_id` when it cannot be sent as that type.
    """
    chat_id, is_first = _chat_of(contact, channel, department_id)
    chat, _, file = _lock(contact.widget_id, chat_id, file_id=content.get("file_id"), by_client=True)
    content = _with_file(content, file, member="file_id")
    status = rules.next_status(chat.status, Mover.CLIENT_WRITES)
    row = _write(
        chat,
        content,
        status=status,
        attribution=chat.attribution,
        sender_kind=SenderKind.CLIENT,
        agent_id=None,
        sender_name=contact.name,
        client_id=client_id,
    )
    if row is None:
        return PostedMessage(show_message(message_with_client_id(chat.id, client_id)), is_new=False)
    events: list[DomainEvent] = [_posted(chat, message_id=row[0], author_type="USER")]
    if is_first:
        events.insert(
            0,
            ChatCreated(
                widget_id=chat.widget_id,
                widget_guid=chat.widget_guid,
                chat_id=chat.id,
                contact_guid=chat.contact_guid,
                channel=chat.channel,
            ),
        )
    _publish(chat, events, message_id=row[0], moved=status is not chat.status)
    return PostedMessage(show_message(row), is_new=True)


def _lock(
    widget_id: int,
    chat_id: int,
    *,
    agent_id: int | None = None,
    file_id: int | None = None,
    by_client: bool = False,
    claim: Claim | None = None,
) -> tuple[_LockedChat, _Sender, dict[str, Any] | None]:
    """Locks a chat of the widget and reads it with who is to write and the file to be sent.

    Raises NOT_FOUND, IDEMPOTENCY_KEY_REUSED.
    """
    parameters: Parameters = {"chat_id": chat_id, "widget_id": widget_id, "agent_id": agent_id}
    parameters |= {"file_id": file_id, "by_client": by_client}
    if claim is None:
        row = fetch_one(_ONLY_LOCK, parameters)
    else:
        with claim.refusing_waits():
            row = fetch_one(_CLAIM_AND_LOCK, {**parameters, **claim.parameters})
    if row is None:
        raise NOT_FOUND()
    if not row[0]:
        raise IDEMPOTENCY_KEY_REUSED()
    id_, _, guid, contact_guid, channel, status = row[1:7]
    chat = _LockedChat(id_, widget_id, guid, contact_guid, channel, Status(status), _attribution(row[7:15]))
    file = dict(zip(("id", "name", "size", "content_type"), row[19:], strict=True))
    return chat, _Sender(*row[15:19]), file if file["id"] else None


def _with_file(content: Mapping[str, Any], file: dict[str, Any] | None, *, member: str) -> Mapping[str, Any]:
    """The content with what is kept of its file; `member` names the file in a refusal. Raises NOT_FOUND, INVALID_INPUT.

    What is known of a file never changes, so the message keeps it, and lists need not look for it.
    """
    if content.get("file_id") is None:
        return content
    if file is None:
        raise NOT_FOUND("There is no such file.")
    if refusal := rules.file_refusal(MessageType(content["type"]), file["content_type"]):
        raise INVALID_INPUT(errors={member: [refusal]})
    return {**content, "details": {"file": file}}


def _attribution(columns: Row) -> Attribution:
    owner_id, handling, accepted_id, accepted_type, accepted_at, handled_id, handled_type, handled_at = columns
    return Attribution(
        handling=Handling(handling),
        accepted_by=Operator(accepted_id, OperatorType(accepted_type), accepted_at) if accepted_type else None,
        handled_by=Operator(handled_id, OperatorType(handled_type), handled_at) if handled_type else None,
        owner_id=owner_id,
    )


def _human_agent(sender: _Sender, *, named: bool) -> int:
    if sender.agent_id is None:
        if named:
            raise NOT_FOUND("There is no such agent.")
        raise _agent_refusal("The chat has no assigned agent: name the human agent who sends this.")
    if sender.type != "human":
        raise _agent_refusal("The agent must be a human agent.")
    if sender.status == "banned":
        raise _agent_refusal("The agent is banned.")
    return sender.agent_id


def _agent_refusal(message: str) -> Exception:
    return INVALID_INPUT(errors={"agent_id": [message]})


_WRITE = """
WITH posted AS (
    INSERT INTO chats_message (chat_id, widget_id, type, body, markdown, details, origin, sender_kind, agent_id,
                               sender_name, client_id)
    VALUES (%(chat_id)s, %(widget_id)s, %(type)s, %(body)s, %(markdown)s, %(details)s, %(origin)s, %(sender_kind)s,
            %(agent_id)s, %(sender_name)s, %(client_id)s)
    ON CONFLICT (chat_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
    RETURNING id, chat_id, type, body, markdown, details, origin, sender_kind, agent_id, sender_name, created_at,
              seen_at
), moved AS (
    UPDATE chats_chat c SET
        status = %(status)s, agent_id = %(owner_id)s, handling = %(handling)s,
        accepted_agent_id = %(accepted_agent_id)s, accepted_type = %(accepted_type)s, accepted_at = %(accepted_at)s,
        handled_agent_id = %(handled_agent_id)s, handled_type = %(handled_type)s, handled_at = %(handled_at)s,
        has_client_messages = c.has_client_messages OR %(sender_kind)s::text = 'client',
        last_message_id = posted.id, last_message_at = posted.created_at, version = c.version + 1
    FROM posted WHERE c.id = posted.chat_id
)
SELECT * FROM posted"""


def _write(
    chat: _LockedChat,
    content: Mapping[str, Any],
    *,
    status: Status,
    attribution: Attribution,
    sender_kind: SenderKind,
    agent_id: int | None,
    sender_name: str,
    client_id: UUID | None = None,
) -> Row | None:
    """Stores the message and moves its chat, in one statement. None when the `client_id` is in the chat already."""
    details = content.get("details")
    parameters = {
        "chat_id": chat.id,
        "widget_id": chat.widget_id,
        "type": content["type"],
        "body": content.get("body", ""),
        "markdown": content.get("markdown"),
        "details": Jsonb(details) if details else None,
        "origin": content.get("origin"),
        "sender_kind": sender_kind,
        "agent_id": agent_id,
        "sender_name": sender_name,
        "client_id": client_id,
        "status": status,
        "owner_id": attribution.owner_id,
        "handling": attribution.handling,
        **_columns("accepted", attribution.accepted_by),
        **_columns("handled", attribution.handled_by),
    }
    return fetch_one(_WRITE, parameters)


def _columns(prefix: str, operator: Operator | None) -> dict[str, Any]:
    return {
        f"{prefix}_agent_id": operator and operator.agent_id,
        f"{prefix}_type": operator and operator.type,
        f"{prefix}_at": operator and operator.at,
    }


def _chat_of(contact: Contact, channel: str, department_id: int | None) -> tuple[int, bool]:
    """The contact's chat on a channel, and whether it was made just now. Two first messages at once make one chat."""
    parameters = {
        "widget_id": contact.widget_id,
        "contact_id": contact.pk,
        "channel": channel,
        "department_id": department_id,
    }
    if found := fetch_one(_FIND_CHAT, parameters):
        return found[0], False
    if made := fetch_one(_MAKE_CHAT, parameters):
        return made[0], True
    found = fetch_one(_FIND_CHAT, parameters)
    assert found is not None  # noqa: S101 - it was in the way of ours just now
    return found[0], False


_FIND_CHAT = "SELECT id FROM chats_chat WHERE contact_id = %(contact_id)s AND channel = %(channel)s"
_MAKE_CHAT = """
INSERT INTO chats_chat (widget_id, contact_id, channel, department_id)
VALUES (%(widget_id)s, %(contact_id)s, %(channel)s, %(department_id)s)
ON CONFLICT (contact_id, channel) DO NOTHING RETURNING id"""


def _posted(chat: _LockedChat, *, message_id: int, author_type: AuthorType) -> MessagePosted:
    return MessagePosted(
        widget_id=chat.widget_id,
        widget_guid=chat.widget_guid,
        chat_id=chat.id,
        message_id=message_id,
        contact_guid=chat.contact_guid,
        channel=chat.channel,
        author_type=author_type,
        is_internal=False,
    )


def _publish(chat: _LockedChat, events: list[DomainEvent], *, message_id: int, moved: bool) -> None:
    """Publishes what happened together, so that whoever writes rows about it writes them in one statement."""
    nudges.after_commit("chat", {"chat_id": chat.id, "kind": "message.created", "message_id": message_id})
    if moved:
        events.append(ChatUpdated(widget_id=chat.widget_id, chat_id=chat.id))
        nudges.after_commit("chat", {"chat_id": chat.id, "kind": "chat.updated"})
    bus.publish(*events)
