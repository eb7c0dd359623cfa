"""An operator's translated words, and what opening a chat has translated."""

from collections.abc import Mapping
from typing import Any

from apps.agents.models import Agent
from apps.ai.rules.fact_differences import differences
from apps.chats.actions.translations import add_readers, switch_translation
from apps.chats.rules.console_settings import TranslationMode
from apps.chats.rules.translations import readers, with_source
from apps.console.errors import TRANSLATION_DIFFERS
from apps.console.querysets.translations import TranslationReader


def with_own_words(content: Mapping[str, Any], source: Mapping[str, str] | None) -> Mapping[str, Any]:
    """A message's content with the words that an operator wrote, where its text is their translation.

    Raises TRANSLATION_DIFFERS (422) where the two do not have the same facts, whatever a switch says.
    """
    if source is None:
        return content
    require_same_facts(source["text"], content.get("body", ""))
    return with_source(content, source["text"], source["lang"])


def require_same_facts(source: str, text: str) -> None:
    """Raises TRANSLATION_DIFFERS (422) where a text and its translation do not have the same facts."""
    if found := differences(source, text):
        raise TRANSLATION_DIFFERS(differs=[one.as_json() for one in found])


def translation_opened(operator: Agent, chat_id: int, reader: TranslationReader, card: Mapping[str, Any]) -> None:
    """Has a chat that was opened translated for who reads it: where it is on, or is to be switched on by itself."""
    translation = card["translation"]
    to = readers([reader.reads], translation["visitor_language"])
    if translation["on"]:
        if to and not set(to) <= set(translation["to"]):
            add_readers(widget_id=operator.widget_id, chat_id=chat_id, to=to)
    elif reader.offers is TranslationMode.AUTO and reader.wants(translation) and not translation["was_switched"]:
        switch_translation(widget_id=operator.widget_id, chat_id=chat_id, agent_id=None, on=True, to=to, earlier=True)
