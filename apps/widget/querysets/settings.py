"""Named reads of a widget's settings, icons and translations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.apps import apps as django_apps
from django.conf import settings as installation
from django.db.models import Q
from django.urls import reverse

from apps.accounts.models import Widget
from apps.chats.questions import Brand, WidgetLanguages
from apps.chats.rules import languages
from apps.chats.rules.aliases import alias_language_of
from apps.core import tokens
from apps.core.database import fetch_one
from apps.widget.models import Icon, Translation, VisitorSession, WidgetSettings
from apps.widget.rules import fields, skins, translations
from apps.widget.rules.fields import DEFAULT, FALLBACK, SUPPORTED
from apps.widget.rules.invitations import stored_settings
from apps.widget.rules.settings import effective, language_of
from apps.widget.rules.translations import Store, StoredTranslation

# Without the app visitors have no help, and no calls of it.
HAS_ARTICLES = django_apps.is_installed("apps.articles")

if TYPE_CHECKING:
    from apps.ai.actions.model_calls import WidgetChatModel


def found_on(widget_id: int) -> str:
    """The page of the website on which a check has found the widget's lines; empty where none has."""
    return WidgetSettings.objects.for_widget(widget_id).values_list("found_on", flat=True).first() or ""


@dataclass(frozen=True)
class Settings:
    """A widget with its settings as they are now."""

    widget_id: int
    guid: str
    name: str
    api_enabled: bool
    stored: dict[str, Any]
    legacy: bool
    revision: int
    has_identity: bool
    asks_proof: bool
    purged_at: datetime | None
    updated_at: datetime
    invitations: Mapping[str, Any]
    asks: bool = False

    @cached_property
    def values(self) -> dict[str, Any]:
        """The value of every writable setting."""
        return effective(self.stored, legacy=self.legacy)

    @property
    def language(self) -> str:
        """The language that the widget speaks by itself."""
        return language_of(self.values)

    def language_for(self, wished: str, accepted: str) -> str:
        """The language that a visitor is served."""
        values = self.values
        return languages.language_for(
            wished, accepted, default=values[DEFAULT], supported=values[SUPPORTED], fallback=values[FALLBACK]
        )


def settings_of(widget_id: int) -> Settings:
    """The settings of a widget that is there, read in one statement."""
    columns = ("guid", "name", "api_enabled", "created_at")
    own = ("stored", "legacy", "policy_revision", "asks_proof", "purged_at", "updated_at", "invitations")
    with_identity = Widget.objects.annotate(has_identity=Q(widget_settings__identity_secret__isnull=False))
    names = (*columns, "has_identity", "question_set__is_on", *(f"widget_settings__{name}" for name in own))
    row = with_identity.values_list(*names).get(pk=widget_id)
    guid, name, api_enabled, created_at, has_identity, asks, *rest = row
    stored, legacy, revision, asks_proof, purged_at, updated_at, invitations = rest
    return Settings(
        widget_id=widget_id,
        guid=guid,
        name=name,
        api_enabled=api_enabled,
        stored=stored or {},
        legacy=bool(legacy),
        revision=revision or 1,
        has_identity=has_identity,
        asks_proof=bool(asks_proof),
        purged_at=purged_at,
        updated_at=updated_at or created_at,
        asks=bool(asks),
        invitations=stored_settings(invitations),
    )


def translations_are_there() -> bool:
    """Whether the table of translations is: without it, everything else goes on."""
    found = fetch_one("SELECT to_regclass('widget_translation') IS NOT NULL", {})
    return found is not None and bool(found[0])


def store_of(widget_id: int) -> Store | None:
    """The translations that a widget's model has made, by cell; None without the table."""
    if not translations_are_there():
        return None
    columns = ("field", "locale", "text", "source_hash", "wanted_hash", "state", "error", "updated_at")
    rows = Translation.objects.for_widget(widget_id)
    return {(field, locale): StoredTranslation(*made) for field, locale, *made in rows.values_list(*columns)}


def chat_model() -> WidgetChatModel | None:
    """The door to a widget's own model; None without the app that has models."""
    if not django_apps.is_installed("apps.ai"):
        return None
    from apps.ai.actions.model_calls import CHAT_MODEL

    return CHAT_MODEL


def has_model(widget_id: int) -> bool:
    """Whether there is a model of the widget's own to ask."""
    model = chat_model()
    return model is not None and model.available(widget_id)


