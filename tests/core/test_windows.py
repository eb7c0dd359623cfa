"""Date-times in query strings: any parseable one, read in Moscow unless it has an offset."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.endpoints.windows import EARLIEST, LATEST, parse_moment

NOON_IN_MOSCOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T12:00:00",
        "2026-11-21T12:00",
        "2026-11-21 12:00:00",
        "2026-11-21T12:00:00.000",
        "2026-11-21T12:00:00+03:00",
        "2026-11-21T12:00:00 03:00",
        "2026-11-21T12:00 0300",
        "2026-11-21T12:00:00,000 03:00",
        "2026-11-21T12 03:00",
        "2026-11-21 12:00 03:00",
        "Sat Nov 21 2026 12:00:00 GMT 0300",
        "Sat Nov 21 2026 12:00:00 GMT+0300 (Moscow Standard Time)",
        "Sat Nov 21 2026 12:00:00 GMT 0300 (Москва, стандартное время)",
        "2026-11-21T12:00:00 UTC 03:00",
        "2026-11-21T09:00:00Z",
        "2026-11-21t09:00:00z",
        "2026-11-21T09:00:00+00:00",
        "2026-11-20T23:00:00-10:00",
        "20261121T120000",
        "2026-W47-6T12:00",
        "21 Nov 2026 12:00",
        "Nov 21, 2026 12:00 PM",
        "Sat, 21 Nov 2026 09:00:00 GMT",
        "Sat, 21 Nov 2026 12:00:00 +0300",
        "Sat Nov 21 2026 12:00:00 GMT+0300",
        "2026-11-21 04:00 UTC-5",
        "2026-11-21 12:00 MSK",
        "Sat Nov 21 12:00:00 2026",
        "Sat Nov 21 12:00:00 MSK 2026",
        "Sat Nov 21 09:00:00 GMT 2026",
        "21.11.2026 12:00",
        "11/21/2026 12:00",
        "2026-11-21T12:00:00 UTC+03:00",
        "  2026-11-21T12:00  ",
    ],
)
def test_each_form_of_a_moment_is_read(text: str) -> None:
    assert parse_moment(text) == NOON_IN_MOSCOW


@pytest.mark.parametrize("text", ["2026-11-21", "20261121", "21 Nov 2026", "2026/11/21", "21.11.2026", "21-11-2026"])
def test_a_bare_date_is_its_midnight_in_moscow(text: str) -> None:
    assert parse_moment(text) == datetime(2026, 11, 20, 21, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "month"), [("05.06.2026", 6), ("05-06-2026", 6), ("05/06/2026", 5), ("2026-06-05", 6), ("2026.06.05", 6)]
)
def test_with_points_or_dashes_the_day_is_first_with_strokes_the_month(text: str, month: int) -> None:
    assert parse_moment(f"{text} 12:00") == datetime(2026, month, 11 - month, 9, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2026-11-21+03:00", "2026-11-21+0300", "2026-11-21T00:00+03:00"])
def test_a_date_with_an_offset_is_its_midnight_there(text: str) -> None:
    assert parse_moment(text) == datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
    assert parse_moment("2026-11-21-05:00") == datetime(2026, 11, 21, 5, 0, tzinfo=UTC)


def test_the_beginning_of_1970_is_a_moment_anywhere() -> None:
    assert parse_moment("1970-01-01") == datetime(1969, 12, 31, 21, 0, tzinfo=UTC)
    assert parse_moment("1970-01-01T00:00:00+14:00") == datetime(1969, 12, 31, 10, 0, tzinfo=UTC)


def test_moscow_had_summer_time_once() -> None:
    assert parse_moment("2010-07-01T12:00") == datetime(2010, 7, 1, 8, 0, tzinfo=UTC)
    assert parse_moment("2026-07-01T12:00") == datetime(2026, 7, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "2026-11-21 10:00 EST",
        "abc",
        "yesterday",
        "now",
        "12:00",
        "Saturday",
        "21 Nov",
        "Nov 2026",
        "2026",
        "2026-11",
        "2026-13-01",
        "2026-02-29",
        "2026-11-31",
        "2026-11-21T24:01",
        "2026-11-21 12:00 13:00 03:00",
        "12:00 2026-11-21 12:00",
        "2026-11-21T12:60",
        "2026-11-21T12:00+99:00",
        "0001-01-01",
        "1969-12-31",
        "1969-12-31T02:59:59",
        "9999-12-31",
        "99999-01-01",
        "1795251600",
        "2026-11-21" + "0" * 60,
        "٢٠٢٦-١١-٢١",
        "2026-11-21T12:00:00[Europe/Moscow]",
        "2026-11-21/2026-11-22",
        "05.06.26",
        "05/06/26",
        "26-06-05 12:00",
        "\0",
    ],
)
def test_what_names_no_moment(text: str) -> None:
    assert parse_moment(text) is None


OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


MOMENTS = st.datetimes(timezones=OFFSETS).filter(lambda moment: 1971 <= moment.year < 8999)


@given(MOMENTS)
def test_an_iso_text_names_its_moment(moment: datetime) -> None:
    assert parse_moment(moment.isoformat()) == moment
    assert parse_moment(moment.isoformat().replace("+", " ")) == moment, "a plus that the client did not escape"


@given(st.text(max_size=70) | st.text(alphabet="0123456789-T:+Z. aeNov", max_size=40))
def test_any_text_is_a_moment_within_bounds_or_none(text: str) -> None:
    moment = parse_moment(text)
    assert moment is None or (moment.tzinfo is UTC and EARLIEST <= moment <= LATEST)
