"""The contexts of pages of reports: the answer to the query of their address, in words, links and a chart."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from apps.core.problems import Problem
from apps.reports.actions.reports import report_of
from apps.reports.cabinet.charts import chart_of
from apps.reports.cabinet.figures import Lists, ShownFigure, shown_figures
from apps.reports.cabinet.filters import FIRST, MORE, FilterForm, periods, zones
from apps.reports.labels import GROUPS, TIME_GROUPS, TITLES, chats_in_words, group_label
from apps.reports.querysets.questions import question_asked
from apps.reports.rules.reports import GROUPS as GROUP_NAMES
from apps.reports.rules.reports import OF_REPORT, ReportQuery

LATE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The subject of a page of reports: its figures, those of its groups, and the group that it begins with."""

    figures: Sequence[str]
    of_groups: Sequence[str]
    group: str
    chart: str
    has_groups: bool = True  # whether the reader chooses the group


@dataclass(frozen=True, slots=True)
class TableRow:
    """A group in the table."""

    key: str
    label: str
    figures: Sequence[ShownFigure]


def begins_with(section: ReportSection, now: datetime, zone: ZoneInfo) -> dict[str, str]:
    """The query of a page whose address names none: four weeks, beside those before."""
    _title, first, after = periods(now, zone)[0]
    return {"from": first.isoformat(), "to": after.isoformat(), "group": section.group, "compare": "before"}


def report_context(widget: Any, given: Mapping[str, str], section: ReportSection, lists: Lists) -> dict[str, Any]:
    """The context of `reports/report.html`; with `refused` true where the address names impossible values."""
    now, zone = timezone.now(), ZoneInfo(widget.time_zone)
    params = {name: value for name, value in given.items() if value} or begins_with(section, now, zone)
    if not section.has_groups:
        params["group"] = section.group
    names = [name for name in (*FIRST, *MORE) if section.has_groups or name != "group"]
    form = FilterForm(params, widget_id=widget.pk, zone=zone.key, names=names)
    context = {
        "form": form,
        "zones": zones(),
        "periods": period_links(params, now, zone),
        "groups": group_links(params, GROUPS) if section.has_groups else [],
    }
    try:
        query = read_question(widget.pk, params, takes=OF_REPORT)
    except Problem as refused:
        form.refuse(refused)
        return {**context, "refused": True}
    return {**context, **_answered(widget.pk, query, section, lists), "asked": query, "refused": False}


def _answered(widget_id: int, query: ReportQuery, section: ReportSection, lists: Lists) -> dict[str, Any]:
    report = report_of(widget_id, query)
    before = report.before.figures if report.before else None
    figures = shown_figures(report.figures, section.figures, lists, before)
    episodes: Any = report.figures["episodes"]
    group = query.group
    labels = [group_label(str(group), each.key, each.label) for each in report.groups]
    rows = [
        TableRow(each.key, label, shown_figures(each.figures, section.of_groups, lists))
        for each, label in zip(report.groups, labels, strict=True)
    ]
    now_key = report.as_of.astimezone(query.zone).date().isoformat() if group == "day" else ""
    chart = chart_of(group, report.groups, section.chart, lists, now_key=now_key) if group and report.groups else None
    return {
        "is_empty": not episodes.value,
        "figures": figures,
        "group": group and GROUPS[group],
        "columns": [TITLES[name] for name in section.of_groups],
        "rows": rows,
        "rest_groups": report.rest_groups,
        "rest_episodes": chats_in_words(report.rest_episodes),
        "overlaps": report.overlaps,
        "chart": chart if group in (*TIME_GROUPS, "weekday_hour") else None,
        "has_before": report.before is not None,
        **told_of_window(query, report.as_of, report.kept_days),
    }


def read_question(
    widget_id: int, params: Mapping[str, str], *, takes: Collection[str], groups: Collection[str] = GROUP_NAMES
) -> ReportQuery:
    """The question of an address. Raises INVALID_INPUT; fields that were left empty ask for nothing."""
    given = {name: value for name, value in params.items() if value}
    return question_asked(widget_id, given, now=timezone.now(), takes=takes, groups=tuple(groups))


def shown_window(query: ReportQuery) -> str:
    """The days of a window in words."""
    start, end = (moment.astimezone(query.zone) for moment in (query.window.start, query.window.end))
    return f"{_moment(start)} – {_moment(end, is_end=True)}"


def told_of_window(query: ReportQuery, as_of: datetime, kept_days: int | None) -> dict[str, Any]:
    """The words that stand on each page: the days, the zone, the clock, and since when figures may still move."""
    settled_until = as_of - LATE
    since = max(settled_until, query.window.start).astimezone(query.zone)
    return {
        "shown": shown_window(query),
        "zone": query.zone.key,
        "is_open_clock": query.clock == "open",
        "may_move": date_format(since, "j E Y") if settled_until < query.window.end else "",
        "kept_days": kept_days,
    }


def _moment(moment: datetime, *, is_end: bool = False) -> str:
    """A midnight is told as its day, at the end of a window as the day before; other moments with their time."""
    if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
        return date_format(moment - timedelta(days=1) if is_end else moment, "j E Y")
    return date_format(moment, "j E Y H:i")


def period_links(params: Mapping[str, str], now: datetime, zone: ZoneInfo) -> list[tuple[str, str, bool]]:
    """The periods that a click chooses, each with its address, which keeps the rest of the query."""
    kept = {name: value for name, value in params.items() if name not in ("from", "to", "period")}
    found = []
    for title, first, after in periods(now, zone):
        days = {"from": first.isoformat(), "to": after.isoformat()}
        is_this = all(params.get(name, "").startswith(value) for name, value in days.items())
        found.append((title, urlencode({**days, **kept}), is_this))
    return found


def group_links(params: Mapping[str, str], groups: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """The groups that a click chooses, each with its address, which keeps the rest of the query."""
    kept = {name: value for name, value in params.items() if name != "group"}
    return [
        (str(title), urlencode({**kept, "group": name}), params.get("group") == name) for name, title in groups.items()
    ]


def file_links(page: str, query: str) -> list[tuple[str, str]]:
    """The files of a report or a list: the name of each, and its address."""
    formats = ((gettext("Download as CSV"), "csv"), (gettext("Download as XLSX"), "xlsx"))
    return [(title, f"{page}?{query}&format={name}") for title, name in formats]
