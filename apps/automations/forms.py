"""The forms of automations and macros: a name, rows of conditions and of acts, and a tree as JSON for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.automations.cabinet import words
from apps.automations.cabinet.rows import (
    ActRow,
    ConditionRow,
    RowError,
    act_of,
    acts_sent,
    conditions_sent,
    flat,
    leaf_of,
    places_of,
    row_of_act,
    row_of_leaf,
)
from apps.automations.cabinet.sentences import Names, begun, condition_words, sentence
from apps.automations.rules.limits import MAX_MACRO_NAME, MAX_NAME
from apps.cabinet.forms import LocalTimeInput
from apps.cabinet.refusals import in_readers_words, words_of
from apps.core.problems import Problem

SPARE_ROWS = 1  # empty rows below those that are filled in
LEAST_CONDITIONS, LEAST_ACTS = 2, 2
MAX_JSON = 20_000  # characters
MAX_INPUTS = 5


class ActsForm:
    """The acts of an automation or of a macro, as rows. `errors` are the refusals that belong to no row."""

    max_name = MAX_NAME

    def __init__(self, names: Names) -> None:
        self.names = names
        self.name = ""
        self.acts: list[ActRow] = []
        self.errors: list[str] = []

    def fill_acts(self, then: Sequence[Mapping[str, Any]]) -> None:
        self.acts = [row_of_act(place, act) for place, act in enumerate(then)]

    def read_acts(self, data: Any) -> list[dict[str, Any]]:
        """The acts of a form that was sent; a row that says none has its error."""
        self.acts = acts_sent(data)
        if not self.acts:
            self.errors.append(gettext("Choose at least one act."))
        return _read(self.acts, act_of)

    def read_name(self, data: Any, otherwise: Callable[[], str]) -> str:
        self.name = data.get("name", "").strip()
        if len(self.name) > self.max_name:
            self.errors.append(gettext("At most %s characters.") % self.max_name)
        return self.name or otherwise()[: self.max_name]

    @property
    def is_wrong(self) -> bool:
        return bool(self.errors) or any(row.error for row in self.rows)

    @property
    def rows(self) -> list[Any]:
        return list(self.acts)

    @property
    def act_rows(self) -> list[ActRow]:
        """The rows that are shown: those that are filled in, and empty ones."""
        return _with_spare(self.acts, ActRow, LEAST_ACTS)

    def refuse(self, problem: Problem) -> None:
        """Puts the refusal of a call beside the rows that it names, and the rest above the form."""
        errors = problem.errors or {}
        self._refuse_rows(errors, "then", self.acts)
        rest = {path: texts for path, texts in errors.items() if not self._is_of_row(path)}
        if errors and not rest:
            return
        said = [f"{_PARTS[path]}: {_said(texts)}" if path in _PARTS else _said(texts) for path, texts in rest.items()]
        self.errors += said or [words_of(problem)]

    def _is_of_row(self, path: str) -> bool:
        return any(place < len(self.acts) for place in places_of({path: [""]}, "then"))

    @staticmethod
    def _refuse_rows(errors: Mapping[str, Sequence[str]], kind: str, rows: Sequence[Any]) -> None:
        for place, text in places_of(errors, kind).items():
            if place < len(rows):
                rows[place].error = _said([text])


_PARTS = {
    "name": pgettext_lazy("of a thing", "name"),
    "when": _("When"),
    "when.minutes": _("Minutes"),
    "key": _("Key"),
}


# The refusals of rules, by how they begin, and how a form says them.
_SAID = (
    ("There is no such member", _("This is not expected here.")),
    ("There is no such", _("It is gone: choose another one.")),
    ("There is no variable", _("There is no such variable in braces.")),
    ("A text of 1 to", _("Say a text, and not too long a one.")),
    ("Each variable", _("A variable in braces needs words for where it is not known, such as {visitor.name|there}.")),
    ("Must be from", _("The number is too small or too large.")),
    ("At most", _("Only small Latin letters, digits and _ . - between them.")),
    ("Must be one of", _("Choose a value.")),
    ("A macro has one reply", _("A macro has one reply.")),
    ("A list of", _("Too many, or none.")),
)


def _said(texts: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(map(_one_said, texts)))


def _one_said(text: str) -> str:
    """A refusal in the reader's language; a short one where it has no words here."""
    for begins, words_for_it in _SAID:
        if text.startswith(begins):
            return str(words_for_it)
    known = in_readers_words(text)
    return known if known != text else gettext("This value does not fit.")


