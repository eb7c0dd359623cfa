"""Drafting an answer for an operator: what is known, what a model says, what of it may be shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.ai.actions.replies.drafting import link_hosts
from apps.ai.actions.replies.reading import StoredMessage, history_of, visible_messages
from apps.ai.models import AiSettings
from apps.ai.rules import answers, facts, handover_rules, prompts, search_terms
from apps.ai.rules.languages import language_of
from apps.ai.rules.redaction import Redaction
from apps.ai.settings import settings_of
from apps.assists.actions.past_answers import past_answers
from apps.assists.actions.runs import AssistRun
from apps.assists.rules.drafting import DRAFT_RULES, NAME_OF_PAST, draft_prompt
from apps.assists.rules.kinds import FailReason
from apps.assists.rules.results import AssistFailed, AssistResult, DraftSource
from apps.assists.rules.sentences import marked, whole_words, without_marks
from apps.chats.questions import ChatHooks, spoken_language
from apps.chats.rules import SenderKind
from apps.chats.rules.translations import ChatTranslation
from apps.core import plugins
from apps.kb.questions import KnowledgePiece, retriever


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedPiece:
    """A piece that the model is given, and how it is shown as a source."""

    source: DraftSource
    content: str

    @property
    def excerpt(self) -> prompts.KnowledgeExcerpt:
        return prompts.KnowledgeExcerpt(self.content, self.source.title)


def draft(run: AssistRun) -> AssistResult:
    """A draft of the answer to what the visitor wrote last.

    Raises AssistFailed for a safety floor, a leak and an empty answer, and what `AssistRun.ask` raises.
    """
    return _Drafting(run).made()


class _Drafting:
    """One draft: the chat as it was read, and what the model is given."""

    def __init__(self, run: AssistRun) -> None:
        self.run, self.chat = run, run.chat
        self.now: datetime = timezone.now()
        self.messages = visible_messages(self.chat.widget_id, self.chat.pk)
        self.messages = [said for said in self.messages if said.says_something]
        self.burst = _burst(self.messages)
        before = self.messages[: len(self.messages) - len(self.burst)]
        self.history = history_of(before)
        self.texts = [said.text for said in self.burst]
        self.asked = prompts.bounded(self.texts)
        translation = ChatTranslation.of(self.chat.translation)
        # Where the chat is translated, the operator is given words that they read.
        read_in = translation.to[0] if translation.on and translation.to else None
        self.language = read_in or language_of(self.asked.text)
        self.key_words: str = run.asked.get("text") or ""
        self.settings: AiSettings = settings_of(self.chat.widget_id)
        self.canary = salted_hmac("assists.canary", f"{self.chat.pk}").hexdigest()[:16]
        self.pieces: Sequence[NumberedPiece] = ()
        self.redaction = Redaction()

    def made(self) -> AssistResult:
        floor = handover_rules.floor_of(self.asked.text)
        if floor is not None and floor.reason == "safety_floor":
            raise AssistFailed(FailReason.SAFETY, refused=True)
        self.pieces = self._pieces()
        self.redaction = self.run.redaction = Redaction(self._public_texts())
        said = self.run.ask(self._prompt(), shown=self.shown)
        read = self._read(said)
        if read.leaked:
            raise AssistFailed(FailReason.LEAK, refused=True)
        restored = self.redaction.restore(read.text)
        if not restored:
            raise AssistFailed(FailReason.EMPTY if restored is not None else FailReason.BAD_ANSWER)
        found = marked(restored, [piece.source.n for piece in self.pieces])
        named = {number for sentence in found.sentences for number in sentence.sources}
        return AssistResult(
            text=found.text,
            sentences=found.sentences,
            sources=[piece.source for piece in self.pieces if piece.source.n in named],
            unsupported=[fact.text for fact in facts.KnownFacts(self._known_texts()).missing(found.text)],
            language=self.language or self._language(),
            more={"question": self.asked.text},
        )

    # What the model is given.

    def _pieces(self) -> list[NumberedPiece]:
        """Knowledge as AI's answers get it, answers of people, fresh cards from the shop's own system."""
        found: list[tuple[Any, ...]] = [
            ("knowledge", piece.title, piece.url, piece.source_ref, piece.url is not None, piece.content)
            for piece in self._knowledge()
        ]
        if self.run.settings.past_answers and self.texts:
            found += [
                ("past", "", None, f"chat:{past.chat_id}", False, f"{past.question}\n— {past.answer}")
                for past in past_answers(self.chat, self._searched(), self.run.asker.budget)
            ]
        found += [
            ("card", title, None, f"card:{title}", False, text)
            for read in plugins.hooked(lambda app: app.fresh_cards, ChatHooks)
            for title, text in read(self.chat.widget_id, self.chat.pk)
        ]
        return [
            NumberedPiece(source=DraftSource(n, kind, title, url, ref, is_public), content=content)
            for n, (kind, title, url, ref, is_public, content) in enumerate(found, 1)
        ]

    def _searched(self) -> str:
        before = [said.text for said in prompts.window(self.history, self.now) if said.by == "visitor"]
        asked = search_terms.searched(before, prompts.disarmed(self.asked.text))
        return f"{asked}\n{self.key_words}".strip()

    def _knowledge(self) -> Sequence[KnowledgePiece]:
        assistant, retrieve = self.run.assistant, retriever()
        if assistant is None or retrieve is None or not self._searched():
            return ()
        found = retrieve(
            widget_id=self.chat.widget_id,
            assistant_id=assistant.pk,
            operator_id=self.run.asker.operator_id,
            query=self._searched(),
            language=self.language or self._language(),
            budget=self.run.asker.budget,
        )
        return found.chunks

    def _prompt(self) -> prompts.Prompt:
        assistant = self.run.assistant
        persona = prompts.Persona(
            persona=assistant.persona if assistant else "", system_prompt=assistant.system_prompt if assistant else ""
        )
        system = prompts.system_text(
            persona,
            canary=self.canary,
            operators=None,
            held=None,
            language=self.language or (self._language() if not self._has_words else None),
            rules=DRAFT_RULES,
        )
        hidden = [
            piece.excerpt
            if piece.source.kind == "knowledge"
            else prompts.KnowledgeExcerpt(self.redaction.hide(piece.content), piece.source.title or NAME_OF_PAST)
            for piece in self.pieces
        ]
        return draft_prompt(
            system=system,
            key_words=self.key_words,
            history=self.history,
            burst=self.texts,
            pieces=hidden,
            canary=self.canary,
            redaction=self.redaction,
            now=self.now,
        )

    @property
    def _has_words(self) -> bool:
        return any(character.isalpha() for said in self.burst for character in said.body)

    def _language(self) -> str:
        """The visitor's language, where their words do not tell."""
        return spoken_language(self.chat)

    # What of the answer may be shown.

    def shown(self, words: str) -> str:
        """The words so far that may be shown: whole ones, behind the same floors as the end."""
        read = self._read(whole_words(words))
        return without_marks(self.redaction.restore(read.text) or "")

    def _read(self, text: str) -> answers.ReadAnswer:
        return answers.read_answer(text, canary=self.canary, links=self._known_links)

    @cached_property
    def _known_links(self) -> answers.KnownLinks:
        """Read once, however many parts of the answer are shown while it comes."""
        hosts = link_hosts(self.chat.widget, self.settings)
        return answers.KnownLinks(
            answers.LinkSources(hosts=hosts, owner=self._owners_texts(), given=self._given_texts())
        )

    def _owners_texts(self) -> list[str]:
        assistant = self.run.assistant
        return [assistant.persona, assistant.system_prompt] if assistant else []

    def _given_texts(self) -> list[str]:
        """Texts whose links may be repeated: the pieces, the visitor's words, and those of operators in this chat."""
        return [
            *(f"{piece.content} {piece.source.url or ''}" for piece in self.pieces),
            *(said.text for said in self.messages),
            self.key_words,
        ]

    def _public_texts(self) -> list[str]:
        knowledge = [piece for piece in self.pieces if piece.source.kind == "knowledge"]
        texts = [f"{piece.source.title}\n{piece.content}\n{piece.source.url or ''}" for piece in knowledge]
        return [*texts, *self._owners_texts()]

    def _known_texts(self) -> list[str]:
        """All that a draft may take a fact from."""
        return [
            *(f"{piece.source.title}\n{piece.content}\n{piece.source.url or ''}" for piece in self.pieces),
            *self._owners_texts(),
            *(said.text for said in self.messages),
            self.key_words,
        ]


def _burst(messages: Sequence[StoredMessage]) -> list[StoredMessage]:
    """The visitor's messages behind the last word of anybody else."""
    count = 0
    for said in reversed(messages):
        if said.sender_kind != SenderKind.CLIENT:
            break
        count += 1
    return list(messages[len(messages) - count :])
