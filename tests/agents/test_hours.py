"""One function says when it is open: nights, breaks, other hours on dates, two zones, and the changes of the clocks.

What it says is held against a plain reference that looks at every minute.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agents.rules.departments import DAYS
from apps.agents.rules.holidays import DaysOff
from apps.agents.rules.hours import Calendar, OpenHours, OtherHours, always_open
from apps.agents.rules.weeks import read_periods, read_week, schedule_of, shown_week, week_of

MONDAY = date(2026, 11, 16)


def written(**days: list[str]) -> dict[str, list[dict[str, str]]]:
    """A week as it is written: `Monday=["21:00-02:00"]`; days that are not told are closed."""
    return {
        day: [dict(zip(("from", "to"), each.split("-"), strict=True)) for each in days.get(day, ())] for day in DAYS
    }


def closed_or(day: date, *periods: str, text: str = "") -> OtherHours:
    pairs = [dict(zip(("from", "to"), each.split("-"), strict=True)) for each in periods]
    return OtherHours(DaysOff(day, day), read_periods(pairs), text)


def hours(week: dict[str, Any], *others: OtherHours, zone: str = "UTC") -> OpenHours:
    return OpenHours((Calendar(read_week(week), ZoneInfo(zone), list(others)),))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class TestNights:
    BAR = written(Monday=["21:00-02:00"], Tuesday=["21:00-02:00"])

    @pytest.mark.parametrize(
        ("moment", "is_open"),
        [
            ("2026-11-16T20:59:59", False),
            ("2026-11-16T21:00", True),
            ("2026-11-17T00:00", True),
            ("2026-11-17T01:59:59", True),
            ("2026-11-17T02:00", False),
            ("2026-11-18T01:00", True),
            ("2026-11-18T21:00", False),
        ],
    )
    def test_a_night_ends_on_the_next_day(self, moment: str, is_open: bool) -> None:
        assert hours(self.BAR).is_open(utc(moment)) is is_open

    def test_a_night_closes_once(self) -> None:
        assert hours(self.BAR).closes_at(utc("2026-11-16T22:00")) == utc("2026-11-17T02:00")

    def test_a_date_with_other_hours_replaces_what_begins_on_it_and_a_night_begun_before_runs_on(self) -> None:
        bar = hours(self.BAR, closed_or(date(2026, 11, 17), text="Закрыто"))
        assert bar.is_open(utc("2026-11-17T01:00"))
        assert bar.now(utc("2026-11-17T01:00")).source == "week"
        later = bar.now(utc("2026-11-17T12:00"))
        assert (later.is_open, later.source, later.text) == (False, "exception", "Закрыто")
        assert later.opens_at == utc("2026-11-23T21:00")

    def test_the_night_of_a_date_with_other_hours_is_of_that_date(self) -> None:
        told = hours(written(), closed_or(MONDAY, "22:00-03:00", text="Ночь музеев")).now(utc("2026-11-17T02:30"))
        assert (told.is_open, told.source, told.text) == (True, "exception", "Ночь музеев")
        assert told.closes_at == utc("2026-11-17T03:00")

    def test_sundays_night_ends_on_monday(self) -> None:
        assert hours(written(Sunday=["22:00-06:00"])).is_open(utc("2026-11-16T05:59"))

    def test_days_that_touch_close_together(self) -> None:
        shop = hours(written(Monday=["08:00-24:00"], Tuesday=["00:00-24:00"], Wednesday=["00:00-04:00"]))
        assert shop.closes_at(utc("2026-11-16T09:00")) == utc("2026-11-18T04:00")

    def test_without_an_end_it_closes_never(self) -> None:
        assert hours(written(**{day: ["00:00-24:00"] for day in DAYS})).closes_at(utc("2026-11-16T09:00")) is None
        assert always_open(ZoneInfo("UTC")).now(utc("2026-11-16T09:00")).closes_at is None

    def test_without_a_begin_it_opens_never(self) -> None:
        assert hours(written()).now(utc("2026-11-16T09:00"))[:3] == (False, None, None)

    def test_an_opening_is_told_within_400_days(self) -> None:
        day = MONDAY + timedelta(days=399)
        assert hours(written(), closed_or(day, "10:00-11:00")).opens_at(utc("2026-11-16T09:00")) is not None
        far = hours(written(), closed_or(MONDAY + timedelta(days=402), "10:00-11:00"))
        assert far.opens_at(utc("2026-11-16T09:00")) is None


class TestSeveralCalendars:
    """A widget without a week of its own is open while one of its departments is."""

    MOSCOW = Calendar(read_week(written(Monday=["09:00-18:00"])), ZoneInfo("Europe/Moscow"))
    OMSK = Calendar(read_week(written(Monday=["09:00-18:00"])), ZoneInfo("Asia/Omsk"))

    def test_open_from_the_first_begin_to_the_last_end(self) -> None:
        both = OpenHours((self.MOSCOW, self.OMSK))
        assert both.opens_at(utc("2026-11-15T12:00")) == utc("2026-11-16T03:00")
        assert both.closes_at(utc("2026-11-16T04:00")) == utc("2026-11-16T15:00")
        assert both.open_seconds(utc("2026-11-16T00:00"), utc("2026-11-17T00:00")) == 12 * 3600


class TestClocksThatChange:
    NIGHTS = written(**{day: ["22:00-06:00"] for day in DAYS})

    @pytest.mark.parametrize(
        ("zone", "since", "until", "open_hours"),
        [
            ("Europe/Berlin", "2026-03-28T12:00", "2026-03-29T12:00", 7),  # 02:00 becomes 03:00
            ("Europe/Berlin", "2026-10-24T12:00", "2026-10-25T12:00", 9),  # 03:00 becomes 02:00
            ("Australia/Lord_Howe", "2026-04-04T04:00", "2026-04-05T04:00", 8.5),  # by half an hour
            ("Europe/Moscow", "2026-03-28T12:00", "2026-03-29T12:00", 8),
        ],
    )
    def test_a_shift_counts_the_hours_that_passed(self, zone: str, since: str, until: str, open_hours: float) -> None:
        assert hours(self.NIGHTS, zone=zone).open_seconds(utc(since), utc(until)) == open_hours * 3600

    def test_an_hour_that_comes_twice_is_open_twice(self) -> None:
        berlin = hours(written(Sunday=["02:15-02:45"]), zone="Europe/Berlin")
        assert berlin.opens_at(utc("2026-10-24T22:00")) == utc("2026-10-25T00:15")  # the first one
        assert berlin.closes_at(utc("2026-10-25T00:20")) == utc("2026-10-25T01:45")  # the second one

    def test_a_period_that_the_clocks_skip_whole_is_not_open(self) -> None:
        berlin = hours(written(Sunday=["02:15-02:45"]), zone="Europe/Berlin")
        assert berlin.open_seconds(utc("2026-03-28T12:00"), utc("2026-03-29T12:00")) == 0

    def test_a_day_without_midnight_begins_as_the_clocks_go_on(self) -> None:
        santiago = hours(written(Sunday=["00:00-24:00"]), zone="America/Santiago")
        assert santiago.open_seconds(utc("2026-09-05T12:00"), utc("2026-09-07T12:00")) == 23 * 3600


class TestAfter:
    """When so many open minutes have passed: the due times of answers."""

    OFFICE = hours(written(Monday=["09:00-13:00", "14:00-18:00"], Tuesday=["09:00-18:00"]))

    @pytest.mark.parametrize(
        ("since", "minutes", "due"),
        [
            ("2026-11-16T09:00", 60, "2026-11-16T10:00"),
            ("2026-11-16T12:30", 60, "2026-11-16T14:30"),  # through lunch
            ("2026-11-16T17:30", 60, "2026-11-17T09:30"),  # through the night
            ("2026-11-14T10:00", 30, "2026-11-16T09:30"),  # from a Saturday
            ("2026-11-16T09:00", 240, "2026-11-16T13:00"),
            ("2026-11-16T09:00", 0, "2026-11-16T09:00"),
        ],
    )
    def test_counts_open_minutes(self, since: str, minutes: int, due: str) -> None:
        assert self.OFFICE.after(utc(since), minutes * 60) == utc(due)
        assert self.OFFICE.open_seconds(utc(since), utc(due)) == minutes * 60

    def test_of_what_never_opens_there_is_none(self) -> None:
        assert hours(written()).after(utc("2026-11-16T09:00"), 60) is None


class TestWrittenWeeks:
    @pytest.mark.parametrize(
        ("week", "schedule"),
        [
            ({"Monday": ["00:00-24:00"]}, {"Monday": "full"}),
            (
                {"Monday": ["21:00-02:00"]},
                {"Monday": {"from": "21:00", "to": "23:59"}, "Tuesday": {"from": "00:00", "to": "02:00"}},
            ),
            (
                {"Sunday": ["21:00-02:00"], "Monday": ["09:00-18:00"]},
                {
                    "Sunday": {"from": "21:00", "to": "23:59"},
                    "Monday": {
                        "from": "00:00",
                        "to": "18:00",
                        "periods": [{"from": "00:00", "to": "02:00"}, {"from": "09:00", "to": "18:00"}],
                    },
                },
            ),
            ({"Friday": ["08:00-24:00"]}, {"Friday": {"from": "08:00", "to": "23:59"}}),
        ],
    )
    def test_a_night_is_two_days_of_a_schedule_and_one_of_a_week(
        self, week: dict[str, list[str]], schedule: dict[str, Any]
    ) -> None:
        kept = schedule_of(read_week(written(**week)))
        assert kept == {**dict.fromkeys(DAYS), **schedule}
        assert shown_week(week_of(kept)) == written(**week)

    def test_touching_periods_are_joined(self) -> None:
        week = written(Monday=["09:00-12:00", "12:00-18:00"])
        assert shown_week(read_week(week)) == written(Monday=["09:00-18:00"])

    def test_what_goes_on_longer_than_it_began_stays_two(self) -> None:
        schedule = {"Monday": {"from": "08:00", "to": "23:59"}, "Tuesday": {"from": "00:00", "to": "10:00"}}
        assert shown_week(week_of(schedule)) == written(Monday=["08:00-24:00"], Tuesday=["00:00-10:00"])


# The reference: every minute of the time, by the clock that it shows.

ZONES = ("UTC", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca")
QUARTERS = [f"{quarter // 4:02}:{quarter % 4 * 15:02}" for quarter in range(96)]


@st.composite
def weeks(draw: st.DrawFn) -> dict[str, list[dict[str, str]]]:
    """At most one period a day, ended before the next day's begins."""
    found: dict[str, list[dict[str, str]]] = {}
    for day in DAYS:
        begin, end = draw(st.sampled_from(QUARTERS[24:])), draw(st.sampled_from(QUARTERS))
        is_night = end < begin
        is_kept = begin != end and (not is_night or end <= "06:00") and draw(st.booleans())
        found[day] = [{"from": begin, "to": end}] if is_kept else []
    return found


