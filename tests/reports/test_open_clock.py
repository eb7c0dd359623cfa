"""`clock=open`: waits count only the time in which the episode's department, else the widget, is open."""

from datetime import date, datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Department, Holiday, WidgetWeek
from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.core.parsing.periods import Window
from apps.reports.models import EpisodeRow
from apps.reports.querysets import lists, reports
from apps.reports.rules.reports import ReportQuery
from tests.reports.episodes import Cast, Seen, counted, keys_of, made_episodes, moment
from tests.reports.test_figures import plain

pytestmark = pytest.mark.django_db

START, END = moment("2026-10-01T00:00"), moment("2026-11-09T11:00")
AS_OF = moment("2026-11-10T00:00")
WORKDAYS = {"from": "09:00", "to": "18:00"}
NIGHTS = {"periods": [{"from": "22:00", "to": "06:00"}]}


@pytest.fixture
def seen(cast: Cast, shop: Widget) -> list[Seen]:
    """A widget with hours of its own, a department that works at night in another zone, one that is always open."""
    Department.objects.filter(pk=cast.departments[0]).update(
        schedule=dict.fromkeys(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), NIGHTS) | {"sun": None},
        time_zone="Australia/Lord_Howe",
    )
    WidgetWeek.objects.create(
        widget=shop, schedule=dict.fromkeys(("mon", "tue", "wed", "thu", "fri"), WORKDAYS) | {"sat": None, "sun": None}
    )
    Holiday.objects.create(widget=shop, day=date(2026, 10, 14))
    rows = made_episodes(cast, start=START, end=END, count=300, seed=11)

    def open_seconds(department_id: int | None, since: datetime, until: datetime) -> int:
        hours = None if department_id is None else hours_of_department(shop.pk, department_id)
        return (hours or hours_of_widget(shop.pk).hours).open_seconds(since, until)

    return [Seen(row, AS_OF, seconds_between=open_seconds) for row in rows]


@pytest.mark.parametrize("group", [None, "department", "weekday_hour", "agent"])
def test_waits_count_open_time(cast: Cast, seen: list[Seen], group: str | None) -> None:
    query = ReportQuery(window=Window(START, END), zone=ZoneInfo("Europe/Berlin"), clock="open", group=group)
    report = reports.read_report(cast.widget.pk, query, AS_OF, low=2)
    assert plain(report.figures) == counted(seen)
    always = reports.read_report(cast.widget.pk, ReportQuery(window=query.window, zone=query.zone), AS_OF, low=2)
    assert plain(always.figures)["first_reply"] != plain(report.figures)["first_reply"]
    assert plain(always.figures)["duration"] == plain(report.figures)["duration"]
    if group in ("department", "weekday_hour"):
        keys = keys_of(group, query.zone, {})
        for each in report.groups:
            assert plain(each.figures) == counted([one for one in seen if keys(one) == [each.key]]), each.key


def test_rows_and_the_slowest_have_open_time(cast: Cast, seen: list[Seen]) -> None:
    query = ReportQuery(window=Window(START, END), zone=ZoneInfo("Europe/Berlin"), clock="open", figure="longest_wait")
    rows = [row for rows in lists.all_episodes(cast.widget.pk, query, AS_OF, low=2) for row in rows]
    waits = {each.row.pk: each for each in seen if each.longest_wait is not None}
    assert {row["id"]: (row["longest_wait_s"], row["first_reply_seconds"]) for row in rows} == {
        pk: (each.longest_wait, each.first_reply) for pk, each in waits.items()
    }
    slowest = partial(lists.count_episodes, cast.widget.pk, as_of=AS_OF, low=2)
    p90 = counted(seen)["longest_wait"][2]
    asked = ReportQuery(window=query.window, zone=query.zone, clock="open", figure="longest_wait", slowest=True)
    assert slowest(asked) == sum((each.longest_wait or 0) >= p90 for each in waits.values()) > 0


def test_clocks_that_were_set_back_make_no_negative_wait(cast: Cast, seen: list[Seen]) -> None:
    row = seen[0].row
    EpisodeRow.objects.filter(pk=row.pk).update(
        first_reply_at=moment("2026-09-30T00:00"), wait_starts=[moment("2026-10-05T12:00")],
        wait_ends=[moment("2026-10-05T11:00")], waits_since=None,
    )  # fmt: skip
    query = ReportQuery(
        window=Window(START, END), zone=ZoneInfo("UTC"), clock="open", filters={"chat_id": (row.chat_id,)}
    )
    rows = lists.read_episodes(cast.widget.pk, query, AS_OF, low=2, limit=500)
    found = next(each for each in rows if each["id"] == row.pk)
    assert (found["first_reply_seconds"], found["longest_wait_s"]) == (0, 0)
