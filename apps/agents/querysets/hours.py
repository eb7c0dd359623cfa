"""The hours of widgets and their departments, as the function that says when one is open takes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.contrib.postgres.aggregates import JSONBAgg
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject

from apps.accounts.models import Widget
from apps.agents.models import Department, Holiday, WidgetWeek
from apps.agents.rules.holidays import DaysOff
from apps.agents.rules.hours import (
    HORIZON_DAYS,
    Calendar,
    DatedHours,
    OpenHours,
    OtherHours,
    always_open,
    shortest_first,
)
from apps.agents.rules.weeks import read_periods, week_of


class DepartmentHours(NamedTuple):
    """A department that is not for colleagues alone, and its hours."""

    id: int
    name: str
    hours: OpenHours


class WidgetHours(NamedTuple):
    """A widget's hours, and those of its departments, oldest first.

    Without a week of its own a widget is open while one of these is, and without any always, but for its holidays.
    """

    hours: OpenHours
    departments: list[DepartmentHours]


def dated_hours(rows: QuerySet[Holiday], now: datetime) -> list[tuple[Holiday, list[DatedHours]]]:
    """Holidays with the dates on which their hours hold, each date once; those of every year, for 400 days."""
    begin = (now - timedelta(days=1)).date()
    end = begin + timedelta(days=HORIZON_DAYS)
    by_row = {shortest: row for row in rows.order_by("day", "pk") for shortest in [_hours_on(row)]}
    taken: set[date] = set()
    found = []
    for other in shortest_first(by_row):
        first, last = (begin, end) if other.days.every_year else (other.days.first, other.days.last)
        days = [day for day in other.days.days_between(first, last) if day not in taken]
        taken.update(days)
        found.append((by_row[other], [DatedHours(day, other.periods, other.text) for day in days]))
    return found


def hours_of_widget(widget_id: int, *, channel: str | None = None) -> WidgetHours:
    """The hours of a widget, of which the departments that take a channel count; without one, all for visitors."""
    return hours_of_widgets([widget_id], channel=channel)[widget_id]


def hours_of_widgets(widget_ids: Collection[int], *, channel: str | None = None) -> dict[int, WidgetHours]:
    """The hours of several widgets, by `hours_of_widget`, in one statement."""
    departments = Department.objects.unscoped("of the widgets that the caller names")
    taking = departments.filter(internal=False) if channel is None else departments.taking(channel)
    rows = Widget.objects.filter(pk__in=widget_ids).annotate(
        week=Subquery(WidgetWeek.objects.unscoped("each widget's own").filter(pk=OuterRef("pk")).values("schedule")),
        groups=_all(
            taking.filter(widget=OuterRef("pk")),
            id="id",
            name="name",
            schedule="schedule",
            time_zone="time_zone",
        ),
        others=_others(OuterRef("pk")),
    )
    return {
        pk: _widget_hours(ZoneInfo(zone), week, groups or (), others or ())
        for pk, zone, week, groups, others in rows.values_list("pk", "time_zone", "week", "groups", "others")
    }


def hours_of_department(widget_id: int, department_id: int) -> OpenHours | None:
    """Reads the hours of one department; None where there is none of that id."""
    rows = Department.objects.for_widget(widget_id).filter(pk=department_id)
    found = rows.annotate(others=_others(OuterRef("widget_id")))
    for pk, schedule, own, zone, others in found.values_list(
        "pk", "schedule", "time_zone", "widget__time_zone", "others"
    ):
        return OpenHours((_calendar(schedule, ZoneInfo(own or zone), pk, others or ()),))
    return None


def _others(widget_id: OuterRef) -> Subquery:
    holidays = Holiday.objects.unscoped("of the row's own widget").filter(widget=widget_id)
    return _all(
        holidays,
        department="department_id",
        day="day",
        until="until",
        every_year="every_year",
        periods="periods",
        text="text",
    )


def _all(rows: QuerySet[Any], **members: str) -> Subquery:
    """All rows of a widget as one value, in the order of their ids; NULL where there is none."""
    listed = rows.order_by().values("widget_id").annotate(listed=JSONBAgg(JSONObject(**members), order_by="id"))
    return Subquery(listed.values("listed"))


def _widget_hours(
    zone: ZoneInfo, week: Any, groups: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]
) -> WidgetHours:
    departments = [
        DepartmentHours(
            group["id"],
            group["name"],
            OpenHours(
                (
                    _calendar(
                        group["schedule"],
                        ZoneInfo(group["time_zone"]) if group["time_zone"] else zone,
                        group["id"],
                        others,
                    ),
                )
            ),
        )
        for group in groups
    ]
    if week is not None:
        return WidgetHours(OpenHours((_calendar(week, zone, None, others),)), departments)
    if not departments:
        return WidgetHours(always_open(zone, _holding(None, others)), departments)
    return WidgetHours(OpenHours(tuple(each.hours.calendars[0] for each in departments)), departments)


def _calendar(
    schedule: Any, zone: ZoneInfo, department_id: int | None, others: Sequence[Mapping[str, Any]]
) -> Calendar:
    return Calendar(week_of(schedule), zone, _holding(department_id, others))


def _holding(department_id: int | None, others: Sequence[Mapping[str, Any]]) -> list[OtherHours]:
    """A department's own dates before those of its widget."""
    return [
        each
        for owner in ([None] if department_id is None else [department_id, None])
        for each in shortest_first(_other_hours(row) for row in others if row["department"] == owner)
    ]


def _hours_on(row: Holiday) -> OtherHours:
    return OtherHours(row.days_off, read_periods(row.periods), row.text)


def _other_hours(row: Mapping[str, Any]) -> OtherHours:
    first = date.fromisoformat(row["day"])
    last = date.fromisoformat(row["until"]) if row["until"] else first
    return OtherHours(DaysOff(first, last, every_year=row["every_year"]), read_periods(row["periods"]), row["text"])