def translation_status(settings: Settings, store: Store | None) -> dict[str, Any]:
    """How far the translations are (specification, "Translation status object")."""
    enabled = settings.values[fields.AUTO_TRANSLATE]
    can_ask = has_model(settings.widget_id)
    reasons = (
        (store is None, "schema_unavailable"),
        (not can_ask, "credential_missing"),
        (not enabled, "auto_translate_disabled"),
    )
    return {
        "available": store is not None and can_ask,
        "enabled": enabled,
        "reason": next((reason for holds, reason in reasons if holds), None),
        "revision": settings.revision,
        "total": 0 if store is None else len(translations.cells(settings.values)),
        "counts": translations.counts(settings.values, store or {})
        if store is not None
        else {"ready": 0, "stale": 0, "pending": 0, "failed": 0},
    }


def settings_answer(widget_id: int) -> dict[str, Any]:
    """The settings object: every member of the table, with the value in effect."""
    settings = settings_of(widget_id)
    computed = {
        "widget_id": settings.guid,
        "api_enabled": settings.api_enabled,
        "widget_language_policy_revision": settings.revision,
        "widget_translation_revision": settings.revision,
        "widget_translation_status": translation_status(settings, store_of(widget_id)),
        "updated_at": settings.updated_at,
    }
    known = {**settings.values, **computed}
    return {each.name: known[each.name] for each in fields.SETTINGS}


def language_answer(widget_id: int) -> dict[str, Any]:
    """The widget's language, and whether it is what a widget has that chose none."""
    settings = settings_of(widget_id)
    chosen = settings.values[DEFAULT]
    implicit = fields.default_of(fields.BY_NAME[DEFAULT], legacy=settings.legacy)
    return {DEFAULT: chosen, "is_default": chosen == implicit, "effective_language": settings.language}


def icon_answer(icon: Icon) -> dict[str, Any]:
    """An own icon, as its upload is answered."""
    url = icon_address(icon.pk, icon.key)
    return {
        "id": str(icon),
        "url": url,
        "still_url": icon_address(icon.pk, icon.still_key) if icon.still_key else url,
        "animated": icon.animated,
        "width": icon.width,
        "height": icon.height,
        "size": icon.size,
        "content_type": icon.content_type,
        "created_at": icon.created_at,
    }


def icon_address(icon_id: int, key: str) -> str:
    """The public address of an icon's bytes."""
    return installation.PUBLIC_URL + reverse("widget-icon", args=[icon_id, key.replace("/", "")])


def shown_name(widget_id: int, language: str) -> str:
    """The name of a widget as it is shown in a language."""
    settings = settings_of(widget_id)
    _, name = translations.shown(
        settings.values, translations.NAME, language, store_of(widget_id) or {}, name=settings.name
    )
    return str(name or settings.name)


def shown_brand(widget_id: int, name: str) -> Brand:
    """The head of a widget's letters: its light accent in both schemes, with an edge where a card hides it."""
    values = settings_of(widget_id).values
    light = skins.themes(values[fields.SKIN], values[fields.ACCENT])["light"]
    accent, ink = light["accent"], light["accent_text"]
    cards = (tokens.token("surface"), tokens.token("surface", "dark"))
    is_hidden = any(skins.contrast(accent, card) < skins.LEAST_OF_EDGES for card in cards)
    return Brand(name, accent, ink, edge=ink if is_hidden else "")


class _Languages:
    """The widget's language for other apps (the hook `widget_language`)."""

    def effective(self, widget_id: int) -> str:
        """The widget's fixed language, else its fallback."""
        return settings_of(widget_id).language

    def of_widget(self, widget_id: int) -> WidgetLanguages:
        """The supported languages, and the fallback."""
        values = settings_of(widget_id).values
        return WidgetLanguages(values[SUPPORTED], values[FALLBACK])

    def of_aliases(self, widget_ids: Collection[int]) -> Mapping[int, str]:
        """The language that was kept, else that of the widget. One statement."""
        rows = WidgetSettings.objects.unscoped("widgets that the caller has read").filter(widget_id__in=widget_ids)
        by_default = alias_language_of(language_of(effective({}, legacy=False)))
        return dict.fromkeys(widget_ids, by_default) | {
            widget_id: kept or alias_language_of(language_of(effective(stored, legacy=legacy)))
            for widget_id, stored, legacy, kept in rows.values_list("widget_id", "stored", "legacy", "alias_language")
        }

    def of_contact(self, contact_id: int) -> str | None:
        """The language of the contact's newest session, if the widget supports it."""
        widget_id, lang = self._newest(contact_id)
        return lang if lang and lang in settings_of(widget_id).values[SUPPORTED] else None

    def of_visit(self, contact_id: int) -> str | None:
        """The language that the contact's newest session names, supported by the widget or not."""
        return self._newest(contact_id)[1] or None

    def _newest(self, contact_id: int) -> tuple[int, str]:
        sessions = VisitorSession.objects.unscoped("read with its widget before").filter(contact_id=contact_id)
        return sessions.order_by("-last_seen_at", "-id").values_list("widget_id", "lang").first() or (0, "")


LANGUAGES = _Languages()
