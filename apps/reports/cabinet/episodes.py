"""The list of episodes behind a figure: when, where and how each went; no visitor's name or words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext

from apps.agents.models import Agent, Department
from apps.cabinet.coded_values import display_value
from apps.chats.questions import channel_names
from apps.core.problems import Problem
from apps.reports.actions.reports import count_of, episodes_page
from apps.reports.cabinet.filters import FILTER_NAMES, FIRST, MORE, FilterForm, zones
from apps.reports.cabinet.pages import read_question, told_of_window
from apps.reports.labels import ENDS, OUTCOMES, TITLES, chats_in_words, definition, wait_in_words
from apps.reports.querysets.reports import kept_days
from apps.reports.rules.reports import OF_EPISODES, ReportQuery, address

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class EpisodeLine:
    """An episode as a line: its opening is the link to its chat."""

    id: int
    opened: str
    chat: str
    cells: list[tuple[str, str]]


def episodes_context(widget: Any, given: Mapping[str, str]) -> dict[str, Any]:
    """The context of `reports/episodes.html`; with `refused` true where the address names impossible values."""
    cursor = given.get("cursor")
    params = {name: value for name, value in given.items() if name != "cursor"}
    title = {"title": gettext("Chats behind a figure")}
    try:
        query = read_question(widget.pk, params, takes=OF_EPISODES)
        page = episodes_page(widget.pk, query, cursor, A_PAGE)
    except Problem as refused:
        form = FilterForm(params, widget_id=widget.pk, zone=widget.time_zone, names=(*FIRST, *MORE))
        form.refuse(refused)
        return {**title, "form": form, "zones": zones(), "refused": True, "report_query": ""}
    total = count_of(widget.pk, query)
    asked = address(query)
    names = _Names(widget.pk)
    lines = [names.line(row, query) for row in page.rows]
    return {
        **title,
        "refused": False,
        "query": asked,
        "report_query": address(query.episodes),
        "total": total,
        "count": chats_in_words(total),
        "figure_title": _title(query),
        "definition": definition(query.figure) if query.figure else "",
        "rows": lines,
        "columns": [gettext("Opened"), *(name for name, _value in lines[0].cells)] if lines else [],
        "next": f"{asked}&{urlencode({'cursor': page.next_cursor})}" if page.next_cursor else "",
        "filters": names.chosen(query),
        **told_of_window(query, timezone.now(), kept_days(widget.pk)),
    }


def _title(query: ReportQuery) -> str:
    if query.figure is None:
        return ""
    title = str(TITLES[query.figure])
    return gettext("%(figure)s: the slowest tenth") % {"figure": title} if query.slowest else title


class _Names:
    """The names of a widget's rows, read once."""

    def __init__(self, widget_id: int) -> None:
        self._channels = channel_names([widget_id])
        self._operators = {each.pk: str(each) for each in Agent.objects.for_widget(widget_id)}
        self._departments = dict(Department.objects.for_widget(widget_id).values_list("pk", "name"))

    def line(self, row: Mapping[str, Any], query: ReportQuery) -> EpisodeLine:
        """A row as REST has it, in words, by the query's clock."""
        rating, outcome, ended_by = row["rating"], row["outcome"], row["ended_by"]
        first, wait = row["first_reply"], row["longest_wait_seconds"]
        cells = [
            (pgettext("group", "Channel"), self._channel(row["channel"])),
            (pgettext("group", "Department"), self._departments.get(row["department_id"], "—")),
            (pgettext("figure", "First answer"), wait_in_words(first and first["seconds"])),
            (pgettext("figure", "Longest wait"), wait_in_words(wait)),
            (pgettext("group", "Outcome"), str(OUTCOMES[outcome])),
            (pgettext("group", "Ended by"), capfirst(str(ENDS[ended_by])) if ended_by else "—"),
            (pgettext("group", "Rating"), str(rating["value"]) if rating else "—"),
            (gettext("Answered by"), ", ".join(self._operators.get(pk, f"#{pk}") for pk in row["agents"]) or "—"),
        ]
        opened: datetime = row["opened_at"].astimezone(query.zone)
        chat = reverse("admin:chats_chat_change", args=[row["chat_id"]])
        return EpisodeLine(row["id"], date_format(opened, "D, j E Y H:i"), chat, cells)

    def chosen(self, query: ReportQuery) -> list[tuple[str, str]]:
        """The filters of a query in words."""
        return [(str(FILTER_NAMES[name]), self._value(name, values)) for name, values in query.filters.items()]

    def _value(self, name: str, values: Any) -> str:
        named: Mapping[str, Callable[[Any], str]] = {
            "channel": self._channel,
            "agent_id": lambda pk: self._operators.get(pk, f"#{pk}"),
            "department_id": lambda pk: self._departments.get(pk, f"#{pk}"),
            "outcome": lambda code: str(OUTCOMES[code]),
            "ended_by": lambda code: str(ENDS[code]),
        }
        words = named.get(name, str)
        return ", ".join(pgettext("group", "none") if value is None else words(value) for value in values)

    def _channel(self, code: str) -> str:
        return str(capfirst(self._channels.get(code) or display_value(code)))
