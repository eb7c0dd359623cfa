"""Readers of articles live for 90 days, figures and searches for 400. Forgotten readers stay in the figures."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, TruncDate

from apps.articles.models import ArticleReader, ArticleSearch, ArticleTally
from apps.articles.querysets.tallies import OF_READERS, counts_of_readers, readers_who_wrote
from apps.articles.rules.tallies import FIGURES_ARE_KEPT, READERS_ARE_KEPT, WRITES_WITHIN

BATCH = 1_000


def forget_old(*, as_of: datetime) -> int:
    """Forgets readers, figures and searches that are too old, batch by batch; gives how many rows.

    Before that it is kept of each reader whether they wrote within a day, once that is over. Harmless when run twice at
    once.
    """
    settle_readers(as_of=as_of)
    gone = 0
    while pks := _first(ArticleReader, at__lt=as_of - READERS_ARE_KEPT):
        gone += _forget_readers(pks)
    while pks := _first(ArticleSearch, at__lt=as_of - FIGURES_ARE_KEPT):
        gone += ArticleSearch.objects.unscoped("every widget's old searches").filter(pk__in=pks).delete()[0]
    while pks := _first(ArticleTally, day__lt=(as_of - FIGURES_ARE_KEPT).astimezone(UTC).date()):
        gone += ArticleTally.objects.unscoped("every widget's old figures").filter(pk__in=pks).delete()[0]
    return gone


def settle_readers(*, as_of: datetime) -> None:
    """Keeps of each reader whose day after the reading is over whether they wrote in it."""
    while pks := _first(ArticleReader, read_at__lt=as_of - WRITES_WITHIN, chatted=None):
        wrote = readers_who_wrote(pks)
        readers = ArticleReader.objects.unscoped("readers whose day is over").filter(pk__in=pks)
        readers.exclude(pk__in=wrote).update(chatted=False)
        readers.filter(pk__in=wrote).update(chatted=True)


def _first(model: type[ArticleReader] | type[ArticleSearch] | type[ArticleTally], **which: Any) -> list[int]:
    rows = model.objects.unscoped("every widget's old rows").filter(**which)
    return list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])


@transaction.atomic
def _forget_readers(pks: Sequence[int]) -> int:
    """Counts these readers among the figures of their day, and forgets them."""
    readers = ArticleReader.objects.unscoped("every widget's old readers").filter(pk__in=pks)
    locked = list(readers.order_by("pk").select_for_update().values_list("pk", flat=True))
    readers = readers.filter(pk__in=locked)
    day = TruncDate(Coalesce("read_at", "at"), tzinfo=UTC)
    groups: Any = readers.annotate(day=day).order_by().values("widget_id", "article_id", "lang", "day")
    for group in groups.annotate(**counts_of_readers()):
        of_day = {name: group[name] for name in ("widget_id", "article_id", "lang", "day")}
        ArticleTally.objects.bulk_create([ArticleTally(**of_day)], ignore_conflicts=True)
        tally = ArticleTally.objects.for_widget(group["widget_id"]).filter(**of_day)
        tally.update(**{name: F(name) + group[f"n_{name}"] for name in OF_READERS})
    return readers.delete()[0]
