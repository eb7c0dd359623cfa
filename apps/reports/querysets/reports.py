"""Reads a report: the totals, those of the window before, and the groups, in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from apps.chats.models import Retention
from apps.core.database import fetch_all
from apps.core.parsing.periods import Window
from apps.reports.querysets.hours import HOURS
from apps.reports.querysets.labels import labels_of
from apps.reports.querysets.view import (
    DEPARTMENT,
    ENDED_BY,
    HOUR,
    SETTLED_AFTER,
    TAGGED,
    TAGGED_BESIDE,
    WEEKDAY,
    EpisodeView,
    key_of,
)
from apps.reports.rules.answers import (
    MAX_GROUPS,
    Before,
    Figures,
    ReportAnswer,
    ReportGroup,
    figures_of,
    group_keys,
    is_of_times,
    key_query,
    shown_key,
)
from apps.reports.rules.figures import COUNTS, PERCENTS, TIMES
from apps.reports.rules.reports import GROUPED_BY, HEAT_MAP, OVERLAPPING, ReportQuery, address
from apps.reports.rules.windows import window_before

# The key of an episode in each group; of those that overlap, its keys, of which one may be null.
_KEYS = {
    "channel": key_of("e.channel"),
    "department": f"{DEPARTMENT}::text",
    "language": key_of("e.language"),
    "page": key_of("e.page"),
    "handover": key_of("e.handed_over_reason"),
    "ended_by": ENDED_BY,
    "agent": "coalesce(nullif(e.agents, '{}'), ARRAY[NULL]::bigint[])",
    "assistant": "coalesce(nullif(e.assistants, '{}'), ARRAY[NULL]::bigint[])",
    "tag": "coalesce(tagged.keys, ARRAY[NULL]::text[])",
}
_EPISODES = [each.name for each in COUNTS].index("episodes")
_PEOPLE = [each.name for each in COUNTS].index("people")
_TOTAL, _BEFORE, _GROUP = range(3)


def read_report(widget_id: int, query: ReportQuery, as_of: datetime, *, low: int) -> ReportAnswer:
    """The report as of a moment up to which episodes are derived; ratings up to `low` are low."""
    before = window_before(query.window, query.zone) if query.compare else None
    view = EpisodeView(widget_id, query, as_of, low, [query.window, *([before] if before else [])])
    rows = fetch_all(_statement(view, query), view.parameters)
    whole = {kind: row for kind, _, _, _, *row in rows if kind != _GROUP}
    groups, rest = _groups(widget_id, query, [row for row in rows if row[0] == _GROUP])
    return ReportAnswer(
        query=query,
        as_of=as_of,
        settled_until=as_of - SETTLED_AFTER,
        kept_days=kept_days(widget_id),
        page=page_of(widget_id, query),
        figures=figures_of(query, whole.get(_TOTAL)),
        before=None if before is None else Before(before, _figures(query, before, whole.get(_BEFORE))),
        groups=groups,
        overlaps=query.group in OVERLAPPING,
        rest_groups=rest[0],
        rest_episodes=rest[1],
    )


def _figures(query: ReportQuery, window: Window, row: Sequence[Any] | None) -> Figures:
    return figures_of(replace(query, window=window), row)


def page_of(widget_id: int, query: ReportQuery) -> str:
    """The address of a report in the cabinet."""
    return f"/admin/reports/widgetreport/{widget_id}/change/?{address(query)}"


def kept_days(widget_id: int) -> int | None:
    """The days after which retention removes chats; null where they are kept."""
    return Retention.objects.for_widget(widget_id).values_list("chats", flat=True).first()


def _statement(view: EpisodeView, query: ReportQuery) -> str:
    """Rows of: kind, key, groups and episodes in all, then the counts and the times (`figures_of`).

    Each aggregate reads the rows once more, and sorts them no more than its percentiles ask: persons are counted by
    hash, and the two windows apart.
    """
    columns = {"is_before": "false"}
    parts = [_whole(view, _TOTAL, "NOT v.is_before")]
    if len(view.spans) > 1:
        view.parameters["begin"] = query.window.start
        columns["is_before"] = "e.opened_at < %(begin)s"
        parts.append(_whole(view, _BEFORE, "v.is_before"))
    if query.group is not None:
        parts.append(f"({_grouped(view, query, columns)})")
    is_by_tag = query.group == "tag"
    read = [*([HOURS] if view.is_open_clock else []), *([TAGGED] if is_by_tag else [])]
    source = view.source(TAGGED_BESIDE if is_by_tag else "", **columns)
    return f"WITH {', '.join([*read, f'b AS MATERIALIZED ({source})'])} {' UNION ALL '.join(parts)}"


def _whole(view: EpisodeView, kind: int, which: str) -> str:
    rows = f"(SELECT {view.seen()} FROM b) v WHERE {which} AND {view.rated()}"  # noqa: S608 - of constants
    people = f"(SELECT count(*) FROM (SELECT DISTINCT v.person_id FROM {rows}) p)"  # noqa: S608 - of constants
    return f"SELECT {kind}, NULL, 0, 0, {', '.join(_aggregates(people))} FROM {rows}"  # noqa: S608 - of constants


def _aggregates(people: str) -> list[str]:
    """The counts, with that of persons, then the times."""
    found = [people if each.by_person else f"count(*) FILTER (WHERE {each.where})" for each in COUNTS]
    shares = ",".join(str(percent / 100) for percent in PERCENTS)
    for time in TIMES:
        ranked = f"(percentile_disc(ARRAY[{shares}]) WITHIN GROUP (ORDER BY v.{time.column}))"
        found += [f"count(v.{time.column})", *(f"{ranked}[{place}]" for place in range(1, 1 + len(PERCENTS)))]
    return found


def _grouped(view: EpisodeView, query: ReportQuery, columns: dict[str, str]) -> str:
    """The groups; `columns` gets the columns that they need."""
    group = query.group or ""
    beside, key, shown = "", "v.key", view.seen(by_key=group == "agent")
    if group in OVERLAPPING:
        columns["keys"], shown = _KEYS[group], f"{shown}, k.key"
        beside = "CROSS JOIN LATERAL unnest(b.keys) k(key)"
    elif group in ("outcome", "rating"):
        key = f"v.{group}"
    else:
        columns["key"] = _key(view, query)
    where = f"NOT v.is_before AND {view.rated()} AND {view.own_keys(GROUPED_BY[group], key) if beside else 'true'}"
    rows = f"(SELECT {shown} FROM b {beside}) v WHERE {where}"  # noqa: S608 - of constants
    figures = _aggregates("0::bigint")
    counted = ", ".join(f"{sql} AS f{place}" for place, sql in enumerate(figures))
    told = ["p.people" if place == _PEOPLE else f"g.f{place}" for place in range(len(figures))]
    order = "" if is_of_times(query) else f'ORDER BY g.size DESC, g.key COLLATE "C" LIMIT {MAX_GROUPS}'
    return f"""
    SELECT {_GROUP}, nullif(g.key, ''), (count(*) OVER ())::int, (sum(g.size) OVER ())::bigint, {", ".join(told)}
    FROM (SELECT coalesce({key}::text, '') AS key, count(*) AS size, {counted} FROM {rows} GROUP BY {key}) g
    JOIN (
        SELECT coalesce(d.key::text, '') AS key, count(*) AS people
        FROM (SELECT DISTINCT {key} AS key, v.person_id FROM {rows}) d GROUP BY d.key
    ) p ON p.key = g.key
    {order}"""  # noqa: S608 - of constants


def _key(view: EpisodeView, query: ReportQuery) -> str:
    if query.group == HEAT_MAP:
        view.read_clocks()
        return f"{WEEKDAY} || '-' || lpad({HOUR}::text, 2, '0')"
    if is_of_times(query):
        view.parameters["starts"] = [each.window.start for _, each in group_keys(query)]
        return "width_bucket(e.opened_at, %(starts)s::timestamptz[])"
    return _KEYS[query.group or ""]


def _groups(widget_id: int, query: ReportQuery, rows: Sequence[Any]) -> tuple[list[ReportGroup], tuple[int, int]]:
    """The groups, and how many groups and episodes are left out."""
    if query.group is None:
        return [], (0, 0)
    if is_of_times(query):
        keys = group_keys(query)
        by_place = query.group != HEAT_MAP
        found = {row[1]: row[4:] for row in rows}
        return [
            ReportGroup(key, key, figures_of(each, found.get(str(place) if by_place else key)), each)
            for place, (key, each) in enumerate(keys, 1)
        ], (0, 0)
    labels = labels_of(widget_id, query.group, [row[1] for row in rows])
    groups = []
    for _, key, _, _, *figures in rows:
        of_key = key_query(query, key)
        shown = shown_key(key)
        groups.append(ReportGroup(shown, labels.get(shown, shown), figures_of(of_key, figures), of_key))
    if not rows:
        return [], (0, 0)
    episodes = int(rows[0][3]) - sum(row[4 + _EPISODES] for row in rows)
    return groups, (rows[0][2] - len(groups), episodes)
