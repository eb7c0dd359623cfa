"""Apps on the cabinet's pages that are not their own: figures of the front page, facts of a widget's page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from apps.core import plugins
from apps.core.parsing.periods import Window

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart; `beside` is told with its value, such as money."""

    label: str
    value: int
    beside: str = ""


# The place of a figure on the front page, which a dashboard chooses.
Place = Literal["today", "chart", "needs_you", "rest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of the front page: a value with a note below it, a chart, or rows of names and values.

    Texts are in the reader's language. `address` is the page that tells more,
    `beside` the name of what bars tell besides. A figure of tasks is shown only while it is alarming.
    """

    title: str
    value: str = ""
    note: str = ""
    address: str = ""
    is_alarming: bool = False
    bars: tuple[Bar, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    beside: str = ""
    place: Place = "rest"

    @property
    def highest(self) -> int:
        """The value of the highest bar."""
        return max((bar.value for bar in self.bars), default=0)

    @property
    def lines(self) -> tuple[int, int, int]:
        """The values of the chart's three lines, from the top."""
        top = self.highest + self.highest % 2
        return top, top // 2, 0

    @property
    def columns(self) -> list[tuple[Bar, int]]:
        """The bars with their heights in hundredths of the top line."""
        top = self.lines[0]
        return [(bar, round(100 * bar.value / top) if top else 0) for bar in self.bars]


@dataclass(frozen=True, slots=True)
class Board:
    """The subject of a front page: one widget, or (None) the whole installation, until `now`.

    It begins `hours` before the end of the current hour, which is cut in buckets of `bucket_hours`.
    """

    widget_id: int | None
    now: datetime
    hours: int
    bucket_hours: int

    @property
    def buckets(self) -> list[Window]:
        """Windows that follow each other; the last one ends now."""
        end = self.now.replace(minute=0, second=0, microsecond=0) + HOUR
        starts = [end - before * HOUR for before in range(self.hours, 0, -self.bucket_hours)]
        return [Window(*pair) for pair in zip(starts, [*starts[1:], self.now], strict=True)]

    @property
    def window(self) -> Window:
        return Window(self.buckets[0].start, self.now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A line of a widget's page. `is_code` is text to be copied."""

    label: str
    value: str
    note: str = ""
    is_code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OverdueWork:
    """Rows of a queue that is none of `apps.leases`, on the page of the installation's health: how many are due, and
    since when the oldest is. `title` is in the reader's language.
    """

    title: str
    count: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """An app's part of the cabinet's front page, of a widget's page and of the installation's health; declared in its
    `dashboard.py`.
    """

    figures: Callable[[Board], Sequence[Figure]] = lambda _: ()
    facts: Callable[[int], Sequence[Fact]] = lambda _: ()
    overdue: Callable[[datetime], Sequence[OverdueWork]] = lambda _: ()


def _dashboards() -> list[Dashboard]:
    return [each for of_app in plugins.declared("dashboard", Dashboard).values() for each in of_app]


def figures(board: Board) -> list[Figure]:
    """The installed apps' figures, lowest app first."""
    return [figure for dashboard in _dashboards() for figure in dashboard.figures(board)]


def facts(widget_id: int) -> list[Fact]:
    """The installed apps' facts on a widget, lowest app first."""
    return [fact for dashboard in _dashboards() for fact in dashboard.facts(widget_id)]


def overdue(now: datetime) -> list[OverdueWork]:
    """The due work of the installed apps' own queues, lowest app first."""
    return [work for dashboard in _dashboards() for work in dashboard.overdue(now)]
