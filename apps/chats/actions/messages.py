"""Posting messages: what the rules decide, and which events follow. How they are stored: `posting.py`."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules import machine_refusal, person_refusal
from apps.agents.rules.departments import department_channel
from apps.chats import rules
from apps.chats.actions.changes import accepted
from apps.chats.actions.openings import Opening, post_opening
from apps.chats.actions.posting import ChatRead, MessageSender, PostingDecision, ReadChat, post
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import AuthorType, ChatCreated, MessagePosted, PostedContent, SystemMessagePosted
from apps.chats.models import Contact
from apps.chats.querysets import has_client_id, message_with_client_id
from apps.chats.rules import Attribution, MessageType, SenderKind, Status, Transition, Via
from apps.chats.rules.attribution import MACHINE_SPEAKS, AttributionEvent, after
from apps.chats.rules.messages import BY_AUTOMATION, FOR_PEOPLE, SENDER_KINDS
from apps.chats.rules.translations import with_waiting
from apps.chats.serializers.chats import MessageSerializer
from apps.core.bus import DomainEvent
from apps.core.database import Row, fetch_one
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.errors import IDEMPOTENCY_KEY_REUSED, INVALID_INPUT, NOT_FOUND


class PostedMessage(NamedTuple):
    """A stored message in its wire shape; `is_new` is False when the same `client_id` had stored it before."""

    message: dict[str, Any]
    is_new: bool

    @property
    def id(self) -> int:
        return int(self.message["id"])

    @property
    def chat_id(self) -> int:
        return int(self.message["chat_id"])


class SaidMeanwhile(Exception):
    """Something was said in the chat after the message up to which its writer had read; nothing was posted.

    `last_message_id` is the newest of it: a message of either side, no note and none of the system's.
    """

    def __init__(self, last_message_id: int) -> None:
        super().__init__(f"message {last_message_id} was said meanwhile")
        self.last_message_id = last_message_id


def post_agent_message(
    *,
    widget_id: int,
    chat_id: int,
    content: Mapping[str, Any],
    agent_id: int | None = None,
    client_id: UUID | None = None,
    lock: IdempotencyLock | None = None,
    via: Via | None = None,
    read_up_to: int | None = None,
) -> PostedMessage:
    """Posts a message of a human agent into a chat of the widget.

    `content` has `type` and what belongs to it: `body`, `markdown`, `origin`, `file_id`, `details` (coords, sticker or
    keyboard, as it is to be read). Without `agent_id` the chat's owner writes. An expired chat becomes active. The
    first person to reply accepts the chat and becomes its owner; one that waited for a person waits no more, unless it
    was a program that wrote under the person's name (`via`). With a `claim`, the idempotency key is taken by the
    statement that writes; without one, the same `client_id` again gives the message that it stored.

    Raises NOT_FOUND (404) for a chat, agent or file that is not the widget's; INVALID_INPUT (422) on `agent_id` without
    one for a chat without an owner, and for an agent who is no human or is banned; on `file` when it cannot be sent as
    that type; CHAT_IS_SPAM (409); IDEMPOTENCY_KEY_REUSED (409); SaidMeanwhile when the chat has a newer message than
    `read_up_to`, if one is given.
    """

    def decide(read: ChatRead) -> PostingDecision:
        writer_id = _human_agent(read.sender, named=agent_id is not None)
        before = read.chat.attribution
        attribution = after(before, AttributionEvent.HUMAN_REPLIED, agent_id=writer_id, now=timezone.now())
        if via is Via.LEGACY_BOT:
            attribution = attribution._replace(handover=before.handover)
        return _answering(read, writer_id, content, attribution, client_id=client_id, via=via, read_up_to=read_up_to)

    return _post_as_operator(decide, widget_id, chat_id, content, agent_id, client_id, lock)


def post_machine_message(
    *,
    widget_id: int,
    chat_id: int,
    content: Mapping[str, Any],
    agent_id: int,
    fact: AttributionEvent,
    client_id: UUID,
    read_up_to: int | None = None,
    may_be_retired: bool = False,
) -> PostedMessage:
    """Posts a message of an AI or external (webhook) operator into a chat of the widget, under its own name.

    `fact` is what it says of the chat's attribution: AI_ANSWERED, EXTERNAL_ANSWERED or AI_TOOK_OVER (ValueError for any
    other). The rest is as with a person's message; `client_id` makes it repeatable.

    Raises NOT_FOUND (404) for a chat, agent or file that is not the widget's; INVALID_INPUT (422) on `agent_id` for a
    person, and for an operator that is retired, unless `may_be_retired` (what the service says in its name);
    CHAT_IS_SPAM (409); SaidMeanwhile, as `post_agent_message` does.
    """
    if fact not in MACHINE_SPEAKS:
        raise ValueError(f"{fact}: no machine says so by a message")

    def decide(read: ChatRead) -> PostingDecision:
        writer_id = _machine(read.sender, may_be_retired=may_be_retired)
        attribution = after(read.chat.attribution, fact, agent_id=writer_id, now=timezone.now())
        told = with_waiting(content, read.chat.translated_to)
        return _answering(read, writer_id, told, attribution, client_id=client_id, read_up_to=read_up_to)

    return _post_as_operator(decide, widget_id, chat_id, content, agent_id, client_id)


def post_shop_word(
    *,
    widget_id: int,
    chat_id: int,
    body: str,
    name: str,
    details: Mapping[str, Any] | None = None,
    client_id: UUID | None = None,
    origin: str = BY_AUTOMATION,
) -> PostedMessage:
    """Writes to the visitor as the shop, under the widget's `name`; the chat's channel carries it.

    It is nobody's answer: it ends no wait, accepts and reopens nothing, is not the chat's last message, and neither
    webhooks nor statistics have it. `details` are its writer's own, `origin` is one of SHOP_WORDS; the same `client_id`
    again gives the message that it stored.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409).
    """

    def decide(read: ChatRead) -> PostingDecision:
        chat = read.chat
        if chat.status is Status.SPAM:
            raise CHAT_IS_SPAM()
        content = {"type": MessageType.TEXT, "body": body, "origin": origin, "details": details}
        posted = SystemMessagePosted(
            widget_id=chat.widget_id,
            chat_id=chat.id,
            message_id=chat.next_message_id,
            channel=chat.channel,
            read_for=chat.read_for,
            said=_said(content, SenderKind.SYSTEM, None, name),
        )
        return PostingDecision(
            content, chat.status, chat.attribution, SenderKind.SYSTEM, None, name, [posted], client_id
        )

    return _post_as_operator(decide, widget_id, chat_id, {}, None, client_id)


def _answering(
    read: ChatRead,
    writer_id: int,
    content: Mapping[str, Any],
    attribution: Attribution,
    *,
    client_id: UUID | None,
    via: Via | None = None,
    read_up_to: int | None = None,
) -> PostingDecision:
    """The result of an operator-side message, for the message itself and for its chat."""
    chat, sender = read.chat, read.sender
    if read_up_to is not None and chat.last_message_id > read_up_to:
        raise SaidMeanwhile(chat.last_message_id)
    whole = with_file(content, read.file, member="file")
    try:
        status = rules.next_status(chat.status, Transition.AGENT_WRITES)
    except rules.MoveRefused:
        raise CHAT_IS_SPAM() from None
    kind = SENDER_KINDS[sender.type or ""]
    said = _said(whole, kind, writer_id, sender.name, via)
    events: list[DomainEvent] = [_posted(chat, "OPERATOR", said), *accepted(chat, chat.attribution, attribution)]
    return PostingDecision(whole, status, attribution, kind, writer_id, sender.name, events, client_id, via)


def _post_as_operator(
    decide: Callable[[ChatRead], PostingDecision],
    widget_id: int,
    chat_id: int,
    content: Mapping[str, Any],
    agent_id: int | None,
    client_id: UUID | None,
    lock: IdempotencyLock | None = None,
) -> PostedMessage:
    row = post(
        decide,
        widget_id=widget_id,
        chat_id=chat_id,
        agent_id=agent_id,
        file_id=content.get("file_id"),
        lock=lock,
    )
    if row is not None:
        return PostedMessage(_answer(row), is_new=True)
    if lock is not None:
        raise lock.refusal()
    if client_id is None:
        raise IDEMPOTENCY_KEY_REUSED()
    return PostedMessage(_answer(message_with_client_id(chat_id, client_id)), is_new=False)


def post_client_message(
    *,
    contact: Contact,
    content: Mapping[str, Any],
    channel: str = "widget",
    client_id: UUID | None = None,
    department_id: int | None = None,
    via: Via | None = None,
    sender_name: str | None = None,
    is_for_people: bool = False,
    opening: Opening | None = None,
) -> PostedMessage:
    """Posts a message of a visitor; the first one on a channel makes the chat. `sender_name` is of somebody else who
    wrote in the visitor's stead. A message that `is_for_people` is answered by no machine: it waits for a person.
    An `opening` is stored before it, in one transaction, unless the message was there already.

    The same `client_id` again gives the message that it stored. An expired chat becomes active; a spam chat takes the
    message and stays spam. A file must be the visitor's own.

    Raises NOT_FOUND (404) for any other file; INVALID_INPUT (422) on `file_id` when it cannot be sent as that type.
    """

    def decide(read: ChatRead) -> PostingDecision:
        chat = read.chat
        whole = with_waiting(with_file(content, read.file, member="file_id"), chat.translated_to)
        status = rules.next_status(chat.status, Transition.CLIENT_WRITES)
        name = contact.name if sender_name is None else sender_name
        said = _said(whole, SenderKind.CLIENT, None, name, via)
        events: list[DomainEvent] = [_posted(chat, "USER", said)]
        if is_first:
            events.insert(0, ChatCreated.of(chat))
        attribution = chat.attribution
        if chat.status is Status.EXPIRED and read.sender.status == Agent.Status.BANNED:
            attribution = attribution._replace(owner_id=None)  # it reopens, and its owner is not here any more
        waits_for_people = is_for_people or via in FOR_PEOPLE
        return PostingDecision(
            whole, status, attribution, SenderKind.CLIENT, None, name, events, client_id, via, waits_for_people
        )

    found = _chat_of(contact, channel)
    with nullcontext() if found and opening is None else transaction.atomic():
        chat_id, is_first = (found, False) if found else _make_chat(contact, channel, department_id)
        if opening is not None and not has_client_id(chat_id, client_id):
            post_opening(opening, widget_id=contact.widget_id, chat_id=chat_id)
        row = post(decide, widget_id=contact.widget_id, chat_id=chat_id, file_id=content.get("file_id"), by_client=True)
    if row is None:
        return PostedMessage(_answer(message_with_client_id(chat_id, client_id)), is_new=False)
    return PostedMessage(_answer(row), is_new=True)


def _answer(row: Row) -> dict[str, Any]:
    return MessageSerializer.writer()(row)


def with_file(content: Mapping[str, Any], file: dict[str, Any] | None, *, member: str) -> Mapping[str, Any]:
    """The content with what is kept of its file; `member` names the file in a refusal. Raises NOT_FOUND, INVALID_INPUT.

    A file never changes, so the message stores its name, size and type, and lists need no join.
    """
    if content.get("file_id") is None:
        return content
    if file is None:
        raise NOT_FOUND("There is no such file.")
    if refusal := rules.file_refusal(MessageType(content["type"]), file["content_type"]):
        raise INVALID_INPUT(errors={member: [refusal]})
    return {**content, "details": {**(content.get("details") or {}), "file": file}}


_NO_OWNER = "The chat has no assigned agent: name the human agent who sends this."


def _human_agent(sender: MessageSender, *, named: bool) -> int:
    if sender.agent_id is None:
        if named:
            raise NOT_FOUND("There is no such agent.")
        raise _agent_refusal(_NO_OWNER)
    if refusal := person_refusal(sender.type, sender.status):
        # An owner who can act no longer is none.
        raise _agent_refusal(refusal if named else _NO_OWNER)
    return sender.agent_id


def _machine(sender: MessageSender, *, may_be_retired: bool = False) -> int:
    if sender.agent_id is None:
        raise NOT_FOUND("There is no such agent.")
    status = None if may_be_retired else sender.status
    if refusal := machine_refusal(sender.type, status):
        raise _agent_refusal(refusal)
    return sender.agent_id


def _agent_refusal(message: str) -> Exception:
    return INVALID_INPUT(errors={"agent_id": [message]})


def _chat_of(contact: Contact, channel: str) -> int | None:
    """The contact's chat on a channel, if there is one yet."""
    found = fetch_one(_FIND_CHAT, {"contact_id": contact.pk, "channel": channel})
    return int(found[0]) if found else None


