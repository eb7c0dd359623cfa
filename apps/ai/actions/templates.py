"""Assistants that are made of a template, by the app that has templates: it declares itself in its `dashboard.py`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.ai.models import Assistant
from apps.ai.rules.actors import Actor
from apps.core import plugins


@dataclass(frozen=True, slots=True)
class AssistantTemplates:
    """`choices` gives (slug, name) in a language; `apply` makes the assistant of one for a widget."""

    choices: Callable[[str], Sequence[tuple[str, str]]]
    apply: Callable[[int, str, str, Actor], Assistant]


def assistant_templates() -> AssistantTemplates | None:
    """The templates; None where no app has any."""
    for declared in plugins.declared("dashboard", AssistantTemplates).values():
        return declared[0]
    return None
