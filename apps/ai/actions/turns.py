"""Reading a chat as the pipeline sees it: whose turn it is, what was said, and who would answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Max, Sum
from django.db.models.functions import Coalesce, Now, TruncDay
from django.utils import timezone

from apps.accounts.rules import Answerer
from apps.agents.models import Agent
from apps.agents.presence import Presence, presence_of
from apps.ai.actions.settings import settings_of
from apps.ai.models import AiSettings, Assistant, Conversation, Usage
from apps.ai.rules import prompts, turns
from apps.ai.rules.turns import REPLIES_WINDOW, Mode, State, Step, Word
from apps.chats.models import Chat, ChatStep, Message
from apps.chats.rules import Handling, OperatorType, SenderKind, Via
from apps.chats.rules.steps import StepKind
from apps.core.intelligence import taken_messages

# So many messages are read at once; a burst that is longer is read to its end.
READ_AT_ONCE, LONGEST_BURST = 80, 2_000
_TAKEN_BY = (StepKind.ACCEPTED, StepKind.ASSIGNED, StepKind.TRANSFERRED)
_MACHINES = (SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
_HANDLED_BY_PERSON = (Handling.HUMAN, Handling.AI_TO_HUMAN)
_COLUMNS = ("id", "sender_kind", "type", "body", "details", "sender_name", "via", "agent_id", "created_at")


class Talk(NamedTuple):
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
    def text(self) -> str:
        """Its text, or what stands for it."""
        if self.type in ("text", "keyboard"):
            return self.body
        name = ((self.details or {}).get("file") or {}).get("name", "")
        mark = f"[file: {name}]" if self.type == "file" else f"[{self.type}]"
        return f"{mark} {self.body}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A chat as it was read at `now`: what decides, what was said before the burst, and the burst."""

    chat: Chat
    settings: AiSettings
    conversation: Conversation | None
    state: State
    step: Step
    talk: Sequence[Talk]
    burst: Sequence[Talk]
    is_shadow: bool
    now: datetime

    @property
    def spoke_last(self) -> int | None:
        """The AI operator who said the last AI message of the chat."""
        own = (said.agent_id for said in reversed(self.talk) if said.sender_kind == SenderKind.AI)
        noted = self.conversation.operator_id if self.conversation else None
        return next(own, None) or noted

    @property
    def history(self) -> list[prompts.Said]:
        """The messages besides the burst, oldest first."""
        burst = {said.id for said in self.burst}
        return [_said(said) for said in self.talk if said.id not in burst]

    @property
    def held(self) -> tuple[datetime, datetime] | None:
        """From when to when people had the chat lately; None if they had not."""
        words = [said.at for said in self.talk if _is_person(said)]
        if not words:
            return None
        return words[0], turns.held_since(self.state) or words[-1]


def read_turn(chat: Chat, *, asked: "Turn | None" = None) -> Turn:
    """Reads the facts that decide whose turn it is. `chat` is with its widget; asks no vendor and no Redis.

    asked: the turn whose answer was made since. The answer is paid for, so the day's budget is no matter; and of the
    settings only the switch counts, which the widget's row has.
    """
    settings, now = asked.settings if asked else settings_of(chat.widget_id), timezone.now()
    conversation = Conversation.objects.of(chat.widget_id).filter(pk=chat.pk).first()
    answerers = chat.widget.answerers
    answers = Answerer.AI in answerers or Answerer.AI_IN_SHADOW in answerers
    talk, burst = _said_in(chat, settings, conversation)
    state = State(
        answers=answers,
        is_spam=chat.status == "spam",
        is_internal=chat.internal,
        bot_has_it=_bot_has_it(chat, answerers),
        owner_id=chat.agent_id,
        handled_by_person=chat.handling in _HANDLED_BY_PERSON and chat.handled_type == OperatorType.HUMAN,
        handed_over_at=chat.handed_over_at,
        handover_reason=chat.handover_reason,
        noted=Mode(conversation.mode) if conversation else None,
        noted_since=conversation.mode_since if conversation else None,
        last_word_at=next((said.at for said in reversed(talk) if _is_person(said)), None),
        taken_at=_taken_at(chat),
        expired_at=chat.expired_at,
        burst=[Word(said.id, said.at) for said in burst],
        replies=_replies(chat, talk, now),
        budget_left=asked is not None or _is_in_budget(settings),
        takeover_s=settings.takeover_timeout_sec,
    )
    return Turn(
        chat=chat,
        settings=settings,
        conversation=conversation,
        state=state,
        step=turns.next_step(state, now),
        talk=talk,
        burst=burst,
        is_shadow=Answerer.AI_IN_SHADOW in answerers,
        now=now,
    )


def _said_in(
    chat: Chat, settings: AiSettings, conversation: Conversation | None
) -> tuple[Sequence[Talk], Sequence[Talk]]:
    """The newest messages of the chat, oldest first, and the burst among them; without those that another app has
    taken.
    """
    dealt_with = max(conversation.answered_message_id if conversation else 0, chat.dealt_with_message_id or 0)
    for limit in (READ_AT_ONCE, LONGEST_BURST):
        rows = Message.objects.of(chat.widget_id).filter(chat=chat, is_internal=False)
        rows = rows.exclude(sender_kind=SenderKind.SYSTEM).order_by("-id")
        talk = [Talk(*row) for row in rows.values_list(*_COLUMNS)[:limit]][::-1]
        burst = _burst(talk, dealt_with, settings.enabled_since)
        if len(talk) < limit or not burst or burst[0].id != talk[0].id:
            break
    written = [said.id for said in talk if said.sender_kind == SenderKind.CLIENT]
    taken = taken_messages(chat.widget_id, chat.pk, written)
    return [said for said in talk if said.id not in taken], [said for said in burst if said.id not in taken]


