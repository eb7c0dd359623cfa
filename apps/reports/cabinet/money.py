"""The page of money: the cost of models by currency, the chats beside it, and groups with ways to their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext_lazy

from apps.cabinet.coded_values import display_value
from apps.core.problems import Problem
from apps.reports.actions.money import money_report_of
from apps.reports.cabinet.charts import BarChart, ShownBar, end_label
from apps.reports.cabinet.figures import FigureLink, Lists, ShownFigure
from apps.reports.cabinet.filters import FilterForm, periods, zones
from apps.reports.cabinet.pages import group_links, period_links, read_question, shown_window
from apps.reports.labels import GROUPS, NONE, definition, group_label
from apps.reports.rules.answers import chats_address
from apps.reports.rules.charts import bars_of, top_of
from apps.reports.rules.money import (
    ASSISTANT,
    DAY,
    MODEL,
    OF_MONEY,
    PURPOSE,
    SIX_PLACES,
    Money,
    MoneyGroup,
    MoneyReport,
    for_each,
    hours_saved,
)

MONEY_TITLES: Mapping[str, Any] = {
    DAY: GROUPS["day"],
    ASSISTANT: GROUPS["assistant"],
    MODEL: pgettext_lazy("group", "Model"),
    PURPOSE: pgettext_lazy("group", "Purpose"),
}
_FIELDS = ("from", "to", "group", "zone")
_CENT = Decimal("0.01")
# The column of a call that each group's key is a value of, as the list of calls is filtered.
_COLUMNS = {ASSISTANT: "assistant__id", MODEL: "model", PURPOSE: "purpose"}


@dataclass(frozen=True, slots=True)
class MoneyRow:
    """A group in the table: its calls and chats are links to their lists."""

    key: str
    label: str
    figures: Sequence[ShownFigure]


def money_context(widget: Any, given: Mapping[str, str], lists: Lists, pages: Mapping[str, str]) -> dict[str, Any]:
    """The context of `reports/money.html`; with `refused` true where the address names impossible values.

    `pages` are the lists of calls and of keys (`ai.usage`, `ai.credential`), where the reader may see them.
    """
    now, zone = timezone.now(), ZoneInfo(widget.time_zone)
    _title, first, after = periods(now, zone)[0]
    params = {name: value for name, value in given.items() if value}
    params = params or {"from": first.isoformat(), "to": after.isoformat(), "group": DAY}
    form = FilterForm(params, widget_id=widget.pk, zone=zone.key, names=_FIELDS, groups=MONEY_TITLES)
    context = {
        "form": form,
        "zones": zones(),
        "periods": period_links(params, now, zone),
        "groups": group_links(params, MONEY_TITLES),
    }
    try:
        query = read_question(widget.pk, params, takes=OF_MONEY, groups=tuple(MONEY_TITLES))
    except Problem as refused:
        form.refuse(refused)
        return {**context, "refused": True}
    report = money_report_of(widget.pk, query)
    settings = reverse("admin:ai_aisettings_changelist") if pages else ""
    return {**context, **_MoneyPage(widget.pk, report, lists, pages).context(), "settings": settings, "refused": False}


class _MoneyPage:
    """A report in words and links."""

    def __init__(self, widget_id: int, report: MoneyReport, lists: Lists, pages: Mapping[str, str]) -> None:
        self.widget_id, self.report, self.lists, self.pages = widget_id, report, lists, pages

    def context(self) -> dict[str, Any]:
        report, query = self.report, self.report.query
        return {
            "shown": shown_window(query),
            "zone": query.zone.key,
            "is_empty": not report.spent.calls and not report.work.answered,
            "figures": self._figures(),
            "hours": self._hours(),
            "unpriced": _grouped(report.spent.unpriced_tokens) if report.spent.unpriced_tokens else "",
            "keys": self.pages.get("ai.credential", ""),
            "group": query.group and MONEY_TITLES[query.group],
            "columns": [figure.title for figure in self._of_group(None)] if query.group else [],
            "rows": [MoneyRow(each.key, self._label(each), self._of_group(each)) for each in report.groups],
            "rest_groups": report.rest_groups,
            "rest_calls": calls_in_words(report.rest_calls),
            "chart": self._chart() if query.group == DAY else None,
        }

    def _figures(self) -> list[ShownFigure]:
        spent, work = self.report.spent, self.report.work
        tokens = gettext("%(sent)s sent, %(answered)s answered") % {
            "sent": _grouped(spent.prompt_tokens),
            "answered": _grouped(spent.completion_tokens),
        }
        return [
            _figure("money", gettext("Money"), _of_money(), money_in_words(spent.money)),
            self._calls(None, gettext("Calls of models"), calls_in_words(spent.calls)),
            _figure("tokens", gettext("Tokens"), gettext("As the vendor told them."), tokens),
            self._chats("ai_involved", gettext("Answered by AI"), work.answered),
            _each("per_answered", gettext("For each answered"), spent.money, work.answered),
            self._chats("ai_resolved", gettext("Resolved by AI"), work.resolved),
            _each("per_resolved", gettext("For each resolved"), spent.money, work.resolved),
        ]

    def _of_group(self, group: MoneyGroup | None) -> list[ShownFigure]:
        """The figures of a group; without one, for their titles alone."""
        spent = group.spent if group else self.report.spent
        work = group.work if group else self.report.work
        found = [
            _figure("money", gettext("Money"), "", money_in_words(spent.money)),
            self._calls(group, gettext("Calls"), _grouped(spent.calls)),
            _figure("prompt_tokens", gettext("Tokens sent"), "", _grouped(spent.prompt_tokens)),
            _figure("completion_tokens", gettext("Tokens answered"), "", _grouped(spent.completion_tokens)),
        ]
        if self.report.query.group in (DAY, ASSISTANT):
            answered, resolved = (work.answered, work.resolved) if work else (0, 0)
            found += [
                self._chats("ai_involved", gettext("Answered by AI"), answered, group),
                _each("per_answered", gettext("For each answered"), spent.money, answered),
                self._chats("ai_resolved", gettext("Resolved by AI"), resolved, group),
            ]
        return found

    def _label(self, group: MoneyGroup) -> str:
        kind = self.report.query.group
        if group.key == NONE:
            return gettext("none")
        if kind == PURPOSE:
            return str(capfirst(display_value(group.key)))
        return group_label("day", group.key, group.label) if kind == DAY else group.label

    def _hours(self) -> str:
        """The hours saved, with their assumption in the same sentence."""
        report = self.report
        hours = number_format(hours_saved(report.work.replies, report.minutes_per_reply), 1, force_grouping=True)
        minutes = report.minutes_per_reply
        words = ngettext(
            "AI saved about %(hours)s hours of writing, assuming %(minutes)d minute a reply (%(replies)s replies).",
            "AI saved about %(hours)s hours of writing, assuming %(minutes)d minutes a reply (%(replies)s replies).",
            minutes,
        )
        replies = _grouped(report.work.replies)
        return words % {"hours": hours, "minutes": minutes, "replies": replies}

    def _calls(self, group: MoneyGroup | None, title: str, shown: str) -> ShownFigure:
        spent = group.spent if group else self.report.spent
        address = self._calls_address(group) if spent.calls else ""
        link = FigureLink("calls", spent.calls, shown, address)
        return ShownFigure("calls", title, gettext("Failed ones too."), [link], "")

    def _calls_address(self, group: MoneyGroup | None) -> str:
        """The list of the calls, for those who may see it."""
        page, query = self.pages.get("ai.usage"), self.report.query
        if page is None:
            return ""
        kind, window = query.group or "", (group.query if group else query).window
        narrowed = {"at__gte": window.start.isoformat(), "at__lt": window.end.isoformat()}
        if group is not None and kind in _COLUMNS:
            is_none = group.key == NONE
            if kind == ASSISTANT and is_none:
                narrowed["assistant__isnull"] = "1"
            else:
                narrowed[f"{_COLUMNS[kind]}__exact"] = "" if is_none else group.key
        return f"{page}?{urlencode({'widget__id__exact': self.widget_id, **narrowed})}"

    def _chats(self, figure: str, title: str, count: int, group: MoneyGroup | None = None) -> ShownFigure:
        address = chats_address(group.query if group else self.report.query, figure) if count else ""
        link = FigureLink(figure, count, _grouped(count), self.lists.of(address))
        return ShownFigure(figure, title, definition(figure), [link], "")

    def _chart(self) -> BarChart | None:
        counts = [each.spent.calls for each in self.report.groups]
        if not any(counts):
            return None
        today = timezone.now().astimezone(self.report.query.zone).date().isoformat()
        bars = [
            ShownBar(self._bar_name(each), self._calls_address(each), bar.column, bar.bar, each.key == today)
            for each, bar in zip(self.report.groups, bars_of(counts), strict=True)
        ]
        top = top_of(counts)
        first, last = (end_label(DAY, self.report.groups[place], "") for place in (0, -1))
        title = gettext("Calls of models by day")
        return BarChart("report-chart", title, bars, (top, top // 2, 0), first, last, bars[-1].is_now)

    def _bar_name(self, group: MoneyGroup) -> str:
        """The name of a bar: "Tue, 20 October 2026, 12 calls, 0.35 USD"."""
        spent = group.spent
        named = (self._label(group), calls_in_words(spent.calls), money_in_words(spent.money, none=""))
        return ", ".join(each for each in named if each)


def money_in_words(money: Money, *, none: str = "—") -> str:
    """Money as a person reads it, by currency, to the hundredth; less than that with six places."""
    said = []
    for currency, amount in sorted(money.items()):
        places, least = (6, SIX_PLACES) if 0 < amount < _CENT else (2, _CENT)
        rounded = amount.quantize(least, ROUND_HALF_UP)
        said.append(f"{number_format(rounded, places, force_grouping=True)}\u00a0{currency}")
    return ", ".join(said) or none


def calls_in_words(count: int) -> str:
    """A number of calls, with its noun."""
    return ngettext("%(count)s call", "%(count)s calls", count) % {"count": _grouped(count)}


def _grouped(count: int) -> str:
    return number_format(count, force_grouping=True)


def _of_money() -> str:
    return gettext("At the prices that stood on the keys when each model was called. Currencies are never added.")


def _figure(name: str, title: str, meaning: str, shown: str) -> ShownFigure:
    """A figure that has no list."""
    return ShownFigure(name, title, meaning, [FigureLink(name, None, shown)], "")


def _each(name: str, title: str, money: Money, count: int) -> ShownFigure:
    meaning = gettext("The money of these days by the chats that were opened in them.")
    return _figure(name, title, meaning, money_in_words(for_each(money, count)))
