"""The switches of a widget's AI, and the phrases that it says in other words."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.actions import set_answerer
from apps.accounts.rules import Answerer
from apps.ai.actions.endings import close_turns
from apps.ai.actions.going_live import ask_about, waiting_for_ai
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import AiSettings, Turn
from apps.ai.rules.exchanges import Ending
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes

Overrides = dict[str, dict[str, str]]


@transaction.atomic
def change_settings(*, widget_id: int, changes: Mapping[str, Any]) -> AiSettings:
    """Changes the switches that are named; the others stay. `ai_disclosure_i18n` is merged, and None takes one back.

    Messages from before AI was switched on stay for people. Going live from shadow mode, it answers at once whoever
    waits and has got notes only.
    """
    settings = _locked(widget_id)
    if (texts := changes.get("ai_disclosure_i18n")) is not None:
        changes = {**changes, "ai_disclosure_i18n": _merged(settings.ai_disclosure_i18n, texts)}
    if changed := set_changes(settings, changes):
        if "enabled" in changed:
            settings.enabled_since = timezone.now() if settings.enabled else None
            changed = [*changed, "enabled_since"]
        save_changed(settings, changed)
        is_shadow = settings.shadow_mode
        goes_live = "shadow_mode" in changed and settings.enabled and not is_shadow
        waiting = waiting_for_ai(widget_id) if goes_live else []
        set_answerer(widget_id=widget_id, answerer=Answerer.AI, answers=settings.enabled and not is_shadow)
        set_answerer(widget_id=widget_id, answerer=Answerer.AI_IN_SHADOW, answers=settings.enabled and is_shadow)
        if not settings.enabled:
            close_turns(Turn.objects.for_widget(widget_id), ending=Ending.AI_DISABLED)
        elif not settings.external_operators_enabled:
            close_turns(Turn.objects.for_widget(widget_id), ending=Ending.OPERATOR_STOPPED)
        ask_about(widget_id, waiting)
        bus.publish(AiConfigurationChanged(widget_id=widget_id))
    return settings


@transaction.atomic
def change_phrases(*, widget_id: int, changes: Mapping[str, Mapping[str, str | None]]) -> AiSettings:
    """Overrides the phrases that are named; None takes an override back."""
    settings = _locked(widget_id)
    phrases = {key: dict(texts) for key, texts in settings.phrases.items()}
    for key, texts in changes.items():
        phrases[key] = {**phrases.get(key, {}), **texts}
    return _say(settings, phrases)


@transaction.atomic
def replace_phrases(*, widget_id: int, overrides: Mapping[str, Mapping[str, str | None]]) -> AiSettings:
    """Makes these the only overrides."""
    return _say(_locked(widget_id), {key: dict(texts) for key, texts in overrides.items()})


def _say(settings: AiSettings, phrases: Mapping[str, Mapping[str, str | None]]) -> AiSettings:
    kept = {key: {lang: text for lang, text in texts.items() if text is not None} for key, texts in phrases.items()}
    changes = {"phrases": {key: texts for key, texts in kept.items() if texts}}
    save_changed(settings, set_changes(settings, changes))
    return settings


def _merged(kept: Mapping[str, str], texts: Mapping[str, str | None]) -> dict[str, str]:
    return {language: text for language, text in {**kept, **texts}.items() if text is not None}


def settings_of(widget_id: int) -> AiSettings:
    """The widget's settings, or the defaults without a row."""
    return AiSettings.objects.for_widget(widget_id).first() or AiSettings(widget_id=widget_id)


def _locked(widget_id: int) -> AiSettings:
    AiSettings.objects.bulk_create([AiSettings(widget_id=widget_id)], ignore_conflicts=True)
    return AiSettings.objects.for_widget(widget_id).get_for_update()
