"""The figures of articles: of days, and of the readers whose rows are kept."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Count, DateTimeField, Exists, ExpressionWrapper, F, OuterRef, Q, Sum
from django.utils import timezone

from apps.articles.models import ArticleReader, ArticleSearch, ArticleTally
from apps.articles.rules.tallies import LATELY, WRITES_WITHIN, FeedbackReason
from apps.chats.models import Message
from apps.chats.rules import SenderKind
from apps.core.parsing.periods import Window

VIEWS = ("page", "widget_views", "markdown")
REASONS = tuple(reason.value for reason in FeedbackReason)
OF_READERS = ("opened", "helpful", "not_helpful", *REASONS, "chatted_after", "silent")
COUNTED = (*VIEWS, "suggested", *OF_READERS)

_DAY_AFTER = ExpressionWrapper(OuterRef("read_at") + WRITES_WITHIN, output_field=DateTimeField())


def _wrote() -> Exists:
    """Whether the reader wrote within a day after the reading. Index: chats_message_list, of each of their chats."""
    messages = Message.objects.unscoped("of the reader's own contact").filter(
        widget_id=OuterRef("widget_id"), chat__contact_id=OuterRef("contact_id"), sender_kind=SenderKind.CLIENT
    )
    return Exists(messages.filter(created_at__gt=OuterRef("read_at"), created_at__lte=_DAY_AFTER))


def counts_of_readers() -> dict[str, Any]:
    """The counts of a group of readers, by their names (OF_READERS)."""
    has_read = Q(read_at__isnull=False)
    chatted = Q(chatted=True) | (Q(chatted=None, contact__isnull=False) & Q(_wrote()))
    counts = {
        "opened": has_read,
        "helpful": Q(helpful=True),
        "not_helpful": Q(helpful=False),
        **{reason: Q(helpful=False, reason=reason) for reason in REASONS},
        "chatted_after": has_read & chatted,
        "silent": has_read & Q(helpful=None) & ~chatted,
    }
    # By another name: a count may be called as a column is.
    return {f"n_{name}": Count("pk", filter=condition) for name, condition in counts.items()}


def readers_who_wrote(pks: Collection[int]) -> set[int]:
    """The readers of these who wrote within a day after the reading."""
    readers = ArticleReader.objects.unscoped("readers whose day is over").filter(pk__in=pks, contact__isnull=False)
    return set(readers.filter(_wrote()).values_list("pk", flat=True))


def figures_of(widget_id: int, window: Window, lang: str | None) -> Mapping[tuple[int, str], dict[str, int]]:
    """The counts of a window by article and language: of its days (UTC), and of its readers.

    Indexes: articles_tally_days, articles_reader_days.
    """
    found: dict[tuple[int, str], dict[str, int]] = {}
    last = (window.end - timedelta(microseconds=1)).date()
    tallies = ArticleTally.objects.for_widget(widget_id).filter(day__gte=window.start.date(), day__lte=last)
    readers = ArticleReader.objects.for_widget(widget_id).filter(at__gte=window.start, at__lt=window.end)
    if lang is not None:
        tallies, readers = tallies.filter(lang=lang), readers.filter(lang=lang)
    sums = {f"n_{name}": Sum(name) for name in COUNTED}
    of_days: Any = tallies.order_by().values("article_id", "lang").annotate(**sums)
    of_readers: Any = readers.order_by().values("article_id", "lang").annotate(**counts_of_readers())
    for row in (*of_days, *of_readers):
        counts = found.setdefault((row["article_id"], row["lang"]), dict.fromkeys(COUNTED, 0))
        for name in COUNTED:
            counts[name] += row.get(f"n_{name}") or 0
    return found


def searches_of(widget_id: int, window: Window, lang: str | None) -> dict[str, int]:
    """How many searches were submitted in a window, found something, led to an article, found nothing."""
    searches = ArticleSearch.objects.for_widget(widget_id).filter(at__gte=window.start, at__lt=window.end)
    if lang is not None:
        searches = searches.filter(lang=lang)
    nothing = Count("pk", filter=Q(found=[]))
    counted = searches.aggregate(asked=Count("pk"), nothing=nothing, opened=Count("pk", filter=Q(is_opened=True)))
    return {
        "asked": counted["asked"],
        "found": counted["asked"] - counted["nothing"],
        "opened": counted["opened"],
        "nothing": counted["nothing"],
    }


def most_viewed(widget_id: int, most: int) -> list[int]:
    """The articles that were shown most often in the last 30 days, the first ones. Index: articles_tally_days."""
    since = timezone.now().date() - LATELY
    tallies = ArticleTally.objects.for_widget(widget_id).filter(day__gt=since)
    shown = Sum(F("page") + F("widget_views") + F("markdown"))
    rows = tallies.order_by().values("article_id").annotate(shown=shown).filter(shown__gt=0)
    return list(rows.order_by("-shown", "article_id").values_list("article_id", flat=True)[:most])
