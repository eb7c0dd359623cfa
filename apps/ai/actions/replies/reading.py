"""Reading a chat as the AI side sees it: the facts that decide, and what was said."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

from django.db.models.functions import Left
from django.utils import timezone

from apps.accounts.rules import Answerer
from apps.agents.models import Agent
from apps.ai.actions.usage import is_budget_left
from apps.ai.models import AiSettings, Assistant, Conversation, Credential, Turn
from apps.ai.querysets.reply_context import HANDLED_BY_PERSON, MACHINES, read_for_reply, read_for_verdict
from apps.ai.rules.decisions import REPLIES_WINDOW, Mode, PendingMessage, ReplyFacts, held_since
from apps.ai.rules.prompts import MAX_TEXT, HistoryMessage
from apps.ai.rules.turn_states import OPEN
from apps.chats.models import Chat, Message
from apps.chats.rules import OperatorType, SenderKind, Via
from apps.chats.rules.messages import FOR_PEOPLE, files_of
from apps.kb.questions import ReadBase
from apps.letters.rules.mailboxes import is_mailbox

# So many messages are read at once; a burst that is longer is read to its end.
READ_AT_ONCE, LONGEST_BURST = 80, 2_000
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

    turn: the newest that an external operator was given, where it was looked at. owes_cancellation: an operator is
    still to be told that its turn has ended. is_being_judged: nobody may answer yet. An answer is made of `assistants`,
    `operators` (AI's, none of them banned), `credentials`, `people` (those who are active, of the chat's department if
    it has any) and `knowledge_base`. `address` is the visitor's, as limits count it, and `begun_of_…` are the replies
    that they have counted in the last minute. A verdict reads none of these; `is_able` is read for it alone: the
    operator may speak still.
    """

    chat: Chat
    settings: AiSettings
    conversation: Conversation | None
    messages: Sequence[StoredMessage]
    is_shadow: bool
    now: datetime
    turn: Turn | None = None
    owes_cancellation: bool = False
    is_being_judged: bool = False
    is_able: bool = True
    has_external: bool = False
    assistants: Sequence[Assistant] = ()
    operators: Sequence[Agent] = ()
    credentials: Sequence[Credential] = ()
    people: Sequence[int] = ()
    address: str | None = None
    begun_of_widget: int = 0
    begun_of_address: int = 0
    knowledge_base: ReadBase | None = None

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


def read(*, widget_id: int, chat_id: int, heeds_turn: bool = False) -> ReplyContext:
    """Reads what decides who speaks, and what an answer would be made of. Asks no vendor and no Redis.

    `heeds_turn`: while the newest turn of an external operator is open, nothing else is said. Raises NOT_FOUND (404).
    """
    now, reads = timezone.now(), partial(read_for_reply, widget_id=widget_id, chat_id=chat_id)
    found, messages, burst = _with_burst(reads, lambda found: found["settings"])
    settings = found["settings"] or AiSettings(widget_id=widget_id)
    turn = found["turn"] if heeds_turn else None
    return ReplyContext(
        **_facts(found, messages, burst, settings, now),
        budget_left=is_budget_left(settings, automatic=True, spent=found["spent"]),
        turn=turn,
        external_until=turn.deadline_at if turn and turn.state in OPEN else None,
        **{name: found[name] for name in ("owes_cancellation", "is_being_judged", "has_external")},
        **{name: found[name] for name in ("assistants", "operators", "credentials")},
        **dict(zip(("address", "begun_of_widget", "begun_of_address"), found["begun"], strict=True)),
        people=found["people"] or (),
        knowledge_base=ReadBase(found["knowledge_base"]),
    )


