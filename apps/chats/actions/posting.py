"""Storing a message: a statement that reads the chat, a decision, a statement that writes.

Nothing is locked while the rules decide. The writing statement locks the chat and does nothing when its `version` is no
longer the one that was read; then all is done over under the chat's lock (docs/adr/0009).

Posts that wait are read by one statement, and written by one (`together.py`); inside a transaction each goes alone.

A message's id is taken when its chat is read. Every writer raises the version, so within a chat the order of ids is the
order of commits, and a reader that goes on after an id misses no message.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db import transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from apps.chats.actions.files import mark_sent
from apps.chats.actions.posting_statements import (
    BACK,
    FOR_PEOPLE,
    LOCK,
    OF_TIMED,
    PERSONS,
    PROGRAMS,
    PostForm,
    read_of_one,
    read_of_several,
    read_with_chat_by_app,
    write_of_one,
    write_of_several,
)
from apps.chats.actions.together import Gatherer, PostPart
from apps.chats.events import ChatUpdated
from apps.chats.questions import ChatHooks
from apps.chats.rules import ATTRIBUTION_COLUMNS, Attribution, SenderKind, Status, Via
from apps.chats.rules.delivery import queued
from apps.chats.rules.translations import ChatTranslation
from apps.chats.serializers.chats import MessageSerializer
from apps.core import bus, plugins
from apps.core.bus import DomainEvent, Write
from apps.core.database import Parameters, Row, fetch_all, fetch_one
from apps.core.endpoints.idempotency import IdempotencyLock
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
    is_snoozed: bool
    read_for: Mapping[str, Any]

    @property
    def translated_to(self) -> tuple[str, ...]:
        """The languages to which what the visitor's side reads is translated for operators."""
        return self.translation.to if self.translation.on else ()


class MessageSender(NamedTuple):
    """The operator who writes; None fields when the chat has no agent and none was named.

    A visitor's message is read with the chat's owner; `is_here`: at work, with the console open.
    """

    agent_id: int | None
    type: str | None
    status: str | None
    name: str
    is_here: bool | None


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
    is_for_people: bool = False


_NO_CLAIM: Parameters = {"key": None}


def _together(statement: str, parts: Sequence[PostPart]) -> dict[int, Row]:
    """The rows of a statement of several, by the chat that ends each."""
    posts = orjson.dumps([part.parameters for part in parts]).decode()
    return {row[-1]: row[:-1] for row in fetch_all(statement, {"posts": posts})}


def _as_json(parameters: Parameters) -> Parameters:
    return {name: value.obj if isinstance(value, Jsonb) else value for name, value in parameters.items()}


_reads = Gatherer(lambda parts: _together(read_of_several(), parts))


def post(
    decide: Callable[[ChatRead], PostingDecision],
    *,
    widget_id: int,
    chat_id: int,
    agent_id: int | None = None,
    file_id: int | None = None,
    by_client: bool = False,
    lock: IdempotencyLock | None = None,
) -> Row | None:
    """Reads a chat of the widget, with an agent (its owner when none is named) and a file; decides; writes.

    `decide` may run twice: again under the chat's lock, if the chat has changed since it was read. Returns the message
    in the columns of `MessageSerializer`; None when the claim is taken, or the chat has the `client_id` already.

    Raises what `decide` does, NOT_FOUND for the chat, and IDEMPOTENCY_KEY_REUSED.
    """
    parameters: Parameters = {"chat_id": chat_id, "widget_id": widget_id, "agent_id": agent_id}
    parameters |= {"file_id": file_id, "by_client": by_client, **(lock.parameters if lock else _NO_CLAIM)}
    with lock.refusing_waits() if lock else nullcontext():
        read = _read(parameters, lock)
        row = _write_and_send(read, decide(read), lock)
        if row is None:
            with transaction.atomic():
                # By a statement of its own: one that waits for a lock sees all other rows as they were before it.
                fetch_one(LOCK, parameters)
                read = _read(parameters, lock)
                row = _write_and_send(read, decide(read), lock)
    return row


def _write_and_send(read: ChatRead, decision: PostingDecision, lock: IdempotencyLock | None) -> Row | None:
    """`_write`; of what a visitor has uploaded, the first message also says that it is sent."""
    if read.file is None or not read.is_unsent:
        return _write(read, decision, lock)
    with transaction.atomic():
        row = _write(read, decision, lock)
        if row is not None:
            mark_sent(widget_id=read.chat.widget_id, file_id=read.file["id"])
    return row


