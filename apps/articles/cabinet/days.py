"""The days of a page with figures, in the time zone of the cabinet."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from apps.articles.rules.tallies import LATELY
from apps.core.parsing.periods import Window

_DAY = timedelta(days=1)


class Days(NamedTuple):
    """The window that an address asks for, None of impossible days; the fields of the form; the refusal."""

    window: Window | None
    fields: list[tuple[str, Any, str]]
    refusal: str = ""


def days_of(request: HttpRequest) -> Days:
    """The days `from` and `to` of an address, both included; without them the last 30."""
    today = timezone.localdate()
    first, last = _day(request, "from", today - LATELY + _DAY), _day(request, "to", today)
    shown = [(day.isoformat() if day else "") for day in (first, last)]
    fields = [("from", gettext("First day"), shown[0]), ("to", gettext("Last day"), shown[1])]
    if first is None or last is None or first > last:
        return Days(None, fields, gettext("Choose a first day that is not after the last one."))
    return Days(Window(_begins(first), _begins(last + _DAY)), fields)


def _begins(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone())


def _day(request: HttpRequest, name: str, default: date) -> date | None:
    given = request.GET.get(name, "")[:20]
    try:
        day = parse_date(given) if given else default
    except ValueError:
        return None
    # Windows reach a day further, and are told in another time zone.
    return day if day is not None and 2000 <= day.year <= 2100 else None
