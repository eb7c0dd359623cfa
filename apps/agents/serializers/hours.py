"""Hours over REST: time zone, week, dates with other hours, and the state at a moment."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from rest_framework import serializers

from apps.agents.rules import weeks
from apps.agents.rules.hours import DatedHours, Week
from apps.core.endpoints.row_serializers import RowSerializer, Time
from apps.core.endpoints.serializers import Body, Boolean, Choice, Text, first_of, validator_of

Refusals = dict[str, str]


def _refuse(refusals: Refusals) -> None:
    if "" in refusals:
        raise serializers.ValidationError(refusals[""])
    if refusals:
        raise serializers.ValidationError(first_of({path: [reason] for path, reason in refusals.items()}))


class TimeZone(Text):
    """A name of the tz database."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=64,
            validators=[validator_of(weeks.time_zone_refusal)],
            help_text="Such as `Europe/Moscow`.",
            **options,
        )


class WrittenWeek(serializers.DictField):
    """Each of the seven days with its periods `{from, to}`; an end before the begin is on the next day."""

    def to_internal_value(self, data: Any) -> Week:  # type: ignore[override] # as the rules take it
        _refuse(weeks.week_refusals(data))
        return weeks.read_week(data)

    def to_representation(self, value: Any) -> Any:
        return value


class DatesWithOtherHours(serializers.ListField):
    """`[{date, periods, text}]`: the periods that begin on these dates in place of the week's; none: closed."""

    def to_internal_value(self, data: Any) -> list[DatedHours]:
        _refuse(weeks.exceptions_refusals(data))
        return [
            DatedHours(date.fromisoformat(each["date"]), weeks.read_periods(each["periods"]), each.get("text", ""))
            for each in data
        ]

    def to_representation(self, value: Any) -> Any:
        return value


class HoursBody(Body):
    """A widget's hours, whole. Without a week it is open while one of its departments for visitors is."""

    time_zone = TimeZone()
    week = WrittenWeek(allow_null=True)
    exceptions = DatesWithOtherHours()


class DepartmentHoursBody(Body):
    """A department's hours, whole. Without a time zone they are of the widget's."""

    time_zone = TimeZone(allow_null=True)
    week = WrittenWeek()
    exceptions = DatesWithOtherHours()


class HoursSerializer(RowSerializer):
    """Hours: the time zone, the week, and the dates with other hours."""

    time_zone = Text(allow_null=True, help_text="Null: a department has that of its widget.")
    week = WrittenWeek(allow_null=True, help_text="Null: a widget is open while one of its departments is.")
    exceptions = DatesWithOtherHours(help_text="Dates of every year are told for the next 400 days.")


class HoursNowSerializer(RowSerializer):
    """The state at a moment."""

    is_open = Boolean()
    opens_at = Time(allow_null=True, help_text="Null while it is open, and where it stays closed for 400 days.")
    closes_at = Time(allow_null=True, help_text="The next moment at which it closes; null where it does not.")
    source = Choice(choices=["week", "exception"])  # type: ignore[assignment]
    text = Text(allow_null=True, help_text="The words for visitors, while a date with other hours holds.")
    time_zone = Text()


class PublicHolidaySerializer(RowSerializer):
    """A public holiday of a country."""

    date = Text(help_text="Such as `2027-05-09`.")
    name = Text(help_text="In the country's language.")
    name_en = Text()


def shown_dates(dates: Sequence[DatedHours]) -> list[dict[str, Any]]:
    """Dates with other hours as they are written, in their order."""
    return [
        {"date": each.day.isoformat(), "periods": weeks.shown_periods(each.periods), "text": each.text}
        for each in sorted(dates, key=lambda dated: dated.day)
    ]