def _make_chat(contact: Contact, channel: str, department_id: int | None) -> tuple[int, bool]:
    """The contact's chat on a channel, and whether it was made just now. Two first messages at once make one chat.

    If the visitor names no department, the first one that is open now and takes the channel's chats gets it. A
    department that is deleted at this moment gets none: the chat has no department, as if it had been deleted a moment
    later.
    """
    if department_id is None:
        department_id = _open_department(contact.widget_id, channel)
    parameters = {
        "widget_id": contact.widget_id,
        "contact_id": contact.pk,
        "channel": channel,
        "department_id": department_id,
    }
    if made := fetch_one(_MAKE_CHAT, parameters):
        return made[0], True
    chat_id = _chat_of(contact, channel)
    assert chat_id is not None  # noqa: S101 - it was in the way of ours just now
    return chat_id, False


def _open_department(widget_id: int, channel: str) -> int | None:
    taking, now = hours_of_widget(widget_id, channel=department_channel(channel)).departments, timezone.now()
    return next((each.id for each in taking if each.hours.is_open(now)), None)


_FIND_CHAT = """
SELECT id FROM chats_chat WHERE contact_id = %(contact_id)s AND channel = %(channel)s
/* unscoped: the contact was read with its widget */"""
_MAKE_CHAT = """
INSERT INTO chats_chat (widget_id, contact_id, channel, department_id)
VALUES (%(widget_id)s, %(contact_id)s, %(channel)s,
        (SELECT id FROM agents_department WHERE id = %(department_id)s AND widget_id = %(widget_id)s FOR KEY SHARE))
ON CONFLICT (contact_id, channel) DO NOTHING RETURNING id"""


def _said(
    content: Mapping[str, Any], kind: SenderKind, agent_id: int | None, name: str, via: Via | None = None
) -> PostedContent:
    return PostedContent(
        type=content["type"],
        body=content.get("body", ""),
        markdown=content.get("markdown"),
        details=content.get("details"),
        sender_kind=kind,
        agent_id=agent_id,
        sender_name=name,
        origin=content.get("origin"),
        via=via,
    )


def _posted(chat: ReadChat, author_type: AuthorType, content: PostedContent) -> MessagePosted:
    return MessagePosted.of(
        chat,
        message_id=chat.next_message_id,
        author_type=author_type,
        is_internal=False,
        said=content,
        read_for=chat.read_for,
    )
