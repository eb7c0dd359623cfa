"""Searches in vain, by their words."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Min, Q

from apps.articles.models import ArticleSearch
from apps.core.database.tenants import TenantQuerySet
from apps.core.parsing.periods import Window


class SearchInVain(NamedTuple):
    """A search's words in a language, counted in a window and in the one before. `first_id` is its oldest row's."""

    first_id: int
    query: str
    lang: str
    count: int  # type: ignore[assignment]
    previous_count: int
    first_seen_at: datetime
    last_seen_at: datetime


def _in_vain(widget_id: int) -> "TenantQuerySet[ArticleSearch]":
    """Submitted searches that found nothing, or of which nothing was opened. A row is a browser and a day."""
    return ArticleSearch.objects.for_widget(widget_id).filter(is_opened=False)


def searches_in_vain(widget_id: int, window: Window, lang: str | None, limit: int) -> Sequence[SearchInVain]:
    """The searches of a window that led nowhere, the most frequent first. Index: articles_search_days."""
    start, end = window.start, window.end
    rows = _in_vain(widget_id).filter(at__gte=start - (end - start), at__lt=end)
    if lang is not None:
        rows = rows.filter(lang=lang)
    inside = Q(at__gte=start)
    counted = (
        rows.order_by()
        .values("query", "lang")
        .annotate(
            first_id=Min("pk"),
            times=Count("pk", filter=inside),
            before=Count("pk", filter=~inside),
            first=Min("at", filter=inside),
            last=Max("at", filter=inside),
        )
        .filter(times__gt=0)
        .order_by("-times", "-last", "-first_id")[:limit]
    )
    return [
        SearchInVain(row["first_id"], row["query"], row["lang"], row["times"], row["before"], row["first"], row["last"])
        for row in counted
    ]


def search_in_vain(widget_id: int, pk: int) -> SearchInVain | None:
    """All searches in vain with the words of one; None for one that is none of the widget's."""
    named = ArticleSearch.objects.for_widget(widget_id).filter(pk=pk).first()
    if named is None:
        return None
    rows = _in_vain(widget_id).filter(query=named.query, lang=named.lang)
    counted = rows.aggregate(times=Count("pk"), first=Min("at"), last=Max("at"))
    if not counted["times"]:
        return None
    return SearchInVain(pk, named.query, named.lang, counted["times"], 0, counted["first"], counted["last"])
