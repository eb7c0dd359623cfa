"""The chats' figures on the cabinet's front page."""

from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext, pgettext

from apps.chats.models import Chat
from apps.chats.querysets import statistics
from apps.chats.querysets.dashboard import opened_by_widget
from apps.chats.rules.statistics import Metric, chat_metrics
from apps.core.cabinet import Bar, Board, Dashboard, Figure
from apps.core.parsing.periods import Period, Window, window_of

BUSIEST = 5


def figures(board: Board) -> list[Figure]:
    return _of_installation(board) if board.widget_id is None else _of_widget(board, board.widget_id)


def _of_installation(board: Board) -> list[Figure]:
    opened = opened_by_widget(since=window_of(now=board.now, period=Period.TODAY).start)
    return [
        Figure(
            title=gettext("Chats opened today"),
            value=str(sum(count for _, count in opened)),
            note=gettext("since midnight in Moscow"),
            address=reverse("admin:chats_chat_changelist"),
            rows=tuple((name, str(count)) for name, count in opened[:BUSIEST]),
        )
    ]


def _of_widget(board: Board, widget_id: int) -> list[Figure]:
    chats = f"{reverse('admin:chats_chat_changelist')}?widget__id__exact={widget_id}"
    opened = statistics.chats_opened_by_bucket(widget_id=widget_id, buckets=board.buckets)
    bars = tuple(
        Bar(_label(board, bucket.start), sum(group.chats for group in groups))
        for bucket, groups in zip(board.buckets, opened, strict=True)
    )
    wanted = (Metric.CHATS_TOTAL, Metric.CHATS_ACCEPTED_HUMAN, Metric.CHATS_ACCEPTED_AI)
    counts = chat_metrics([group for groups in opened for group in groups], wanted)
    waiting = Chat.objects.for_widget(widget_id).unanswered(board.now).count()
    return [
        Figure(
            title=gettext("Chats today"),
            value=str(sum(group.chats for group in statistics.chats_opened(widget_id=widget_id, window=_today(board)))),
            note=gettext("since midnight"),
            address=chats,
            place="today",
        ),
        Figure(
            title=gettext("Waiting now"),
            value=str(waiting),
            note=gettext("without an answer, as in the console"),
            address=f"{chats}&waits=1",
            is_alarming=bool(waiting),
            place="today",
        ),
        Figure(
            title=gettext("People / AI"),
            value=f"{counts[Metric.CHATS_ACCEPTED_HUMAN]} / {counts[Metric.CHATS_ACCEPTED_AI]}",
            note=gettext("answered first by each"),
            address=chats,
            place="today",
        ),
        Figure(
            title=gettext("Chats opened"),
            value=str(counts[Metric.CHATS_TOTAL]),
            bars=bars,
            address=chats,
            place="chart",
        ),
    ]


def _today(board: Board) -> Window:
    """From midnight in the time zone of the page."""
    midnight = timezone.localtime(board.now).replace(hour=0, minute=0, second=0, microsecond=0)
    return Window(midnight, board.now)


def _label(board: Board, start: datetime) -> str:
    """When a bar begins: in the page's time zone, with the hours as its reader's language counts them."""
    here = timezone.localtime(start)
    hour = time_format(here.time(), "TIME_FORMAT")
    return hour if board.hours <= 24 else f"{date_format(here, pgettext('format of a day', 'j M'))}, {hour}"


DASHBOARD = Dashboard(figures=figures)
