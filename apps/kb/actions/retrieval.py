"""Retrieval: the rules that the bot is given for a question, and the preview of just that (one code for both)."""

import logging
from collections.abc import Sequence
from typing import Literal, NamedTuple

from django.db import DatabaseError, transaction

from apps.core import bus
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import AI_BUDGET_EXHAUSTED, PROVIDER_BUSY
from apps.core.parsing.personal import replaced
from apps.egress import BulkheadFull
from apps.egress.call_budget import CallBudget
from apps.kb.actions.background import OPERATIONS
from apps.kb.actions.bases import embedder_of, is_of, space_in_use
from apps.kb.actions.vectors import embedded
from apps.kb.errors import KB_EMBED_PROVIDER_FAILED
from apps.kb.events import EmbeddingFailed
from apps.kb.models import KnowledgeBase
from apps.kb.querysets.retrieval import RetrievalQuery, RulePlace, candidates
from apps.kb.questions import BudgetExhausted, Knowledge, KnowledgePiece, ModelFailed, NoEmbeddings, ReadBase
from apps.kb.rules.fusion import DEFAULT_LIMIT, MAX_QUERY, MAX_TOKENS, RuleCandidate, chosen, score_of
from apps.kb.rules.texts import visible

logger = logging.getLogger(__name__)

# A visitor waits for an answer of which this is the smaller part; a preview waits for it alone.
SECONDS_OF_A_REPLY, SECONDS_OF_A_PREVIEW = 1.5, 8.0
RETRY_AFTER_S = 1


class RetrievedRule(NamedTuple):
    """A rule that is given."""

    rule: RuleCandidate
    place: RulePlace

    @property
    def score(self) -> float:
        return score_of(self.rule.ranks, self.rule.known)


class RetrievalResult(NamedTuple):
    """The chunks for a question, best first; `hybrid` where meaning was looked for too."""

    retrieval: Literal["hybrid", "text"]
    chunks: Sequence[RetrievedRule]


class PreparedQuery(NamedTuple):
    """A question, and what its vector would be compared with (`space`, None: it is looked for by its text alone)."""

    query: RetrievalQuery
    space: str | None


def asked_of(
    widget_id: int,
    operator_id: int | None,
    question: str,
    *,
    language: str | None = None,
    read: ReadBase | None = None,
) -> PreparedQuery | None:
    """The question as it is asked of the widget's rules, in a chat of that language or of any; None without rules, or
    without a question.
    """
    text = visible(question)[:MAX_QUERY]
    if read is None:
        base = KnowledgeBase.objects.for_widget(widget_id).first()
    else:
        base = KnowledgeBase(widget_id=widget_id, **read.row) if read.row else None
    if base is None or not base.rules or not text.strip():
        return None
    space = space_in_use(base, embedder_of(widget_id)) if base.ready else None
    return PreparedQuery(RetrievalQuery(widget_id, operator_id, text, base.rules, language=language), space)


def with_vector(query: PreparedQuery, budget: CallBudget) -> RetrievalQuery:
    """The question with its vector, if one can be compared. Raises ModelFailed."""
    if query.space is None:
        return query.query
    try:
        made = embedded(query.query.widget_id, [_without_personal(query.query.text)], task="query", budget=budget)
    except NoEmbeddings:
        return query.query
    base = KnowledgeBase.objects.for_widget(query.query.widget_id).first()
    if base is None or not is_of(base, made.by) or len(made.vectors[0]) != base.dimension:
        return query.query
    return query.query._replace(vector=made.vectors[0], space=query.space)


def _without_personal(text: str) -> str:
    """The question as a vendor may read it. Our own database looks for the visitor's own words."""
    return replaced(text, lambda found: f"[{found.kind.upper()}]")


def find(query: RetrievalQuery, *, limit: int = DEFAULT_LIMIT, max_tokens: int = MAX_TOKENS) -> RetrievalResult:
    """The chunks for a question: by one statement, for any size of the knowledge base."""
    places = dict(candidates(query))
    best = chosen(places, limit=limit, max_tokens=max_tokens)
    chunks = [RetrievedRule(candidate, places[candidate]) for candidate in best]
    return RetrievalResult("text" if query.vector is None else "hybrid", chunks)


def preview(
    *, operator_id: int | None, question: str, limit: int, outbound: ExternalCall, language: str | None = None
) -> RetrievalResult:
    """The chunks that the bot would be given in a chat of that language; without one, those for any language.

    It looks no better and no worse than it is: a provider that fails is a refusal.

    Raises PROVIDER_BUSY, AI_BUDGET_EXHAUSTED (429), KB_EMBED_PROVIDER_FAILED (502).
    """
    asked = asked_of(outbound.widget_id, operator_id, question, language=language)
    if asked is None:
        return RetrievalResult("text", ())
    query = asked.query
    if asked.space is not None:
        try:
            with outbound.slot():
                query = with_vector(asked, CallBudget(operations=OPERATIONS, seconds=SECONDS_OF_A_PREVIEW))
        except BulkheadFull:
            raise PROVIDER_BUSY(headers={"Retry-After": str(RETRY_AFTER_S)}) from None
        except BudgetExhausted as failure:
            raise AI_BUDGET_EXHAUSTED(headers=failure.headers) from None
        except ModelFailed as failure:
            raise KB_EMBED_PROVIDER_FAILED(provider_reason=failure.reason) from None
    return find(query, limit=limit)


def retrieve(
    *,
    widget_id: int,
    assistant_id: int,
    operator_id: int | None,
    query: str,
    language: str,
    limit: int = DEFAULT_LIMIT,
    max_tokens: int = MAX_TOKENS,
    budget: CallBudget,
    base: ReadBase | None = None,
) -> Knowledge:
    """The knowledge that an answer may rest on, in a chat of that language.

    A provider that fails or is late leaves the text to be looked for; a database that does not answer leaves nothing
    (`unavailable`).
    """
    try:
        asked = asked_of(widget_id, operator_id, query, language=language, read=base)
        if asked is None:
            return Knowledge("empty", ())
        found = find(_vector_in_time(asked, budget), limit=limit, max_tokens=max_tokens)
    except DatabaseError:
        logger.exception("the knowledge base of widget %s could not be read", widget_id)
        return Knowledge("unavailable", ())
    chunks = [
        KnowledgePiece(
            one.rule.rule_id, one.rule.content, one.place.source_ref, one.place.title, one.place.url, one.score
        )
        for one in found.chunks
    ]
    return Knowledge("included" if chunks else "empty", chunks)


def _vector_in_time(query: PreparedQuery, budget: CallBudget) -> RetrievalQuery:
    try:
        return with_vector(query, budget.part(SECONDS_OF_A_REPLY))
    except BudgetExhausted:
        return query.query  # the owner is told already
    except ModelFailed as failure:
        with transaction.atomic():
            widget_id = query.query.widget_id
            bus.publish(EmbeddingFailed(widget_id=widget_id, asked_for_answer=True, reason=failure.reason))
        return query.query
