"""Shifts of 23 and 25 hours, another time zone, a holiday and other hours, while clocks run and chats are offered."""

from calendar import day_name
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actions.widgets import change_widget
from apps.accounts.models import Widget
from apps.agents.actions.departments import replace_schedule
from apps.agents.actions.hours import replace_department_hours, replace_widget_hours
from apps.agents.models import Agent, Department
from apps.agents.rules.hours import DatedHours
from apps.agents.rules.weeks import read_week, schedule_of
from apps.chats import actions
from apps.chats.models import Chat, Contact, Timer
from apps.routing.actions.router import RoutedWidget, decide, read
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment, RouterRow, SlaClock
from apps.routing.rules.standing import departments_now
from tests.routing.served import come, offered, serve

pytestmark = pytest.mark.django_db
HELLO = {"type": "text", "body": "Hello"}
ALL_DAY = [{"from": "00:00", "to": "24:00"}]
NIGHT = [{"from": "21:00", "to": "05:00"}]


def week(periods: list[dict[str, str]]) -> Any:
    return read_week(dict.fromkeys(day_name, periods))


@pytest.fixture
def offer(shop: Widget, sales: Department, ivan: Contact, chat: Chat, alice: Agent) -> Chat:
    """Ivan's chat is offered to Alice, and an answer is due in ten hours of open time."""
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"answer_times": [{"first_reply": 600}]})
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    come(alice)
    actions.post_client_message(contact=ivan, content=HELLO)
    serve()
    assert offered(chat) == alice.pk
    return chat


def hours_of(department: Department, periods: list[dict[str, str]], **given: Any) -> None:
    replace_department_hours(
        widget_id=department.widget_id,
        department_id=department.pk,
        week=week(periods),
        **{"time_zone": None, "exceptions": [], **given},
    )


def is_withdrawn(chat: Chat) -> bool:
    chat.refresh_from_db()
    ended = Assignment.objects.filter(chat=chat).latest("pk").outcome
    return (chat.offered_to_id, chat.queued_at, ended) == (None, None, "withdrawn")


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def test_a_holiday_of_today_withdraws_the_offer(sales: Department, offer: Chat) -> None:
    hours_of(sales, ALL_DAY, time_zone="UTC", exceptions=[DatedHours(today(), [], "A holiday")])
    serve()
    assert is_withdrawn(offer)


def test_so_does_one_of_the_widget(shop: Widget, sales: Department, offer: Chat) -> None:
    exceptions = [DatedHours(today() + timedelta(days=days), [], "") for days in (-1, 0, 1)]
    replace_widget_hours(widget_id=shop.pk, time_zone="UTC", week=None, exceptions=exceptions)
    serve()
    assert is_withdrawn(offer)


def test_a_week_by_the_specifications_schedule_is_followed_at_once(
    shop: Widget, sales: Department, offer: Chat
) -> None:
    replace_schedule(widget_id=shop.pk, department_id=sales.pk, schedule=dict(schedule_of(week([]))))
    serve()
    assert is_withdrawn(offer)


def test_a_shift_that_ends_while_a_chat_is_offered_withdraws_it_then(
    shop: Widget, sales: Department, offer: Chat
) -> None:
    """By the router's own row, which is due when the next department opens or closes."""
    closes_at = (timezone.now() + timedelta(hours=2)).replace(second=0, microsecond=0)
    begin, end = (f"{closes_at + timedelta(hours=hours):%H:%M}" for hours in (-12, 0))
    hours_of(sales, [{"from": begin, "to": end}], time_zone="UTC")
    serve()
    assert offered(offer) is not None
    assert RouterRow.objects.get(widget=shop).changes_at == closes_at
    decide(widget_id=shop.pk, as_of=closes_at)
    serve(closes_at)
    assert is_withdrawn(offer)


@pytest.mark.parametrize("owner", ["department", "widget"])
def test_in_another_zone_it_is_closed_now_and_the_clock_is_due_anew(
    shop: Widget, sales: Department, offer: Chat, owner: str
) -> None:
    now = timezone.now()
    begin, end = (f"{now + timedelta(hours=hours):%H:%M}" for hours in (-3, 3))
    hours_of(sales, [{"from": begin, "to": end}], time_zone="UTC" if owner == "department" else None)
    change_widget(widget=shop, changes={"time_zone": "UTC"})
    serve()
    assert offered(offer) is not None
    before = SlaClock.objects.get(metric="first_reply").due_at
    assert before is not None
    if owner == "department":
        hours_of(sales, [{"from": begin, "to": end}], time_zone="Asia/Tokyo")
    else:
        change_widget(widget=shop, changes={"time_zone": "Asia/Tokyo"})
    serve()
    assert is_withdrawn(offer)
    clock = SlaClock.objects.get(metric="first_reply")
    assert clock.due_at is not None
    assert clock.due_at != before
    breach = Timer.objects.get(kind="sla_breach")
    assert (breach.due_at, clock.breached_at) == (clock.due_at, None)


def is_now(widget: RoutedWidget, department: Department, moment: datetime) -> bool:
    return departments_now(widget.routings, widget.hours, widget.staffed, moment)[department.pk].is_open


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 28), 7), (date(2026, 10, 24), 9)], ids=["23 hours", "25 hours"]
)
def test_a_night_in_which_the_clocks_change_is_as_long_as_it_is(
    shop: Widget, sales: Department, day: date, hours: int
) -> None:
    """Berlin's summer time begins on 2026-03-29, and ends on 2026-10-25: from 21:00 to 05:00 in real minutes."""
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    hours_of(sales, NIGHT, time_zone="Europe/Berlin")
    widget = read(shop.pk)
    begins = datetime(day.year, day.month, day.day, 18, tzinfo=UTC)
    opens_at = widget.hours[sales.pk].opens_at(begins)
    assert opens_at is not None
    closes_at = widget.hours[sales.pk].closes_at(opens_at + timedelta(minutes=1))
    assert closes_at is not None
    assert closes_at - opens_at == timedelta(hours=hours)
    for moment, is_open in ((opens_at, True), (closes_at, False)):
        assert is_now(widget, sales, moment) is is_open
        assert is_now(widget, sales, moment - timedelta(seconds=1)) is not is_open
