"""Open time in SQL: by the hours of departments and the widget as they are now, of `agents/rules/hours.py`."""

from datetime import datetime
from itertools import accumulate
from typing import Any

from apps.agents.querysets.hours import hours_of_widget

_WIDGET = 0  # stands for the widget's own hours among those of departments

# One row for each department and one for the widget: when it is open, and for how many seconds before each time.
HOURS = """hours AS MATERIALIZED (
    SELECT department_id, begins::bigint[] AS begins, ends::bigint[] AS ends, sums::bigint[] AS sums
    FROM unnest(%(departments)s::bigint[], %(begins)s::text[], %(ends)s::text[], %(sums)s::text[])
        AS h(department_id, begins, ends, sums))"""


def hours_beside(department: str) -> str:
    """Joins the hours `h` of a row's department; of none, or one that is only for colleagues, the widget's."""
    is_known = f"{department} = ANY(%(departments)s::bigint[])"
    return f"JOIN hours h ON h.department_id = CASE WHEN {is_known} THEN {department} ELSE {_WIDGET} END"


def opened_between(since: str, until: str) -> str:
    """The seconds between two moments that are open by the hours `h`; null where one is null, never below 0."""
    opened = f"greatest(0, ({_opened_before(until)}) - ({_opened_before(since)}))"
    return f"CASE WHEN {since} IS NOT NULL AND {until} IS NOT NULL THEN {opened} END"


def _opened_before(moment: str) -> str:
    """The open seconds from the first span of the hours until a moment."""
    second = f"(SELECT floor(date_part('epoch', {moment}))::bigint AS second OFFSET 0) s"
    at = f"(SELECT s.second, width_bucket(s.second, h.begins) AS place FROM {second} OFFSET 0) at"  # noqa: S608
    since = "h.sums[at.place] + least(at.second, h.ends[at.place]) - h.begins[at.place]"
    return f"SELECT CASE WHEN at.place = 0 THEN 0 ELSE {since} END FROM {at}"  # noqa: S608


def hours_parameters(widget_id: int, since: datetime, until: datetime) -> dict[str, Any]:
    """The parameters of HOURS for the time between two moments."""
    of_widget = hours_of_widget(widget_id)
    every = {_WIDGET: of_widget.hours, **{each.id: each.hours for each in of_widget.departments}}
    found: dict[str, list[Any]] = {"departments": list(every), "begins": [], "ends": [], "sums": []}
    for hours in every.values():
        spans = list(hours.spans(since, until))
        found["begins"].append(_array([begin for begin, _ in spans]))
        found["ends"].append(_array([end for _, end in spans]))
        found["sums"].append(_array(list(accumulate((end - begin for begin, end in spans), initial=0))[:-1]))
    return found


def _array(values: list[int]) -> str:
    return f"{{{','.join(map(str, values))}}}"
