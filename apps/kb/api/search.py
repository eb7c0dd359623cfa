"""The preview of retrieval over REST (specification, Endpoints, "Knowledge base")."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.agents.models import Agent
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Query, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import AI_BUDGET_EXHAUSTED, NOT_FOUND, PROVIDER_BUSY
from apps.kb import questions
from apps.kb.actions.retrieval import RetrievedRule, preview
from apps.kb.errors import KB_EMBED_PROVIDER_FAILED
from apps.kb.rules.fusion import DEFAULT_LIMIT, MAX_LIMIT, MAX_QUERY
from apps.kb.rules.texts import is_blank
from apps.kb.serializers.search import SearchSerializer

MAX_ID = 2**63 - 1


class SearchQuery(Query):
    """The question, and who would be given what is found."""

    q = Text(max_length=MAX_QUERY)
    limit = QueryInteger(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MAX_LIMIT)
    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)
    lang = Text(
        required=False,
        max_length=8,
        help_text="The visitor's language: of an article's texts, that one's or the default's alone. Default: all.",
    )
    operator_id = QueryInteger(
        required=False, min_value=1, max_value=MAX_ID, help_text="An AI operator: rules for it alone count, too."
    )

    def validate_q(self, q: str) -> str:
        if is_blank(q):
            raise ValidationError("This question shows nothing.")
        return q


class SearchViewSet(ApiViewSet):
    reads = ("kb:read",)

    @operation(
        summary="Preview what the bot would be given",
        filters=SearchQuery,
        answers=SearchSerializer,
        calls_out=True,
        problems=(NOT_FOUND, PROVIDER_BUSY, AI_BUDGET_EXHAUSTED, KB_EMBED_PROVIDER_FAILED),
    )
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Exactly the chunks, in the order, that the bot would get for that question if it asked now, even while
        retrieval is switched off. With vectors in use the question is embedded: 502 when the provider fails.
        """
        operator_id = context.filters.get("operator_id")
        _require_theirs(context.widget_id, context.filters.get("assistant_id"), operator_id)
        question = context.filters["q"]
        found = preview(
            operator_id=operator_id,
            question=question,
            limit=context.filters["limit"],
            outbound=context.outbound,
            language=context.filters.get("lang"),
        )
        return {"query": question, "retrieval": found.retrieval, "chunks": [_shown(chunk) for chunk in found.chunks]}


def _require_theirs(widget_id: int, assistant_id: int | None, operator_id: int | None) -> None:
    """Raises NOT_FOUND (404) for an assistant or AI operator that the widget does not have."""
    if assistant_id is not None:
        theirs = questions.answering(widget_id).assistants
        if assistant_id not in [assistant.id for assistant in theirs]:
            raise NOT_FOUND("There is no such assistant.")
    if operator_id is not None:
        Agent.objects.for_widget(widget_id).get_or_404(
            "There is no such AI operator.", pk=operator_id, type=Agent.Type.AI
        )


def _shown(chunk: RetrievedRule) -> dict[str, Any]:
    return {
        "rule_id": chunk.rule.rule_id,
        "content": chunk.rule.content,
        **chunk.place._asdict(),
        "score": chunk.score,
        "similarity": chunk.rule.similarity,
        "ranks": chunk.rule.ranks._asdict(),
    }
