"""Codes that rows hold, such as a state, shown as words: on lists, and on a row's page where they can't be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib.admin import display
from django.utils import translation
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django.contrib.admin.helpers import AdminForm
    from django.db.models import Model


# Codes that no app names by itself.
NAMED = (
    pgettext_lazy("value", "crawl"),
    pgettext_lazy("value", "upload"),
    pgettext_lazy("value", "article"),
    pgettext_lazy("value", "put"),
    pgettext_lazy("value", "schedule"),
    pgettext_lazy("value", "auto"),
    pgettext_lazy("value", "webhook"),
    pgettext_lazy("value", "not_configured"),
    pgettext_lazy("value", "credential_rate_limited"),
    pgettext_lazy("value", "backup_used"),
    pgettext_lazy("value", "budget_low"),
    pgettext_lazy("value", "reply_limit"),
    pgettext_lazy("value", "untrusted_handoff"),
    pgettext_lazy("value", "prompt_leak"),
    pgettext_lazy("value", "reply_failed"),
    pgettext_lazy("value", "external_operator_degraded"),
    pgettext_lazy("value", "evaluation_worse"),
    pgettext_lazy("value", "warning"),
    pgettext_lazy("value", "critical"),
    pgettext_lazy("value", "dropped"),
    pgettext_lazy("value", "shadow"),
    pgettext_lazy("value", "shown"),
    pgettext_lazy("value", "Dropped"),
    pgettext_lazy("value", "Shadow"),
    pgettext_lazy("value", "Shown"),
    pgettext_lazy("value", "Assistant"),
    pgettext_lazy("value", "delivery_failed"),
    pgettext_lazy("value", "human_took_over"),
    pgettext_lazy("value", "chat_closed"),
    pgettext_lazy("value", "operator_stopped"),
    pgettext_lazy("value", "waiting"),
    pgettext_lazy("value", "pass"),
    pgettext_lazy("value", "fail"),
    pgettext_lazy("value", "off"),
    pgettext_lazy("value", "drafts"),
    pgettext_lazy("value", "asked"),
    pgettext_lazy("value", "handover"),
    pgettext_lazy("value", "offer"),
    pgettext_lazy("value", "answers"),
    pgettext_lazy("value", "offline"),
    pgettext_lazy("value", "reply"),
    pgettext_lazy("value", "attachment"),
    pgettext_lazy("value", "embedding"),
    pgettext_lazy("value", "examination"),
    pgettext_lazy("value", "models"),
    pgettext_lazy("value", "translation"),
    pgettext_lazy("value", "tuning"),
    pgettext_lazy("value", "ok"),
    pgettext_lazy("value", "under_way"),
    pgettext_lazy("value", "bad_answer"),
    pgettext_lazy("value", "timeout"),
    pgettext_lazy("value", "ready"),
)


def display_value(value: Any) -> str:
    """The name of a stored value in the reader's language; the value itself if it has no name."""
    return translation.pgettext("value", str(value)).replace("_", " ") if value else ""


def worded_columns(model: type[Model]) -> dict[str, Callable[[Any], str]]:
    """A column in words for each field whose choices have no names but codes and English words."""
    return {
        field.name: _worded(field)
        for field in model._meta.concrete_fields
        if (choices := field.flatchoices) and not any(isinstance(label, Promise) for _value, label in choices)
    }


def _worded(field: Any) -> Callable[[Any], str]:
    @display(description=field.verbose_name, ordering=field.name, empty_value="—")
    def column(row: Any) -> str:
        value = getattr(row, field.name)
        return str(capfirst(display_value(dict(field.flatchoices).get(value, value))))

    return column


def word_readonly_values(form: AdminForm, columns: dict[str, Callable[[Any], str]]) -> None:
    """Puts the columns in words where a page shows a field that it does not change."""
    shown: list[Any] = list(form.readonly_fields)
    fixed = [name for name in shown if isinstance(name, str) and name in columns]
    if not fixed:
        return

    def worded(name: Any) -> Any:
        if isinstance(name, (list, tuple)):
            return tuple(map(worded, name))
        return columns[name] if name in fixed else name

    form.fieldsets = [(title, {**more, "fields": worded(more["fields"])}) for title, more in form.fieldsets]
    shown += [columns[name] for name in fixed]
    form.readonly_fields = shown
