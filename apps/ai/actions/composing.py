"""Composing an answer: from a burst of a visitor to what would be shown (docs/guides/ai.md).

The same for the detached test and for live replies; nothing of the chat is read or written here.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from apps.ai.actions.asking import Asker
from apps.ai.drivers import ProviderFailed
from apps.ai.models import Assistant
from apps.ai.rules import answers, floors, outcomes, prompts
from apps.ai.rules.configuration import OfflineOutcomeMode
from apps.ai.rules.phrases import phrase
from apps.ai.rules.redaction import Redaction
from apps.core import intelligence

RagStatus = Literal["disabled", "unavailable", "empty", "included"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """All that an answer is made of. `trusted`: texts besides the owner's whose links may be repeated.

    may_hand_over: false where the answer takes the chat over from people: no floor and no marker hands it back.
    people_are_called: the chat was handed over already, to people who are away.
    """

    assistant: Assistant
    operator_id: int | None
    history: Sequence[prompts.Said]
    burst: Sequence[str]
    language: str
    operators: prompts.Presence
    presence_context: bool
    rag: bool
    offline_outcome_mode: str
    phrases: dict[str, dict[str, str]]
    trusted: Sequence[str] = ()
    held: tuple[datetime, datetime] | None = None
    now: datetime | None = None
    greeting: str = ""
    may_hand_over: bool = True
    people_are_called: bool = False


@dataclass(slots=True, kw_only=True)
class Composed:
    """An answer as it would be shown, and how it came about. `hands_over`, `reason`: whether it goes to people.

    `before`: what is said before the phrase of a handover, by an external operator alone.
    """

    text: str
    transformation: outcomes.Transformation
    classifier: outcomes.Classifier = "not_needed"
    rag_status: RagStatus = "disabled"
    chunk_ids: list[int] = field(default_factory=list)
    sources: list[dict[str, str | None]] = field(default_factory=list)
    hands_over: bool = False
    reason: str | None = None
    trigger: str | None = None
    outcome: outcomes.Outcome | None = None
    suppressed: bool = False
    leaked: bool = False
    answered_by: int | None = None
    before: str = ""


def compose(question: Question, asker: Asker) -> Composed:
    """The answer. Raises ProviderFailed where the reply's own call fails at every credential, and SpentError."""
    if floor := _floor(question):
        composed = handed_over(question, outcomes.at_floor(floor.reason))
        composed.trigger = floor.trigger
        composed.rag_status = "empty" if question.rag else "disabled"
        return composed
    return _Call(question, asker).run()


def floor_of(question: Question) -> outcomes.Decision | None:
    """The decision of the burst alone, before any model is asked."""
    floor = _floor(question)
    return outcomes.at_floor(floor.reason) if floor else None


def _floor(question: Question) -> floors.Floor | None:
    if not question.may_hand_over:
        return None
    return floors.floor_of("\n".join(question.burst), question.assistant.escalation_triggers)


def is_social(question: Question) -> bool:
    """Whether the burst is nothing but courtesies, and answers no question of ours."""
    last = next((said for said in reversed(question.history) if said.by == "ai"), None)
    asked_something = last is not None and last.text.rstrip().endswith(("?", "？", "؟", ";"))
    return not asked_something and floors.is_social("\n".join(question.burst))


