"""The examination of an assistant before it goes live: a dozen questions made of the owner's own pages.

The questions are cases of the owner's test set, and a run of it is their answers (`evaluations.py`). Without a model,
questions are the pages' headings, and what is found for each is shown as what it is.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.apps import apps as django_apps

from apps.ai.actions.evaluation_cases import TooManyCases, create_case
from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.models import Assistant, EvaluationCase
from apps.ai.rules.examination import MOST_QUESTIONS, SYSTEM, PageExcerpt, as_question, read_questions, spread
from apps.core.questions import BudgetExhausted, ModelFailed, NoModel
from apps.egress.call_budget import CallBudget, SpentError

SECONDS, OPERATIONS, MAX_TOKENS = 40.0, 2, 1_500
# Of these the pages are chosen: a knowledge base may have 50,000 rules.
LOOKED_AT = 400
MAX_EXCERPT = 600


class Passage(NamedTuple):
    """A passage of the knowledge base that was found for a question, and where it stands."""

    content: str
    title: str
    url: str | None


def pages_of(widget_id: int) -> list[PageExcerpt]:
    """At most a dozen passages of the widget's knowledge, of as many documents as there are."""
    if not django_apps.is_installed("apps.kb"):
        return []
    from apps.kb.models import Rule

    rules = Rule.objects.for_widget(widget_id).filter(operator=None).select_related("source").order_by("pk")
    found = [
        PageExcerpt(rule.source_id, rule.title or _title_of(rule.source), rule.content[:MAX_EXCERPT])
        for rule in rules.only("source_id", "title", "content", "source__title", "source__type")[:LOOKED_AT]
    ]
    return spread(found, MOST_QUESTIONS)


def _title_of(source: Any) -> str:
    """The title of a page or a document; what was written by hand has names such as "faq"."""
    return "" if source.type == "manual" else str(source.title)


def passage_of(widget_id: int, question: str) -> Passage | None:
    """The best passage by its words: no model is asked."""
    if not django_apps.is_installed("apps.kb"):
        return None
    from apps.kb.actions.retrieval import asked_of, find

    asked = asked_of(widget_id, None, question)
    chunks = find(asked.query, limit=1).chunks if asked is not None else ()
    if not chunks:
        return None
    best = chunks[0]
    return Passage(best.rule.content, best.place.title or best.place.source_ref, best.place.url)


def questions_of(widget_id: int, assistant_id: int | None) -> list[str]:
    """Questions that visitors may ask about the owner's pages: a model's, or the headings where none answers.

    One paid call at most. Must not run in a transaction.
    """
    pages = pages_of(widget_id)
    return _asked_of_a_model(widget_id, assistant_id, pages) or [as_question(page) for page in pages]


def _asked_of_a_model(widget_id: int, assistant_id: int | None, pages: Sequence[PageExcerpt]) -> list[str]:
    if not pages:
        return []
    task = json.dumps([{"title": page.title, "text": page.text} for page in pages], ensure_ascii=False)
    try:
        reply = CHAT_MODEL.complete(
            widget_id,
            purpose="examination",
            system=SYSTEM,
            messages=[("user", task)],
            max_tokens=MAX_TOKENS,
            meter=CallBudget(operations=OPERATIONS, seconds=SECONDS),
            assistant_id=assistant_id,
        )
    except (NoModel, BudgetExhausted, ModelFailed, SpentError):
        return []
    return read_questions(reply.text)


def prepare_examination(*, assistant: Assistant) -> int:
    """Adds the questions to the owner's test set, each once; how many were added. Must not run in a transaction."""
    cases = EvaluationCase.objects.for_widget(assistant.widget_id)
    known = {question.casefold() for question in cases.values_list("question", flat=True)}
    added = 0
    for question in questions_of(assistant.widget_id, assistant.pk):
        if question.casefold() in known:
            continue
        try:
            create_case(widget_id=assistant.widget_id, assistant=assistant, question=question)
        except TooManyCases:
            break
        known.add(question.casefold())
        added += 1
    return added
