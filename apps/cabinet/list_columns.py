"""Columns of lists as people read them: states are chips, moments take one line, and a value that all rows share is
told once above them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.admin import display
from django.contrib.admin.utils import label_for_field
from django.core.exceptions import FieldDoesNotExist
from django.db.models import BooleanField, Field
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from unfold.admin import ModelAdmin

from apps.cabinet.moments import marked

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList

Column = Callable[[Any], Any]
# Columns whose value is a state of the row, by their names.
STATES = frozenset(
    {
        *("state", "status", "status_name", "state_line", "status_line", "how_far", "came_of_it", "outcome"),
        *("severity", "health_line", "embedding_status", "problem_mark", "result"),
    }
)
# The tones of states by the codes that rows hold: of those that are well, that wait, and that went wrong.
GOOD = frozenset(
    {
        *("active", "enabled", "ready", "delivered", "paid", "done", "ok", "finished", "completed", "succeeded"),
        *("sent", "accepted", "kept"),
    }
)
WAITING = frozenset(
    {"pending", "queued", "running", "waiting", "sending", "new", "offered", "processing", "paused", "warning"}
)
BAD = frozenset({"failed", "blocked", "error", "suspended", "critical", "rejected", "dead"})
CODES = ("status", "state", "outcome", "severity", "embedding_status")


class WordedAdmin(ModelAdmin):  # type: ignore[misc] # unfold has no types
    """An admin whose lists show such columns, under titles that are nouns."""

    empty_value_display = "—"
    list_before_template: ClassVar[str] = "accounts/list_head.html"

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> Any:
        """By their names: the columns themselves are others than the page declares."""
        names = super().get_list_display_links(request, list_display)
        return [each for each in list_display if each in names or getattr(each, "__name__", each) in names]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        named = {"title": self.name_of_list(), **(extra_context or {})}
        response: HttpResponse = super().changelist_view(request, named)
        if isinstance(response, TemplateResponse) and response.context_data and "cl" in response.context_data:
            response.context_data["told_once"] = told_once(response.context_data["cl"])
        return response

    def name_of_list(self) -> str:
        """The title of the list: a noun, as in the menu."""
        return str(capfirst(str(self.opts.verbose_name_plural)))

    def name_of_page(self, obj: Any) -> str:
        """The title of a row's page, or of the page that adds one."""
        name = str(self.opts.verbose_name)
        return str(capfirst(name)) if obj is not None else gettext("New: %(name)s") % {"name": name}


def column_of(page: ModelAdmin, name: str | Column) -> str | Column:
    """The column in place of a list's own: of a method, of a moment, of a state; others stay."""
    if callable(name):
        return _read(name, is_state=getattr(name, "__name__", "") in STATES)
    if name == "__str__":
        return _read(_itself(page), is_state=False)
    try:
        field = page.opts.get_field(name)
    except FieldDoesNotExist:
        method = getattr(page, name, None)
        return _read(method, is_state=name in STATES) if callable(method) else name
    return _read(_of_field(field), is_state=name in STATES) if isinstance(field, Field) else name


def _itself(page: ModelAdmin) -> Column:
    def column(row: Any) -> str:
        return str(row)

    column.__name__ = "__str__"
    described: Column = display(description=page.opts.verbose_name)(column)
    return described


def _of_field(field: Field[Any, Any]) -> Column:
    def column(row: Any) -> Any:
        shown = getattr(row, f"get_{field.name}_display", None)
        return shown() if shown is not None and field.flatchoices else getattr(row, field.name)

    column.__name__ = field.name
    is_boolean = isinstance(field, BooleanField)
    described: Column = display(description=field.verbose_name, ordering=field.name, boolean=is_boolean)(column)
    return described


def _read(method: Column, *, is_state: bool) -> Column:
    """A column that works its value out once a row, as it is asked for it twice. Its name begins with a capital."""
    is_drawn = any(getattr(method, kind, False) for kind in ("label", "header", "boolean", "dropdown"))

    @wraps(method)
    def column(row: Any) -> Any:
        kept = row.__dict__.setdefault("_columns_read", {})
        if column not in kept:
            value = method(row)
            if value in ("", "-"):
                value = None
            elif isinstance(value, datetime):
                value = marked(value)
            elif is_state and not is_drawn and value not in (None, "—") and not isinstance(value, SafeString):
                value = chip(str(capfirst(str(value))), tone_of(row))
            kept[column] = value
        return kept[column]

    column.short_description = capfirst(getattr(method, "short_description", method.__name__))  # type: ignore[attr-defined]
    return column


def chip(text: str, tone: str = "") -> SafeString:
    return render_to_string("unfold/helpers/label.html", {"text": text, "type": tone})


def tone_of(row: Any) -> str:
    """The colour of a row's state, beside its word; empty where the code tells none."""
    codes = {str(getattr(row, name, "")) for name in CODES}
    for tone, members in (("danger", BAD), ("warning", WAITING), ("success", GOOD)):
        if codes & members:
            return tone
    return ""


def told_once(listed: ChangeList) -> list[tuple[str, str, str]]:
    """The name, label and value of each column that is alike in all rows. Links, and lists of one row, stay."""
    rows = list(listed.result_list)
    if len(rows) < 2 or listed.formset:
        return []
    found = []
    for column in listed.list_display:
        name = column if isinstance(column, str) else column.__name__
        if column == "action_checkbox" or column in listed.list_display_links:
            continue
        values = {_text_of(listed, column, row) for row in rows}
        if len(values) == 1:
            found.append((name, _label_of(listed, column), values.pop()))
    return found


def _text_of(listed: ChangeList, column: str | Column, row: Any) -> str:
    value = column(row) if callable(column) else getattr(row, column)
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    return "" if value in (None, "", "-", "—") else strip_tags(str(value)).strip()


def _label_of(listed: ChangeList, column: str | Column) -> str:
    return str(label_for_field(column, listed.model, listed.model_admin))
