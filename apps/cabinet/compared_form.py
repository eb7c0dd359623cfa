"""Forms that write only what was changed in them, whatever others have changed since they were opened.

A form carries what its fields showed (Django's hidden initial values). A field that was left alone keeps the value that
stands now; one that both this form and somebody else have changed is a conflict: it is shown with both values, and
nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import localize
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext

if TYPE_CHECKING:
    _Form = forms.Form
else:
    _Form = object

INITIAL = "initial-"  # Django's prefix of what a field has shown
LONGEST_SHOWN = 500


class ComparedField(forms.BoundField):
    """A field of such a form: what it shows besides is what stands now, so that a second attempt is compared anew."""

    def __init__(self, form: Any, field: forms.Field, name: str) -> None:
        super().__init__(form, field, name)
        field.show_hidden_initial = form.is_compared and _shows_values(field)

    def as_hidden(self, attrs: Any = None, *, only_initial: bool = False, **options: Any) -> SafeString:
        if not only_initial:
            return super().as_hidden(attrs, **options)
        return self.field.hidden_widget().render(
            self.html_initial_name,
            self.field.prepare_value(self.initial),
            {"id": self.html_initial_id},
            self.form.renderer,
        )

    def value(self) -> Any:
        """The stored value, where this form has left the field alone."""
        form: Any = self.form
        return self.field.prepare_value(self.initial) if self.name in form.left_alone else super().value()


class ComparedForm(_Form):
    """The mixin of such a form, before `forms.Form` or `forms.ModelForm`.

    A form that comes without what it has shown is compared with what stands now, as Django does.
    """

    bound_field_class = ComparedField

    def __init__(self, *args: Any, **options: Any) -> None:
        self.left_alone: set[str] = set()
        self._others: dict[str, tuple[str, str]] = {}
        super().__init__(*args, **options)

    @cached_property
    def is_compared(self) -> bool:
        """Whether the form says what it has shown."""
        return not self.is_bound or any(name.startswith(INITIAL) for name in self.data)

    def full_clean(self) -> None:
        if not (self.is_bound and self.is_compared):
            super().full_clean()
            return
        compared = [name for name, field in self.fields.items() if _shows_values(field)]
        touched = set(self.changed_data)
        self.left_alone = set(compared) - touched
        # What Django takes from the row and not from what was sent.
        for name in self.left_alone:
            self.fields[name].disabled = True
        super().full_clean()
        for name in self.left_alone:
            self.fields[name].disabled = False
            self._note_others(name)
        for name in compared:
            if name in touched and name in self.cleaned_data:
                self._refuse_a_conflict(name)

    def _note_others(self, name: str) -> None:
        field, before, now = self.fields[name], self._shown(name), self[name].initial
        if _differs(field, now, before):
            self._others[name] = (value_in_words(field, before), value_in_words(field, now))

    def _refuse_a_conflict(self, name: str) -> None:
        field, bound = self.fields[name], self[name]
        if not _differs(field, bound.initial, self._shown(name)) or not _differs(field, bound.initial, bound.data):
            return
        text = gettext(
            "Somebody else has changed this meanwhile. Now it is: %(theirs)s. You wrote: %(mine)s. Nothing is saved "
            "yet. Save again to keep yours, or put theirs here."
        )
        theirs, mine = value_in_words(field, bound.initial), value_in_words(field, self.cleaned_data[name])
        self.add_error(name, text % {"theirs": theirs or "—", "mine": mine or "—"})

    def _shown(self, name: str) -> Any:
        """The value that a field has shown, as its hidden input gives it."""
        field = self.fields[name]
        return field.hidden_widget().value_from_datadict(self.data, self.files, self.add_initial_prefix(name))

    def told_of_others(self) -> str:
        """A sentence about what others have changed meanwhile in the fields that were left alone; empty if nothing."""
        if not self._others:
            return ""
        changes = "; ".join(
            f"{self.fields[name].label}: {before or '—'} → {now or '—'}" for name, (before, now) in self._others.items()
        )
        return gettext("Somebody else has changed meanwhile, and it stays so: %(changes)s.") % {"changes": changes}


def compared(form: type[forms.BaseForm]) -> type[forms.BaseForm]:
    """The same form, comparing."""
    if issubclass(form, ComparedForm):
        return form
    metaclass: Any = type(form)
    about = {"__module__": form.__module__, "__doc__": form.__doc__}
    comparing: type[forms.BaseForm] = metaclass(form.__name__, (ComparedForm, form), about)
    return comparing


def _shows_values(field: forms.Field) -> bool:
    """Secrets and files are never shown, so there is nothing to compare."""
    return not isinstance(field, forms.FileField) and not isinstance(field.widget, forms.PasswordInput)


def _differs(field: forms.Field, initial: Any, data: Any) -> bool:
    """Whether what a form has sent for a field is another value than `initial`; ends of lines don't count."""
    if callable(initial):
        initial = initial()
    prepared = field.prepare_value(initial)
    if isinstance(prepared, str) and isinstance(data, str):
        return _lines(prepared) != _lines(data)
    return field.has_changed(initial, data)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def value_in_words(field: forms.Field, value: Any) -> str:
    """A field's value as its reader knows it: choices by their names, several in a row."""
    if isinstance(field, forms.BooleanField):
        is_on = field.to_python(value) if not isinstance(value, bool) else value
        return gettext("yes") if is_on else gettext("no")
    if isinstance(field, forms.ModelChoiceField) and not isinstance(value, (list, tuple)):
        return _related(field, value)
    if isinstance(value, (list, tuple)) or hasattr(value, "all"):
        values = value.all() if hasattr(value, "all") else value
        return ", ".join(value_in_words(field, each) for each in values)
    choices = _choices(field)
    if choices:
        return choices.get(str(value), "" if value is None else str(value))
    prepared = field.prepare_value(value)
    text = "" if prepared is None else str(prepared) if isinstance(prepared, str) else str(localize(prepared))
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _choices(field: forms.Field) -> dict[str, str]:
    found: dict[str, str] = {}
    if isinstance(field, forms.ModelChoiceField):
        return found
    for value, label in getattr(field, "choices", ()):
        if isinstance(label, (list, tuple)):
            found.update((str(each), str(text)) for each, text in label)
        else:
            found[str(value)] = str(label)
    return found


def _related(field: forms.ModelChoiceField[Any], value: Any) -> str:
    if isinstance(value, str) or value is None or isinstance(value, int):
        try:
            value = None if value in ("", None) else field.to_python(value)
        except ValidationError:
            return str(value)
    return "" if value is None else str(value)
