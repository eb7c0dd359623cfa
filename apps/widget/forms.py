"""The cabinet's form of a widget's settings, made of the table that the API has (`rules.fields`)."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from apps.core.endpoints.serializers import validated_body
from apps.core.problems import Problem
from apps.widget.actions.settings import refusals_of
from apps.widget.inputs.settings import SettingsChangesBody
from apps.widget.models import WidgetLook, WidgetSettings
from apps.widget.querysets.settings import Settings, settings_of
from apps.widget.rules import fields, languages
from apps.widget.rules.fields import WRITABLE, Setting

ON_OFF = {"true": _("on"), "false": _("off")}
UNSET = ""


def label_of(setting: Setting) -> str:
    """What a setting is called: its name, in words."""
    return str(capfirst(setting.name.removeprefix("widget_").replace("_", " ")))


def form_field(setting: Setting, settings: Settings) -> forms.Field:
    """The field of a setting: what is left empty is by default."""
    about: dict[str, Any] = {
        "label": label_of(setting),
        "required": False,
        "help_text": setting.help_text,
    }
    if setting.kind == "object":
        return forms.JSONField(widget=UnfoldAdminTextareaWidget, **about)
    if setting.kind == "array":
        named = list(languages.NAMES.items())
        return forms.MultipleChoiceField(choices=named, widget=forms.CheckboxSelectMultiple, **about)
    if setting.kind == "boolean" or setting.enum is not None:
        return forms.ChoiceField(choices=_choices(setting, settings), widget=UnfoldAdminSelectWidget, **about)
    if setting.kind == "integer":
        lowest, highest = setting.range or (None, None)
        return forms.IntegerField(min_value=lowest, max_value=highest, widget=UnfoldAdminIntegerFieldWidget, **about)
    widget = UnfoldAdminTextareaWidget if setting.multiline else UnfoldAdminTextInputWidget
    return forms.CharField(max_length=setting.max_length, strip=False, widget=widget, **about)


def _choices(setting: Setting, settings: Settings) -> list[tuple[str, Any]]:
    named: list[tuple[str, Any]] = (
        list(ON_OFF.items())
        if setting.kind == "boolean"
        else [(str(value), languages.NAMES.get(str(value), str(value))) for value in setting.enum or ()]
    )
    if setting.is_policy:
        return named
    default = dict(named).get(_as_text(fields.default_of(setting, legacy=settings.legacy)), "")
    return [(UNSET, gettext("default: %(value)s") % {"value": default}), *named]


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class WidgetLookForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Every writable setting. Only what differs is sent, as by a PATCH, whose refusals stand at their fields."""

    class Meta:
        model = WidgetLook
        fields: list[str] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.settings = settings_of(self.instance.pk)
        self.changes: Mapping[str, Any] = {}
        for setting in WRITABLE:
            field = self.fields[setting.name] = form_field(setting, self.settings)
            field.initial = self._initial(setting)

    def _initial(self, setting: Setting) -> Any:
        if setting.is_policy or setting.kind == "object":
            value = self.settings.values[setting.name]
        else:
            value = self.settings.stored.get(setting.name)
        return value if setting.kind in ("object", "array") else UNSET if value is None else _as_text(value)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        sent = {name: self._sent(fields.BY_NAME[name], cleaned[name]) for name in self.changed_data if name in cleaned}
        try:
            self.changes = validated_body(SettingsChangesBody(), sent)
        except Problem as refused:
            refusals = {path: texts[0] for path, texts in refused.errors.items()}
        else:
            refusals = refusals_of(self._row(), self.changes)
        for path, text in refusals.items():
            name, _, rest = path.partition(".")
            self.add_error(name if name in self.fields else None, f"{rest}: {text}" if rest else text)
        return cleaned

    def _row(self) -> WidgetSettings:
        found = WidgetSettings.objects.of(self.instance.pk).first()
        return found or WidgetSettings(widget_id=self.instance.pk)

    def _sent(self, setting: Setting, value: Any) -> Any:
        """What a PATCH would send for a field."""
        if setting.kind == "array":
            before = self.settings.values[setting.name]
            return [code for code in before if code in value] + [code for code in value if code not in before]
        if value is None or value == UNSET:
            return {} if setting.name == fields.TRANSLATIONS else None
        if setting.name == fields.PROFILES and isinstance(value, dict):
            # The form shows all of them, so what was taken out of its text is meant to go.
            return {device: value.get(device) for device in fields.DEVICES} | value if value else None
        if setting.kind == "boolean":
            return value == "true"
        return int(value) if setting.kind == "integer" else value
