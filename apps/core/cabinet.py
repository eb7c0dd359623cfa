"""Apps on the cabinet's pages that are not their own: cards of the front page, facts of a widget's page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.core import plugins
from apps.core.parsing.periods import Window

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart; `beside` is told with its value, such as money."""

    label: str
    value: int
    beside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card of the front page: a figure with a note below it, a chart, or rows of names and values.

    Texts are in the reader's language. `address` is the page that tells more,
    `beside` the name of what bars tell besides.
    """

    title: str
    figure: str = ""
    note: str = ""
    address: str = ""
    is_alarming: bool = False
    bars: tuple[Bar, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    beside: str = ""

    @property
    def highest(self) -> int:
        """The value of the highest bar."""
        return max((bar.value for bar in self.bars), default=0)

    @property
    def columns(self) -> list[tuple[Bar, int, int]]:
        """The bars with their heights in hundredths of the highest, and the room above each."""
        heights = [round(100 * bar.value / self.highest) if self.highest else 0 for bar in self.bars]
        return [(bar, height, 100 - height) for bar, height in zip(self.bars, heights, strict=True)]


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
class Dashboard:
    """An app's part of the cabinet's front page, and of a widget's page; declared in its `dashboard.py`."""

    cards: Callable[[Board], Sequence[Card]] = lambda _: ()
    facts: Callable[[int], Sequence[Fact]] = lambda _: ()


def _dashboards() -> list[Dashboard]:
    return [each for of_app in plugins.declared("dashboard", Dashboard).values() for each in of_app]


def cards(board: Board) -> list[Card]:
    """The installed apps' cards, lowest app first."""
    return [card for dashboard in _dashboards() for card in dashboard.cards(board)]


def facts(widget_id: int) -> list[Fact]:
    """The installed apps' facts on a widget, lowest app first."""
    return [fact for dashboard in _dashboards() for fact in dashboard.facts(widget_id)]
