"""Figures as pages show them: numbers that lead to their lists, shares, and the values of before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext

from apps.reports.labels import TIMES, TITLES, chats_in_words, definition, rate_in_words, wait_in_words

# Which of the figures each page has in the rows of its table; the first one is that of its chart.
OF_OVERVIEW = ("episodes", "answered", "first_reply", "by_person", "by_ai", "unanswered", "durable", "good", "low")
OF_OPERATORS = ("episodes", "by_person", "person_reply", "first_reply", "durable", "rated", "good", "low")
OF_RATINGS = (
    *("episodes", "asked", "responded", "rated", "good", "low"),
    *("rated_person", "good_person", "rated_ai", "good_ai"),
)


@dataclass(frozen=True, slots=True)
class FigureLink:
    """A number that is a link to its list; without an address, words alone."""

    name: str
    value: int | None
    shown: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure: its numbers, its share in words, and the period before in words where there is one."""

    name: str
    title: str
    definition: str
    numbers: Sequence[FigureLink]
    share: str
    before: str = ""


class Lists:
    """The addresses of lists in the cabinet, made of those of the report, which stand on the same query."""

    def __init__(self, page: str) -> None:
        self._page = page

    def of(self, address: str | None) -> str:
        """The cabinet's address of a list of the API; "" for none."""
        return f"{self._page}?{address.partition('?')[2]}" if address else ""


def shown_figures(
    figures: Mapping[str, Any], names: Sequence[str], lists: Lists, before: Mapping[str, Any] | None = None
) -> list[ShownFigure]:
    """These figures of a report, in this order; `before` are those of the period before."""
    return [_shown(name, figures[name], lists, before and before[name]) for name in names]


def _shown(name: str, figure: Any, lists: Lists, before: Any) -> ShownFigure:
    numbers, share = _of_times(name, figure, lists) if name in TIMES else _of_count(name, figure, lists)
    told = "" if before is None else _told(name, before)
    return ShownFigure(name, str(TITLES[name]), definition(name), numbers, share, told)


def _of_count(name: str, figure: Any, lists: Lists) -> tuple[list[FigureLink], str]:
    number = FigureLink(name, figure.value, number_format(figure.value), lists.of(figure.chats))
    if figure.of is None:
        return [number], ""
    share = {"rate": rate_in_words(figure.rate), "of": number_format(figure.of)}
    return [number], gettext("%(rate)s of %(of)s") % share if figure.rate is not None else "—"


def _of_times(name: str, figure: Any, lists: Lists) -> tuple[list[FigureLink], str]:
    """The median and the 90th percentile; their number is a link, too."""
    if not figure.n:
        return [FigureLink(name, 0, "—")], ""
    numbers = [
        FigureLink(f"{name}_p50", figure.p50, wait_in_words(figure.p50), lists.of(figure.chats)),
        FigureLink(f"{name}_p90", figure.p90, wait_in_words(figure.p90), lists.of(figure.slowest)),
        FigureLink(name, figure.n, chats_in_words(figure.n), lists.of(figure.chats)),
    ]
    return numbers, gettext("half within / nine of ten within")


def _told(name: str, figure: Any) -> str:
    if name in TIMES:
        return f"{wait_in_words(figure.p50)} / {wait_in_words(figure.p90)}" if figure.n else "—"
    value = number_format(figure.value)
    return value if figure.rate is None else f"{value} ({rate_in_words(figure.rate)})"
