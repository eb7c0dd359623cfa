"""Reports the cost of models: by the time of each call, as the vendor bills, beside the chats of the window."""

from __future__ import annotations

import time
from collections.abc import Mapping

from apps.core.observability import metrics
from apps.reports.actions.episodes import caught_up
from apps.reports.querysets.labels import labels_of
from apps.reports.querysets.money import HAS_AI, machine_work, spent_calls
from apps.reports.rules.answers import MAX_GROUPS, group_keys, key_query
from apps.reports.rules.filters import NONE
from apps.reports.rules.money import (
    ASSISTANT,
    DAY,
    NOTHING,
    MachineWork,
    MoneyGroup,
    MoneyReport,
    SpentCalls,
    has_work,
    summed,
)
from apps.reports.rules.reports import ReportQuery, address

MINUTES_PER_REPLY = 2


def money_report_of(widget_id: int, query: ReportQuery) -> MoneyReport:
    """The report of this moment, of a question whose group is one of MONEY_GROUPS or none."""
    began = time.perf_counter()
    as_of = caught_up(widget_id)
    whole = machine_work(widget_id, query.episodes, as_of).get("all", MachineWork())
    spent = spent_calls(widget_id, query)
    groups = _groups(widget_id, query, spent, machine_work(widget_id, query, as_of) if has_work(query.group) else {})
    shown = groups if query.group == DAY else groups[:MAX_GROUPS]
    report = MoneyReport(
        query=query,
        page=f"/admin/reports/widgetmoneyreport/{widget_id}/change/?{address(query)}",
        spent=summed([*spent.values()]),
        work=whole,
        minutes_per_reply=minutes_per_reply(widget_id),
        groups=shown,
        rest_groups=len(groups) - len(shown),
        rest_calls=sum(each.spent.calls for each in groups[len(shown) :]),
    )
    metrics.REPORTS.observe(time.perf_counter() - began)
    return report


def minutes_per_reply(widget_id: int) -> int:
    """The minutes that an answer of a machine is taken to save a person."""
    if not HAS_AI:
        return MINUTES_PER_REPLY
    from apps.ai.settings import settings_of

    return int(settings_of(widget_id).minutes_per_reply)


def _groups(
    widget_id: int,
    query: ReportQuery,
    spent: Mapping[str | None, SpentCalls],
    work: Mapping[str | None, MachineWork],
) -> list[MoneyGroup]:
    """All days in order, or the other groups, most calls first; an assistant with chats has a group without calls."""
    if query.group is None:
        return []
    if query.group == DAY:
        return [
            MoneyGroup(day, day, spent.get(day, NOTHING), work.get(day, MachineWork()), of_day)
            for day, of_day in group_keys(query)
        ]
    keys = [*spent, *(key for key in work if key not in spent)]
    labels = labels_of(widget_id, ASSISTANT, keys) if query.group == ASSISTANT else {}
    none = MachineWork() if has_work(query.group) else None
    return [
        MoneyGroup(
            key or NONE,
            labels.get(key or NONE, key or NONE),
            spent.get(key, NOTHING),
            work.get(key, none),
            key_query(query, key) if query.group == ASSISTANT else query,
        )
        for key in keys
    ]
