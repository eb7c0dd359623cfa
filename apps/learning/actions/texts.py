"""Changing an assistant's text, with a version and a line of history, and no other member of it."""

from typing import Any

from apps.ai.actions.personas import TEXT, rewrite_persona
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import Assistant, PersonaVersion
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import PersonaCause
from apps.core import bus
from apps.core.database.changes import save_changed
from apps.learning.rules.patches import Texts


def texts_of(row: Assistant | PersonaVersion) -> Texts:
    """The text of an assistant, or of one of its versions."""
    return Texts(row.persona, row.system_prompt)


def rewrite(assistant: Assistant, texts: Texts, *, actor: Actor, cause: PersonaCause, **told: Any) -> PersonaVersion:
    """Makes this the text of a locked assistant, as its next version; `told` as `rewrite_persona` has it."""
    assistant.persona, assistant.system_prompt = texts
    version = rewrite_persona(assistant, actor=actor, cause=cause, **told)
    save_changed(assistant, [*TEXT, "persona_version"])
    bus.publish(AiConfigurationChanged(widget_id=assistant.widget_id))
    return version


def version_of(assistant: Assistant, version: int) -> PersonaVersion:
    """A version that the assistant has."""
    return PersonaVersion.objects.for_widget(assistant.widget_id).get(assistant=assistant, version=version)
