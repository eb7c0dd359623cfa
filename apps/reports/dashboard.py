"""The figures of episodes on the cabinet's front page: each leads to its list."""

from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.core.cabinet import Board, Dashboard, Figure
from apps.reports.actions.reports import report_of
from apps.reports.labels import TITLES, chats_in_words, rate_in_words, wait_in_words
from apps.reports.rules.reports import ReportQuery


def figures(board: Board) -> list[Figure]:
    """The figures of a widget's episodes that were opened in the board's window."""
    if board.widget_id is None:
        return []
    zone = ZoneInfo(Widget.objects.values_list("time_zone", flat=True).get(pk=board.widget_id))
    found: Any = report_of(board.widget_id, ReportQuery(window=board.window, zone=zone)).figures
    lists = reverse("admin:reports_widgetreport_episodes", args=[board.widget_id])
    first, good = found["first_reply"], found["good"]
    return [
        Figure(
            title=str(TITLES["first_reply"]),
            value=wait_in_words(first.p90),
            note=gettext("nine of ten within; half within %(half)s, of %(chats)s")
            % {"half": wait_in_words(first.p50), "chats": chats_in_words(first.n)},
            address=_list_of(lists, first.slowest if first.n else first.chats),
            place="today",
        ),
        Figure(
            title=str(TITLES["good"]),
            value=rate_in_words(good.rate),
            note=gettext("%(count)d of %(of)d") % {"count": good.value, "of": good.of},
            address=_list_of(lists, good.chats),
            place="today",
        ),
    ]


def _list_of(lists: str, chats: str) -> str:
    return f"{lists}?{chats.partition('?')[2]}"


DASHBOARD = Dashboard(figures=figures)
