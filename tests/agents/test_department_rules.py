"""When a department is open, and which one a new chat goes to."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.holidays import write_holiday
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.departments import ALL_WEEK, DAYS, FULL
from apps.agents.rules.holidays import DaysOff
from apps.agents.rules.hours import Calendar, OpenHours, OtherHours
from apps.agents.rules.weeks import week_of
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, Contact
from tests.factories import DepartmentFactory

WEEK = {**dict.fromkeys(DAYS), "Monday": {"from": "09:00", "to": "18:00"}, "Tuesday": "full"}
CLOSED = dict.fromkeys(DAYS)
MONDAY, TUESDAY, WEDNESDAY = 16, 17, 18  # of November 2026


def pair(begins: str, ends: str) -> dict[str, str]:
    return {"from": begins, "to": ends}


def at(day: int, clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-{day}T{clock}").replace(tzinfo=ZoneInfo("UTC"))


def hours(week: Mapping[str, Any], *off: DaysOff, zone: str = "UTC") -> OpenHours:
    return OpenHours((Calendar(week_of(week), ZoneInfo(zone), [OtherHours(each) for each in off]),))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (at(MONDAY, "08:59:59.999999"), False),
        (at(MONDAY, "09:00"), True),
        (at(MONDAY, "17:59:59.999999"), True),
        (at(MONDAY, "18:00"), False),
        (at(TUESDAY, "00:00"), True),
        (at(TUESDAY, "23:59:59.999999"), True),
        (at(WEDNESDAY, "12:00"), False),
    ],
)
def test_open_from_the_first_time_until_the_second(moment: datetime, expected: bool) -> None:
    assert hours(WEEK).is_open(moment) is expected


def test_a_day_until_23_59_has_no_gap_before_midnight() -> None:
    assert hours({**CLOSED, "Monday": {"from": "00:00", "to": "23:59"}}).is_open(at(MONDAY, "23:59:59.999999"))


def test_all_week_is_always_open() -> None:
    moments = [at(day, clock) for day in range(MONDAY, MONDAY + 7) for clock in ("00:00", "23:59:59")]
    assert all(hours(ALL_WEEK).is_open(moment) for moment in moments)


@pytest.mark.django_db
def test_hours_are_those_of_the_widgets_time_zone(shop: Widget) -> None:
    DepartmentFactory.create(widget=shop, schedule=WEEK)
    before_nine_in_moscow = datetime(2026, 11, MONDAY, 5, 59, tzinfo=UTC)
    assert not hours_of_widget(shop.pk).hours.is_open(before_nine_in_moscow)
    Widget.objects.update(time_zone="Asia/Yekaterinburg")
    assert hours_of_widget(shop.pk).hours.is_open(before_nine_in_moscow)
    assert before_nine_in_moscow.astimezone(ZoneInfo("Asia/Yekaterinburg")).hour == 10


def first_message(contact: Contact) -> Chat:
    posted = post_client_message(contact=contact, content={"type": "text", "body": "Есть розы?"})
    return Chat.objects.get(pk=posted.chat_id)


def test_a_new_chat_goes_to_the_first_open_department_that_takes_its_channel(shop: Widget, ivan: Contact) -> None:
    DepartmentFactory.create(widget=shop, channels=["tg"])
    DepartmentFactory.create(widget=shop, schedule=CLOSED)
    DepartmentFactory.create(widget=shop, internal=True)
    open_one = DepartmentFactory.create(widget=shop)
    DepartmentFactory.create(widget=shop)
    DepartmentFactory.create()  # another account's
    assert first_message(ivan).department == open_one


def test_a_new_chat_belongs_to_no_department_while_all_are_closed(shop: Widget, ivan: Contact) -> None:
    DepartmentFactory.create(widget=shop, schedule=CLOSED)
    assert first_message(ivan).department is None


@pytest.mark.parametrize(
    ("week", "at", "opens"),
    [
        ({"Monday": FULL}, "2026-11-22 12:00", "2026-11-23 00:00"),  # a Sunday
        ({"Sunday": {"from": "09:00", "to": "18:00"}}, "2026-11-22 08:59", "2026-11-22 09:00"),
        ({"Sunday": {"from": "09:00", "to": "18:00"}}, "2026-11-22 18:00", "2026-11-29 09:00"),
        ({}, "2026-11-22 12:00", None),
    ],
)
def test_when_it_opens_next(week: dict[str, Any], at: str, opens: str | None) -> None:
    zone = ZoneInfo("Europe/Moscow")
    moment = datetime.fromisoformat(at).replace(tzinfo=zone)
    expected = opens and datetime.fromisoformat(opens).replace(tzinfo=zone)
    assert hours(week, zone="Europe/Moscow").opens_at(moment) == expected


class TestPeriods:
    """Several periods a day: closed between them."""

    WEEK = {
        **dict.fromkeys(DAYS),
        "Monday": {"from": "09:00", "to": "18:00", "periods": [pair("09:00", "13:00"), pair("14:00", "18:00")]},
    }

    @pytest.mark.parametrize(
        ("clock", "expected"),
        [("09:00", True), ("12:59:59", True), ("13:00", False), ("13:59", False), ("14:00", True), ("18:00", False)],
    )
    def test_open_within_each(self, clock: str, expected: bool) -> None:
        assert hours(self.WEEK).is_open(at(MONDAY, clock)) is expected

    def test_opens_with_the_next_one(self) -> None:
        assert hours(self.WEEK).opens_at(at(MONDAY, "13:30")) == at(MONDAY, "14:00")
        assert hours(self.WEEK).opens_at(at(MONDAY, "18:00")) == at(MONDAY + 7, "09:00")


def off_on(*days: datetime) -> list[DaysOff]:
    return [DaysOff(day.date(), day.date()) for day in days]


class TestHolidays:
    def test_closed_on_a_holiday_and_open_after_it(self) -> None:
        holiday = hours(ALL_WEEK, *off_on(at(TUESDAY, "00:00")))
        assert not holiday.is_open(at(TUESDAY, "12:00"))
        assert holiday.opens_at(at(TUESDAY, "12:00")) == at(WEDNESDAY, "00:00")

    def test_holidays_do_not_hide_the_next_opening(self) -> None:
        days = [at(MONDAY, "00:00") + timedelta(days=7 * week) for week in (1, 2)]
        week = {**CLOSED, "Monday": {"from": "09:00", "to": "18:00"}}
        assert hours(week, *off_on(*days)).opens_at(at(MONDAY, "18:00")) == at(MONDAY, "09:00") + timedelta(days=21)


def closed_on(holiday: DaysOff, day: date) -> bool:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return not hours(ALL_WEEK, holiday).is_open(noon)


class TestLongerHolidays:
    NEW_YEAR = DaysOff(date(2026, 12, 31), date(2027, 1, 8), every_year=True)

    def test_all_dates_from_the_first_to_the_last_are_off(self) -> None:
        days = [date(2026, 12, 1) + timedelta(days=number) for number in range(62)]
        off = [day for day in days if closed_on(self.NEW_YEAR, day)]
        assert (min(off), max(off), len(off)) == (date(2026, 12, 31), date(2027, 1, 8), 9)

    @pytest.mark.parametrize(
        ("day", "is_off"),
        [
            (date(2026, 1, 5), False),  # the year before the first time
            (date(2026, 12, 30), False),
            (date(2027, 1, 8), True),
            (date(2027, 12, 31), True),
            (date(2031, 1, 1), True),
            (date(2031, 1, 9), False),
        ],
    )
    def test_every_year_repeats_the_dates_over_the_turn_of_a_year(self, day: date, is_off: bool) -> None:
        assert self.NEW_YEAR.is_on(day) is is_off
        assert closed_on(self.NEW_YEAR, day) is is_off

    def test_the_29th_of_february_is_the_28th_in_other_years(self) -> None:
        leap = DaysOff(date(2028, 2, 29), date(2028, 2, 29), every_year=True)
        days = [date(2028, 1, 1) + timedelta(days=number) for number in range(5 * 365 + 2)]
        assert [day for day in days if closed_on(leap, day)] == [
            date(2028, 2, 29),
            *(date(year, 2, 28) for year in (2029, 2030, 2031)),
            date(2032, 2, 29),
        ]

    def test_once_is_once(self) -> None:
        once = self.NEW_YEAR._replace(every_year=False)
        assert not once.is_on(date(2028, 1, 1))

    def test_the_opening_after_a_holiday_is_told_through_three_months(self) -> None:
        first = at(TUESDAY, "00:00").date()
        off = hours(ALL_WEEK, DaysOff(first, first + timedelta(days=91)))
        assert off.opens_at(at(TUESDAY, "12:00")) == at(TUESDAY, "00:00") + timedelta(days=92)


@pytest.mark.parametrize(
    ("zone", "day", "begin", "expected"),
    [
        ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T03:00:00+02:00"),
        ("America/Santiago", "2026-09-06", "00:30", "2026-09-06T01:00:00-03:00"),
    ],
)
def test_hours_that_the_clocks_leave_out_begin_when_they_go_on(zone: str, day: str, begin: str, expected: str) -> None:
    """It told 03:30 for 02:30, while it was open at 03:00."""
    midnight = datetime.fromisoformat(f"{day}T00:00")
    before = (midnight - timedelta(hours=3)).replace(tzinfo=ZoneInfo(zone))
    week = {**CLOSED, DAYS[midnight.weekday()]: {"from": begin, "to": "18:00"}}
    opens = hours(week, zone=zone).opens_at(before)
    assert opens is not None
    assert opens.astimezone(ZoneInfo(zone)).isoformat() == expected
    assert hours(week, zone=zone).is_open(opens)
    assert not hours(week, zone=zone).is_open(opens.astimezone(UTC) - timedelta(minutes=1))


def test_a_chat_goes_to_no_department_on_a_holiday(shop: Widget, ivan: Contact) -> None:
    DepartmentFactory.create(widget=shop, channels=["smb"])
    today = timezone.now().astimezone(ZoneInfo(shop.time_zone)).date()
    assert hours_of_widget(shop.pk, channel="smb").hours.is_open(timezone.now())
    write_holiday(widget_id=shop.pk, day=today, text="С праздником!")
    told = hours_of_widget(shop.pk, channel="smb").hours.now(timezone.now())
    assert (told.is_open, told.source, told.text) == (False, "exception", "С праздником!")
    assert first_message(ivan).department is None


@pytest.mark.parametrize(
    ("years_ago", "first", "last", "every_year", "is_off"),
    [
        (0, -3, 3, False, True),
        (0, 0, 0, True, True),
        (0, -3, None, False, False),
        (0, 2, 5, False, False),
        (1, -3, 3, True, True),
        (1, -3, 3, False, False),
    ],
)
def test_departments_are_closed_from_the_first_to_the_last_day_and_every_year(
    shop: Widget, years_ago: int, first: int, last: int | None, every_year: bool, is_off: bool
) -> None:
    """The week after New Year was eight holidays; each year again."""
    DepartmentFactory.create(widget=shop, channels=["smb"])
    now = timezone.now()
    today = now.astimezone(ZoneInfo(shop.time_zone)).date()
    then = today - timedelta(days=365 * years_ago)  # within a day of the same date
    day, until = then + timedelta(days=first), None if last is None else then + timedelta(days=last)
    write_holiday(widget_id=shop.pk, day=day, until=until, every_year=every_year, text="С праздником!")
    told = hours_of_widget(shop.pk, channel="smb").hours.now(now)
    assert (told.is_open, told.text) == (not is_off, "С праздником!" if is_off else None)