def _read(parameters: Parameters, lock: IdempotencyLock | None) -> ChatRead:
    row = _fetch_read(parameters)
    if row is None:
        raise NOT_FOUND()
    columns = iter(row)  # in the order of the statement
    is_taken, next_message_id, id_, widget_id, version, widget_guid, contact_guid, channel = islice(columns, 8)
    status, last_message_id, answerers, translation, is_snoozed = islice(columns, 5)
    if is_taken and lock is not None:
        raise lock.refusal()
    attribution = Attribution.from_columns(tuple(islice(columns, len(ATTRIBUTION_COLUMNS))))
    sender = MessageSender(*islice(columns, len(MessageSender._fields)))
    *about_file, is_unsent = islice(columns, 5)
    read_for = {app: orjson.loads(found) for app, found in zip(read_with_chat_by_app(), columns, strict=True) if found}
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
        is_snoozed=is_snoozed,
        read_for=read_for,
    )
    return ChatRead(chat, sender, file if file["id"] else None, is_unsent=bool(is_unsent))


def _fetch_read(parameters: Parameters) -> Row | None:
    def alone() -> Row | None:
        return fetch_one(read_of_one(), parameters)

    if transaction.get_connection().in_atomic_block:
        return alone()
    return _reads.run(PostPart(parameters["chat_id"], (), _as_json(parameters), alone))


@cache
def _statement(form: PostForm) -> Write:
    return Write(write_of_one(form), columns=select_list(MessageSerializer, "written"))


_writes = Gatherer(lambda parts: _together(write_of_several(*parts[0].form), parts))


def _run(form: PostForm, own: Collection[str], statement: str, parameters: Parameters) -> Row | None:
    """Writes a post, alone or with others; of its parameters these are its `own`, the others are the handlers'."""

    def alone() -> Row | None:
        return fetch_one(statement, parameters)

    if transaction.get_connection().in_atomic_block:
        return alone()
    given = _as_json({name: value for name, value in parameters.items() if name in own})
    given["added"] = {name: value for name, value in parameters.items() if name not in own}
    return _writes.run(PostPart(parameters["chat_id"], (form, statement), given, alone))


def _delivery(channel: str, sender_kind: SenderKind) -> Jsonb | None:
    """The message's delivery state, if its channel is delivered by an app."""
    if channel == "widget" or sender_kind is SenderKind.CLIENT:
        return None
    if not any(delivers(channel) for delivers in plugins.hooked(lambda app: app.delivers, ChatHooks)):
        return None
    return Jsonb(queued(timezone.now()))


def _write(read: ChatRead, decision: PostingDecision, lock: IdempotencyLock | None) -> Row | None:
    """Takes the claim, stores the message and updates its chat, with what handlers add: one statement, all or nothing.

    None, and nothing is done, when the chat's version is another by now, the claim is taken, or the chat has the
    `client_id` already.
    """
    chat, content, attribution = read.chat, decision.content, decision.attribution
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
        "name": decision.sender_name,
        "client_id": decision.client_id,
        "delivery": _delivery(chat.channel, decision.sender_kind),
        **{name: content.get(name) for name in ("language", "page", "assistant_id")},
    }
    if lock:
        lock.made_id = chat.next_message_id
        parameters |= lock.parameters
    events = decision.events
    moves = decision.status is not chat.status or attribution != chat.attribution
    if moves:
        parameters |= {"status": decision.status, **attribution.columns()}
        before = {"status": chat.status, **chat.attribution.columns()}
        changed = ChatUpdated.followed(before, {"status": decision.status, **attribution.columns()})
        events = [*events, ChatUpdated(widget_id=chat.widget_id, chat_id=chat.id, changed=changed)]
    if is_timed := _may_wait_for_absent(read, decision):
        parameters |= OF_TIMED
    form = PostForm(
        claims=lock is not None,
        moves=moves,
        is_spoken=decision.sender_kind is not SenderKind.SYSTEM,
        answerers=_answerers(chat, decision),
        is_timed=is_timed,
    )
    run = partial(_run, form, parameters.keys())
    return bus.write_and_publish(_statement(form), parameters, *events, run=run)


def _answerers(chat: ReadChat, decision: PostingDecision) -> str:
    """The columns of who is to answer: a visitor's message may be for people, and brings a snoozed chat back; a
    person's answers all before it.
    """
    if decision.sender_kind is SenderKind.CLIENT:
        return (FOR_PEOPLE if decision.is_for_people else "") + (BACK if chat.is_snoozed else "")
    if decision.sender_kind is not SenderKind.AGENT:
        return ""
    return PROGRAMS if decision.via is Via.LEGACY_BOT else PERSONS


def _may_wait_for_absent(read: ChatRead, decision: PostingDecision) -> bool:
    """Whether a visitor writes to an owner who is away. One who goes meanwhile raises the version of chats that
    may wait (`follow_owners`), but not of a closed chat: its owner may be away by now.
    """
    if decision.sender_kind is not SenderKind.CLIENT or read.sender.agent_id is None:
        return False
    return not read.sender.is_here or read.chat.status is Status.EXPIRED
