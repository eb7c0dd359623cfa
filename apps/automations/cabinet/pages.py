"""The pages of automations: the lists of their forms, a trial and its problems in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, ngettext

from apps.accounts.models import Widget
from apps.automations.cabinet import rows, words
from apps.automations.cabinet.sentences import Names, field_words
from apps.automations.models import Automation
from apps.automations.rules.fields import OPERATORS, field_of
from apps.cabinet.chosen_widget import OFFERED, current_widget

TRIAL_DAYS = 30


def widget_of_page(request: HttpRequest, widgets: QuerySet[Widget]) -> Widget | None:
    """The widget that a new rule is for: the one that the address names, else the current one, else the first one."""
    named = request.POST.get("widget") or request.GET.get("widget") or ""
    if named.isascii() and named.isdecimal() and len(named) < 19:
        return widgets.filter(pk=named).first()
    if (widget := current_widget(request)) is not None:
        return widget
    return widgets.order_by("pk").first()


def other_widgets(widget: Widget, widgets: QuerySet[Widget]) -> list[Widget]:
    """The other widgets that a new rule may be for, so many as a page names."""
    return list(widgets.exclude(pk=widget.pk).order_by("pk")[:OFFERED])


def editor_context(names: Names) -> dict[str, Any]:
    """The lists of a form with rows, and the shape by which its script shows those that fit."""
    return {
        "events": words.EVENTS.items(),
        "waits": words.WAIT_NAMES.items(),
        "clocks": words.CLOCKS.items(),
        "fields": [(name, words.FIELDS[name]) for name in words.FIELDS],
        "ops": words.OPS.items(),
        "values": rows.offered(names),
        "acts": words.ACTS.items(),
        "act_values": rows.offered_acts(names),
        "by": [
            ("console", words.BY["console"]),
            ("mail", words.BY["mail"]),
            ("console+mail", gettext("in the console and by e-mail")),
        ],
        "shape": {
            "fields": {name: _shape_of(name) for name in words.FIELDS},
            "waits": list(words.WAITS),
            "typed": rows.TYPED,
            "lists": rows.LISTS,
            "with_text": list(rows.WITH_TEXT),
            "values": {name: _typed_label(name) for name in rows.TYPED},
        },
    }


def _shape_of(name: str) -> dict[str, Any]:
    known = field_of(name) or field_of(f"{name}.x")
    chosen = name.removeprefix("previous.") if rows.is_chosen(name) else None
    return {"ops": list(OPERATORS[known.kind]) if known else [], "list": chosen}


def _typed_label(do: str) -> str:
    labels = {
        "snooze": gettext("Minutes; empty: until the visitor writes"),
        "tag": gettext("Tag"),
        "untag": gettext("Tag"),
        "attribute": gettext("Value"),
        "to_person": gettext("Reason, as a code"),
        "close": gettext("Reason (optional)"),
        "webhook": gettext("Name of the event, as a code"),
    }
    return labels[do]


def trial_context(automation: Automation, tried: Mapping[str, Any] | None, names: Names) -> dict[str, Any]:
    """A trial in words; `tried` has its samples where it was made just now."""
    is_tried = automation.tried_version == automation.version
    if not is_tried and tried is None:
        return {"is_tried": False}
    chats = tried["chats"] if tried else automation.tried_chats
    runs = tried["runs"] if tried else automation.tried_runs
    found: dict[str, Any] = {"is_tried": is_tried, "line": _trial_line(chats, runs), "at": automation.tried_at}
    if tried is None:
        return found
    return found | {
        "samples": [
            (
                reverse("admin:chats_chat_change", args=[sample["chat_id"]]),
                sample["chat_id"],
                _moment(sample["at"]),
            )
            for sample in tried["samples"]
        ],
        "would": [(words.ACTS.get(do, do), times) for do, times in tried.get("would", {}).items() if times],
        "by_now": ", ".join(field_words(name) for name in tried.get("judged_by_now", ())),
        "is_sampled": tried.get("is_sampled", False),
        "since": _moment(tried["from"]),
    }


def _moment(value: Any) -> Any:
    return parse_datetime(value) if isinstance(value, str) else value


def _trial_line(chats: int, runs: int) -> str:
    days = ngettext("Tried on the last day", "Tried on the last %(days)d days", TRIAL_DAYS) % {"days": TRIAL_DAYS}
    if not chats:
        return gettext("%(tried)s: no chat") % {"tried": days}
    in_chats = ngettext("%(count)d chat", "%(count)d chats", chats) % {"count": chats}
    if runs == chats:
        return f"{days}: {in_chats}"
    times = ngettext("%(count)d time", "%(count)d times", runs) % {"count": runs}
    return f"{days}: {in_chats}, {times}"


def problem_words(problem: Mapping[str, Any] | None) -> str:
    """The part of an automation that is gone; empty where nothing is."""
    if not problem:
        return ""
    place = str(problem.get("path", ""))
    where = gettext("in the conditions") if place.startswith("if") else gettext("in what it does")
    return gettext("A department or an operator is gone, %(where)s.") % {"where": where}
