"""The audit trail's values in words: what a field had before and has now, as its reader knows it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from django.db.models import BooleanField, DateTimeField, Field
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop

from apps.cabinet.coded_values import display_value

LONGEST_SHOWN = 160
AROUND = 40  # characters that are shown before the first difference of two long texts
NONE = ("", "None", None)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d")

# What is recorded of a change that is none of a field: by its name and what became of it.
DEEDS = {
    ("contact", "copied"): gettext_noop("the data of contact %s were given out"),
    ("contact", "erased"): gettext_noop("the data of contact %s were erased"),
    ("ticket", "closed"): gettext_noop("ticket %s was closed"),
    ("ticket", "reopened"): gettext_noop("ticket %s was opened again"),
    ("export", "made"): gettext_noop("everything of the widget was exported%s"),
    ("export", "put in"): gettext_noop("a widget's export was put in%s"),
    ("second_factor", "on"): gettext_noop("two-factor sign-in was switched on%s"),
    ("second_factor", "off"): gettext_noop("two-factor sign-in was switched off%s"),
    ("second_factor", "new backup codes"): gettext_noop("new backup codes were made%s"),
    ("password", "changed"): gettext_noop("the password was changed%s"),
}


def deed_of(name: str, change: Any) -> str | None:
    """The sentence for a change that is none of a field; None for one of a field."""
    if not isinstance(change, (list, tuple)) or len(change) != 2:
        return None
    before, became = (str(value) for value in change)
    if (name, became) in DEEDS:
        return gettext(DEEDS[name, became]) % (before if before.startswith("#") else "")
    if name == "invited":
        email, _colon, role = became.rpartition(": ")
        return gettext("%(email)s was invited as: %(role)s") % {"email": email, "role": display_value(role)}
    if before == "…":  # a secret, whose name alone is told
        return gettext("replaced") if became == "replaced" else display_value(became)
    return None


def members_of(change: Any) -> Iterator[tuple[str, list[Any]]]:
    """The members of a JSON object that differ, each with its value before and after; none for what is no object."""
    if not isinstance(change, (list, tuple)) or len(change) != 2:
        return
    before, after = (_read(value) for value in change)
    if not isinstance(before, dict) and not isinstance(after, dict):
        return
    before, after = (value if isinstance(value, dict) else {} for value in (before, after))
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            yield str(key), [before.get(key), after.get(key)]


def said(field: Field[Any, Any] | None, change: Any, names: Mapping[str, str]) -> str:
    """A change from what to what; or what was added to a list or a relation, or taken from it.

    `names` are those of the rows that a relation's ids mean.
    """
    if isinstance(change, dict):
        sign = "+" if change.get("operation") == "add" else "−"
        return ", ".join(f"{sign} {row}" for row in change.get("objects", ()))
    before, after = change
    lists = [_read(value) for value in (before, after)]
    if any(isinstance(value, list) for value in lists):
        return _of_lists(*(value if isinstance(value, list) else [] for value in lists))
    before, after = (_value(field, value, names) for value in (before, after))
    return " → ".join(_near_the_difference(before, after))


def _of_lists(before: list[Any], after: list[Any]) -> str:
    gone = [f"− {_plain(value)}" for value in before if value not in after]
    new = [f"+ {_plain(value)}" for value in after if value not in before]
    return _short(", ".join([*new, *gone]) or gettext("another order"))


def _value(field: Field[Any, Any] | None, value: Any, names: Mapping[str, str]) -> str:
    if value in NONE:
        return "—"
    text = str(value)
    if text in names:
        return names[text]
    if isinstance(field, BooleanField) or isinstance(value, bool):
        return gettext("yes") if text == "True" else gettext("no")
    if getattr(field, "choices", None):
        label = dict(field.flatchoices).get(text, text)  # type: ignore[union-attr] # it has choices
        return str(label) if isinstance(label, Promise) else display_value(label)
    if isinstance(field, DateTimeField) or _TIME.match(text):
        moment = parse_datetime(text)
        if moment is not None:
            # What is stored without a zone is UTC.
            aware = moment if timezone.is_aware(moment) else moment.replace(tzinfo=UTC)
            return date_format(timezone.localtime(aware), "SHORT_DATETIME_FORMAT")
    return text if isinstance(value, str) else _plain(value)


def _plain(value: Any) -> str:
    """A member of a list or an object."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(member)}" for key, member in value.items())
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return "—" if value in NONE else str(value)


def _read(value: Any) -> Any:
    """A list or an object that was stored as a text."""
    if not isinstance(value, str) or not value.startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        pass
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value


def _near_the_difference(before: str, after: str) -> tuple[str, str]:
    """Two texts from shortly before where they begin to differ."""
    if len(before) <= LONGEST_SHOWN and len(after) <= LONGEST_SHOWN:
        return before, after
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    begin = max(0, (min(len(before), len(after)) if same is None else same) - AROUND)
    return _short(before, begin), _short(after, begin)


def _short(text: str, begin: int = 0) -> str:
    end = begin + LONGEST_SHOWN
    return f"{'…' if begin and text else ''}{text[begin:end]}{'…' if len(text) > end else ''}"