def _read(rows: Sequence[Any], read: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except RowError as error:
            row.error = error.args[0]
            found.append({})
    return found


def _with_spare(rows: Sequence[Any], kind: Callable[[int], Any], least: int) -> list[Any]:
    last = max((row.place for row in rows), default=-1)
    spare = max(SPARE_ROWS, least - len(rows))
    return [*rows, *(kind(last + 1 + number) for number in range(spare))]


class AutomationForm(ActsForm):
    """An automation: when, if, then."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.when: dict[str, Any] = {"event": "visitor.wrote"}
        self.joined = "all"
        self.conditions: list[ConditionRow] = []
        self.tree = ""  # a deeper condition, as JSON
        self.stop = False

    def fill(self, *, name: str, when: Any, condition: Any, then: Any, stop: bool) -> AutomationForm:
        """Shows an automation as it is."""
        self.name, self.when, self.stop = name, dict(when), stop
        self.fill_acts(then)
        found = flat(condition)
        if found is None:
            self.tree = json.dumps(condition, ensure_ascii=False, indent=2)
        else:
            self.joined, leaves = found
            self.conditions = [row_of_leaf(place, leaf) for place, leaf in enumerate(leaves)]
        return self

    def read(self, data: Any) -> dict[str, Any]:
        """The automation of a form that was sent; without it `is_wrong`."""
        self.when = self._when(data)
        self.joined = "any" if data.get("joined") == "any" else "all"
        self.stop = data.get("stop") == "on"
        condition = self._condition(data)
        then = self.read_acts(data)

        def told() -> str:
            return sentence(self.when, condition, then, self.names, stop=self.stop)

        return {
            "name": self.read_name(data, told),
            "when": self.when,
            "if": condition,
            "then": then,
            "stop": self.stop,
        }

    def _when(self, data: Any) -> dict[str, Any]:
        kind = data.get("when", "")
        if kind in words.EVENTS:
            return {"event": kind}
        if kind not in words.WAITS:
            self.errors.append(gettext("Choose when it acts."))
            return {"event": ""}
        minutes = data.get("minutes", "").strip()
        if not (minutes.isascii() and minutes.isdecimal() and len(minutes) < 10):
            self.errors.append(gettext("Say after how many minutes."))
            minutes = "0"
        clock = data.get("clock")
        return {"wait": kind, "minutes": int(minutes), "clock": clock if clock in words.CLOCKS else "open"}

    def _condition(self, data: Any) -> Any:
        self.tree = data.get("tree", "").strip()
        if self.tree:
            return self._of_json()
        self.conditions = conditions_sent(data)
        leaves = _read(self.conditions, leaf_of)
        return {self.joined: leaves} if leaves else None

    def _of_json(self) -> Any:
        try:
            if len(self.tree) > MAX_JSON:
                raise ValueError
            return json.loads(self.tree)
        except (ValueError, RecursionError):
            self.errors.append(gettext("The conditions are no JSON."))
            return None

    @property
    def rows(self) -> list[Any]:
        return [*self.conditions, *self.acts]

    @property
    def condition_rows(self) -> list[ConditionRow]:
        return _with_spare(self.conditions, ConditionRow, LEAST_CONDITIONS)

    @property
    def tree_words(self) -> str:
        """A deeper condition as a sentence."""
        try:
            return begun(condition_words(json.loads(self.tree), self.names)) if self.tree else ""
        except (ValueError, TypeError, AttributeError, RecursionError):
            return ""

    @property
    def kind(self) -> str:
        return str(self.when.get("event") or self.when.get("wait") or "")

    @property
    def clock(self) -> str:
        return str(self.when.get("clock") or "open")

    def refuse(self, problem: Problem) -> None:
        if not self.tree:
            self._refuse_rows(problem.errors or {}, "if", self.conditions)
        super().refuse(problem)

    def _is_of_row(self, path: str) -> bool:
        of_condition = not self.tree and any(place < len(self.conditions) for place in places_of({path: [""]}, "if"))
        return of_condition or super()._is_of_row(path)


class MacroForm(ActsForm):
    """A macro: a name, a key, and acts."""

    max_name = MAX_MACRO_NAME

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.key = ""
        self.inputs: list[dict[str, Any]] = []

    def fill(self, *, name: str, key: int | None, then: Any, inputs: Any) -> MacroForm:
        self.name, self.key, self.inputs = name, str(key or ""), [dict(each) for each in inputs]
        self.fill_acts(then)
        return self

    def read(self, data: Any) -> dict[str, Any]:
        """The macro of a form that was sent; without it `is_wrong`."""
        self.key = data.get("key", "")
        self.inputs = self._inputs(data)
        then = self.read_acts(data)
        name = self.read_name(data, lambda: "")
        if not name:
            self.errors.append(gettext("Say a name."))
        key = int(self.key) if self.key in tuple("123456789") else None
        return {"name": name, "key": key, "then": then, "inputs": self.inputs}

    @property
    def input_rows(self) -> list[dict[str, Any]]:
        """The questions that are shown: those that are asked, and an empty one."""
        return [*self.inputs, {}][:MAX_INPUTS]

    @staticmethod
    def _inputs(data: Any) -> list[dict[str, Any]]:
        rows = zip(data.getlist("input_key"), data.getlist("input_label"), data.getlist("input_needed"), strict=False)
        return [
            {"key": key.strip(), "label": label.strip() or key.strip(), "is_required": needed == "yes"}
            for key, label, needed in rows
            if key.strip()
        ]


class UndoSinceForm(forms.Form):
    """The moment since when all that an automation did is taken back."""

    since = forms.DateTimeField(label=capfirst(_("since")), widget=LocalTimeInput)

    def clean_since(self) -> datetime:
        since: datetime = self.cleaned_data["since"]
        if since > timezone.now():
            raise ValidationError(_("This moment is still to come."))
        return since
