"""The geometry of charts, and the weeks of the letter."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from apps.reports.rules.charts import LEVELS, ChartBox, bars_of, cells_of, level_of, top_of
from apps.reports.rules.weeks import moments_of, told_since, week_told

MOSCOW, AUCKLAND = ZoneInfo("Europe/Moscow"), ZoneInfo("Pacific/Auckland")


def test_bars_stand_on_the_line_of_nothing_below_an_even_top() -> None:
    assert [top_of(values) for values in ([], [0, 0], [1], [3, 4], [5])] == [0, 0, 2, 4, 6]
    first, second = bars_of([3, 0])
    assert first.column == ChartBox(0, 0, 50, 100)
    assert first.bar == ChartBox(23, 25, 4, 75), "no bar is wider than 4 percents"
    assert (second.bar.height, second.bar.y) == (0, 100)
    assert bars_of([]) == []
    assert bars_of([0])[0].bar.height == 0


def test_many_bars_keep_a_gap_between_them() -> None:
    bars = [each.bar for each in bars_of([1] * 100)]
    assert all(right.x > left.x + left.width for left, right in pairwise(bars))


def test_a_heat_map_has_each_hour_of_the_week_the_more_the_darker() -> None:
    cells = cells_of({(1, 0): 10, (7, 23): 1})
    assert [(cell.weekday, cell.hour) for cell in (cells[0], cells[-1])] == [(1, 0), (7, 23)]
    assert len(cells) == 168
    assert [(cell.value, cell.level) for cell in (cells[0], cells[-1], cells[1])] == [(10, LEVELS), (1, 1), (0, 0)]
    assert cells[-1].box == ChartBox(95.833, 85.714, 4.167, 14.286)


@pytest.mark.parametrize(("value", "level"), [(0, 0), (1, 1), (20, 1), (21, 2), (99, 5), (100, 5)])
def test_what_is_above_nothing_has_a_shade(value: int, level: int) -> None:
    assert level_of(value, 100) == level


@pytest.mark.parametrize("zone", [MOSCOW, AUCKLAND])
def test_a_week_is_told_from_monday_nine_o_clock_of_the_zone_on(zone: ZoneInfo) -> None:
    nine = datetime(2026, 11, 30, 9, tzinfo=zone)
    assert week_told(nine, zone) == date(2026, 11, 23)
    assert week_told(nine - timedelta(seconds=1), zone) == date(2026, 11, 16)
    assert week_told(nine + timedelta(days=6, hours=23), zone) == date(2026, 11, 23)
    assert told_since(nine + timedelta(days=2), zone) == nine
    assert told_since(nine - timedelta(hours=1), zone) == nine - timedelta(days=7)


def test_a_week_is_from_midnight_to_midnight_over_a_change_of_the_clocks() -> None:
    start, end = moments_of(date(2026, 10, 19), ZoneInfo("Europe/Berlin"))
    assert (start, end) == (datetime(2026, 10, 18, 22, tzinfo=UTC), datetime(2026, 10, 25, 23, tzinfo=UTC))
