"""The cabinet's forms of a widget's settings, made of the table that the API has (`rules.fields`)."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.templatetags.static import static
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.cabinet.compared_form import ComparedForm
from apps.cabinet.refusals import in_readers_words
from apps.chats.rules import languages
from apps.core.endpoints.serializers import validated_body
from apps.core.problems import Problem
from apps.widget.actions.settings import refusals_of
from apps.widget.labels import HELP, LABELS, SECTIONS, VALUES
from apps.widget.models import Icon, WidgetLook, WidgetSettings
from apps.widget.querysets.settings import Settings, icon_answer, settings_of
from apps.widget.rules import fields, icons, skins, translations
from apps.widget.rules.fields import (
    BY_DEVICE,
    BY_NAME,
    DEVICES,
    ICON,
    PROFILES,
    SKIN,
    TEXTS,
    TRANSLATIONS,
    WidgetSetting,
)
from apps.widget.serializers.settings_requests import SettingsChangesBody

UNSET = ""
SHOWN = tuple(name for _title, names in SECTIONS for name in names)
ENABLED = f"{PROFILES}.enabled"
# No settings of the API: the cabinet's alone.
ASKS_PROOF = "asks_proof"
SWITCHES = (ASKS_PROOF,)


def override_name(device: str, setting: WidgetSetting) -> str:
    """The name of an override's field: its path in the settings object."""
    return f"{PROFILES}.{device}.{setting.name}"


OVERRIDES = {override_name(device, each): (device, each) for device in DEVICES for each in BY_DEVICE}


class PictureSelect(forms.RadioSelect):
    """Choices with a picture each: an image, or colours; `pictures` by value."""

    template_name = "widget/pictures.html"
    option_template_name = "widget/picture.html"

    def __init__(self, pictures: Mapping[str, Any]) -> None:
        super().__init__()
        self.pictures = pictures

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **options)
        return option | {"picture": self.pictures.get(str(value), {})}


def _pictures(setting: WidgetSetting, settings: Settings) -> Mapping[str, Any] | None:
    """The looks of a setting's values; None where they have none."""
    if setting.name == ICON:
        presets = {key: {"url": static(f"widget/icons/{key}.svg")} for key in icons.NAMES}
        own = Icon.objects.for_widget(settings.widget_id).order_by("pk")
        return presets | {str(icon): {"url": icon_answer(icon)["url"]} for icon in own}
    if setting.name == SKIN:
        shown = ("accent", "surface", "bubble", "text")
        return {
            skin.id: {"colours": [skin.light[name] for name in shown], "premium": skin.premium} for skin in skins.SKINS
        }
    return None


def form_field(setting: WidgetSetting, settings: Settings, unset: str) -> forms.Field:
    """The field of a setting; `unset` says what is so while nothing is chosen."""
    about: dict[str, Any] = {"label": LABELS[setting.name], "required": False, "help_text": HELP.get(setting.name, "")}
    if setting.kind == "array":
        named = list(languages.NAMES.items())
        return forms.MultipleChoiceField(choices=named, widget=forms.CheckboxSelectMultiple, **about)
    choices = _choices(setting, settings)
    if choices:
        if not setting.is_policy:
            choices = [(UNSET, unset), *choices]
        pictures = _pictures(setting, settings)
        if pictures is not None:
            return forms.ChoiceField(choices=choices, widget=PictureSelect(pictures), **about)
        return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget, **about)
    if setting.kind == "integer":
        lowest, highest = setting.range or (None, None)
        hint = {"placeholder": unset}
        widget = UnfoldAdminIntegerFieldWidget(attrs=hint)
        return forms.IntegerField(min_value=lowest, max_value=highest, widget=widget, **about)
    of_text = UnfoldAdminTextareaWidget if setting.multiline else UnfoldAdminTextInputWidget
    return forms.CharField(max_length=setting.max_length, strip=False, widget=of_text, **about)


def _choices(setting: WidgetSetting, settings: Settings) -> list[tuple[str, Any]]:
    if setting.name == ICON:
        own = Icon.objects.for_widget(settings.widget_id).order_by("pk")
        return [*icons.NAMES.items(), *((str(icon), str(icon)) for icon in own)]
    if setting.name == SKIN:
        return [(skin.id, skin.name) for skin in skins.SKINS]
    values = ("true", "false") if setting.kind == "boolean" else [str(value) for value in setting.enum or ()]
    return [(value, VALUES.get(value, languages.NAMES.get(value, value))) for value in values]


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def called(setting: WidgetSetting, value: Any, settings: Settings) -> str:
    """The display name of a setting's value."""
    if isinstance(value, list):
        return ", ".join(languages.NAMES[code] for code in value)
    return "" if value is None else str(dict(_choices(setting, settings)).get(_as_text(value), value))


class WidgetLookForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Every writable setting but the translations, which have a page of their own. Only what differs is sent, as by a
    PATCH, whose refusals stand at their fields.
    """

    asks_proof = forms.BooleanField(
        label=_("New visitors prove work"),
        required=False,
        help_text=_(
            "Their browser solves a small sum before it may write, without a puzzle and without a third party. An "
            "address that brings many new visitors within a minute is asked in any case."
        ),
        widget=UnfoldBooleanSwitchWidget,
    )

    class Meta:
        model = WidgetLook
        fields: list[str] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.settings = settings_of(self.instance.pk)
        for name in SWITCHES:
            self.fields[name].initial = getattr(self.settings, name)
        self.changes: Mapping[str, Any] = {}
        for name in SHOWN:
            setting = BY_NAME[name]
            default = called(setting, fields.default_of(setting, legacy=self.settings.legacy), self.settings)
            unset = gettext("default: %(value)s") % {"value": default}
            field = self.fields[name] = form_field(setting, self.settings, unset)
            field.initial = self._initial(setting)
        profiles = self.settings.values[PROFILES]
        self.fields[ENABLED] = forms.BooleanField(
            label=_("Differs by device"), required=False, initial=profiles["enabled"]
        )
        for name, (device, setting) in OVERRIDES.items():
            field = self.fields[name] = form_field(setting, self.settings, gettext("as on all devices"))
            value = profiles[device].get(setting.name)
            field.initial = UNSET if value is None else _as_text(value)

    def _initial(self, setting: WidgetSetting) -> Any:
        values = self.settings.values if setting.is_policy else self.settings.stored
        value = values.get(setting.name)
        return value if setting.kind == "array" else UNSET if value is None else _as_text(value)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        sent: dict[str, Any] = {}
        for name in (name for name in self.changed_data if name in cleaned and name not in SWITCHES):
            if name == ENABLED:
                sent.setdefault(PROFILES, {})["enabled"] = cleaned[name]
            elif name in OVERRIDES:
                device, setting = OVERRIDES[name]
                overrides = sent.setdefault(PROFILES, {}).setdefault(device, {})
                overrides[setting.name] = self._sent(setting, cleaned[name])
            else:
                sent[name] = self._sent(BY_NAME[name], cleaned[name])
        try:
            self.changes = validated_body(SettingsChangesBody(), sent)
        except Problem as refused:
            refusals = {path: texts[0] for path, texts in refused.errors.items()}
        else:
            refusals = refusals_of(self._row(), self.changes)
        for path, text in refusals.items():
            name = path if path in self.fields else path.partition(".")[0]
            self.add_error(name if name in self.fields else None, in_readers_words(str(text)))
        return cleaned

    def _row(self) -> WidgetSettings:
        found = WidgetSettings.objects.for_widget(self.instance.pk).first()
        return found or WidgetSettings(widget_id=self.instance.pk)

    def _sent(self, setting: WidgetSetting, value: Any) -> Any:
        """The value that a PATCH would send for a field."""
        if setting.kind == "array":
            before = self.settings.values[setting.name]
            return [code for code in before if code in value] + [code for code in value if code not in before]
        if value is None or value == UNSET:
            return None
        if setting.kind == "boolean":
            return value == "true"
        return int(value) if setting.kind == "integer" else value


class TranslationsForm(ComparedForm, forms.Form):
    """The tenant's own translations, a field for each cell (`widget_greeting.de`), what is empty has none."""

    def __init__(self, *args: Any, settings: Settings, **options: Any) -> None:
        super().__init__(*args, **options)
        self._settings = settings
        for name in TEXTS:
            for locale in settings.values[fields.SUPPORTED]:
                setting = BY_NAME[name]
                widget = UnfoldAdminTextareaWidget if setting.multiline else UnfoldAdminTextInputWidget
                self.fields[f"{name}.{locale}"] = forms.CharField(
                    label=f"{LABELS[name]}, {languages.NAMES[locale]}",
                    max_length=setting.max_length,
                    strip=False,
                    required=False,
                    initial=translations.manual(settings.values, name, locale) or "",
                    widget=widget(attrs={"rows": 3} if setting.multiline else {}),
                )

    def changes(self) -> dict[str, Any]:
        """The body of a PATCH: the whole matrix."""
        matrix: dict[str, dict[str, str]] = {}
        for path, text in self.cleaned_data.items():
            name, locale = path.split(".", 1)
            if text:
                matrix.setdefault(locale, {})[name] = text
        return {TRANSLATIONS: matrix}


class IconForm(forms.Form):
    """An own icon of the launcher."""

    file = forms.FileField(label=_("Icon"), widget=UnfoldAdminFileFieldWidget)
