"""Hours of a widget and of its departments over REST, and the public holidays of countries."""

from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from apps.accounts.models import Widget
from apps.agents.actions.hours import replace_department_hours, replace_widget_hours
from apps.agents.models import Department, Holiday, WidgetWeek
from apps.agents.querysets.hours import dated_hours, hours_of_department, hours_of_widget
from apps.agents.rules.public_holidays import FIRST_YEAR, LAST_YEAR, countries, public_holidays
from apps.agents.rules.weeks import shown_week, week_of
from apps.agents.serializers.hours import (
    DepartmentHoursBody,
    HoursBody,
    HoursNowSerializer,
    HoursSerializer,
    PublicHolidaySerializer,
    shown_dates,
)
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Query, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import Moment
from apps.core.errors import INVALID_INPUT

EXAMPLE = {
    "time_zone": "Europe/Moscow",
    "week": {
        "Monday": [{"from": "09:00", "to": "13:00"}, {"from": "14:00", "to": "18:00"}],
        "Tuesday": [{"from": "00:00", "to": "24:00"}],
        "Wednesday": [],
        "Thursday": [],
        "Friday": [{"from": "21:00", "to": "02:00"}],
        "Saturday": [],
        "Sunday": [],
    },
    "exceptions": [{"date": "2027-01-01", "periods": [], "text": "We are back on January 9th."}],
}


class HoursNowQuery(Query):
    """The department, and the moment."""

    department_id = QueryInteger(required=False, min_value=1, max_value=2**63 - 1, help_text="Default: the widget.")
    at = Moment(required=False, help_text="Default: now.")

    def validate_at(self, value: datetime) -> datetime:
        if not FIRST_YEAR <= value.astimezone(UTC).year <= LAST_YEAR:
            raise serializers.ValidationError(f"A moment from {FIRST_YEAR} to {LAST_YEAR} is expected.")
        return value


class PublicHolidaysQuery(Query):
    """The country and the year."""

    country = Text(max_length=8, help_text="ISO 3166-1, two letters, such as `RU`.")
    subdivision = Text(required=False, max_length=8, help_text="A region of the country, such as `BY` of `DE`.")
    year = QueryInteger(min_value=FIRST_YEAR, max_value=LAST_YEAR)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        regions = countries().get(attrs["country"])
        if regions is None:
            raise serializers.ValidationError({"country": ["No holidays of this country are known."]})
        if attrs.get("subdivision") not in (None, *regions):
            raise serializers.ValidationError({"subdivision": ["No holidays of this region are known."]})
        return attrs


class HoursViewSet(ApiViewSet):
    reads = ("departments:read",)
    writes = ("departments:write",)

    @operation(summary="Read the widget's hours", answers=HoursSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """They hold for chats without a department, and their dates for departments without a date of their own."""
        widget_id = context.widget_id
        week = WidgetWeek.objects.for_widget(widget_id).values_list("schedule", flat=True).first()
        zone = Widget.objects.values_list("time_zone", flat=True).get(pk=widget_id)
        return _shown(widget_id, None, zone, week)

    @operation(summary="Replace the widget's hours", takes=HoursBody, answers=HoursSerializer, example=EXAMPLE)
    def update(self, context: RequestContext) -> dict[str, Any]:
        """All three members. A period whose `to` is before its `from` ends on the next day; touching ones are joined.

        A date with other hours replaces the periods that begin on it; a night begun before runs on.
        """
        replace_widget_hours(widget_id=context.widget_id, **context.body)
        return self.retrieve(context)

    @operation(summary="Ask whether it is open", filters=HoursNowQuery, answers=HoursNowSerializer)
    def now(self, context: RequestContext) -> dict[str, Any]:
        """The hours as they are now say it for the widget or one department, now or at another moment."""
        department_id = context.filters.get("department_id")
        if department_id is None:
            hours = hours_of_widget(context.widget_id).hours
        elif (found := hours_of_department(context.widget_id, department_id)) is not None:
            hours = found
        else:
            raise INVALID_INPUT(errors={"department_id": ["There is no such department."]})
        return hours.now(context.filters.get("at") or timezone.now())._asdict()

    @operation(
        summary="List the public holidays of a country",
        filters=PublicHolidaysQuery,
        answers=PublicHolidaySerializer,
        lists="whole",
    )
    def holidays(self, context: RequestContext) -> Page:
        """To be chosen from: none of them is kept until it is among the dates with other hours."""
        found = public_holidays(**context.filters)
        return context.whole({**each._asdict(), "date": each.date.isoformat()} for each in found)


class DepartmentHoursViewSet(ApiViewSet):
    target = Department
    reads = ("departments:read",)
    writes = ("departments:write",)

    @operation(summary="Read a department's hours", answers=HoursSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The week that `schedule` has day by day, a night as one period."""
        department = Department.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)
        return _shown(context.widget_id, department.pk, department.time_zone or None, department.schedule)

    @operation(
        summary="Replace a department's hours",
        takes=DepartmentHoursBody,
        answers=HoursSerializer,
        example={**EXAMPLE, "time_zone": None},
    )
    def update(self, context: RequestContext) -> dict[str, Any]:
        """All three members, as of the widget's; a date that the department does not have is as the widget has it."""
        replace_department_hours(widget_id=context.widget_id, department_id=context.target_id, **context.body)
        return self.retrieve(context)


def _shown(widget_id: int, department_id: int | None, zone: str | None, week: Any) -> dict[str, Any]:
    rows = Holiday.objects.for_widget(widget_id).filter(department=department_id)
    dates = [each for _, shown in dated_hours(rows, timezone.now()) for each in shown]
    return {
        "time_zone": zone,
        "week": None if week is None else shown_week(week_of(week)),
        "exceptions": shown_dates(dates),
    }
