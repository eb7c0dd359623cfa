"""The answer times of the week on the cabinet's front page."""

from collections import Counter
from datetime import timedelta

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from apps.core.cabinet import Board, Dashboard, Figure
from apps.core.parsing.periods import Window
from apps.routing.forms import METRIC_LABELS
from apps.routing.models import RoutingSettings
from apps.routing.querysets.clocks import figures as answer_times

WEEK = timedelta(days=7)


def figures(board: Board) -> list[Figure]:
    """One of the answers that were due lately, where the widget or a department has answer times."""
    widget_id = board.widget_id
    if widget_id is None or not RoutingSettings.objects.for_widget(widget_id).with_answer_times().exists():
        return []
    met: Counter[str] = Counter()
    due: Counter[str] = Counter()
    for row in answer_times(widget_id, Window(board.now - WEEK, board.now), board.now):
        met[row["metric"]] += row["met"]
        due[row["metric"]] += row["count"]
    rows = [
        (capfirst(str(label)), gettext("%(met)d of %(count)d") % {"met": met[metric], "count": due[metric]})
        for metric, label in METRIC_LABELS.items()
        if due[metric]
    ]
    return [
        Figure(
            title=gettext("Answer times"),
            note=gettext("met, in the last 7 days") if rows else gettext("No answer was due in the last 7 days."),
            rows=tuple(rows),
            address=f"{reverse('admin:chats_chat_changelist')}?widget__id__exact={widget_id}&waits=missed",
            place="today",
        )
    ]


DASHBOARD = Dashboard(figures=figures)
