"""Reading a chat as the AI side sees it: the facts that decide, and what was said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from django.db.models import Max
from django.db.models.functions import Left
from django.utils import timezone

from apps.accounts.rules import Answerer
from apps.ai.actions.usage import is_budget_left
from apps.ai.models import AiSettings, Conversation, Turn
from apps.ai.rules.decisions import REPLIES_WINDOW, Mode, PendingMessage, ReplyFacts, held_since
from apps.ai.rules.prompts import MAX_TEXT, HistoryMessage
from apps.ai.rules.turn_states import OPEN
from apps.ai.settings import settings_of
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.questions import taken_messages
from apps.chats.rules import Handling, OperatorType, SenderKind, Via
from apps.chats.rules.activities import StepKind
from apps.chats.rules.messages import FOR_PEOPLE, files_of
from apps.letters.rules.mailboxes import is_mailbox

# So many messages are read at once; a burst that is longer is read to its end.
READ_AT_ONCE, LONGEST_BURST = 80, 2_000
_TAKEN_BY = (StepKind.ACCEPTED, StepKind.ASSIGNED, StepKind.TRANSFERRED)
_MACHINES = (SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
_HANDLED_BY_PERSON = (Handling.HUMAN, Handling.AI_TO_HUMAN)
# A text is read as far as a prompt may have it, and one character more, which tells that it is longer.
_BODY = Left("body", MAX_TEXT + 1)
_COLUMNS = ("id", "sender_kind", "type", _BODY, "details", "sender_name", "via", "agent_id", "created_at")


class StoredMessage(NamedTuple):
    """One message that both sides see, as it is stored."""

    id: int
    sender_kind: str
    type: str
    body: str
    details: Mapping[str, Any] | None
    sender_name: str
    via: str | None
    agent_id: int | None
    at: datetime

    @property
    def is_persons(self) -> bool:
        return self.sender_kind == SenderKind.AGENT and self.via != Via.LEGACY_BOT

    @property
    def text(self) -> str:
        """Its text, or what stands for it."""
        if self.type in ("text", "keyboard"):
            return self.body
        files = files_of(self.details) or [{}]
        marks = (f"[file: {file.get('name', '')}]" if self.type == "file" else f"[{self.type}]" for file in files)
        return f"{' '.join(marks)} {self.body}".strip()

    @property
    def says_something(self) -> bool:
        """Whether there is something to read: not in a message of a kind that is not known, nor in a deleted one."""
        return not (self.details or {}).keys() & {"unsupported", "deleted_at"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContext(ReplyFacts):
    """A chat as it was read at `now`: the facts that decide, its rows, and the messages, oldest first.

    turn: the newest that an external operator was given, where it was looked at.
    """

    chat: Chat
    settings: AiSettings
    conversation: Conversation | None
    messages: Sequence[StoredMessage]
    is_shadow: bool
    now: datetime
    turn: Turn | None = None

    @property
    def spoke_last(self) -> int | None:
        """The AI operator who said the last AI message of the chat."""
        own = (said.agent_id for said in reversed(self.messages) if said.sender_kind == SenderKind.AI)
        return next(own, None) or (self.conversation.operator_id if self.conversation else None)

    @property
    def history(self) -> list[HistoryMessage]:
        """The messages besides the burst, oldest first."""
        burst = {said.id for said in self.burst}
        return history_of(said for said in self.messages if said.id not in burst)

    @property
    def held(self) -> tuple[datetime, datetime] | None:
        """From when to when people had the chat lately; None if they had not."""
        words = [said.at for said in self.messages if said.is_persons]
        return (words[0], held_since(self) or words[-1]) if words else None


_SPOKEN_BY: Mapping[str, Any] = {SenderKind.CLIENT: "visitor", SenderKind.AGENT: "person"}


def history_of(messages: Iterable[StoredMessage]) -> list[HistoryMessage]:
    """Messages as a prompt has them."""
    return [
        HistoryMessage(
            _SPOKEN_BY.get(said.sender_kind, "ai"),
            said.text,
            "" if said.sender_kind == SenderKind.CLIENT else said.sender_name,
            said.at,
        )
        for said in messages
    ]


def visible_messages(
    widget_id: int, chat_id: int, limit: int = READ_AT_ONCE, *, since: int = 0, before: int | None = None
) -> list[StoredMessage]:
    """The newest messages of a chat that both sides see, oldest first; none of the system's.

    `since`, `before`: from that message on, and of those before another one.
    """
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, is_internal=False)
    rows = rows.filter(id__gte=since) if since else rows
    rows = rows if before is None else rows.filter(id__lt=before)
    rows = rows.exclude(sender_kind=SenderKind.SYSTEM).order_by("-id")
    return [StoredMessage(*row) for row in rows.values_list(*_COLUMNS)[:limit]][::-1]


def read(chat: Chat, *, asked: ReplyContext | None = None, turn: Turn | None = None) -> ReplyContext:
    """Reads what decides who speaks. `chat` is with its widget; asks no vendor and no Redis.

    asked: the context of the answer that was made meanwhile. The answer's cost is spent, so the day's budget is no
    matter; and of the settings only the switch counts, which the widget's row has. turn: the newest of an external
    operator; while it is open, nothing else is said.
    """
    settings, now = asked.settings if asked else settings_of(chat.widget_id), timezone.now()
    conversation = Conversation.objects.for_widget(chat.widget_id).filter(pk=chat.pk).first()
    answerers = chat.widget.answerers
    is_shadow = Answerer.AI_IN_SHADOW in answerers
    messages, burst = _messages(chat, settings, conversation)
    return ReplyContext(
        chat=chat,
        settings=settings,
        conversation=conversation,
        messages=messages,
        is_shadow=is_shadow,
        now=now,
        answers=is_shadow or Answerer.AI in answerers,
        is_spam=chat.status == "spam",
        is_internal=chat.internal,
        bot_has_it=Answerer.LEGACY_BOT in answerers and _is_with_bot(chat),
        owner_id=chat.agent_id,
        handled_by_person=chat.handling in _HANDLED_BY_PERSON and chat.handled_type == OperatorType.HUMAN,
        handed_over_at=chat.handed_over_at,
        handover_reason=chat.handover_reason,
        noted=Mode(conversation.mode) if conversation else None,
        noted_since=conversation.mode_since if conversation else None,
        last_word_at=next((said.at for said in reversed(messages) if said.is_persons), None),
        taken_at=_taken_at(chat),
        expired_at=chat.expired_at,
        burst=burst,
        replies=_replies(chat, messages, now, is_shadow=is_shadow),
        by_letters=is_mailbox(chat.channel),
        in_a_row=_in_a_row(messages),
        budget_left=asked is not None or is_budget_left(settings, automatic=True),
        takeover_s=settings.takeover_timeout_sec,
        turn=turn,
        external_until=turn.deadline_at if turn and turn.state in OPEN else None,
    )


def _messages(
    chat: Chat, settings: AiSettings, conversation: Conversation | None
) -> tuple[list[StoredMessage], list[PendingMessage]]:
    """The newest messages of the chat, oldest first, and the burst; none that somebody else has taken."""
    dealt_with = max(conversation.answered_message_id if conversation else 0, chat.dealt_with_message_id or 0)
    for limit in (READ_AT_ONCE, LONGEST_BURST):
        found = visible_messages(chat.widget_id, chat.pk, limit)
        is_whole = len(found) < limit
        found = [said for said in found if said.says_something]
        burst = _burst(found, dealt_with, settings.enabled_since)
        if is_whole or not burst or burst[0].id != found[0].id:
            break
    taken = taken_messages(
        chat.widget_id, chat.pk, [said.id for said in found if said.sender_kind == SenderKind.CLIENT]
    )
    pending = [PendingMessage(said.id, said.at, said.text, said.body) for said in burst if said.id not in taken]
    return [said for said in found if said.id not in taken], pending


def _burst(messages: Sequence[StoredMessage], dealt_with: int, since: datetime | None) -> list[StoredMessage]:
    """The visitor's messages behind what is dealt with, and behind the last word of a person."""
    after = max([dealt_with, *(said.id for said in messages if said.sender_kind == SenderKind.AGENT)])
    return [
        said
        for said in messages
        if said.sender_kind == SenderKind.CLIENT
        and said.id > after
        and said.via not in FOR_PEOPLE
        and since is not None
        and said.at >= since
    ]


