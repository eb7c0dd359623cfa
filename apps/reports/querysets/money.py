"""Reads the calls of models in a window by a group, and the episodes beside them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.apps import apps as django_apps
from django.db.models import Count, F, Q, QuerySet, Sum, Value
from django.db.models.functions import TruncDate

from apps.core.database import fetch_all
from apps.reports.querysets.view import EpisodeView
from apps.reports.rules.figures import FIGURES
from apps.reports.rules.money import ASSISTANT, DAY, MODEL, PURPOSE, MachineWork, SpentCalls
from apps.reports.rules.reports import ReportQuery

# Without the app no model is called.
HAS_AI = django_apps.is_installed("apps.ai")
# The key of a call in each group; null where it has none.
_KEYS: dict[str | None, Any] = {
    None: Value("all"),
    ASSISTANT: F("assistant_id"),
    MODEL: F("model"),
    PURPOSE: F("purpose"),
}
_TOKENS = F("prompt_tokens") + F("completion_tokens")


def spent_calls(widget_id: int, query: ReportQuery) -> dict[str | None, SpentCalls]:
    """The calls of the window by key, most calls first. Index: ai_usage_widget."""
    found: dict[str | None, SpentCalls] = {}
    for key, currency, money, *counts in _calls(widget_id, query) if HAS_AI else ():
        calls, prompt, completion, unpriced = (count or 0 for count in counts)
        spent = SpentCalls(
            calls=calls,
            prompt_tokens=prompt,
            completion_tokens=completion,
            unpriced_tokens=unpriced,
            money={} if money is None else {currency: money},
        )
        named = None if key in (None, "") else str(key)
        found[named] = found[named] + spent if named in found else spent
    return dict(sorted(found.items(), key=lambda each: (-each[1].calls, each[0] or "")))


def _calls(widget_id: int, query: ReportQuery) -> QuerySet[Any, tuple[Any, ...]]:
    """Rows of: key, currency, money, calls, tokens that were sent, answered, and had no price."""
    from apps.ai.models import Usage

    window = query.window
    rows = Usage.objects.for_widget(widget_id).filter(at__gte=window.start, at__lt=window.end)
    key = TruncDate("at", tzinfo=query.zone) if query.group == DAY else _KEYS[query.group]
    return (
        rows.annotate(key=key)
        .values("key", "currency")
        .annotate(
            money=Sum("cost"),
            calls=Count("pk"),
            prompt=Sum("prompt_tokens"),
            completion=Sum("completion_tokens"),
            unpriced=Sum(_TOKENS, filter=Q(cost__isnull=True)),
        )
        .order_by()
        .values_list("key", "currency", "money", "calls", "prompt", "completion", "unpriced")
    )


def machine_work(widget_id: int, query: ReportQuery, as_of: datetime) -> dict[str | None, MachineWork]:
    """The episodes that were opened in the window by key, as of a moment up to which they are derived.

    Days are of their opening; an episode of several assistants counts for each. Index: reports_episode_opened.
    """
    view = EpisodeView(widget_id, query, as_of, 0, [query.window])
    # The conditions of the report's figures: the same ones.
    figures = (FIGURES[name].where for name in ("ai_involved", "ai_resolved"))
    counted = ", ".join(f"count(*) FILTER (WHERE {where})" for where in figures)
    columns = {"answers_ai": "e.answers_ai", "assistants": "e.assistants"}
    key, beside = "'all'", ""
    if query.group == DAY:
        view.parameters["zone"] = query.zone.key
        key = "(v.opened_at AT TIME ZONE %(zone)s)::date::text"
    elif query.group == ASSISTANT:
        key, beside = "k.key::text", "CROSS JOIN LATERAL unnest(v.assistants) k(key)"
    rows = f"(SELECT {view.seen()} FROM b) v {beside}"  # noqa: S608 - of constants
    statement = (
        f"WITH b AS MATERIALIZED ({view.source(**columns)})"  # noqa: S608 - of constants
        f" SELECT {key}, {counted}, coalesce(sum(v.answers_ai), 0) FROM {rows} GROUP BY 1"
    )
    return {key: MachineWork(*map(int, counts)) for key, *counts in fetch_all(statement, view.parameters)}
