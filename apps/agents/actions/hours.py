"""Replacing the hours of a widget and of a department: time zone, week, and dates with other hours."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils import timezone

from apps.accounts.actions.widgets import change_widget
from apps.accounts.models import Widget
from apps.agents.events import DepartmentChanged
from apps.agents.models import Department, Holiday, WidgetWeek
from apps.agents.querysets.hours import dated_hours
from apps.agents.rules.hours import DatedHours, Week
from apps.agents.rules.weeks import schedule_of, shown_periods
from apps.core import bus


@transaction.atomic
def change_widget_week(*, widget_id: int, time_zone: str, week: Week | None) -> None:
    """Replaces a widget's week and time zone, and keeps its dates with other hours.

    Without a week the widget is open while one of its departments for visitors is.
    """
    _set_week(widget_id, time_zone, week)
    bus.publish(DepartmentChanged(widget_id=widget_id))


@transaction.atomic
def replace_widget_hours(
    *, widget_id: int, time_zone: str, week: Week | None, exceptions: Sequence[DatedHours]
) -> None:
    """Replaces a widget's hours; without a week it is open while one of its departments for visitors is.

    Raises NOT_FOUND (404).
    """
    _set_week(widget_id, time_zone, week)
    _replace_dates(widget_id, None, exceptions)
    bus.publish(DepartmentChanged(widget_id=widget_id))


def _set_week(widget_id: int, time_zone: str, week: Week | None) -> None:
    widget = Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    if widget.time_zone != time_zone:
        change_widget(widget=widget, changes={"time_zone": time_zone})
    if week is None:
        WidgetWeek.objects.for_widget(widget_id).delete()
    else:
        kept = {"schedule": schedule_of(week)}
        WidgetWeek.objects.for_widget(widget_id).update_or_create(
            defaults=kept, create_defaults={"widget_id": widget_id, **kept}
        )


@transaction.atomic
def replace_department_hours(
    *, widget_id: int, department_id: int, time_zone: str | None, week: Week, exceptions: Sequence[DatedHours]
) -> None:
    """Replaces a department's hours; without a time zone they are of the widget's. Raises NOT_FOUND (404)."""
    department = Department.objects.for_widget(widget_id).get_for_update(pk=department_id)
    department.time_zone, department.schedule = time_zone or "", schedule_of(week)
    department.save(update_fields=["time_zone", "schedule", "updated_at"])
    _replace_dates(widget_id, department_id, exceptions)
    bus.publish(DepartmentChanged(widget_id=widget_id))


def _replace_dates(widget_id: int, department_id: int | None, exceptions: Iterable[DatedHours]) -> None:
    """A holiday of several days or of every year stays, if all its dates that were shown are sent as they are."""
    wanted = {each.day: each for each in exceptions}
    rows = Holiday.objects.for_widget(widget_id).filter(department=department_id)
    for row, shown in dated_hours(rows, timezone.now()):
        if shown and all(wanted.get(each.day) == each for each in shown):
            for each in shown:
                del wanted[each.day]
        else:
            row.delete()
    for each in wanted.values():
        periods = shown_periods(each.periods)
        Holiday.objects.create(
            widget_id=widget_id, department_id=department_id, day=each.day, periods=periods, text=each.text
        )
