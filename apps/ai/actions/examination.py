"""The examination of an assistant before it goes live: a dozen questions made of the owner's own pages.

The questions are cases of the owner's test set, and a run of it is their answers (`evaluations.py`). Each case keeps
the piece of knowledge that it was made of: an answer is right where it rests on that. Without a model, questions
are made of the pages' headings, and the piece found for each is shown as a piece.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.apps import apps as django_apps

from apps.ai.actions.evaluation_cases import create_case
from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.models import Assistant, EvaluationCase
from apps.ai.rules.evaluations import MAX_PIECE, CaseOrigin
from apps.ai.rules.examination import (
    MOST_QUESTIONS,
    SYSTEM,
    PageExcerpt,
    PageQuestion,
    questions_of_headings,
    read_questions,
    spread,
)
from apps.ai.rules.grounds import words_of
from apps.core.problems import Problem
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted, ModelFailed, NoModel

SECONDS, OPERATIONS, MAX_TOKENS = 40.0, 2, 1_500
# Of these the pages are chosen: a knowledge base may have 50,000 rules, and a document thousands.
LOOKED_AT = 400
MAX_EXCERPT = 600


class Passage(NamedTuple):
    """A passage of the knowledge base, and where it stands."""

    content: str
    title: str
    url: str | None
    ref: str

    @property
    def text(self) -> str:
        """The words that an answer is compared with."""
        return f"{self.title}\n{self.content}"


def has_knowledge() -> bool:
    """Whether the app that answers are made from is installed."""
    return django_apps.is_installed("apps.kb")


def pages_of(widget_id: int) -> list[PageExcerpt]:
    """The first passages of the widget's knowledge, whole."""
    if not has_knowledge():
        return []
    from apps.kb.models import Rule

    rules = Rule.objects.for_widget(widget_id).filter(operator=None).select_related("source").order_by("pk")
    return [
        PageExcerpt(
            rule.source_id, rule.title or _title_of(rule.source), rule.content[:MAX_PIECE], str(rule.source.ref)
        )
        for rule in rules.only("source_id", "title", "content", "source__title", "source__type", "source__ref")[
            :LOOKED_AT
        ]
    ]


def _title_of(source: Any) -> str:
    """The title of a page or a document; what was written by hand has names such as "faq"."""
    return "" if source.type == "manual" else str(source.title)


def passage_of(widget_id: int, question: str) -> Passage | None:
    """The best passage by its words: no model is asked."""
    if not has_knowledge():
        return None
    from apps.kb.actions.retrieval import asked_of, find

    asked = asked_of(widget_id, None, question)
    chunks = find(asked.query, limit=1).chunks if asked is not None else ()
    if not chunks:
        return None
    best = chunks[0]
    return Passage(best.rule.content, best.place.title or best.place.source_ref, best.place.url, best.place.source_ref)


def piece_of(case: EvaluationCase) -> Passage | None:
    """The piece that a case was made of, as it stands now: the most similar one of its source.

    None for a question that a person asks, and where the source is gone.
    """
    if not case.piece or not has_knowledge():
        return None
    from apps.kb.models import Rule

    rules = Rule.objects.for_widget(case.widget_id).filter(source__ref=case.piece_ref).select_related("source")
    words = words_of(case.piece)
    best = max(rules.order_by("pk")[:LOOKED_AT], key=lambda rule: len(words & words_of(rule.content)), default=None)
    if best is None:
        return None
    title = best.title or str(best.source.title) or case.piece_ref
    return Passage(best.content, title, best.source.url, case.piece_ref)


def questions_of(widget_id: int, assistant_id: int | None) -> list[PageQuestion]:
    """Questions that visitors may ask about the owner's pages: a model's, or the headings' where none answers.

    One paid call at most. Must not run in a transaction.
    """
    pages = pages_of(widget_id)
    asked = _asked_of_a_model(widget_id, assistant_id, spread(pages, MOST_QUESTIONS))
    return asked or questions_of_headings(pages)


def _asked_of_a_model(widget_id: int, assistant_id: int | None, pages: Sequence[PageExcerpt]) -> list[PageQuestion]:
    if not pages:
        return []
    passages = [
        {"passage": number, "title": page.title, "text": page.text[:MAX_EXCERPT]}
        for number, page in enumerate(pages, 1)
    ]
    try:
        reply = CHAT_MODEL.complete(
            widget_id,
            purpose="examination",
            system=SYSTEM,
            messages=[("user", json.dumps(passages, ensure_ascii=False))],
            max_tokens=MAX_TOKENS,
            budget=CallBudget(operations=OPERATIONS, seconds=SECONDS),
            assistant_id=assistant_id,
        )
    except (NoModel, BudgetExhausted, ModelFailed, SpentError):
        return []
    return read_questions(reply.text, pages)


def prepare_examination(*, assistant: Assistant) -> int:
    """Adds the questions to the owner's test set, each once; how many were added. Must not run in a transaction."""
    cases = EvaluationCase.objects.for_widget(assistant.widget_id)
    known = {question.casefold() for question in cases.values_list("question", flat=True)}
    added = 0
    for question in questions_of(assistant.widget_id, assistant.pk):
        if question.text.casefold() in known:
            continue
        try:
            create_case(
                widget_id=assistant.widget_id,
                assistant=assistant,
                question=question.text,
                piece=question.page.text,
                piece_ref=question.page.ref,
                born_from=CaseOrigin.WIZARD,
            )
        except Problem:  # there are as many as may be
            break
        known.add(question.text.casefold())
        added += 1
    return added
