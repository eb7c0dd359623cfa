"""The one table of a widget's settings: what each may be, what it is by default, and how a change treats it. Pure.

Validation, the schema, the object that is answered, what visitors are served and the OpenAPI document all follow from
it (specification, "Widget settings").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.accounts.rules.settings import Kind, Setting
from apps.chats.rules.languages import LANGUAGES
from apps.widget.rules.icons import ICON_PATTERN, PRESETS
from apps.widget.rules.skins import SKINS

# Raised with every change of a field.
SCHEMA_VERSION = 2

AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetSetting(Setting):
    """One member; null clears it, unless it is part of the language policy or `read_only`.

    `by_device` may differ by device; `translatable` is a text of the tenant's with a value in each language; a change
    of what `is_policy` raises the revision.
    """

    nullable: bool = True
    read_only: bool = False
    by_device: bool = False
    translatable: bool = False
    is_policy: bool = False
    enum: tuple[Any, ...] | None = None
    range: tuple[int, int] | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    multiline: bool = False
    catalogue: str | None = None


def _number(
    name: str, lowest: int, highest: int, default: int, *, by_device: bool = True, about: str = ""
) -> WidgetSetting:
    return WidgetSetting(
        name=name, kind="integer", range=(lowest, highest), default=default, by_device=by_device, about=about
    )


def _choice(name: str, *values: Any, by_device: bool = False, about: str = "") -> WidgetSetting:
    """The first value is the default."""
    return WidgetSetting(name=name, kind="string", enum=values, default=values[0], by_device=by_device, about=about)


def _switch(name: str, about: str, *, default: bool = True, by_device: bool = False) -> WidgetSetting:
    return WidgetSetting(name=name, kind="boolean", default=default, by_device=by_device, about=about)


def _text(name: str, longest: int, about: str, *, multiline: bool = False) -> WidgetSetting:
    return WidgetSetting(
        name=name,
        kind="string",
        translatable=True,
        min_length=1,
        max_length=longest,
        multiline=multiline,
        about=about,
    )


def _policy(name: str, kind: Kind, about: str, **more: Any) -> WidgetSetting:
    return WidgetSetting(name=name, kind=kind, is_policy=True, nullable=False, about=about, **more)


def _computed(name: str, kind: Kind, about: str) -> WidgetSetting:
    return WidgetSetting(name=name, kind=kind, read_only=True, nullable=False, about=about)


MOTIONS = ("static", "spin", "spiral")
# What the motion may be sent as besides, and what it is kept as then.
MOTION_ALIASES: Mapping[bool, str] = {True: "spin", False: "static"}

SETTINGS: tuple[WidgetSetting, ...] = (
    _computed("widget_id", "string", "The widget's guid."),
    _computed("api_enabled", "boolean", "Whether the widget's API may be used."),
    _choice("widget_position", "right", "left", by_device=True, about="The bottom corner."),
    _number("widget_offset_x", 0, 500, 20, about="The launcher's distance from the side, in pixels."),
    _number("widget_offset_y", 0, 500, 20, about="The launcher's distance from the bottom, in pixels."),
    _number("widget_chat_offset_x", 0, 500, 20, about="The open chat's distance from the side, in pixels."),
    _number("widget_chat_offset_y", 0, 500, 20, about="The open chat's distance from the bottom, in pixels."),
    _number("widget_chat_width", 320, 480, 384, about="At most, in pixels."),
    _number("widget_chat_height", 400, 800, 640, about="At most, in pixels."),
    WidgetSetting(
        name="widget_button_size",
        kind="integer",
        enum=(50, 75, 100),
        default=75,
        by_device=True,
        about="A launcher of 48, 56 or 64 pixels.",
    ),
    _number("widget_z_index", 1, 2**31 - 1, 2_147_483_000),
    WidgetSetting(
        name="icon_preset",
        kind="string",
        default=PRESETS[0],
        by_device=True,
        pattern=ICON_PATTERN,
        max_length=32,
        catalogue="/api/v1/widget/icons",
        about="A preset's id, or `custom:N` of an icon of this widget.",
    ),
    _choice("icon_custom_animated", *MOTIONS, by_device=True, about="How the icon moves: turns; turns and breathes."),
    WidgetSetting(
        name="widget_skin",
        kind="string",
        enum=tuple(skin.id for skin in SKINS),
        default=SKINS[0].id,
        catalogue="/api/v1/widget/skins",
        about="Colours. A premium skin needs a plan that has it when it is chosen.",
    ),
    WidgetSetting(
        name="widget_accent_color",
        kind="string",
        pattern=r"\A#[0-9a-f]{6}\z",
        about="The color of the launcher, the visitor's bubbles and buttons, such as `#2f6b3c`; null: the skin's.",
    ),
    _choice("widget_color_scheme", AUTO, "light", "dark", about="`auto`: the system's."),
    _choice(
        "operators_display_mode",
        *("faces_and_names", "faces", "names", "hidden"),
        about="How the header shows operators.",
    ),
    _text("widget_name", 80, "The header's title. Null: the widget's name."),
    _text("widget_signature", 160, "Below the title. Null: none."),
    _text("widget_greeting", 1000, "The first bubble, which is no message. Null: a text of ours.", multiline=True),
    _switch("widget_sound", "A tone for an answer while the chat is closed or hidden.", default=False),
    _switch("widget_show_launcher", "Off: opened by `Parley.open()` alone.", by_device=True),
    _switch("widget_show_greeting", "The greeting."),
    _switch("widget_show_status", "Online, or away."),
    _switch("widget_show_typing", "Shows that an operator is typing."),
    _switch("widget_show_preview", "An unread answer beside the launcher."),
    _switch("widget_show_title_count", "The count of unread answers in a hidden tab's title."),
    _switch("widget_show_files", "Visitors may send files."),
    _switch("widget_show_rating", "Visitors may rate the chat."),
    _switch("widget_show_offline_form", "A form while no operator is online."),
    _switch("widget_show_departments", "The choice of a department before the first message."),
    _switch("widget_show_messengers", "Links to messengers."),
    _switch("widget_show_lang_switcher", "The menu of languages."),
    _policy(
        "widget_default_language",
        "string",
        "`auto`: the best supported of the visitor's.",
        default=AUTO,
        enum=(AUTO, *LANGUAGES),
    ),
    _policy(
        "widget_supported_languages", "array", "In the menu's order, each once.", default=("ru", "en"), enum=LANGUAGES
    ),
    _policy("widget_fallback_language", "string", "A supported language.", default="en", enum=LANGUAGES),
    _policy(
        "widget_content_source_language",
        "string",
        "The language of name, signature and greeting.",
        default="en",
        enum=LANGUAGES,
    ),
    _policy(
        "widget_auto_translate_custom_texts", "boolean", "Have them translated by the widget's model.", default=False
    ),
    _policy("widget_text_translations", "object", "Own translations, by language.", default={}),
    WidgetSetting(
        name="widget_cookie_domain",
        kind="string",
        min_length=4,
        max_length=253,
        pattern=r"\A(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})\z",
        about="The site's domain, such as `shop.example`: over its subdomains a visitor is one person, whose token "
        "a cookie of the site keeps. Null: on each host another.",
    ),
    WidgetSetting(
        name="device_profiles",
        kind="object",
        default={"enabled": False, "desktop": {}, "mobile": {}},
        about="The overrides by device while `enabled`.",
    ),
    _computed("widget_language_policy_revision", "integer", "Rises with each change of the language policy."),
    _computed("widget_translation_revision", "integer", "The same."),
    _computed("widget_translation_status", "object", "How far the translations are."),
    _computed("updated_at", "string", "When the settings last changed."),
)
BY_NAME: Mapping[str, WidgetSetting] = {setting.name: setting for setting in SETTINGS}
WRITABLE = tuple(setting for setting in SETTINGS if not setting.read_only)
BY_DEVICE = tuple(setting for setting in WRITABLE if setting.by_device)
# Served to visitors as they are: what may differ by device, and switches.
SERVED = tuple(
    setting
    for setting in WRITABLE
    if setting.by_device
    or (setting.kind == "boolean" and not setting.is_policy)
    or setting.name == "widget_color_scheme"
)
TEXTS = tuple(setting.name for setting in WRITABLE if setting.translatable)
POLICY = frozenset(setting.name for setting in WRITABLE if setting.is_policy)
DEVICES = ("desktop", "mobile")
PROFILES, TRANSLATIONS = "device_profiles", "widget_text_translations"
DEFAULT, SUPPORTED = "widget_default_language", "widget_supported_languages"
FALLBACK, SOURCE, AUTO_TRANSLATE = (
    "widget_fallback_language",
    "widget_content_source_language",
    "widget_auto_translate_custom_texts",
)
SKIN, ACCENT, ICON = "widget_skin", "widget_accent_color", "icon_preset"

# What differs for widgets that were there before there were settings (specification, "Implicit defaults").
LEGACY_DEFAULTS: Mapping[str, Any] = {DEFAULT: "ru", FALLBACK: "ru", SOURCE: "ru"}


def default_of(setting: WidgetSetting, *, legacy: bool) -> Any:
    """The value of a setting that was never chosen."""
    value = LEGACY_DEFAULTS.get(setting.name, setting.default) if legacy else setting.default
    return list(value) if isinstance(value, tuple) else value
