"""The serializers of a widget's settings. The settings object follows from the table (`rules.fields`)."""

from typing import Any

from rest_framework import serializers

from apps.core.endpoints.row_serializers import Json, RowSerializer, TextList, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.widget.rules import fields
from apps.widget.rules.fields import BY_DEVICE, DEFAULT, PROFILES, SETTINGS, TRANSLATIONS, WidgetSetting
from apps.widget.rules.translations import Shown, State


class TranslationCountsSerializer(RowSerializer):
    """How many texts are in each state, each once."""

    ready = Integer()
    stale = Integer()
    pending = Integer()
    failed = Integer()


class TranslationStatusSerializer(RowSerializer):
    """How far the translations of the tenant's texts are."""

    available = Boolean(help_text="Whether translations can be made: their table and a credential are there.")
    enabled = Boolean(help_text="The switch `widget_auto_translate_custom_texts`.")
    reason = Choice(
        choices=["schema_unavailable", "credential_missing", "auto_translate_disabled"],
        allow_null=True,
        help_text="Why none are made; null while they are.",
    )
    revision = Integer()
    total = Integer(help_text="Texts that are to be translated, each in each language.")
    counts = TranslationCountsSerializer()


def shown_field(setting: WidgetSetting, *, required: bool = True) -> Any:
    """The field that a setting is shown as."""
    if setting.name == "widget_translation_status":
        return TranslationStatusSerializer()
    if setting.name == "updated_at":
        return Time(help_text=setting.about)
    if setting.name == PROFILES:
        return DeviceProfilesSerializer(help_text=setting.about)
    options: dict[str, Any] = {"help_text": setting.about, "required": required}
    if setting.name == TRANSLATIONS:
        return Json(child=serializers.DictField(child=Text()), **options)
    if setting.kind == "array":
        return TextList(**options)
    if setting.kind == "boolean":
        return Boolean(**options)
    if setting.kind == "integer":
        return Integer(**options)
    if setting.enum is not None:
        return Choice(choices=list(setting.enum), **options)
    is_null = setting.nullable and fields.default_of(setting, legacy=False) is None
    return Text(allow_null=is_null, **options)


DeviceOverridesSerializer: Any = type(
    "DeviceOverridesSerializer",
    (RowSerializer,),
    {
        "__doc__": "The overrides of a device.",
        "__module__": __name__,
        **{each.name: shown_field(each, required=False) for each in BY_DEVICE},
    },
)


class DeviceProfilesSerializer(RowSerializer):
    """The overrides by device, while `enabled`."""

    enabled = Boolean()
    desktop = DeviceOverridesSerializer()
    mobile = DeviceOverridesSerializer()


SettingsSerializer: Any = type(
    "SettingsSerializer",
    (RowSerializer,),
    {
        "__doc__": "A widget's settings: every member, with the value in effect.",
        "__module__": __name__,
        **{each.name: shown_field(each) for each in SETTINGS},
    },
)


class SettingsSchemaSerializer(RowSerializer):
    """The allowed values of each setting."""

    schema_version = Integer(help_text="Raised with every change of a field.")
    fields = Json(  # type: ignore[assignment]
        help_text="By member: `type`, `read_only`, `nullable`, `strict_json_type`, `accepted_types`, "
        "`validation_rules`, `patch`, `default_semantics`, `effective_default`, `device_profile`, `translatable` and, "
        "where it applies, `enum`, `accepted_values`, `range`, `min_length`, `max_length`, `pattern` (PCRE), "
        "`catalog_url`, `fields`."
    )


class LanguageSerializer(RowSerializer):
    """The widget's language."""

    widget_default_language = Choice(choices=list(fields.BY_NAME[DEFAULT].enum or ()))
    is_default = Boolean(help_text="Whether it is what a widget has that chose none.")
    effective_language = Text(help_text="The fixed language; of `auto`, the one that is fallen back on.")


class SkinSerializer(RowSerializer):
    """The widget's colours by one name."""

    id = Text()
    name = Text()
    premium = Boolean()
    available = Boolean(help_text="Whether the widget's plan has it.")


class IconPresetSerializer(RowSerializer):
    """An icon of the launcher that every widget has."""

    id = Text()
    name = Text()
    url = Url()


class IconSerializer(RowSerializer):
    """An icon of the widget's own."""

    id = Text(help_text="`custom:N`, for `icon_preset`.")
    url = Url()
    still_url = Url(help_text="Its first frame, for those who want no motion.")
    animated = Boolean()
    width = Integer()
    height = Integer()
    size = Integer()
    content_type = Text()
    created_at = Time()


class EmbedSerializer(RowSerializer):
    """The code for a website's pages."""

    snippet = Text(help_text="The lines to paste: a stub that takes the page's calls, and the script tag.")
    snippet_hash = Text(help_text="The stub's line, as the `script-src` of a Content-Security-Policy names it.")
    script_tag = Text(help_text="The script tag alone: enough for a page whose scripts call nothing.")
    script_url = Url()
    csp = Json(help_text="The origins that a Content-Security-Policy has to allow, by directive.")


class PurgedSerializer(RowSerializer):
    """The time at which browsers were told to read again."""

    purged_at = Time()


class TranslationSerializer(RowSerializer):
    """The state of a text in a language, without the text."""

    field = Text()
    locale = Text()
    state = Choice(choices=[state.value for state in State])
    shown = Choice(choices=[each.value for each in Shown], help_text="The source of the text that visitors see.")
    characters = Integer(help_text="The length of the text that visitors see.")
    error = TextOrNull()
    updated_at = Time(allow_null=True)


class TranslationBudgetSerializer(RowSerializer):
    """The budget of translations in any hour."""

    limit = Integer()
    window_seconds = Integer()
    used = Integer()
    remaining = Integer()


class TranslationsSerializer(RowSerializer):
    """The translations of the tenant's texts."""

    revision = Integer()
    status = TranslationStatusSerializer()
    translations = TranslationSerializer(many=True)
    budget = TranslationBudgetSerializer()


class TranslationJobSerializer(RowSerializer):
    """A translation that was asked for."""

    field = Text()
    locale = Text()
    state = Text()


class RegeneratedSerializer(RowSerializer):
    """The translations that were asked for."""

    revision = Integer()
    jobs = TranslationJobSerializer(many=True)
    reserved = Integer()
    remaining = Integer()
