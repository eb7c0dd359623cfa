"""Cards of the service itself on the cabinet's front page, for those who run the installation."""

from django.conf import settings
from django.utils.translation import gettext

from apps.core.cabinet import Board, Card, Dashboard
from apps.core.redis import usage


def cards(board: Board) -> list[Card]:
    if board.widget_id is not None:
        return []
    has_redis = usage.is_usable()
    return [
        Card(
            title=gettext("Version"),
            figure=settings.VERSION,
            note=gettext("Redis works.") if has_redis else gettext("Redis is away: the service does without."),
            is_alarming=not has_redis,
        ),
    ]


DASHBOARD = Dashboard(cards=cards)
