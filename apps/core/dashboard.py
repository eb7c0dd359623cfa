"""Cards of the service itself on the cabinet's front page, for those who run the installation."""

from datetime import datetime

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django_celery_beat.models import PeriodicTask

from apps.core import plugins
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
        Card(title=gettext("Jobs, and when they were last started"), rows=_jobs()),
    ]


def _jobs() -> tuple[tuple[str, str], ...]:
    """Every periodic job by its name. Beat notes when it starts one, a few minutes late."""
    last_runs = dict(PeriodicTask.objects.values_list("name", "last_run_at"))
    return tuple((gettext(job.name), _written(last_runs.get(job.name))) for job in plugins.jobs())


def _written(moment: datetime | None) -> str:
    return date_format(localtime(moment), "SHORT_DATETIME_FORMAT") if moment else "—"


DASHBOARD = Dashboard(cards=cards)
