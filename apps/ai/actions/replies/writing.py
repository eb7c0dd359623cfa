"""Writing a draft into its chat: the verdict under the chat's lock, the messages, the exchange, and the alerts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple, Protocol

from apps.ai.actions import advice, alerts
from apps.ai.actions.mending import end_troubles, missing
from apps.ai.actions.model_calls import Asker
from apps.ai.actions.replies.drafting import Composition
from apps.ai.actions.replies.reading import ReplyContext, read_again
from apps.ai.actions.replies.records import NotedMode, write_records
from apps.ai.actions.replies.requests import ChatReply
from apps.ai.events import Answered, HandedOver
from apps.ai.models import Exchange
from apps.ai.rules import decisions
from apps.ai.rules.configuration import AlertCode
from apps.ai.rules.decisions import NOT_CONFIGURED, Defer, ReplyMode, ReplyPlan, ReplyVerdict, decide
from apps.ai.rules.phrases import phrase
from apps.ai.rules.prompts import burst_text
from apps.ai.rules.redaction import Redaction
from apps.chats.actions import escalate, post_machine_message, post_note
from apps.chats.rules import Handling, SenderKind
from apps.chats.rules.attribution import AttributionEvent
from apps.chats.rules.markup import has_marks, plain_text
from apps.chats.rules.messages import BY_PERSON, SOURCES
from apps.core import bus
from apps.core.database import Parameters

IN_SHADOW = "ai_shadow"
# The transformations that show the model's own text.
_ANSWERS = ("answer", "answer_only_recovery")


class ReplyOutcome(NamedTuple):
    """The fate of the chat's job: nothing is left to do, it goes on later, or at once.

    though_overtaken: it is done even if more came for the chat meanwhile, which is looked at next. restarts: how often
    the burst was begun anew; None leaves that as it is.
    """

    then: Literal["done", "later", "give_back"]
    wait_s: float = 0.0
    though_overtaken: bool = False
    restarts: int | None = None


NOTHING_TO_SAY, STOPPED = ReplyOutcome("done"), ReplyOutcome("give_back")
WRITTEN = ReplyOutcome("done", though_overtaken=True)


def wait_until(until: datetime, now: datetime) -> ReplyOutcome:
    return ReplyOutcome("later", wait_s=max(0.0, (until - now).total_seconds()))


class WritableDraft(Protocol):
    """A responder's result. `write` is called in the transaction that ends the chat's job, `alert` after it.

    `undone` is called instead where the transaction failed: what has happened all the same is written down.
    """

    def write(self, *, restarts: int) -> ReplyOutcome: ...

    def undone(self) -> None: ...

    def alert(self, *, gave_up: str | None = None) -> None: ...


class LeftToPeople(NamedTuple):
    """No operator is able: people answer, as if there were no AI, and are shown that somebody waits for them."""

    context: ReplyContext
    plan: ReplyPlan

    def write(self, *, restarts: int) -> ReplyOutcome:
        chat = self.context.chat
        if not self.context.is_shadow and self.plan.way in (ReplyMode.ANSWER, ReplyMode.RETURNED):
            escalate(widget_id=chat.widget_id, chat_id=chat.pk, reason=NOT_CONFIGURED)
        return WRITTEN

    def undone(self) -> None:
        """Nothing has happened."""

    def alert(self, *, gave_up: str | None = None) -> None:
        widget_id = self.context.chat.widget_id
        alerts.report(widget_id, NOT_CONFIGURED, missing(widget_id) or advice.NOBODY_ABLE, chat_id=self.context.chat.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyDraft:
    """An answer to a chat before it is shown, and what asking for it took."""

    reply: ChatReply
    composed: Composition
    asker: Asker | None = None

    def write(self, *, restarts: int) -> ReplyOutcome:
        """Shows it, or drops it: the chat is locked and read anew. A crash or a person may have been quicker."""
        asked, speaker = self.reply.context, self.reply.speaker
        found = read_again(asked, operator_id=speaker.operator.pk, assistant_id=speaker.assistant.pk)
        decision = decide(found, found.now)
        verdict = decisions.verdict(asked, self.reply.plan.way, found, decision, restarts=restarts)
        # The service may say its own phrases in the name of an external operator that was removed.
        if verdict is ReplyVerdict.SHOW and not (found.is_able or speaker.is_external):
            verdict = ReplyVerdict.AGAIN
        if verdict is ReplyVerdict.SHOW:
            self.show()
            return WRITTEN._replace(restarts=0)
        self._record("dropped")
        if verdict is ReplyVerdict.AGAIN:
            return STOPPED._replace(restarts=restarts + 1)
        return wait_until(decision.until, found.now) if isinstance(decision, Defer) else WRITTEN

    def show(self) -> int | None:
        """Says it as its operator, or notes it in shadow mode, and logs it; gives the id of the answer's message, if it
        has one.

        The caller's transaction holds the chat's lock.
        """
        if self.reply.context.is_shadow:
            message_id: int | None = note(self.reply, "note", self.composed.text)
            self._record("shadow", message_id, self._mode(decisions.Mode.AI))
        else:
            message_id, noted = self._say()
            self._record("shown", message_id, noted)
        return message_id

    def _say(self) -> tuple[int | None, NotedMode]:
        reply, made, way, chat = self.reply, self.composed, self.reply.plan.way, self.reply.context.chat
        texts = [("answer", made.before), ("handover", made.text)] if made.before else [("answer", made.text)]
        if not made.hands_over and decisions.says_who_answers(way, reply.context):
            texts.insert(0, ("handoff", phrase("handoff_to_ai", reply.language, reply.phrases)))
        is_external = reply.speaker.is_external
        answered = AttributionEvent.EXTERNAL_ANSWERED if is_external else AttributionEvent.AI_ANSWERED
        # The first message takes the chat over; behind the phrase that says so, the answer is one as any other.
        fact = AttributionEvent.AI_TOOK_OVER if self._takes_over else answered
        by_person = {BY_PERSON: True} if reply.speaker.is_person else {}
        if made.hands_over and self._is_said_today(made.text):
            texts = texts[:-1]
        ids: dict[str, int] = {}
        for part, text in texts:
            ids[part] = post_machine_message(
                widget_id=chat.widget_id,
                chat_id=chat.pk,
                agent_id=reply.speaker.operator.pk,
                content={**content_of(text), "details": by_person | self._sources(part), **self._writer},
                fact=fact,
                client_id=reply.client_id(part),
                may_be_retired=is_external,
            ).id
            if part == "handoff":
                fact = answered
        operators = reply.operators if reply.presence_context else None
        mode = decisions.mode_after(way, hands_over=made.hands_over, reason=made.reason, operators=operators)
        return ids.get("answer"), self._hand_over(mode) if made.hands_over else self._mode(mode)

    @property
    def _writer(self) -> dict[str, int]:
        """The assistant that wrote it, kept with the message; an external operator has none."""
        return {} if self.reply.speaker.is_external else {"assistant_id": self.reply.assistant.pk}

    def _is_said_today(self, phrase_text: str) -> bool:
        """Whether letters told the visitor within a day that people answer: once a day is enough."""
        context = self.reply.context
        since = context.now - timedelta(days=1)
        said = (one.body for one in context.messages if one.sender_kind == SenderKind.AI and one.at > since)
        return context.by_letters and phrase_text in said

    def _sources(self, part: str) -> dict[str, Any]:
        """The pieces that an answer rests on, as visitors may read them. A phrase rests on none, nor does a refusal."""
        made = self.composed
        if part != "answer" or made.transformation not in _ANSWERS:
            return {}
        return {SOURCES: made.grounds} if made.grounds else {}

    def _kept_sources(self) -> list[dict[str, Any]]:
        """All that the model was given; `cited` are those that the visitor reads as the answer's sources."""
        shown = {(one["title"], one["url"]) for one in self._sources("answer").get(SOURCES, [])}
        return [{**one, "cited": True} if (one["title"], one["url"]) in shown else one for one in self.composed.sources]

    @property
    def _takes_over(self) -> bool:
        """Whether the chat's attribution says that people had it.

        An answer while people are called takes nothing over. A chat that was handed over, and closed before anybody
        came, is AI's again.
        """
        way = self.reply.plan.way
        is_peoples = self.reply.context.chat.handling in (Handling.HUMAN, Handling.AI_TO_HUMAN)
        return way is not ReplyMode.HELP and (way is not ReplyMode.ANSWER or is_peoples)

    def _hand_over(self, mode: decisions.Mode) -> NotedMode:
        chat, reason = self.reply.context.chat, self.composed.reason or ""
        handed_over = escalate(widget_id=chat.widget_id, chat_id=chat.pk, reason=reason)
        bus.publish(HandedOver(widget_id=chat.widget_id, chat_id=chat.pk, reason=reason, mode=mode))
        return NotedMode(mode, handed_over.handed_over_at or self.reply.context.now)

    def _mode(self, mode: decisions.Mode) -> NotedMode:
        """A mode that goes on keeps its beginning."""
        context = self.reply.context
        noted = context.conversation
        return NotedMode(mode, noted.mode_since if noted and noted.mode == mode else context.now)

    def _record(self, outcome: str, message_id: int | None = None, noted: NotedMode | None = None) -> None:
        """Keeps what was asked and what was made of it, redacted, with all that follows."""
        reply, made, asker, redaction = self.reply, self.composed, self.asker, Redaction()
        chat, burst, assistant = reply.context.chat, reply.context.burst, reply.assistant
        source = asker.sources[asker.answered_by] if asker and asker.answered_by is not None else None
        exchange: Parameters = {
            "widget_id": chat.widget_id,
            "assistant_id": assistant.pk,
            "operator_id": reply.operator_id,
            "persona_version": assistant.persona_version,
            "chat_id": chat.pk,
            "first_message_id": burst[0].id,
            "last_message_id": burst[-1].id,
            "answer_message_id": message_id,
            "question": burst_text(reply.burst, redaction),
            "answer": redaction.hide(made.text),
            "facts_removed": [redaction.hide(fact) for fact in made.facts_removed],
            "language": reply.language,
            "way": reply.plan.way.value,
            "transformation": made.transformation,
            "classifier": made.classifier,
            "reason": made.reason or "",
            "rag_status": made.rag_status,
            "chunk_ids": made.chunk_ids,
            "sources": self._kept_sources(),
            "outcome": outcome,
            "model": source.model if source else "",
            "operations": asker.budget.spent if asker else 0,
            "prompt_tokens": asker.prompt_tokens if asker else 0,
            "completion_tokens": asker.completion_tokens if asker else 0,
        }
        shared = ("widget_id", "chat_id", "first_message_id", "question", "rag_status", "transformation", "reason")
        answered = Answered(**{name: exchange[name] for name in shared}) if outcome == Exchange.Outcome.SHOWN else None
        is_troubled = write_records(
            exchange,
            noted=noted,
            end=asker.unwritten if asker else None,
            credential_id=source.credential_id if source else None,
            answered=answered,
        )
        if asker is not None:
            asker.is_troubled = is_troubled

    def undone(self) -> None:
        if self.asker is not None:
            self.asker.settle()

    def alert(self, *, gave_up: str | None = None) -> None:
        """Opens an alert for each trouble, or counts it once more. One that fails keeps no answer back."""
        for trouble in self._troubles(gave_up):
            alerts.report(
                self.reply.context.chat.widget_id,
                trouble.code,
                trouble.sentence,
                values=trouble.values,
                assistant_id=self.reply.assistant.pk,
                operator_id=self.reply.operator_id,
                credential_id=trouble.credential_id,
                chat_id=self.reply.context.chat.pk,
            )
        if self.asker is not None and self.asker.is_troubled and gave_up is None:
            end_troubles(self.asker)

    def _troubles(self, gave_up: str | None) -> Iterator["Trouble"]:
        for credential_id, failure in self.asker.failures if self.asker else ():
            yield Trouble(advice.OF_CAUSES[failure.cause].code, failure.cause, credential_id)
        if gave_up is not None:
            yield Trouble(AlertCode.REPLY_FAILED, advice.GIVEN_UP, values={"reason": gave_up})
        reason = self.composed.reason or ""
        if reason in _OF_REASONS:
            yield Trouble(AlertCode(reason), _OF_REASONS[reason])
        if self.composed.leaked:
            yield Trouble(AlertCode.PROMPT_LEAK, advice.LEAKED)
        if self.composed.answered_by:
            yield Trouble(AlertCode.BACKUP_USED, advice.BACKUP_ANSWERED)


class Trouble(NamedTuple):
    """An alert's code, its sentence with the values, and the credential that it is about, if it is about one."""

    code: AlertCode
    sentence: str
    credential_id: int | None = None
    values: Mapping[str, str] | None = None


_OF_REASONS: Mapping[str, str] = {
    AlertCode.REPLY_LIMIT: advice.REPLY_LIMIT,
    AlertCode.UNTRUSTED_HANDOFF: advice.UNTRUSTED_HANDOFF,
}


def content_of(text: str) -> dict[str, str]:
    """A text as a message: where it has marks of Markdown, the body is the words without them."""
    if not has_marks(text):
        return {"type": "text", "body": text}
    return {"type": "text", "body": plain_text(text) or text, "markdown": text}


def note(reply: ChatReply, part: str, text: str) -> int:
    """Leaves a text to the operators alone, as a note of the one who speaks."""
    chat = reply.context.chat
    return post_note(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=reply.speaker.operator.pk,
        content={**content_of(text), "origin": IN_SHADOW},
        client_id=reply.client_id(part),
    ).id