def minutes_of(calendar: Calendar, since: datetime, until: datetime) -> Iterator[bool]:
    """Of each minute, whether the clock shows a time of a period that begins on that date or on the one before."""
    moment = since
    while moment < until:
        local = moment.astimezone(calendar.zone)
        minute, day = local.hour * 60 + local.minute, local.date()
        yield any(begin <= minute < end for begin, end in calendar.periods(day)) or any(
            begin <= minute + 1440 < end for begin, end in calendar.periods(day - timedelta(days=1))
        )
        moment += timedelta(minutes=1)


@settings(max_examples=40, deadline=None)
@given(week=weeks(), zone=st.sampled_from(ZONES), days=st.integers(0, 364), off=st.integers(0, 3))
def test_every_minute_is_as_a_plain_reference_has_it(week: Any, zone: str, days: int, off: int) -> None:
    """Where the clocks go back within a period, a time in between is open both times: no begin or end is in them."""
    since = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=days)
    until = since + timedelta(days=3)
    calendar = Calendar(read_week(week), ZoneInfo(zone), [closed_or(since.date() + timedelta(days=off))])
    offsets = {(since + timedelta(hours=hour)).astimezone(calendar.zone).utcoffset() for hour in range(-48, 120)}
    if len(offsets) > 1:
        return  # told by name above
    told = list(minutes_of(calendar, since, until))
    asked = OpenHours((calendar,))
    assert asked.open_seconds(since, until) == 60 * sum(told)
    first = next((number for number, is_open in enumerate(told) if is_open), None)
    if first:
        assert asked.opens_at(since) == since + timedelta(minutes=first)
    elif first == 0:
        assert asked.opens_at(since) is None
        shut = next((number for number, is_open in enumerate(told) if not is_open), None)
        assert shut is None or asked.closes_at(since) == since + timedelta(minutes=shut)
