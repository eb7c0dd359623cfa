"""Holidays of a widget: dates on which nobody is there."""

from collections.abc import Mapping, Sequence
from datetime import date

from django.db import transaction

from apps.agents.events import DepartmentChanged
from apps.agents.models import Holiday
from apps.core import bus


@transaction.atomic
def write_holiday(
    *,
    widget_id: int,
    day: date,
    until: date | None = None,
    every_year: bool = False,
    text: str,
    department_id: int | None = None,
    periods: Sequence[Mapping[str, str]] = (),
) -> Holiday:
    """Notes other hours from a day until another, or of that day alone; those that begin that day are written anew.

    They are of all departments, or of one; without periods it is closed.
    """
    told = {
        "until": until if until != day else None,
        "every_year": every_year,
        "text": text,
        "periods": [dict(period) for period in periods],
    }
    of_owner = Holiday.objects.for_widget(widget_id).filter(department=department_id)
    row, _ = of_owner.update_or_create(
        day=day,
        defaults=told,
        create_defaults={"widget_id": widget_id, "department_id": department_id, **told},
    )
    bus.publish(DepartmentChanged(widget_id=widget_id))
    return row


@transaction.atomic
def delete_holiday(*, widget_id: int, holiday_id: int) -> None:
    """Takes a holiday back. Raises NOT_FOUND (404)."""
    Holiday.objects.for_widget(widget_id).get_for_update(pk=holiday_id).delete()
    bus.publish(DepartmentChanged(widget_id=widget_id))