def _is_with_bot(chat: Chat) -> bool:
    """Whether the bot of the other platform answers: AI has not, in its stead, since the chat was closed last."""
    if chat.handled_type != "ai" or chat.handled_at is None:
        return True
    return chat.expired_at is not None and chat.expired_at > chat.handled_at


def _taken_at(chat: Chat) -> datetime | None:
    """When a person took the chat last, or was given it. Asked where a person has it."""
    if chat.agent_id is None and chat.handling not in _HANDLED_BY_PERSON:
        return None
    steps = ChatActivity.objects.for_widget(chat.widget_id).filter(chat=chat, kind__in=_TAKEN_BY)
    found: datetime | None = steps.aggregate(at=Max("at"))["at"]
    return found


def _in_a_row(messages: Sequence[StoredMessage]) -> int:
    """How many messages of machines stand behind the last word of a person."""
    behind = takewhile(lambda said: said.sender_kind != SenderKind.AGENT, reversed(messages))
    return sum(said.sender_kind in _MACHINES for said in behind)


def _replies(chat: Chat, messages: Sequence[StoredMessage], now: datetime, *, is_shadow: bool) -> int:
    """How many messages machines wrote in the last minutes; in shadow mode their notes, which are no messages here."""
    since = now - REPLIES_WINDOW
    if is_shadow:
        recent = Message.objects.for_widget(chat.widget_id).filter(chat=chat, created_at__gt=since)
        return recent.filter(sender_kind__in=_MACHINES).count()
    return sum(said.sender_kind in _MACHINES and said.at > since for said in messages)
