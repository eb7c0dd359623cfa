"""Windows on Moscow's calendar: periods, trailing windows, buckets; over every change that its clocks have made."""

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.parsing.periods import (
    MAX_BUCKETS,
    MOSCOW,
    Interval,
    Period,
    StartsAfterEnd,
    TooManyBuckets,
    Window,
    buckets,
    in_moscow,
    window_of,
)

# A Saturday, in Moscow 2026-11-21 13:45.
NOW = datetime(2026, 11, 21, 10, 45, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

# From before summer time was invented there to well after it ended, in 2011 for good and in 2014 for better.
moments = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
near_changes = st.builds(
    lambda day, minutes: day + timedelta(minutes=minutes),
    st.sampled_from(
        [
            datetime(1981, 3, 31, tzinfo=UTC),  # the 1st of April began at one o'clock
            datetime(1981, 9, 30, tzinfo=UTC),  # the 30th of September had 25 hours
            datetime(2010, 10, 30, tzinfo=UTC),
            datetime(2011, 3, 26, tzinfo=UTC),
            datetime(2014, 10, 25, tzinfo=UTC),
        ]
    ),
    st.integers(0, 4 * 24 * 60),
)
any_moment = moments | near_changes
intervals = st.sampled_from(list(Interval))


def moscow(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=MOSCOW)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("period", "start", "end"),
    [
        (Period.TODAY, moscow(2026, 11, 21), NOW),
        (Period.YESTERDAY, moscow(2026, 11, 20), moscow(2026, 11, 21)),
        (Period.WEEK, moscow(2026, 11, 16), NOW),
        (Period.MONTH, moscow(2026, 11, 1), NOW),
    ],
)
def test_periods_are_anchored_in_moscows_calendar(period: Period, start: datetime, end: datetime) -> None:
    assert window_of(now=NOW, period=period) == Window(start, end)


@pytest.mark.parametrize(
    ("now", "period", "start"),
    [
        (moscow(2026, 11, 16), Period.WEEK, moscow(2026, 11, 16)),
        (moscow(2026, 11, 16) - MICROSECOND, Period.WEEK, moscow(2026, 11, 9)),
        (moscow(2026, 11, 1), Period.MONTH, moscow(2026, 11, 1)),
        (moscow(2026, 11, 1) - MICROSECOND, Period.MONTH, moscow(2026, 10, 1)),
        (moscow(2026, 1, 1), Period.YESTERDAY, moscow(2025, 12, 31)),
        (datetime(2026, 11, 20, 21, tzinfo=UTC), Period.TODAY, moscow(2026, 11, 21)),
        (datetime(2026, 11, 20, 21, tzinfo=UTC) - MICROSECOND, Period.TODAY, moscow(2026, 11, 20)),
        # Until 26 October 2014, 02:00, Moscow was four hours ahead.
        (datetime(2014, 10, 25, 20, tzinfo=UTC), Period.TODAY, datetime(2014, 10, 25, 20, tzinfo=UTC)),
        (datetime(2014, 10, 26, 20, 59, tzinfo=UTC), Period.TODAY, datetime(2014, 10, 25, 20, tzinfo=UTC)),
        (datetime(2014, 10, 26, 21, tzinfo=UTC), Period.TODAY, datetime(2014, 10, 26, 21, tzinfo=UTC)),
    ],
)
def test_a_period_begins_to_the_microsecond(now: datetime, period: Period, start: datetime) -> None:
    assert window_of(now=now, period=period).start == start


def test_without_a_word_it_is_the_trailing_30_days() -> None:
    assert window_of(now=NOW) == Window(NOW - timedelta(days=30), NOW)


def test_one_end_gives_the_other() -> None:
    week = timedelta(days=7)
    assert window_of(now=NOW, start=NOW - week) == Window(NOW - week, NOW)
    assert window_of(now=NOW, end=NOW - week) == Window(NOW - week - timedelta(days=30), NOW - week)


