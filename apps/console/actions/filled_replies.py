"""Canned replies with what is known of a chat."""

from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.agents.models import Agent
from apps.automations.querysets.variables import variable_values
from apps.automations.rules.variables import filled
from apps.chats.models import Chat
from apps.chats.questions import visitor_language, widget_language
from apps.console.models import CannedReply
from apps.console.rules.translated_replies import translation_in


def filled_reply(*, agent: Agent, chat_id: int, reply: CannedReply, language: str | None) -> dict[str, Any]:
    """A reply's text for a chat, its language and the names that nothing is known for. Raises NOT_FOUND (404).

    In its translation, where it has one to the language that holds.
    """
    chat = Chat.objects.for_widget(agent.widget_id).select_related("contact", "widget").get_or_404(pk=chat_id)
    spoken = str(language or visitor_language(chat) or widget_language(agent.widget_id)).split("-")[0]
    body = translation_in(reply.translations, spoken) or reply.body
    found = filled(body, variable_values(chat, agent, spoken, timezone.localtime()))
    return {"text": found.text, "lang": spoken, "missing": found.missing}


def reply_texts(widget_id: int, agent_id: int | None, language: str | None) -> dict[int, str]:
    """The texts of the shared canned replies, and an operator's own, by number: in their translations, if they have
    one to the language.
    """
    at_hand = Q(agent=None) if agent_id is None else Q(agent=None) | Q(agent=agent_id)
    found = CannedReply.objects.for_widget(widget_id).filter(at_hand)
    return {each.pk: (language and translation_in(each.translations, language)) or each.body for each in found}
