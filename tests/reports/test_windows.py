"""Windows of reports: read and cut by a zone's clocks, over the nights in which these change."""

from datetime import datetime, timedelta
from itertools import pairwise
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import pytest

from apps.core.parsing.periods import Interval, Window
from apps.reports.rules.filters import escaped, unescaped
from apps.reports.rules.reports import (
    OF_EPISODES,
    OF_REPORT,
    QueryRefused,
    ReportQuery,
    address,
    parsed,
)
from apps.reports.rules.windows import cut, day_begins, offsets, window_before
from tests.reports.episodes import moment

NOW = moment("2026-11-29T18:30:15.25")
MOSCOW, BERLIN, LORD_HOWE = (ZoneInfo(name) for name in ("Europe/Moscow", "Europe/Berlin", "Australia/Lord_Howe"))


def asked(query: dict[str, str], zone: ZoneInfo = BERLIN) -> ReportQuery:
    return parsed(query, now=NOW, zone=zone, takes=OF_REPORT)


def refused(query: dict[str, str]) -> list[str]:
    with pytest.raises(QueryRefused) as refusal:
        asked(query)
    return list(refusal.value.errors)


def local(window: Window, zone: ZoneInfo) -> tuple[str, str]:
    start, end = (each.astimezone(zone).isoformat() for each in (window.start, window.end))
    return start, end


def test_without_a_window_it_is_the_trailing_thirty_days() -> None:
    assert asked({}).window == Window(NOW - timedelta(days=30), NOW)
    assert asked({"to": "2026-11-01"}).window.end == moment("2026-10-31T23:00")


@pytest.mark.parametrize(
    ("period", "start", "end"),
    [
        ("today", "2026-11-30T00:00:00+10:30", None),
        ("yesterday", "2026-11-29T00:00:00+11:00", "2026-11-30T00:00:00+11:00"),
        ("week", "2026-11-30T00:00:00+11:00", None),
        ("month", "2026-11-01T00:00:00+11:00", None),
    ],
)
def test_a_period_is_of_the_zones_calendar(period: str, start: str, end: str | None) -> None:
    window = asked({"period": period, "zone": LORD_HOWE.key}).window
    assert window.start == day_begins(datetime.fromisoformat(start).date(), LORD_HOWE)
    assert window.end == (NOW if end is None else datetime.fromisoformat(end))


def test_a_day_is_as_long_as_its_clocks_say() -> None:
    """The nights in which clocks change: by an hour in Berlin, by half of one on Lord Howe."""
    for zone, day, hours in (
        (BERLIN, "2026-10-25", 25),
        (BERLIN, "2026-03-29", 23),
        (LORD_HOWE, "2026-04-05", 24.5),
        (LORD_HOWE, "2026-10-04", 23.5),
    ):
        begin = datetime.fromisoformat(day).date()
        window = asked({"from": day, "to": str(begin + timedelta(days=1)), "zone": zone.key}).window
        assert window.end - window.start == timedelta(hours=hours)
        assert cut(window, zone, Interval.DAY) == [(day, window)]
        assert len(offsets(window, zone)) == 2


def test_the_moment_in_which_clocks_change_is_found_to_the_second() -> None:
    window = Window(moment("2026-10-01T00:00"), moment("2026-12-01T00:00"))
    assert offsets(window, BERLIN) == [(window.start, 7200), (moment("2026-10-25T01:00"), 3600)]
    assert offsets(window, LORD_HOWE) == [(window.start, 37_800), (moment("2026-10-03T15:30"), 39_600)]
    assert offsets(window, MOSCOW) == [(window.start, 10_800)]


def test_a_midnight_that_clocks_skip_is_the_first_moment_of_its_day() -> None:
    zone = ZoneInfo("Africa/Cairo")
    window = asked({"from": "2026-04-24", "to": "2026-04-25", "zone": zone.key}).window
    assert window.start.astimezone(zone).isoformat() == "2026-04-24T01:00:00+03:00"
    assert local(window_before(window, zone), zone)[0] == "2026-04-23T00:00:00+02:00"


def test_the_window_before_has_as_many_days_where_both_ends_are_midnights() -> None:
    window = asked({"from": "2026-10-20", "to": "2026-10-30"}).window
    assert local(window_before(window, BERLIN), BERLIN) == ("2026-10-10T00:00:00+02:00", "2026-10-20T00:00:00+02:00")
    assert window.end - window.start == timedelta(days=10, hours=1)
    odd = asked({"from": "2026-10-20T01:00", "to": "2026-10-30"}).window
    before = window_before(odd, BERLIN)
    assert (before.end, before.end - before.start) == (odd.start, odd.end - odd.start)


def test_weeks_begin_on_monday_and_months_on_the_first() -> None:
    window = asked({"from": "2026-10-21", "to": "2026-11-10T12:00"}).window
    assert [key for key, _ in cut(window, BERLIN, Interval.WEEK)] == [
        "2026-10-19", "2026-10-26", "2026-11-02", "2026-11-09",
    ]  # fmt: skip
    assert [key for key, _ in cut(window, BERLIN, Interval.MONTH)] == ["2026-10", "2026-11"]
    cuts = [each for _, each in cut(window, BERLIN, Interval.DAY)]
    assert (cuts[0].start, cuts[-1].end, len(cuts)) == (window.start, window.end, 21)
    assert all(before.end == after.start for before, after in pairwise(cuts))


def test_eleven_hundred_days_are_a_window_and_a_second_more_is_none() -> None:
    assert asked({"from": "2023-11-26", "to": "2026-11-30"}).window.start == moment("2023-11-25T23:00")
    assert refused({"from": "2023-11-26", "to": "2026-11-30T00:00:01"}) == ["from"]


def test_a_year_of_days_is_a_group_and_a_day_more_is_none() -> None:
    assert asked({"from": "2025-11-30", "to": "2026-12-01", "group": "day"}).group == "day"
    assert refused({"from": "2025-11-29", "to": "2026-12-01", "group": "day"}) == ["group"]
    assert asked({"from": "2025-11-29", "to": "2026-12-01", "group": "week"}).group == "week"


def test_all_refusals_come_at_once() -> None:
    query = {"zone": "Nowhere", "from": "?", "channel": "", "hour": "24", "group": "x", "figure": "open", "me": "1"}
    assert sorted(refused(query)) == ["channel", "figure", "from", "group", "hour", "me", "zone"]


def test_an_address_asks_the_same_question_again() -> None:
    query = parsed(
        {
            "from": "2026-10-20T10:00:00.123456",
            "to": "2026-10-30",
            "zone": "Asia/Kolkata",
            "clock": "open",
            "channel": "widget,tg__1",
            "department_id": "none,5",
            "page": "shop.example/a%2Cb,shop.example/*",
            "tag": "50%,größe",
            "rating": "none,1",
            "figure": "first_reply",
            "slowest": "1",
            "hour": "0,23",
        },
        now=NOW,
        zone=BERLIN,
        takes=OF_EPISODES,
    )
    parameters = dict(parse_qsl(address(query), strict_parsing=True))
    again = parsed(parameters, now=NOW, zone=MOSCOW, takes=OF_EPISODES)
    assert again == query
    assert address(again) == address(query)
    assert query.filters["department_id"] == (None, 5)


@pytest.mark.parametrize("text", ["none", "a,b", "shop.example/a*", "50%", "%2C", "*", "none,"])
def test_a_value_is_written_so_that_it_is_one_value(text: str) -> None:
    written = escaped(text)
    assert "," not in written
    assert not written.endswith("*")
    assert written != "none"
    assert escaped(written) == written
    assert unescaped(written) == (text if text != "%2C" else ",")
