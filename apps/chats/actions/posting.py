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
from apps.chats.actions.snoozes import AT_HAND
from apps.chats.events import ChatUpdated
from apps.chats.querysets.snoozes import IS_SNOOZED_SQL
from apps.chats.questions import ChatHooks
from apps.chats.rules import ATTRIBUTION_COLUMNS, Attribution, SenderKind, Status, Via
from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES
from apps.chats.rules.delivery import queued
from apps.chats.rules.timers import TimerKind
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


_LOCK = "SELECT FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s FOR UPDATE"
_READ = f"""
WITH chat AS MATERIALIZED (
    SELECT id, widget_id, contact_id, version, channel, status, last_message_id, translation, snoozed_at,
           {", ".join(ATTRIBUTION_COLUMNS)}
    FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s
)
SELECT {IS_TAKEN_SQL}, nextval('chats_message_id_seq'),
       chat.id, chat.widget_id, chat.version, widget.guid, contact.guid, chat.channel, chat.status,
       coalesce(chat.last_message_id, 0), widget.answerers, chat.translation::text, chat.snoozed_at IS NOT NULL,
       {", ".join(f"chat.{name}" for name in ATTRIBUTION_COLUMNS)},
       sender.id, sender.type, sender.status, concat_ws(' ', sender.name, nullif(sender.surname, '')),
       sender.status = 'active' AND sender.online_since IS NOT NULL,
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
    hooks = plugins.declared("hooks", ChatHooks)
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
                fetch_one(_LOCK, parameters)
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
    row = fetch_one(_read_statement(), parameters)
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
        is_snoozed=is_snoozed,
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
    agent_id, sender_name, client_id, delivery, language, page, assistant_id, created_at)
    SELECT %(message_id)s, chat.id, chat.widget_id, %(type)s, %(body)s, %(markdown)s, %(details)s::jsonb, %(origin)s,
    %(via)s, %(sender_kind)s, %(sender_id)s, %(name)s, %(client_id)s::uuid, %(delivery)s::jsonb,
    %(language)s, %(page)s, %(assistant_id)s, clock_timestamp() FROM {claimant}
    ON CONFLICT (chat_id, client_id) WHERE client_id IS NOT NULL DO NOTHING
    RETURNING *
), moved AS (
    UPDATE chats_chat c SET {moves}{spoken}{answerers}{version_raised}
    FROM written WHERE c.id = written.chat_id
)"""
# A word of either side; the system's is beside the talk.
_SPOKEN = """
    last_message_id = written.id, last_message_at = written.created_at,
    has_client_messages = c.has_client_messages OR written.sender_kind = 'client',
    waiting_since = CASE WHEN written.sender_kind = 'client' THEN coalesce(c.waiting_since, written.created_at) END,
    """
# The owner is away while the visitor begins to wait: the end of the patience with them (actions/owners.py).
_TIMED = """, timed AS (
    INSERT INTO chats_timer (widget_id, chat_id, kind, anchor, due_at)
    SELECT c.widget_id, c.id, %(owner_away)s, written.id::text, patience.ends
    FROM written JOIN chats_chat c ON c.id = written.chat_id JOIN agents_agent owner ON owner.id = c.agent_id
    LEFT JOIN chats_desksettings settings ON settings.widget_id = c.widget_id
    CROSS JOIN LATERAL (
        SELECT coalesce(settings.away_minutes, %(away_minutes)s) AS minutes
    ) said CROSS JOIN LATERAL (
        SELECT make_interval(mins => said.minutes) + greatest(coalesce(owner.away_since, owner.created_at),
            least(c.waiting_since, c.handed_over_at, c.for_people_since, written.created_at)) AS ends
    ) patience
    WHERE said.minutes > 0 AND (c.owner_away_at IS NULL OR c.owner_away_at < patience.ends)
    ON CONFLICT (chat_id, kind, key) DO NOTHING
)"""
_OF_TIMED: Parameters = {"owner_away": TimerKind.OWNER_AWAY.value, "away_minutes": DEFAULT_AWAY_MINUTES}
# A person's word ends a snooze for good (querysets/snoozes.py), and the wait for people.
_PERSONS = "".join(f"{name} = NULL, " for name in ("for_people_since", *AT_HAND))
_FOR_PEOPLE = "for_people_since = coalesce(c.for_people_since, c.waiting_since, written.created_at), "
# A program's word under a person's name ends a return; the visitor's brings the chat back.
_PROGRAMS = "woken_at = NULL, "
_BACK = (
    f"woken_at = CASE WHEN {IS_SNOOZED_SQL} THEN written.created_at END, "
    "snoozed_at = NULL, snoozed_until = NULL, snoozed_by_id = NULL, snoozed_after_id = NULL, "
)
_MOVES = "".join(f"{name} = %({name})s, " for name in ("status", *ATTRIBUTION_COLUMNS)) + "left_unanswered_at = NULL, "


@cache
def _statement(*, claims: bool, moves: bool, is_spoken: bool, answerers: str, is_timed: bool) -> Write:
    claim = f"claim AS ({claim_for_each('chat')}\n)," if claims else ""
    claimant = "chat CROSS JOIN claim" if claims else "chat"
    return Write(
        _WRITE.format(
            claim=claim,
            claimant=claimant,
            moves=_MOVES if moves else "",
            spoken=_SPOKEN if is_spoken else "",
            version_raised=VERSION_RAISED,
            answerers=answerers,
        )
        + (_TIMED if is_timed else ""),
        columns=select_list(MessageSerializer, "written"),
    )


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
        parameters |= _OF_TIMED
    statement = _statement(
        claims=lock is not None,
        moves=moves,
        is_spoken=decision.sender_kind is not SenderKind.SYSTEM,
        answerers=_answerers(chat, decision),
        is_timed=is_timed,
    )
    return bus.write_and_publish(statement, parameters, *events)


def _answerers(chat: ReadChat, decision: PostingDecision) -> str:
    """The columns of who is to answer: a visitor's message may be for people, and brings a snoozed chat back; a
    person's answers all before it.
    """
    if decision.sender_kind is SenderKind.CLIENT:
        return (_FOR_PEOPLE if decision.is_for_people else "") + (_BACK if chat.is_snoozed else "")
    if decision.sender_kind is not SenderKind.AGENT:
        return ""
    return _PROGRAMS if decision.via is Via.LEGACY_BOT else _PERSONS


def _may_wait_for_absent(read: ChatRead, decision: PostingDecision) -> bool:
    """Whether a visitor writes to an owner who is away. One who goes meanwhile raises the version of chats that
    may wait (`follow_owners`), but not of a closed chat: its owner may be away by now.
    """
    if decision.sender_kind is not SenderKind.CLIENT or read.sender.agent_id is None:
        return False
    return not read.sender.is_here or read.chat.status is Status.EXPIRED
