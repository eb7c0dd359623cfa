"""Drafting an answer: from a visitor's words to the text that would be shown (docs/guides/ai.md).

The detached test and live replies draft alike; nothing of a chat is read or written here.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from apps.accounts.models import Widget
from apps.ai.actions.model_calls import Asker
from apps.ai.drivers import ProviderFailed
from apps.ai.models import AiSettings, Assistant
from apps.ai.rules import answers, decisions, facts, handover_rules, prompts, search_terms, shown_answers
from apps.ai.rules.configuration import OfflineOutcomeMode
from apps.ai.rules.cutting import up_to_last_sentence
from apps.ai.rules.grounds import Statement
from apps.ai.rules.languages import language_of
from apps.ai.rules.phrases import phrase
from apps.ai.rules.redaction import Redaction
from apps.chats.rules.courtesies import is_question
from apps.egress.call_budget import SpentError
from apps.kb.questions import BudgetExhausted, KnowledgePiece, ReadBase, retriever

RagStatus = Literal["disabled", "unavailable", "empty", "included"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRequest:
    """All that an answer is made of. `link_hosts`: the site's hosts and those that the settings
    name, to which answers may link.

    reply_language: that of the visitor's words, None for any other than the seven; `language` is that of phrases.
    canary: the same for all answers of a chat, so that vendors know the prompt's beginning; made anew where empty.
    may_hand_over: false where the answer takes the chat over from people: no floor and no marker hands it back.
    people_are_called: the chat was handed over already, to people who are away.
    by_letters: the answer goes as a letter. knowledge_base: where it was read already.
    """

    assistant: Assistant
    operator_id: int | None
    history: Sequence[prompts.HistoryMessage]
    burst: prompts.BoundedBurst
    language: str
    operators: prompts.Presence
    presence_context: bool
    rag: bool
    offline_outcome_mode: str
    phrases: dict[str, dict[str, str]]
    link_hosts: Sequence[str] = ()
    held: tuple[datetime, datetime] | None = None
    now: datetime | None = None
    greeting: str = ""
    reply_language: str | None = None
    canary: str = ""
    may_hand_over: bool = True
    people_are_called: bool = False
    by_letters: bool = False
    knowledge_base: ReadBase | None = None

    @property
    def floor(self) -> handover_rules.Floor | None:
        """The part of the burst that calls people, whatever a model would say."""
        if not self.may_hand_over:
            return None
        return handover_rules.floor_of(self.burst.text, self.assistant.escalation_triggers)

    @property
    def is_social(self) -> bool:
        """Whether the burst is nothing but courtesies, and answers no question of ours."""
        last = next((said for said in reversed(self.history) if said.by == "ai"), None)
        asked_something = last is not None and is_question(last.text)
        return not asked_something and handover_rules.is_social(self.burst.text)


def link_hosts(widget: Widget, settings: AiSettings) -> list[str]:
    """The hosts of any page that an answer may link to: the widget's pages', and those that the settings name."""
    return [*widget.allowed_origins, *settings.link_hosts]


@dataclass(slots=True, kw_only=True)
class Composition:
    """A text as it would be shown, and how it came about. `hands_over`, `reason`: whether it goes to people.

    `facts_removed`: facts that stood nowhere, so that their sentences were taken out of the text.
    `sources`: all that the model was given. `grounds`: the titles and addresses of those that the text has something
    of, each once. `before`: what is said before the phrase of a handover, by an external operator alone.
    """

    text: str
    transformation: shown_answers.Transformation
    classifier: shown_answers.Classifier = "not_needed"
    rag_status: RagStatus = "disabled"
    chunk_ids: list[int] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    grounds: list[dict[str, Any]] = field(default_factory=list)
    pieces: Sequence[KnowledgePiece] = ()
    facts_removed: Sequence[str] = ()
    hands_over: bool = False
    reason: str | None = None
    trigger: str | None = None
    outcome: shown_answers.Outcome | None = None
    suppressed: bool = False
    leaked: bool = False
    answered_by: int | None = None
    before: str = ""


def phrased(request: ReplyRequest, decision: shown_answers.Decision, text: str = "") -> Composition:
    """The text that a decision shows, or the phrase that stands for it. Asks no model."""
    made = Composition(text=text, transformation=decision.transformation, suppressed=decision.suppressed)
    if decision.shown == "social_reply":
        made.text = phrase("social_reply", request.language, request.phrases)
    elif decision.shown == "excuse":
        made.text = phrase("handover_offline", request.language, request.phrases)
    elif decision.shown == "handover":
        key, made.outcome = shown_answers.phrase_of(
            request.operators,
            presence_context=request.presence_context,
            is_stopped=decision.reason in decisions.STOPPED,
        )
        made.text = phrase(key, request.language, request.phrases)
        made.hands_over, made.reason = True, decision.reason
    return made


def compose(request: ReplyRequest, asker: Asker) -> Composition:
    """The answer of a model to what no floor has answered (`at_floor_of`).

    Raises BudgetExhausted, ProviderFailed where the reply's own call fails at every credential, and SpentError.
    """
    return _ModelCall(request, asker).run()


def at_floor_of(request: ReplyRequest) -> Composition | None:
    """The text that a floor of the burst shows; None without one. Asks no model."""
    floor = request.floor
    if floor is None:
        return None
    made = phrased(request, shown_answers.at_floor(floor.reason))
    made.trigger = floor.trigger
    made.rag_status = "empty" if request.rag else "disabled"
    return made


class _ModelCall:
    """One answer under way: its canary, its names of personal data, its knowledge."""

    def __init__(self, request: ReplyRequest, asker: Asker) -> None:
        self.request, self.asker = request, asker
        self.canary, self.redaction = request.canary or secrets.token_hex(8), Redaction()
        self.is_social = request.is_social
        self.rag_status: RagStatus = "disabled"
        self.chunks: Sequence[KnowledgePiece] = ()
        self.facts_removed: Sequence[str] = ()

    def run(self) -> Composition:
        self._retrieve()
        self.redaction = Redaction(self._public_texts())
        asked = self._prompt()
        completion = self.asker.ask("reply", asked)
        answered_by = self.asker.answered_by
        read = self._checked(asked, self._read(completion.text))
        decision, classifier, text = self._decide(asked, read)
        restored = self.redaction.restore(text)
        if restored is None:
            restored = phrase("pii_restore_fallback", self.request.language, self.request.phrases)
        made = phrased(self.request, decision, restored)
        made.classifier, made.leaked, made.answered_by = classifier, read.leaked, answered_by
        made.rag_status, made.chunk_ids = self.rag_status, [chunk.id for chunk in self.chunks]
        made.sources = [
            {"ref": one.source_ref, "title": one.title, "url": one.url, "score": round(one.score, 4)}
            for one in self.chunks
        ]
        made.pieces, made.facts_removed = self.chunks, self.facts_removed
        if decision.shown == "text":
            made.grounds = self._grounds(restored)
        return made

    def _grounds(self, text: str) -> list[dict[str, Any]]:
        """The titles and addresses of the pieces that an answer rests on, each once; of an article's, its id, too."""
        if not self.chunks:
            return []
        said = Statement(text, question=self.request.burst.text)
        used = [one for one in self.chunks if said.rests_on(f"{one.title}\n{one.content}")]
        shown = dict.fromkeys((one.title, one.url, one.article_id) for one in used if one.title or one.url)
        return [
            {"title": title, "url": url, **({} if article_id is None else {"article_id": article_id})}
            for title, url, article_id in shown
        ]

    def _retrieve(self) -> None:
        """Finds the knowledge that the answer may rest on."""
        request = self.request
        if not request.rag:
            return
        retrieve = retriever()
        if retrieve is None:
            self.rag_status = "unavailable"
            return
        self.rag_status, self.chunks = retrieve(
            widget_id=request.assistant.widget_id,
            assistant_id=request.assistant.pk,
            operator_id=request.operator_id,
            query=self._searched(),
            language=request.language,
            budget=self.asker.budget,
            base=request.knowledge_base,
        )

    def _searched(self) -> str:
        """The text that knowledge is looked for by, in the visitor's own words; empty for a courtesy."""
        if self.is_social:
            return ""
        request = self.request
        before = [said.text for said in prompts.window(request.history, request.now) if said.by == "visitor"]
        return search_terms.searched(before, prompts.disarmed(request.burst.text))

    def _prompt(self) -> prompts.Prompt:
        request, assistant = self.request, self.request.assistant
        system = prompts.system_text(
            prompts.Persona(
                persona=assistant.persona, system_prompt=assistant.system_prompt, greeting=request.greeting
            ),
            canary=self.canary,
            operators=request.operators if request.presence_context else None,
            held=request.held,
            language=request.reply_language,
            by_letters=request.by_letters,
        )
        return prompts.prompt(
            system,
            history=request.history,
            burst=request.burst,
            knowledge=[prompts.KnowledgeExcerpt(chunk.content, chunk.title) for chunk in self.chunks],
            canary=self.canary,
            redaction=self.redaction,
            now=request.now,
        )

    def _read(self, text: str) -> answers.ReadAnswer:
        longest = answers.MAX_LETTER if self.request.by_letters else answers.MAX_ANSWER
        read = answers.read_answer(text, canary=self.canary, links=self._known_links, longest=longest)
        is_cut = len(text) > len(read.text) > longest - 100
        return read._replace(text=up_to_last_sentence(read.text)) if is_cut else read

    @cached_property
    def _known_links(self) -> answers.KnownLinks:
        request, assistant = self.request, self.request.assistant
        # Addresses that left by a name come back as they were written, so they are known.
        return answers.KnownLinks(
            answers.LinkSources(
                hosts=request.link_hosts,
                owner=(assistant.persona, assistant.system_prompt, request.greeting),
                given=(
                    *(chunk.content for chunk in self.chunks),
                    *(chunk.url or "" for chunk in self.chunks),
                    *(said.text for said in request.history if said.by == "visitor"),
                    *request.burst.texts,
                ),
            )
        )

    def _checked(self, prompt: prompts.Prompt, read: answers.ReadAnswer) -> answers.ReadAnswer:
        """The answer without facts that stand nowhere, where it was to rest on knowledge.

        The model is asked once more, told such facts or the wrong language; then their sentences are left out.
        """
        if not read.text:
            return read
        faults, language = self._faults(read.text), self._other_language(read.text)
        if not faults and language is None:
            return read
        try:
            again = self._read(self.asker.ask("recovery", prompts.corrected(prompt, faults, language)).text)
        except (ProviderFailed, BudgetExhausted, SpentError):
            again = read  # a slow model's first answer is better than none
        read = again if again.text or again.marked else read
        self.facts_removed = self._faults(read.text)
        if not self.facts_removed:
            return read
        return read._replace(text=self._known_facts.without_unsupported(read.text))

    def _faults(self, text: str) -> list[str]:
        if self.rag_status not in ("included", "empty"):
            return []
        return [fact.text for fact in self._known_facts.missing(text)]

    def _other_language(self, text: str) -> str | None:
        """The language of the visitor's words, where the answer clearly has another of the seven."""
        wanted, is_in = self.request.reply_language, language_of(text)
        if wanted is None or is_in in (None, wanted):
            return None
        return wanted if language_of(self.request.burst.text) == wanted else None

    def _public_texts(self) -> list[str]:
        """The texts that an answer may repeat to anybody: the pieces, and the owner's texts."""
        assistant = self.request.assistant
        return [
            *(f"{chunk.title}\n{chunk.content}\n{chunk.url or ''}" for chunk in self.chunks),
            *(assistant.persona, assistant.system_prompt, self.request.greeting),
        ]

    @cached_property
    def _known_facts(self) -> facts.KnownFacts:
        """All that an answer may take a fact from: the pieces, the owner's texts, the conversation."""
        request = self.request
        return facts.KnownFacts(
            [
                *self._public_texts(),
                *(said.text for said in request.history),
                *request.burst.texts,
                " ".join(self.redaction.names),
            ]
        )

    def _decide(
        self, prompt: prompts.Prompt, read: answers.ReadAnswer
    ) -> tuple[shown_answers.Decision, shown_answers.Classifier, str]:
        """The decision, what the classifier said, and the text that may be shown."""
        request = self.request
        found = {"marked": read.marked, "has_text": bool(read.text), "social": self.is_social}
        if not request.may_hand_over:
            return shown_answers.in_peoples_stead(**found), "not_needed", read.text
        if request.people_are_called and (cut_off := shown_answers.while_away(**found)):
            return cut_off, "not_needed", read.text
        is_judged = shown_answers.asks_classifier(marked=found["marked"], social=found["social"])
        classifier = self._classify() if is_judged else "not_needed"
        decision = shown_answers.decide(
            **found,
            classifier=classifier,
            answer_only=request.offline_outcome_mode == OfflineOutcomeMode.ANSWER_ONLY,
            operators=request.operators,
        )
        if decision is not None:
            return decision, classifier, read.text
        again = self._recover(prompt)
        return shown_answers.recovered(has_text=bool(again.text), marked=again.marked), classifier, again.text

    def _classify(self) -> shown_answers.Classifier:
        burst = prompts.PromptMessage("user", prompts.burst_text(self.request.burst, self.redaction))
        try:
            answer = self.asker.ask("classifier", prompts.Prompt(prompts.CLASSIFIER, [burst]), max_tokens=50)
        except (ProviderFailed, BudgetExhausted):
            return "unavailable"
        return shown_answers.classified(answer.text)

    def _recover(self, prompt: prompts.Prompt) -> answers.ReadAnswer:
        again = prompts.Prompt(f"{prompt.system}\n\n{prompts.RECOVERY}", prompt.lines)
        try:
            return self._read(self.asker.ask("recovery", again).text)
        except (ProviderFailed, BudgetExhausted):
            return answers.ReadAnswer("", marked=False, leaked=False)