class _Call:
    """One answer under way: its canary, its names of personal data, its knowledge."""

    def __init__(self, question: Question, asker: Asker) -> None:
        self.question, self.asker = question, asker
        self.canary = secrets.token_hex(8)
        self.redaction = Redaction()

    def run(self) -> Composed:
        asked, status, chunks = self._prompt()
        completion = self.asker.ask("reply", asked)
        answered_by = self.asker.answered_by
        read = self._read(completion.text, chunks)
        decision, classifier, text = self._decide(asked, read, chunks)
        composed = composed_of(self.question, decision, self._restored(text))
        composed.classifier, composed.leaked = classifier, read.leaked
        composed.rag_status, composed.chunk_ids = status, [chunk.id for chunk in chunks]
        composed.sources = [{"ref": one.source_ref, "title": one.title, "url": one.url} for one in chunks]
        composed.answered_by = answered_by
        return composed

    def _decide(
        self, asked: prompts.Prompt, read: answers.Read, chunks: Sequence[intelligence.Chunk]
    ) -> tuple[outcomes.Decision, outcomes.Classifier, str]:
        """The decision, what the classifier said, and the text that may be shown."""
        found: dict[str, bool] = {
            "marked": read.marked,
            "has_text": bool(read.text),
            "social": is_social(self.question),
        }
        if not self.question.may_hand_over:
            return outcomes.in_peoples_stead(**found), "not_needed", read.text
        if self.question.people_are_called and (cut_off := outcomes.while_away(**found)):
            return cut_off, "not_needed", read.text
        is_judged = outcomes.asks_classifier(marked=found["marked"], social=found["social"])
        classifier = self._classify() if is_judged else "not_needed"
        decision = outcomes.decide(
            **found,
            classifier=classifier,
            answer_only=self.question.offline_outcome_mode == OfflineOutcomeMode.ANSWER_ONLY,
            operators=self.question.operators,
        )
        if decision is not None:
            return decision, classifier, read.text
        again = self._recover(asked, chunks)
        decision = outcomes.recovered(has_text=bool(again.text), marked=again.marked)
        return decision, classifier, again.text

    def _prompt(self) -> tuple[prompts.Prompt, RagStatus, Sequence[intelligence.Chunk]]:
        question = self.question
        persona = prompts.Persona(
            persona=question.assistant.persona,
            system_prompt=question.assistant.system_prompt,
            greeting=question.greeting,
        )
        system = prompts.system_text(
            persona,
            canary=self.canary,
            operators=question.operators if question.presence_context else None,
            held=question.held,
            language=question.language,
        )
        status, chunks = self._knowledge()
        asked = prompts.prompt(
            system,
            history=question.history,
            burst=question.burst,
            knowledge=[prompts.Chunk(chunk.content, chunk.title) for chunk in chunks],
            canary=self.canary,
            redaction=self.redaction,
            now=question.now,
        )
        return asked, status, chunks

    def _knowledge(self) -> tuple[RagStatus, Sequence[intelligence.Chunk]]:
        question = self.question
        if not question.rag:
            return "disabled", ()
        retrieve = intelligence.retriever()
        if retrieve is None:
            return "unavailable", ()
        found = retrieve(
            widget_id=question.assistant.widget_id,
            assistant_id=question.assistant.pk,
            operator_id=question.operator_id,
            query=prompts.burst_text(question.burst, Redaction()),
            language=question.language,
            meter=self.asker.meter,
        )
        return found.status, found.chunks

    def _read(self, text: str, chunks: Sequence[intelligence.Chunk]) -> answers.Read:
        question = self.question
        visitors = [said.text for said in question.history if said.by == "visitor"]
        allowed = (
            *(question.assistant.persona, question.assistant.system_prompt, question.greeting),
            *(chunk.content for chunk in chunks),
            *(chunk.url or "" for chunk in chunks),
            *question.trusted,
            *visitors,
            *question.burst,
        )
        # Addresses that left by a name come back as they were written, so they are known.
        return answers.read_answer(text, canary=self.canary, allowed=allowed)

    def _classify(self) -> outcomes.Classifier:
        burst = prompts.Line("user", prompts.burst_text(self.question.burst, self.redaction))
        try:
            answer = self.asker.ask("classifier", prompts.Prompt(prompts.CLASSIFIER, [burst]), max_tokens=50)
        except ProviderFailed:
            return "unavailable"
        return outcomes.classified(answer.text)

    def _recover(self, asked: prompts.Prompt, chunks: Sequence[intelligence.Chunk]) -> answers.Read:
        again = prompts.Prompt(f"{asked.system}\n\n{prompts.RECOVERY}", asked.lines)
        try:
            return self._read(self.asker.ask("recovery", again).text, chunks)
        except ProviderFailed:
            return answers.Read("", marked=False, leaked=False)

    def _restored(self, text: str) -> str:
        restored = self.redaction.restore(text)
        if restored is None:
            return phrase("pii_restore_fallback", self.question.language, self.question.phrases)
        return restored


def handed_over(question: Question, decision: outcomes.Decision) -> Composed:
    """A handover for which no model is asked, or none has answered."""
    return composed_of(question, decision, "")


def composed_of(question: Question, decision: outcomes.Decision, text: str) -> Composed:
    """The text of a decision, or the phrase that stands for it."""
    composed = Composed(text=text, transformation=decision.transformation, suppressed=decision.suppressed)
    if decision.shown == "social_reply":
        composed.text = phrase("social_reply", question.language, question.phrases)
    elif decision.shown == "excuse":
        composed.text = phrase("handover_offline", question.language, question.phrases)
    elif decision.shown == "handover":
        key, composed.outcome = outcomes.phrase_of(question.operators, presence_context=question.presence_context)
        composed.text = phrase(key, question.language, question.phrases)
        composed.hands_over, composed.reason = True, decision.reason
    return composed
