"""The switches of a widget's AI, and the phrases that it says in other words."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.actions import set_answerer
from apps.accounts.actions import settings as actions
from apps.accounts.rules import Answerer
from apps.ai.actions.endings import close_turns
from apps.ai.actions.going_live import ask_about, waiting_for_ai
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import AiSettings, Turn
from apps.ai.rules.turn_states import Ending
from apps.ai.settings import SETTINGS
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes

Overrides = dict[str, dict[str, str]]


def change_settings(*, widget_id: int, changes: Mapping[str, Any]) -> AiSettings:
    """Changes the settings that are named; the others stay. Raises INVALID_INPUT (422), by name.

    Going live from shadow mode, it answers at once whoever waits and has got notes only.
    """
    row: AiSettings = actions.change_settings(SETTINGS, widget_id=widget_id, changes=changes, then=_follow)
    return row


def _follow(settings: AiSettings, changed: list[str]) -> None:
    widget_id, is_shadow = settings.widget_id, settings.shadow_mode
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


def _locked(widget_id: int) -> AiSettings:
    AiSettings.objects.bulk_create([AiSettings(widget_id=widget_id)], ignore_conflicts=True)
    return AiSettings.objects.for_widget(widget_id).get_for_update()
