"""Automations on the cabinet's pages that are not their own."""

from datetime import timedelta

from django.utils.translation import gettext

from apps.automations.models import AutomationRun
from apps.automations.rules.runs import RunState
from apps.core.cabinet import Board, Dashboard, Figure

_DAY = timedelta(days=1)


def figures(board: Board) -> list[Figure]:
    """The automations that acted too often in a chat and were stopped there, in a day."""
    if board.widget_id is None:
        return []
    stopped = AutomationRun.objects.for_widget(board.widget_id).filter(state=RunState.LIMIT, at__gt=board.now - _DAY)
    names = list(stopped.order_by("name").values_list("name", flat=True).distinct())
    return [
        Figure(
            title=gettext("Automations stopped"),
            value=str(len(names)),
            note=gettext("They acted too often in one chat: %(names)s") % {"names": ", ".join(names[:3])}
            if names
            else "",
            is_alarming=bool(names),
            place="needs_you",
        )
    ]


DASHBOARD = Dashboard(figures=figures)
