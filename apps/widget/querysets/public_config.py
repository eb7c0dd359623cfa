"""The served config of a widget: its settings in the visitor's language, read for each call."""

from datetime import datetime
from typing import Any

from django.apps import apps as django_apps
from django.conf import settings as installation
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone

from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.departments import department_channel
from apps.chats.questions import ChatHooks, PageLook
from apps.chats.rules import languages
from apps.core import plugins
from apps.core.files import storage
from apps.widget import querysets
from apps.widget.models import Icon
from apps.widget.querysets.invitations import has_running
from apps.widget.querysets.questions import served_questions
from apps.widget.querysets.settings import Settings, icon_address, settings_of, store_of
from apps.widget.rules import icons, public_origin, skins, translations
from apps.widget.rules.fields import DEVICES, PROFILES, SERVED, SUPPORTED
from apps.widget.rules.languages import CLOSED
from apps.widget.rules.settings import icons_of
from apps.widget.rules.snippet import script_tag, snippet, stub_source
from apps.widget.rules.translations import Store


def served_config(settings: Settings, language: str) -> dict[str, Any]:
    """The config of a widget in a language, in a number of statements that does not grow.

    Nothing of it is kept anywhere that a write would have to purge, so what is served is never stale.
    """
    values, widget_id = settings.values, settings.widget_id
    own = _own_icons(settings)
    name, signature, greeting = _texts(settings, language)
    departments, back_at, closed_text = _departments(widget_id)
    config = {
        "guid": settings.guid,
        "language": language,
        "direction": languages.direction_of(language),
        "languages": [{"code": code, "name": languages.NAMES[code]} for code in values[SUPPORTED]],
        "texts_url": absolute(static(f"widget/languages/{language}.js")),
        "texts": CLOSED[language],
        "widget_name": name,
        "widget_signature": signature,
        "widget_greeting": greeting if values["widget_show_greeting"] else None,
        **{each.name: values[each.name] for each in SERVED},
        "device_profiles": _profiles(values, own),
        "theme": skins.themes(values["widget_skin"], values["widget_accent_color"]),
        "icon": _icon(values["icon_preset"], own),
        "operators_display_mode": values["operators_display_mode"],
        "operators": _operators(widget_id, values["operators_display_mode"]),
        "departments": departments,
        "online": querysets.is_online(widget_id),
        "back_at": back_at,
        "closed_text": closed_text,
        "mail_answers": (mode := letter_mode(widget_id)) == "ask",
        "letters": {"mode": mode},
        "features": {
            "files": values["widget_show_files"],
            "rating": values["widget_show_rating"],
            "offline_form": values["widget_show_offline_form"],
        },
        "api_enabled": settings.api_enabled,
        "identity": settings.has_identity,
        "realtime_url": installation.REALTIME_URL,
        **({"invitations": True} if _invites(settings) else {}),
        **({"widget_cookie_domain": domain} if (domain := values["widget_cookie_domain"]) else {}),
        **({"questions": asked} if settings.asks and (asked := served_questions(settings, language)) else {}),
    }
    return {"ai": None, **members_of_apps(widget_id, language), **config}


def _invites(settings: Settings) -> bool:
    return settings.invitations["is_on"] and has_running(settings.widget_id, timezone.now())


def letter_mode(widget_id: int) -> str:
    """Whether answers are mailed: `off`, `ask` or `on`."""
    if not django_apps.is_installed("apps.letters"):
        return "off"
    from apps.letters.actions.visitors import mode_of

    return mode_of(widget_id)


def members_of_apps(widget_id: int, language: str) -> dict[str, Any]:
    """The members that other apps add, in that language."""
    members: dict[str, Any] = {}
    for served in plugins.hooked(lambda app: app.served_config, ChatHooks):
        members |= served(widget_id, language)
    return members


def _texts(settings: Settings, language: str) -> list[str | None]:
    store: Store = store_of(settings.widget_id) or {}
    return [
        translations.shown(settings.values, field, language, store, name=settings.name)[1]
        for field in ("widget_name", "widget_signature", "widget_greeting")
    ]


def _own_icons(settings: Settings) -> dict[str, dict[str, Any]]:
    """The addresses of the own icons that the settings name, by their ids."""
    wanted = {id_ for icon in icons_of(settings.values).values() if (id_ := icons.custom_id(icon)) is not None}
    if not wanted:
        return {}
    rows = Icon.objects.for_widget(settings.widget_id).filter(pk__in=wanted)
    return {
        str(row): {
            "path": None,
            "url": icon_address(row.pk, row.key),
            "still_url": icon_address(row.pk, row.still_key or row.key),
        }
        for row in rows
    }


def _icon(icon: str, own: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """An icon as the page draws it; the first preset in the place of one that is gone."""
    if icon in own:
        return own[icon]
    return {"path": icons.PATHS.get(icon, icons.PATHS[icons.PRESETS[0]]), "url": None, "still_url": None}


def _profiles(values: dict[str, Any], own: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    profiles = values[PROFILES]
    if not profiles["enabled"]:
        return None
    found = {}
    for device in DEVICES:
        overrides = dict(profiles[device])
        if "icon_preset" in overrides:
            overrides["icon"] = _icon(overrides["icon_preset"], own)
        found[device] = overrides
    return found


def _operators(widget_id: int, mode: str) -> list[dict[str, Any]]:
    if mode == "hidden":
        return []
    shown = querysets.operators_in_header(widget_id)
    return [{**each, "avatar_url": None} for each in shown] if mode == "names" else shown


def _departments(widget_id: int) -> tuple[list[dict[str, Any]], datetime | None, str | None]:
    """The departments that take visitors' chats; while the widget is closed, when it opens, and a holiday's
    words for visitors.
    """
    now = timezone.now()
    found = hours_of_widget(widget_id, channel=department_channel(querysets.CHANNEL))
    told = found.hours.now(now)
    shown = [{"id": each.id, "name": each.name, "open": each.hours.is_open(now)} for each in found.departments]
    return shown, told.opens_at, None if told.is_open else told.text


def absolute(path: str) -> str:
    """The address of a static file."""
    return path if "://" in path else installation.PUBLIC_URL + path


def embed_of(guid: str) -> dict[str, object]:
    """The snippet of a widget, and what a strict policy of the page has to allow."""
    address = installation.PUBLIC_URL + reverse("widget-loader", args=[guid])
    own, live = public_origin(installation.PUBLIC_URL), public_origin(installation.REALTIME_URL)
    modules = public_origin(absolute(static("widget/launcher.js")))
    scripts = list(dict.fromkeys([own, modules]))
    return {
        "snippet": snippet(address),
        "snippet_hash": stub_source(),
        "script_tag": script_tag(address),
        "script_url": address,
        "csp": {
            "script-src": scripts,
            "connect-src": list(dict.fromkeys([own, live])),
            "img-src": list(dict.fromkeys([*scripts, *storage.origins(), "data:"])),
        },
    }


def page_look(widget_id: int) -> PageLook:
    """The widget's theme, and how a page of ours loads the widget. One statement."""
    settings = settings_of(widget_id)
    theme = skins.themes(settings.values["widget_skin"], settings.values["widget_accent_color"])
    embed: dict[str, Any] = embed_of(settings.guid)
    return PageLook(theme["light"], theme["dark"], embed["script_url"], embed["csp"])
