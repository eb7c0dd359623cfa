"""Making, changing and deleting assistants. A widget's assistants are changed under one lock: one is the default."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.agents.models import Agent
from apps.ai.actions.personas import TEXT, begin_persona, rewrite_persona
from apps.ai.errors import ASSISTANT_IN_USE
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import AiSettings, Assistant
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import PersonaCause
from apps.core import bus, database
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT

I18N = ("greeting_i18n", "quick_phrases_i18n")


@transaction.atomic
def create_assistant(
    *, widget_id: int, actor: Actor, cause: PersonaCause = PersonaCause.CREATED, summary: str = "", **fields: Any
) -> Assistant:
    """Makes an assistant; a widget's first is its default, whatever `is_default` says. `summary`: what its first
    version tells.

    Raises INVALID_INPUT (422) on `is_default` where that is false and the assistant is the first.
    """
    lock_assistants(widget_id)
    is_first = not Assistant.objects.for_widget(widget_id).exists()
    wants_mark = fields.pop("is_default", None)
    if is_first and wants_mark is False:
        raise _keeps_mark()
    if wants_mark and not is_first:
        Assistant.objects.for_widget(widget_id).update(is_default=False)
    for name in I18N:
        fields[name] = _merged({}, fields.get(name) or {})
    assistant = Assistant.objects.create(widget_id=widget_id, is_default=is_first or bool(wants_mark), **fields)
    begin_persona(assistant, actor=actor, cause=cause, summary=summary)
    bus.publish(AiConfigurationChanged(widget_id=widget_id))
    return assistant


@transaction.atomic
def change_assistant(*, widget_id: int, assistant_id: int, changes: Mapping[str, Any], actor: Actor) -> None:
    """Changes what is named of an assistant; translations are merged by language, and None removes one.

    Raises NOT_FOUND (404), INVALID_INPUT (422) on `is_default` for taking the mark off the default one.
    """
    lock_assistants(widget_id)
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=assistant_id)
    wanted = dict(changes)
    if assistant.is_default and wanted.get("is_default") is False:
        raise _keeps_mark()
    for name in I18N:
        if name in wanted:
            wanted[name] = {} if wanted[name] is None else _merged(getattr(assistant, name), wanted[name])
    changed = set_changes(assistant, wanted)
    if "is_default" in changed:
        Assistant.objects.for_widget(widget_id).filter(is_default=True).update(is_default=False)
    if not set(TEXT).isdisjoint(changed):
        rewrite_persona(assistant, actor=actor)
        changed.append("persona_version")
    if changed:
        save_changed(assistant, changed)
        bus.publish(AiConfigurationChanged(widget_id=widget_id))


@transaction.atomic
def delete_assistant(*, widget_id: int, assistant_id: int) -> None:
    """Deletes an assistant with its own credentials; retired operators lose it, the oldest left becomes the default.

    Raises NOT_FOUND (404), ASSISTANT_IN_USE (409) with those operators who run it and are not retired.
    """
    lock_assistants(widget_id)
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=assistant_id)
    who_run = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.AI, ai_assistant_id=assistant_id)
    running = list(who_run.not_banned().order_by("pk").values("id", "name"))
    if running:
        raise ASSISTANT_IN_USE(operators=running)
    who_run.update(ai_assistant_id=None)
    assistant.delete()
    if assistant.is_default and (
        oldest := Assistant.objects.for_widget(widget_id).order_by("created_at", "pk").first()
    ):
        oldest.is_default = True
        save_changed(oldest, ["is_default"])
    bus.publish(AiConfigurationChanged(widget_id=widget_id))


@transaction.atomic
def migrate_settings(*, widget_id: int, actor: Actor) -> tuple[Assistant | None, bool]:
    """Makes an assistant of the legacy persona, once: gives it, and whether it was made now.

    None without a legacy persona, and if the assistant that was made of it has been deleted since.
    """
    lock_assistants(widget_id)
    settings = AiSettings.objects.for_widget(widget_id).select_for_update(no_key=True).first()
    if settings is None or not settings.legacy_persona:
        return None, False
    if settings.is_migrated:
        return settings.migrated_assistant, False
    settings.migrated_assistant = create_assistant(
        widget_id=widget_id,
        actor=actor,
        cause=PersonaCause.MIGRATED,
        name="Assistant",
        persona=settings.legacy_persona,
    )
    settings.is_migrated = True
    settings.save(update_fields=["migrated_assistant", "is_migrated"])
    return settings.migrated_assistant, True


def lock_assistants(widget_id: int) -> None:
    """Lets one transaction at a time change which assistants a widget has, and which is the default."""
    database.lock(f"assistants:{widget_id}")


def _merged(kept: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {language: value for language, value in {**kept, **changes}.items() if value is not None}


def _keeps_mark() -> Exception:
    return INVALID_INPUT(errors={"is_default": ["One assistant is the default: mark another one instead."]})
