"""When a department is open, and which one a new chat goes to."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.holidays import write_holiday
from apps.agents.models import Department, Holiday
from apps.agents.rules.departments import ALL_WEEK, DAYS, FULL, is_open, opens_at
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, Contact
from tests.factories import DepartmentFactory

WEEK = {**dict.fromkeys(DAYS), "Monday": {"from": "09:00", "to": "18:00"}, "Tuesday": "full"}
CLOSED = dict.fromkeys(DAYS)
MONDAY, TUESDAY, WEDNESDAY = 16, 17, 18  # of November 2026


def pair(begins: str, ends: str) -> dict[str, str]:
    return {"from": begins, "to": ends}


def at(day: int, clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-{day}T{clock}")


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
    assert is_open(WEEK, moment) is expected


def test_a_day_until_23_59_has_no_gap_before_midnight() -> None:
    assert is_open({**CLOSED, "Monday": {"from": "00:00", "to": "23:59"}}, at(MONDAY, "23:59:59.999999"))


def test_all_week_is_always_open() -> None:
    assert all(
        is_open(ALL_WEEK, at(day, clock)) for day in range(MONDAY, MONDAY + 7) for clock in ("00:00", "23:59:59")
    )


@pytest.mark.django_db
def test_hours_are_those_of_the_widgets_time_zone(shop: Widget) -> None:
    DepartmentFactory.create(widget=shop, schedule=WEEK)
    before_nine_in_moscow = datetime(2026, 11, MONDAY, 5, 59, tzinfo=UTC)
    assert [is_open for _, is_open in Department.objects.for_widget(shop.pk).with_hours(before_nine_in_moscow)] == [
        False
    ]
    Widget.objects.update(time_zone="Asia/Yekaterinburg")
    assert [is_open for _, is_open in Department.objects.for_widget(shop.pk).with_hours(before_nine_in_moscow)] == [
        True
    ]
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
    assert opens_at(week, moment) == (opens and datetime.fromisoformat(opens).replace(tzinfo=zone))


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
        assert is_open(self.WEEK, at(MONDAY, clock)) is expected

    def test_opens_with_the_next_one(self) -> None:
        assert opens_at(self.WEEK, at(MONDAY, "13:30")) == at(MONDAY, "14:00")
        assert opens_at(self.WEEK, at(MONDAY, "18:00")) == at(MONDAY + 7, "09:00")


class TestHolidays:
    def test_closed_on_a_holiday_and_open_after_it(self) -> None:
        holiday = at(TUESDAY, "00:00").date()
        assert not is_open(ALL_WEEK, at(TUESDAY, "12:00"), [holiday])
        assert opens_at(ALL_WEEK, at(TUESDAY, "12:00"), [holiday]) == at(WEDNESDAY, "00:00")

    def test_holidays_do_not_hide_the_next_opening(self) -> None:
        days = [at(MONDAY, "00:00").date() + timedelta(days=7 * week) for week in (1, 2)]
        week = {**CLOSED, "Monday": {"from": "09:00", "to": "18:00"}}
        assert opens_at(week, at(MONDAY, "18:00"), days) == at(MONDAY, "09:00") + timedelta(days=21)


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
    opens = opens_at(week, before)
    assert opens is not None
    assert opens.isoformat() == expected
    assert is_open(week, opens)
    assert not is_open(week, (opens.astimezone(UTC) - timedelta(minutes=1)).astimezone(ZoneInfo(zone)))


def test_a_chat_goes_to_no_department_on_a_holiday(shop: Widget, ivan: Contact) -> None:
    department = DepartmentFactory.create(widget=shop, channels=["smb"])
    today = timezone.now().astimezone(ZoneInfo(shop.time_zone)).date()
    taking = Department.objects.for_widget(shop.pk).taking("smb")
    assert taking.with_hours(timezone.now()) == [(department.pk, True)]
    write_holiday(widget_id=shop.pk, day=today, text="С праздником!")
    assert taking.with_hours(timezone.now()) == [(department.pk, False)]
    assert taking.closed_widgets(timezone.now()) == {shop.pk}
    assert Holiday.objects.for_widget(shop.pk).text_now(timezone.now()) == "С праздником!"
