"""Storing a message: a statement that reads the chat, a decision, a statement that writes.

Nothing is locked while the rules decide. The writing statement locks the chat and does nothing when its `version` is no
longer the one that was read; then all is done over under the chat's lock (docs/adr/0009).

A message's id is taken when its chat is read. Every writer raises the version, so within a chat the order of ids is the
order of commits, and a reader that goes on after an id misses no message.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cache
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from apps.chats.actions.changes import VERSION_RAISED
from apps.chats.actions.files import mark_sent
from apps.chats.events import ChatUpdated
from apps.chats.rules import ATTRIBUTION_COLUMNS, Attribution, SenderKind, Status, Via
from apps.chats.rules.delivery import queued
from apps.chats.rules.translations import ChatTranslation
from apps.chats.serializers.chats import MessageSerializer
from apps.core import bus, plugins
from apps.core.bus import DomainEvent, Write
from apps.core.database import Parameters, Row, fetch_one
from apps.core.endpoints.idempotency import IS_TAKEN_SQL, IdempotencyLock, claim_for_each
from apps.core.endpoints.row_serializers import select_list
from apps.core.errors import NOT_FOUND


class ReadChat(NamedTuple):
    """The chat as the rules need it, its version then, and the id for a message that is written into it.

    `last_message_id` is of the newest word of either side, 0 before any; `answerers` are those of `accounts.rules`;
    `read_for` has by app what its handlers need of the chat (the hook `read_with_chat`).
    """

    id: int
    widget_id: int
    widget_guid: str
    contact_guid: str
    channel: str
    status: Status
    attribution: Attribution
    version: int
    next_message_id: int
    last_message_id: int
    answerers: tuple[str, ...]
    translation: ChatTranslation
    read_for: Mapping[str, Any]

    @property
    def translated_to(self) -> tuple[str, ...]:
        """The languages to which what the visitor's side reads is translated for operators."""
        return self.translation.to if self.translation.on else ()


class MessageSender(NamedTuple):
    """The operator who writes; None fields when the chat has no agent and none was named."""

    agent_id: int | None
    type: str | None
    status: str | None
    name: str


class ChatRead(NamedTuple):
    """A chat with who is to write and the file to be sent, perhaps a visitor's upload that no message carries yet."""

    chat: ReadChat
    sender: MessageSender
    file: dict[str, Any] | None
    is_unsent: bool


class PostingDecision(NamedTuple):
    """The message as it is to be stored, what becomes of its chat, and the events."""

    content: Mapping[str, Any]
    status: Status
    attribution: Attribution
    sender_kind: SenderKind
    agent_id: int | None
    sender_name: str
    events: list[DomainEvent]
    client_id: UUID | None = None
    via: Via | None = None


_LOCK = "SELECT FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s FOR UPDATE"
_READ = f"""
WITH chat AS MATERIALIZED (
    SELECT id, widget_id, contact_id, version, channel, status, last_message_id, translation,
           {", ".join(ATTRIBUTION_COLUMNS)}
    FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s
)
SELECT {IS_TAKEN_SQL}, nextval('chats_message_id_seq'),
       chat.id, chat.widget_id, chat.version, widget.guid, contact.guid, chat.channel, chat.status,
       coalesce(chat.last_message_id, 0), widget.answerers, chat.translation::text,
       {", ".join(f"chat.{name}" for name in ATTRIBUTION_COLUMNS)},
       sender.id, sender.type, sender.status, concat_ws(' ', sender.name, nullif(sender.surname, '')),
       file.id, file.name, file.size, file.content_type, file.contact_id IS NOT NULL AND NOT file.is_sent{{read_for}}
FROM chat
JOIN accounts_widget widget ON widget.id = chat.widget_id
JOIN chats_contact contact ON contact.id = chat.contact_id
LEFT JOIN agents_agent sender
       ON sender.id = coalesce(%(agent_id)s, chat.agent_id) AND sender.widget_id = chat.widget_id
LEFT JOIN chats_file file ON file.id = %(file_id)s AND file.widget_id = chat.widget_id
     AND file.purpose = 'attachment' AND (file.contact_id = chat.contact_id OR NOT %(by_client)s)"""  # noqa: S608 - of constants