def _burst(talk: Sequence[Talk], dealt_with: int, since: datetime | None) -> list[Talk]:
    """The visitor's messages behind what is dealt with, and behind the last word of a person."""
    after = max([dealt_with, *(said.id for said in talk if said.sender_kind == SenderKind.AGENT)])
    return [
        said
        for said in talk
        if said.sender_kind == SenderKind.CLIENT
        and said.id > after
        and said.via != Via.OFFLINE_FORM
        and since is not None
        and said.at >= since
    ]


def _is_person(said: Talk) -> bool:
    return said.sender_kind == SenderKind.AGENT and said.via != Via.LEGACY_BOT


def _said(said: Talk) -> prompts.Said:
    if said.sender_kind == SenderKind.CLIENT:
        return prompts.Said("visitor", said.text, at=said.at)
    if said.sender_kind == SenderKind.AGENT:
        return prompts.Said("person", said.text, said.sender_name, said.at)
    return prompts.Said("ai", said.text, said.sender_name, said.at)


def _bot_has_it(chat: Chat, answerers: Sequence[str]) -> bool:
    """Whether the bot of the other platform answers here: it is at work, and AI has not answered in its stead since the
    chat was closed last."""
    if Answerer.LEGACY_BOT not in answerers:
        return False
    if chat.handled_type != "ai" or chat.handled_at is None:
        return True
    return chat.expired_at is not None and chat.expired_at > chat.handled_at


def _taken_at(chat: Chat) -> datetime | None:
    """When a person took the chat last, or was given it. Asked where a person has it."""
    if chat.agent_id is None and chat.handling not in _HANDLED_BY_PERSON:
        return None
    steps = ChatStep.objects.of(chat.widget_id).filter(chat=chat, kind__in=_TAKEN_BY)
    found: datetime | None = steps.aggregate(at=Max("at"))["at"]
    return found


def _replies(chat: Chat, talk: Sequence[Talk], now: datetime) -> int:
    """The machines' messages of the last minutes; in shadow mode, in which answers are notes, their notes."""
    since = now - REPLIES_WINDOW
    if Answerer.AI_IN_SHADOW in chat.widget.answerers:
        recent = Message.objects.of(chat.widget_id).filter(chat=chat, created_at__gt=since)
        return recent.filter(sender_kind__in=_MACHINES).count()
    return sum(said.sender_kind in _MACHINES and said.at > since for said in talk)


def _is_in_budget(settings: AiSettings) -> bool:
    """Whether the widget may spend more tokens today (UTC)."""
    if settings.daily_token_budget is None:
        return True
    used = Usage.objects.of(settings.widget_id).filter(at__gte=TruncDay(Now(), tzinfo=UTC))
    spent = used.aggregate(spent=Coalesce(Sum("prompt_tokens"), 0) + Coalesce(Sum("completion_tokens"), 0))["spent"]
    return bool(spent < settings.daily_token_budget)


class Responder(NamedTuple):
    """The operator that answers, and the assistant that it runs; of an external one, a blank that is never saved."""

    operator: Agent
    assistant: Assistant

    @property
    def is_external(self) -> bool:
        return self.operator.type == Agent.Type.WEBHOOK

    @property
    def operator_id(self) -> int:
        return self.operator.pk

    @property
    def name(self) -> str:
        return self.operator.full_name


def responder_of(widget_id: int, *, spoke_last: int | None) -> Responder | None:
    """The AI operator who answers; None if none is able."""
    agents = Agent.objects.of(widget_id).filter(type=Agent.Type.AI, ai_assistant_id__isnull=False).not_banned()
    assistants = {one.pk: one for one in Assistant.objects.of(widget_id)}
    running = {agent.pk: agent for agent in agents if agent.ai_assistant_id in assistants}
    chosen = turns.operator_of(
        [
            turns.Operator(
                id=agent.pk,
                is_active=agent.status == Agent.Status.ACTIVE,
                assistant_enabled=assistants[agent.ai_assistant_id].enabled,
                is_default=assistants[agent.ai_assistant_id].is_default,
            )
            for agent in running.values()
            if agent.ai_assistant_id is not None
        ],
        spoke_last=spoke_last,
    )
    if chosen is None:
        return None
    agent = running[chosen]
    return Responder(agent, assistants[agent.ai_assistant_id or 0])


def is_able(widget_id: int, responder: Responder) -> bool:
    """Whether the operator may still speak: neither retired nor resting, and its assistant there and enabled.

    The service may still post its own phrases for an external operator that was removed.
    """
    if responder.is_external:
        return True
    assistants = Assistant.objects.of(widget_id).filter(pk=responder.assistant.pk, enabled=True)
    agents = Agent.objects.of(widget_id).filter(pk=responder.operator_id, status=Agent.Status.ACTIVE)
    return agents.filter(ai_assistant_id__in=assistants.values("pk")).exists()


def operators_now(widget_id: int, department_id: int | None = None) -> prompts.Presence:
    """Whether an active person has a console open: `online`, `offline`, or `unknown` while it can't be read.

    Only the department's people count, if it has any.
    """
    people = Agent.objects.of(widget_id).filter(type=Agent.Type.HUMAN, status=Agent.Status.ACTIVE)
    ids = list(people.filter(departments=department_id).values_list("pk", flat=True)) if department_id else []
    ids = ids or list(people.values_list("pk", flat=True))
    found = set(presence_of(widget_id, ids).values())
    if Presence.ONLINE in found:
        return "online"
    return "unknown" if Presence.UNKNOWN in found else "offline"
