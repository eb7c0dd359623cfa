"""The chats' cards on the cabinet's front page."""

from datetime import datetime

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from apps.accounts.first_steps import FirstSteps
from apps.chats.models import Chat
from apps.chats.querysets import statistics
from apps.chats.querysets.dashboard import opened_by_widget
from apps.chats.rules.statistics import Metric, chat_metrics
from apps.core.cabinet import Bar, Board, Card, Dashboard
from apps.core.parsing.periods import Period, in_moscow, window_of

BUSIEST = 5


def cards(board: Board) -> list[Card]:
    return _of_installation(board) if board.widget_id is None else _of_widget(board, board.widget_id)


def _of_installation(board: Board) -> list[Card]:
    opened = opened_by_widget(since=window_of(now=board.now, period=Period.TODAY).start)
    return [
        Card(
            title=gettext("Chats opened today"),
            figure=str(sum(count for _, count in opened)),
            note=gettext("since midnight in Moscow"),
            address=reverse("admin:chats_chat_changelist"),
            rows=tuple((name, str(count)) for name, count in opened[:BUSIEST]),
        )
    ]


def _of_widget(board: Board, widget_id: int) -> list[Card]:
    chats = f"{reverse('admin:chats_chat_changelist')}?widget__id__exact={widget_id}"
    opened = statistics.chats_opened_by_bucket(widget_id=widget_id, buckets=board.buckets)
    bars = tuple(
        Bar(_label(board, bucket.start), sum(group.chats for group in groups))
        for bucket, groups in zip(board.buckets, opened, strict=True)
    )
    wanted = (Metric.CHATS_TOTAL, Metric.CHATS_MISSED)
    counts = chat_metrics([group for groups in opened for group in groups], wanted)
    responses = statistics.first_responses(widget_id=widget_id, window=board.window)
    missed = counts[Metric.CHATS_MISSED]
    waiting = Chat.objects.for_widget(widget_id).unanswered(board.now).count()
    return [
        Card(title=gettext("Chats opened"), figure=str(counts[Metric.CHATS_TOTAL]), bars=bars, address=chats),
        Card(
            title=gettext("Unanswered"),
            figure=str(waiting),
            note=gettext("Visitors who wait for an answer now, as the console counts them."),
            address=f"{chats}&waits=1",
            is_alarming=bool(waiting),
        ),
        Card(
            title=gettext("Missed"),
            figure=str(missed),
            note=gettext("Of these chats, nobody has answered them."),
            address=f"{chats}&handling__exact=missed",
        ),
        Card(
            title=gettext("First response"),
            figure=_duration(responses.seconds),
            note=ngettext(
                "on average, in %(count)d answered chat", "on average, in %(count)d answered chats", responses.count
            )
            % {"count": responses.count},
        ),
    ]


def _label(board: Board, start: datetime) -> str:
    """When a bar begins, by Moscow's clock."""
    return date_format(in_moscow(start), "H:i" if board.hours <= 24 else "j M, H:i")


def _duration(seconds: float | None) -> str:
    """A wait in words: seconds below a minute, then minutes, then hours."""
    if seconds is None:
        return "—"
    if seconds < 60:
        return gettext("%(count)d s") % {"count": round(seconds)}
    minutes = round(seconds / 60)
    if minutes < 60:
        return gettext("%(count)d min") % {"count": minutes}
    return gettext("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}


DASHBOARD = Dashboard(cards=cards)
FIRST_STEPS = FirstSteps(is_past=lambda widget_id: Chat.objects.for_widget(widget_id).exists())
