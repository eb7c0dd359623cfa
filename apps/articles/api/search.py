"""Search in articles, and which of them answer, over REST (design of the first word, 3 and 4)."""

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from rest_framework.exceptions import ValidationError

from apps.articles.actions.results import results_of
from apps.articles.actions.search import DEFAULT_LIMIT, MAX_LIMIT, search
from apps.articles.rules.tallies import MAX_QUERY
from apps.articles.serializers.results import ArticleResultsSerializer
from apps.articles.serializers.search import ArticleHitSerializer
from apps.chats.questions import SPOKEN
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Choice, Query, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import PeriodQuery, window_asked_for
from apps.kb.rules.texts import is_blank

_LANGUAGES = sorted(SPOKEN)


class ArticleSearchQuery(Query):
    """The question, and its language."""

    q = Text(max_length=MAX_QUERY)
    lang = Choice(required=False, choices=_LANGUAGES, help_text="Default: the help center's.")
    limit = QueryInteger(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MAX_LIMIT)

    def validate_q(self, q: str) -> str:
        if is_blank(q):
            raise ValidationError("This question shows nothing.")
        return q


class ArticleResultsQuery(PeriodQuery):
    """The window, and filters of the figures."""

    period = None  # type: ignore[assignment]
    lang = Choice(required=False, choices=_LANGUAGES)
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)


class ArticleSearchViewSet(ApiViewSet):
    reads = ("kb:read",)

    @operation(
        summary="Search in published articles", filters=ArticleSearchQuery, answers=ArticleHitSerializer, lists="whole"
    )
    def list(self, context: RequestContext) -> Page:
        """By words and their spelling, without a vendor. Each article once: those in the language first, then those in
        the help center's default one. The question is kept nowhere.
        """
        asked = context.filters
        hits = search(context.widget_id, asked["q"], asked.get("lang", ""), asked["limit"])
        return context.whole([asdict(hit) for hit in hits])


class ArticleResultsViewSet(ApiViewSet):
    reads = ("kb:read",)

    @operation(summary="Read which articles answer", filters=ArticleResultsQuery, answers=ArticleResultsSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The trailing 30 days unless told otherwise; days of views are UTC's. Robots do not count."""
        window = window_asked_for(context.filters, now=timezone.now())
        return results_of(
            widget_id=context.widget_id,
            window=window,
            lang=context.filters.get("lang"),
            limit=context.filters["limit"],
        )
