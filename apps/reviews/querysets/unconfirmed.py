"""Scores of a model that nobody confirmed: the episodes that have none yet, and their totals."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Avg, Count, Exists, OuterRef

from apps.chats.models import Chat
from apps.chats.rules import Status
from apps.reports.models import EpisodeRow
from apps.reviews.models import UnconfirmedScore

# Older episodes are not scored any more: the model would be asked for months.
SCORED_WITHIN = timedelta(days=7)


class UnconfirmedTotal(NamedTuple):
    """How many episodes of an assistant a model has scored, and their mean score, rounded."""

    assistant_id: int | None
    n: int
    score: int


def next_unscored(widget_id: int, version: int, *, most: int, now: datetime) -> list[UnconfirmedScore]:
    """New rows for the oldest lately ended episodes that an assistant answered in, and that have none yet.

    Index: reports_episode_ended.
    """
    known = UnconfirmedScore.objects.for_widget(widget_id).filter(pk=OuterRef("pk"))
    is_spam = Chat.objects.for_widget(widget_id).filter(pk=OuterRef("chat_id"), status=Status.SPAM)
    rows = EpisodeRow.objects.for_widget(widget_id).filter(ended_from__gt=now - SCORED_WITHIN, ended_from__lte=now)
    rows = rows.exclude(assistants=[]).filter(~Exists(known), ~Exists(is_spam)).order_by("ended_from", "id")[:most]
    chats = Chat.objects.for_widget(widget_id).in_bulk([row.chat_id for row in rows])
    return [
        UnconfirmedScore(
            episode_id=row.pk,
            widget_id=widget_id,
            chat=chats[row.chat_id],
            assistant_id=row.assistants[-1],
            scorecard_version=version,
        )
        for row in rows
        if row.chat_id in chats
    ]


def unconfirmed_totals(widget_id: int, start: datetime, end: datetime) -> Sequence[UnconfirmedTotal]:
    """By assistant, of the episodes that were scored in that time; the most first. Index: reviews_unconfirmed_list."""
    rows = UnconfirmedScore.objects.for_widget(widget_id).filter(at__gte=start, at__lt=end, score__isnull=False)
    found = rows.order_by().values_list("assistant_id").annotate(n=Count("pk"), mean=Avg("score"))
    totals = [UnconfirmedTotal(assistant_id, n, int(mean + 0.5)) for assistant_id, n, mean in found]
    return sorted(totals, key=lambda total: (-total.n, total.assistant_id or 0))
