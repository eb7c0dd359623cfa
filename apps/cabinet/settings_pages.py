"""The cabinet's form and page of a table of settings (`accounts.settings`): both follow from its rows."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.accounts.rules.settings import Setting
from apps.accounts.settings import SettingsTable
from apps.cabinet.compared_form import value_in_words
from apps.cabinet.refusals import in_readers_words
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin

MOST_BAD_ENTRIES = 5  # named at once


class WrittenField(forms.CharField):
    """A value that is written and read as a text (`Setting.as_text`)."""

    widget = UnfoldAdminTextareaWidget(attrs={"rows": 5})

    def __init__(self, *, as_text: Any, **options: Any) -> None:
        self.write, self.read = as_text
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        return value if value is None or isinstance(value, str) else self.write(value)

    def to_python(self, value: Any) -> Any:
        return self.read(super().to_python(value) or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(data) != initial)


class TextLinesField(forms.CharField):
    """A list of texts, one a line."""

    widget = UnfoldAdminTextareaWidget

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line for line in map(str.strip, (super().to_python(value) or "").splitlines()) if line]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(data) != (initial or []))


def form_field(setting: Setting, row: Any, value: Any) -> forms.Field | None:
    """The field of a setting of a widget's row, by its type; None for an object, whose fields are the app's."""
    about: dict[str, Any] = {"label": capfirst(setting.label), "help_text": setting.help_text, "required": False}
    about["initial"] = value
    choices = list(setting.choices_of(row)) if setting.choices_of else list(setting.choices.items())
    coerce: Any = str if setting.is_good_entry or setting.kind == "string" else int
    if setting.kind == "boolean":
        return forms.BooleanField(widget=UnfoldBooleanSwitchWidget, **about)
    if setting.as_text:
        return WrittenField(as_text=setting.as_text, **about)
    if setting.kind == "array" and (choices or setting.choices_of):
        return forms.TypedMultipleChoiceField(
            choices=choices, coerce=coerce, widget=forms.CheckboxSelectMultiple, **about
        )
    if setting.kind == "array":
        return TextLinesField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), **about)
    if setting.kind == "object":
        return None
    if choices:
        return forms.TypedChoiceField(
            choices=choices, coerce=coerce, empty_value=None, widget=UnfoldAdminSelectWidget, **about
        )
    if setting.kind == "integer":
        return forms.IntegerField(widget=UnfoldAdminIntegerFieldWidget, **about)
    return forms.CharField(widget=UnfoldAdminTextareaWidget if setting.is_long else UnfoldAdminTextInputWidget, **about)


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Every setting of a table. Only what differs is changed; what the command refuses stands at its field."""

    table: ClassVar[SettingsTable]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.row = self.table.row_of(self.instance.pk)
        self.changes: dict[str, Any] = {}
        for setting in self.table.rows:
            if field := form_field(setting, self.row, self.table.value_of(self.row, setting.name)):
                self.fields[setting.name] = field

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        rows = [row for row in self.table.rows if row.name in self.changed_data and row.name in cleaned]
        self.changes = {row.name: row.shown(cleaned[row.name]) for row in rows}
        for name, text in self.table.refusals(self.row, self.changes).items():
            self.add_error(name, in_readers_words(text))
            if wrong := self.table.by_name[name].bad_entries(self.changes.get(name))[:MOST_BAD_ENTRIES]:
                self.add_error(name, gettext("Look at: %s") % ", ".join(wrong))
        return cleaned


class SettingsPageAdmin(WidgetPageAdmin):
    """The page of a table of settings, under its model or a proxy of `Widget`, with the refusals of the command.

    A name in the table's sections that is no setting's is a read-only field of the page's own.
    """

    table: ClassVar[SettingsTable]

    account_path = "account_id"
    may_change = AccessLevel.ACCOUNT
    form = SettingsForm
    ordering: tuple[str, ...] = ("name",)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.lines_from = (cls.table.model._meta.label_lower,)

    def settings_shown(self) -> Iterable[Any]:
        return self.table.labels.values()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        names = (name for _title, names in self.sections for name in names)
        return (
            "name" if issubclass(self.model, Widget) else "widget",
            "chosen",
            *(name for name in names if hasattr(self, name)),
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if not self.has_change_permission(request, obj):
            return ((None, {"fields": self.get_readonly_fields(request, obj)}),)
        return tuple((title, {"classes": ["tab"] if title else [], "fields": names}) for title, names in self.sections)

    @property
    def sections(self) -> Any:
        """The tabs, with the names in each; all settings together where the table has none."""
        return self.table.sections or ((None, tuple(row.name for row in self.table.rows if row.kind != "object")),)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["form"] = type("SettingsForm", (self.form,), {"table": self.table})
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    @admin.display(description=_("settings"))
    def chosen(self, widget: Any) -> Any:
        """The settings in effect, for people who only read."""
        row = self.table.row_of(widget.pk)
        lines = ((setting.label, self.words(row, setting)) for setting in self.table.rows)
        return format_html_join("", "<p>{}: <strong>{}</strong></p>", lines)

    def words(self, row: Any, setting: Setting) -> str:
        """A setting's value in words."""
        value = self.table.value_of(row, setting.name)
        field = form_field(setting, row, value)
        return (value_in_words(field, value) if field else "; ".join(value.values())) or "-"

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        change_settings(self.table, widget_id=obj.pk, changes=form.changes)
