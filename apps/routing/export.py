"""The tables of routing in an export of a widget: settings and places, the log of offers, the told times that held."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.routing.models import Assignment, EstimateTally, OperatorPlaces, RoutingSettings, SlaClock
from apps.routing.rules.settings import (
    MAX_ACCEPT_SECONDS,
    MAX_CAPACITY,
    MAX_MISSES,
    MAX_OVERFLOW_MINUTES,
    MAX_SILENT_MINUTES,
    MAX_WARN_PERCENT,
    MIN_ACCEPT_SECONDS,
    MIN_WARN_PERCENT,
    answer_times_refusals,
)


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    yield ExportTable(
        name="routing_settings",
        rows=RoutingSettings.objects.for_widget(widget_id),
        checks={
            "accept_seconds": lambda value: (
                None if value == 0 else _outside(value, MIN_ACCEPT_SECONDS, MAX_ACCEPT_SECONDS)
            ),
            "silent_minutes": lambda value: _outside(value, 0, MAX_SILENT_MINUTES),
            "overflow_minutes": lambda value: _outside(value, 1, MAX_OVERFLOW_MINUTES),
            "answer_times": _answer_times_refusal,
            "warn_percent": lambda value: _outside(value, MIN_WARN_PERCENT, MAX_WARN_PERCENT),
            "capacity": lambda value: _outside(value, 0, MAX_CAPACITY),
            "misses": lambda value: _outside(value, 0, MAX_MISSES),
        },
    )
    yield ExportTable(
        name="operator_places",
        rows=OperatorPlaces.objects.for_widget(widget_id),
        checks={"capacity": lambda value: _outside(value, 0, MAX_CAPACITY)},
    )
    yield ExportTable(
        name="sla_clocks",
        rows=SlaClock.objects.for_widget(widget_id),
        refers={"department_id": "departments", "ended_after_id": "messages"},
    )
    yield ExportTable(
        name="estimate_tallies",
        rows=EstimateTally.objects.for_widget(widget_id),
        refers={"department_id": "departments"},
    )
    yield ExportTable(
        name="assignments",
        rows=Assignment.objects.for_widget(widget_id).exclude(outcome=None),
        refers={"department_id": "departments"},
    )


def _outside(value: int | None, lowest: int, highest: int) -> str | None:
    return None if value is None or lowest <= value <= highest else f"Must be from {lowest} to {highest}."


def _answer_times_refusal(rows: Any) -> str | None:
    if rows is None:
        return None
    return next((f"{path} {refusal}".strip() for path, refusal in answer_times_refusals(rows).items()), None)


EXPORT = WidgetExport(tables=exported_of_widget)