def test_an_empty_window_is_one_and_a_backward_window_is_none() -> None:
    assert window_of(now=NOW, start=NOW, end=NOW) == Window(NOW, NOW)
    for start, end in ((NOW + MICROSECOND, NOW), (NOW + MICROSECOND, None)):
        with pytest.raises(StartsAfterEnd):
            window_of(now=NOW, start=start, end=end)


@given(now=any_moment, period=st.sampled_from(list(Period)))
def test_a_period_is_the_stretch_of_its_calendar(now: datetime, period: Period) -> None:
    window, today = window_of(now=now, period=period), in_moscow(now).date()
    inside = {in_moscow(moment).date() for moment in (window.start, max(window.start, window.end - MICROSECOND))}
    expected = {
        Period.TODAY: today,
        Period.YESTERDAY: today - timedelta(days=1),
        Period.WEEK: today - timedelta(days=today.weekday()),
        Period.MONTH: today.replace(day=1),
    }
    assert min(inside) == expected[period]
    assert max(inside) <= today
    assert in_moscow(window.start - MICROSECOND).date() < expected[period], "nothing of the day is left out"
    assert window.end == (window_of(now=now, period=Period.TODAY).start if period is Period.YESTERDAY else now)


@given(start=any_moment, length=st.timedeltas(timedelta(), timedelta(days=366)), interval=intervals)
def test_buckets_cover_the_window_without_a_gap(start: datetime, length: timedelta, interval: Interval) -> None:
    window = Window(start, start + length)
    try:
        cut = buckets(window, interval)
    except TooManyBuckets:
        assert interval is Interval.DAY
        assert length > timedelta(days=MAX_BUCKETS - 1)
        return
    assert sum((bucket.end - bucket.start for bucket in cut), timedelta()) == length
    assert all(earlier.end == later.start for earlier, later in pairwise(cut))
    if cut:
        assert (cut[0].start, cut[-1].end) == (window.start, window.end)
    for bucket in cut:
        assert bucket.start < bucket.end
        first, last = in_moscow(bucket.start).date(), in_moscow(bucket.end - MICROSECOND).date()
        assert same_interval(first, last, interval)
    for earlier, later in pairwise(cut):
        before, after = in_moscow(earlier.end - MICROSECOND).date(), in_moscow(later.start).date()
        assert not same_interval(before, after, interval)


def same_interval(first: object, last: object, interval: Interval) -> bool:
    """Told from the calendar alone."""
    name = {Interval.DAY: "%Y-%m-%d", Interval.WEEK: "%G-%V", Interval.MONTH: "%Y-%m"}[interval]
    return f"{first:{name}}" == f"{last:{name}}"


def test_a_day_has_the_hours_that_the_clocks_gave_it() -> None:
    def hours(*day: int) -> float:
        start = moscow(*day).astimezone(UTC)
        return (buckets(Window(start, start + timedelta(days=2)), Interval.DAY)[0].end - start) / timedelta(hours=1)

    assert hours(2010, 3, 28) == 23
    assert hours(2010, 10, 31) == 25
    assert hours(2011, 3, 27) == 23, "for good, they said"
    assert hours(2011, 10, 30) == 24, "no more winter time"
    assert hours(2014, 10, 26) == 25, "for better"
    assert hours(2015, 3, 29) == 24


@pytest.mark.parametrize("interval", list(Interval))
def test_at_most_366_buckets(interval: Interval) -> None:
    start = moscow(2001, 1, 1)  # a Monday
    ends = {
        Interval.DAY: moscow(2002, 1, 2),
        Interval.WEEK: start + timedelta(weeks=MAX_BUCKETS),
        Interval.MONTH: moscow(2031, 7, 1),
    }
    end = datetime.combine(ends[interval].date(), time(), MOSCOW)
    assert len(buckets(Window(start.astimezone(UTC), end.astimezone(UTC)), interval)) == MAX_BUCKETS
    with pytest.raises(TooManyBuckets):
        buckets(Window(start.astimezone(UTC), end.astimezone(UTC) + MICROSECOND), interval)


def test_nine_thousand_years_are_refused_at_once() -> None:
    with pytest.raises(TooManyBuckets):
        buckets(Window(datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)), Interval.MONTH)