_NO_CLAIM: Parameters = {"key": None}


@cache
def _read_with_chat() -> dict[str, str]:
    """By app, the query whose value its handlers need."""
    hooks = plugins.declared("hooks", plugins.Hooks)
    return {app: one.read_with_chat for app, declared in hooks.items() for one in declared if one.read_with_chat}


@cache
def _read_statement() -> str:
    """With a column for each app that has something read with the chat, last."""
    return _READ.format(read_for="".join(f",\n({query})::text" for query in _read_with_chat().values()))


def post(
    decide: Callable[[ChatRead], PostingDecision],
    *,
    widget_id: int,
    chat_id: int,
    agent_id: int | None = None,
    file_id: int | None = None,
    by_client: bool = False,
    claim: IdempotencyLock | None = None,
) -> Row | None:
    """Reads a chat of the widget, with an agent (its owner when none is named) and a file; decides; writes.

    `decide` may run twice: again under the chat's lock, if the chat has changed since it was read. Returns the message
    in the columns of `MessageSerializer`; None when the claim is taken, or the chat has the `client_id` already.

    Raises what `decide` does, NOT_FOUND for the chat, and IDEMPOTENCY_KEY_REUSED.
    """
    parameters: Parameters = {"chat_id": chat_id, "widget_id": widget_id, "agent_id": agent_id}
    parameters |= {"file_id": file_id, "by_client": by_client, **(claim.parameters if claim else _NO_CLAIM)}
    with claim.refusing_waits() if claim else nullcontext():
        read = _read(parameters, claim)
        row = _write_and_send(read, decide(read), claim)
        if row is None:
            with transaction.atomic():
                # By a statement of its own: one that waits for a lock sees all other rows as they were before it.
                fetch_one(_LOCK, parameters)
                read = _read(parameters, claim)
                row = _write_and_send(read, decide(read), claim)
    return row


def _write_and_send(read: ChatRead, decision: PostingDecision, claim: IdempotencyLock | None) -> Row | None:
    """`_write`; of what a visitor has uploaded, the first message also says that it is sent."""
    if read.file is None or not read.is_unsent:
        return _write(read.chat, decision, claim)
    with transaction.atomic():
        row = _write(read.chat, decision, claim)
        if row is not None:
            mark_sent(widget_id=read.chat.widget_id, file_id=read.file["id"])
    return row


def _read(parameters: Parameters, claim: IdempotencyLock | None) -> ChatRead:
    row = fetch_one(_read_statement(), parameters)
    if row is None:
        raise NOT_FOUND()
    columns = iter(row)  # in the order of the statement
    is_taken, next_message_id, id_, widget_id, version, widget_guid, contact_guid, channel = islice(columns, 8)
    status, last_message_id, answerers, translation = islice(columns, 4)
    if is_taken and claim is not None:
        raise claim.refusal()
    attribution = Attribution.from_columns(tuple(islice(columns, len(ATTRIBUTION_COLUMNS))))
    sender = MessageSender(*islice(columns, len(MessageSender._fields)))
    *about_file, is_unsent = islice(columns, 5)
    read_for = {app: orjson.loads(found) for app, found in zip(_read_with_chat(), columns, strict=True) if found}
    file = dict(zip(("id", "name", "size", "content_type"), about_file, strict=True))
    chat = ReadChat(
        id=id_,
        widget_id=widget_id,
        widget_guid=widget_guid,
        contact_guid=contact_guid,
        channel=channel,
        status=Status(status),
        attribution=attribution,
        version=version,
        next_message_id=next_message_id,
        last_message_id=last_message_id,
        answerers=tuple(answerers),
        translation=ChatTranslation.of(orjson.loads(translation) if translation else None),
        read_for=read_for,
    )
    return ChatRead(chat, sender, file if file["id"] else None, is_unsent=bool(is_unsent))