def read_again(asked: ReplyContext, *, operator_id: int | None, assistant_id: int | None) -> ReplyContext:
    """Locks the chat of an answer that was made meanwhile, and reads what decides whether it is shown.

    The answer's cost is spent, so the day's budget is no matter; and of the settings only the switch counts, which the
    widget's row has. `is_able`: whether that operator and its assistant are. Raises NOT_FOUND (404).
    """
    now, settings = timezone.now(), asked.settings
    ids = {"widget_id": asked.chat.widget_id, "chat_id": asked.chat.pk}
    reads = partial(read_for_verdict, **ids, operator_id=operator_id, assistant_id=assistant_id)
    found, messages, burst = _with_burst(reads, lambda _: settings)
    return ReplyContext(**_facts(found, messages, burst, settings, now), is_able=found["is_able"])


def _facts(
    found: Mapping[str, Any],
    messages: Sequence[StoredMessage],
    burst: Sequence[PendingMessage],
    settings: AiSettings,
    now: datetime,
) -> dict[str, Any]:
    """The members of a context that decide, and its rows."""
    chat, conversation = found["chat"], found["conversation"]
    answerers, taken_at = chat.widget.answerers, found["taken_at"]
    is_shadow = Answerer.AI_IN_SHADOW in answerers
    return {
        "chat": chat,
        "settings": settings,
        "conversation": conversation,
        "messages": messages,
        "is_shadow": is_shadow,
        "now": now,
        "answers": is_shadow or Answerer.AI in answerers,
        "is_spam": chat.status == "spam",
        "is_internal": chat.internal,
        "bot_has_it": Answerer.LEGACY_BOT in answerers and _is_with_bot(chat),
        "owner_id": chat.agent_id,
        "handled_by_person": chat.handling in HANDLED_BY_PERSON and chat.handled_type == OperatorType.HUMAN,
        "handed_over_at": chat.handed_over_at,
        "handover_reason": chat.handover_reason,
        "noted": Mode(conversation.mode) if conversation else None,
        "noted_since": conversation.mode_since if conversation else None,
        "last_word_at": next((said.at for said in reversed(messages) if said.is_persons), None),
        "taken_at": taken_at and datetime.fromisoformat(taken_at),
        "expired_at": chat.expired_at,
        "burst": burst,
        # In shadow mode they are notes, which are no messages here.
        "replies": found["replies_in_shadow"] if is_shadow else _replies(messages, now),
        "by_letters": is_mailbox(chat.channel),
        "in_a_row": _in_a_row(messages),
        "takeover_s": settings.takeover_timeout_sec,
    }


def _with_burst(
    reads: Callable[..., dict[str, Any]], settings_in: Callable[[Mapping[str, Any]], AiSettings | None]
) -> tuple[dict[str, Any], list[StoredMessage], list[PendingMessage]]:
    """The values that were read, the chat's newest messages, oldest first, and the whole burst, without the messages
    that somebody else has taken.
    """
    for limit in (READ_AT_ONCE, LONGEST_BURST):
        found = reads(limit=limit)
        stored = [_stored(row) for row in found["messages"] or ()]
        messages = [said for said in stored if said.says_something]
        settings, conversation = settings_in(found), found["conversation"]
        dealt_with = max(
            conversation.answered_message_id if conversation else 0, found["chat"].dealt_with_message_id or 0
        )
        burst = _burst(messages, dealt_with, settings.enabled_since if settings else None)
        if len(stored) < limit or not burst or burst[0].id != messages[0].id:
            break
    taken = frozenset(found["taken"])
    pending = [PendingMessage(said.id, said.at, said.text, said.body) for said in burst if said.id not in taken]
    return found, [said for said in messages if said.id not in taken], pending


def _stored(row: Sequence[Any]) -> StoredMessage:
    *others, at = row
    return StoredMessage._make([*others, datetime.fromisoformat(at)])


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


def _in_a_row(messages: Sequence[StoredMessage]) -> int:
    """How many messages of machines stand behind the last word of a person."""
    behind = takewhile(lambda said: said.sender_kind != SenderKind.AGENT, reversed(messages))
    return sum(said.sender_kind in MACHINES for said in behind)


def _replies(messages: Sequence[StoredMessage], now: datetime) -> int:
    """How many messages machines wrote in the last minutes."""
    since = now - REPLIES_WINDOW
    return sum(said.sender_kind in MACHINES and said.at > since for said in messages)
