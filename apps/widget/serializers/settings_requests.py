"""The bodies of a change of a widget's settings: their members follow from the table (`rules.fields`)."""

import re
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.chats.rules.languages import LANGUAGES
from apps.chats.rules.texts import text_refusal
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, PatchBody, Text, validator_of
from apps.widget.rules import fields
from apps.widget.rules.fields import BY_DEVICE, MOTION_ALIASES, MOTIONS, PROFILES, TEXTS, TRANSLATIONS, WidgetSetting
from apps.widget.serializers.requests import DistinctItems


class OneOfIntegers(Integer):
    """One of a few whole numbers."""

    def __init__(self, *, values: tuple[int, ...], **options: Any) -> None:
        self.values = values
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> int:
        value = super().to_internal_value(data)
        if value not in self.values:
            raise serializers.ValidationError(f"One of {', '.join(map(str, self.values))}.")
        return value


@extend_schema_field({"oneOf": [{"type": "string", "enum": list(MOTIONS)}, {"type": "boolean"}], "nullable": True})
class Motion(Choice):
    """How the icon moves; also the boolean that it once was."""

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(MOTION_ALIASES[data] if isinstance(data, bool) else data)


class Matching(Text):
    """A text of a pattern, which is kept as PCRE writes it."""

    def __init__(self, *, pattern: str, ignores_case: bool, **options: Any) -> None:
        inner = pattern.removeprefix(r"\A").removesuffix(r"\z")
        self._pattern = re.compile(inner, re.IGNORECASE if ignores_case else 0)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not self._pattern.fullmatch(text):
            raise serializers.ValidationError(gettext_noop("This is not what it may be."))
        return text


def own_text(setting: WidgetSetting, **options: Any) -> Text:
    """A text of the tenant's."""

    def refusal(text: str) -> str | None:
        return text_refusal(text, multiline=setting.multiline)

    return Text(max_length=setting.max_length, validators=[validator_of(refusal)], **options)


def sent_field(setting: WidgetSetting) -> Any:
    """The field that a setting is sent as."""
    options: dict[str, Any] = {
        "required": False,
        "allow_null": setting.nullable,
        "help_text": setting.about,
    }
    if setting.name == PROFILES:
        return DeviceProfilesBody(**options)
    if setting.name == TRANSLATIONS:
        return TextTranslationsBody(**options)
    if setting.translatable:
        return own_text(setting, **options)
    if setting.kind == "array":
        return DistinctItems(child=Choice(choices=LANGUAGES), allow_empty=False, max_length=len(LANGUAGES), **options)
    if setting.kind == "boolean":
        return Boolean(**options)
    if setting.kind == "integer":
        return _sent_integer(setting, options)
    return _sent_string(setting, options)


def _sent_integer(setting: WidgetSetting, options: dict[str, Any]) -> Integer:
    if setting.enum is not None:
        return OneOfIntegers(values=setting.enum, **options)
    lowest, highest = setting.range or (None, None)
    return Integer(min_value=lowest, max_value=highest, **options)


def _sent_string(setting: WidgetSetting, options: dict[str, Any]) -> Any:
    if setting.pattern is not None:
        ignores_case = setting.name == "widget_accent_color"
        return Matching(pattern=setting.pattern, ignores_case=ignores_case, max_length=setting.max_length, **options)
    kind = Motion if setting.name == "icon_custom_animated" else Choice
    return kind(choices=list(setting.enum or ()), **options)


def _declared(name: str, about: str, base: type[Body], members: dict[str, Any]) -> Any:
    """A body whose members follow from the table."""
    return type(name, (base,), {"__doc__": about, "__module__": __name__, **members})


DeviceOverridesBody = _declared(
    "DeviceOverridesBody",
    "The overrides of a device; null removes it.",
    Body,
    {each.name: sent_field(each) for each in BY_DEVICE},
)


class DeviceProfilesBody(Body):
    """The overrides by device. It merges deeply: what is omitted stays, null removes."""

    enabled = Boolean(required=False, allow_null=True, help_text="While false, what is kept is not served.")
    desktop = DeviceOverridesBody(required=False, allow_null=True)
    mobile = DeviceOverridesBody(required=False, allow_null=True)


class LocaleTextsBody(
    _declared(  # type: ignore[misc]
        "_TextsBody", "", Body, {name: own_text(fields.BY_NAME[name], required=False) for name in TEXTS}
    )
):
    """The tenant's texts in a language, one at least."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("There is no text in this language.")
        return attrs


TextTranslationsBody = _declared(
    "TextTranslationsBody",
    "Own translations by language. It takes the place of the whole matrix.",
    Body,
    {code: LocaleTextsBody(required=False) for code in LANGUAGES},
)

SettingsChangesBody = _declared(
    "SettingsChangesBody",
    "The changes of the settings; null clears, so that the default holds.",
    PatchBody,
    {each.name: sent_field(each) for each in fields.WRITABLE},
)