_WRITE = """
chat AS MATERIALIZED (
    SELECT id, widget_id FROM chats_chat WHERE id = %(chat_id)s AND version = %(version)s FOR UPDATE
    /* unscoped: read before */
), {claim}
written AS (
    INSERT INTO chats_message (id, chat_id, widget_id, type, body, markdown, details, origin, via, sender_kind,
        agent_id, sender_name, client_id, delivery, created_at)
    SELECT %(message_id)s, chat.id, chat.widget_id, %(type)s, %(body)s, %(markdown)s, %(details)s::jsonb, %(origin)s,
        %(via)s, %(sender_kind)s, %(sender_id)s, %(sender_name)s, %(client_id)s::uuid, %(delivery)s::jsonb,
        clock_timestamp()
    FROM {claimant}
    ON CONFLICT (chat_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
    RETURNING id, chat_id, widget_id, type, body, markdown, details, origin, sender_kind, agent_id, sender_name,
        created_at, seen_at
), moved AS (
    UPDATE chats_chat c SET {moves} last_message_id = written.id, last_message_at = written.created_at,
    has_client_messages = c.has_client_messages OR written.sender_kind = 'client',
    waiting_since = CASE WHEN written.sender_kind = 'client' THEN coalesce(c.waiting_since, written.created_at) END,
    {version_raised}
    FROM written WHERE c.id = written.chat_id
)"""
_MOVES = "".join(f"{name} = %({name})s, " for name in ("status", *ATTRIBUTION_COLUMNS)) + "left_unanswered_at = NULL, "


def _statement(*, claims: bool, moves: bool) -> Write:
    claim = f"claim AS ({claim_for_each('chat')}\n)," if claims else ""
    claimant = "chat CROSS JOIN claim" if claims else "chat"
    return Write(
        _WRITE.format(claim=claim, claimant=claimant, moves=_MOVES if moves else "", version_raised=VERSION_RAISED),
        columns=select_list(MessageSerializer, "written"),
    )


_STATEMENTS = {
    (claims, moves): _statement(claims=claims, moves=moves) for claims in (True, False) for moves in (True, False)
}


def _delivery(channel: str, sender_kind: SenderKind) -> Jsonb | None:
    """The message's delivery state, if its channel is delivered by an app."""
    if channel == "widget" or sender_kind in (SenderKind.CLIENT, SenderKind.SYSTEM):
        return None
    if not any(delivers(channel) for delivers in plugins.hooked(lambda app: app.delivers)):
        return None
    return Jsonb(queued(timezone.now()))


def _write(chat: ReadChat, decision: PostingDecision, claim: IdempotencyLock | None) -> Row | None:
    """Takes the claim, stores the message and updates its chat, with what handlers add: one statement, all or nothing.

    None, and nothing is done, when the chat's version is another by now, the claim is taken, or the chat has the
    `client_id` already.
    """
    content, attribution = decision.content, decision.attribution
    details = content.get("details")
    parameters: Parameters = {
        "chat_id": chat.id,
        "version": chat.version,
        "message_id": chat.next_message_id,
        "type": content["type"],
        "body": content.get("body", ""),
        "markdown": content.get("markdown"),
        "details": Jsonb(details) if details else None,
        "origin": content.get("origin"),
        "via": decision.via,
        "sender_kind": decision.sender_kind,
        "sender_id": decision.agent_id,
        "sender_name": decision.sender_name,
        "client_id": decision.client_id,
        "delivery": _delivery(chat.channel, decision.sender_kind),
    }
    if claim:
        claim.made_id = chat.next_message_id
        parameters |= claim.parameters
    events = decision.events
    moves = decision.status is not chat.status or attribution != chat.attribution
    if moves:
        parameters |= {"status": decision.status, **attribution.columns()}
        events = [*events, ChatUpdated(widget_id=chat.widget_id, chat_id=chat.id)]
    return bus.write_and_publish(_STATEMENTS[claim is not None, moves], parameters, *events)
