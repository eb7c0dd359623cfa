"""The question that automations leave to the app of the console: the canned replies that macros may name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.core.plugins import HookSet, hooked


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationHooks(HookSet):
    """The answers of an app to these questions (its `hooks.py`)."""

    # By widget, operator and language: the texts of the canned replies at hand, by their numbers; without an operator
    # the shared ones.
    reply_texts: Callable[[int, int | None, str | None], Mapping[int, str]] | None = None


def reply_texts(widget_id: int, agent_id: int | None, language: str | None) -> Mapping[int, str]:
    """The canned replies that an operator has at hand, by their numbers, in a language where they have it."""
    found: dict[int, str] = {}
    for ask in hooked(lambda app: app.reply_texts, AutomationHooks):
        found |= ask(widget_id, agent_id, language)
    return found
