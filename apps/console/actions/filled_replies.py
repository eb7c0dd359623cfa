"""Canned replies with what is known of a chat."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import check_for_language, get_language_info, override

from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.console import rules
from apps.console.models import CannedReply
from apps.console.querysets.cards import visitor_facts
from apps.core.questions import shown_name, widget_language


def filled_reply(*, agent: Agent, chat_id: int, reply: CannedReply, language: str | None) -> dict[str, Any]:
    """A reply's text for a chat, its language and the names that nothing is known for. Raises NOT_FOUND (404).

    In its translation, where it has one to the language that holds.
    """
    chat = Chat.objects.for_widget(agent.widget_id).select_related("contact", "widget").get_or_404(pk=chat_id)
    facts = visitor_facts(agent.widget_id, [chat.contact_id]).get(chat.contact_id, {})
    spoken = str(language or facts.get("lang") or widget_language(agent.widget_id)).split("-")[0]
    body = rules.translation_in(reply.translations, spoken) or reply.body
    found = rules.filled(body, _values(agent, chat, facts, spoken, timezone.localtime()))
    return {"text": found.text, "lang": spoken, "missing": found.missing}


def _values(agent: Agent, chat: Chat, facts: Any, language: str, now: datetime) -> dict[str, str]:
    contact = chat.contact
    attributes = {f"{rules.ATTRIBUTE}{name}": _written(value) for name, value in contact.attributes.items()}
    with override(_known(language)):
        today, weekday = date_format(now.date(), "DATE_FORMAT"), str(WEEKDAYS[now.weekday()])
        speaks = _language_name(facts.get("lang"))
    return {
        **attributes,
        "visitor.name": contact.name,
        "visitor.first_name": contact.name.split(" ")[0],
        "visitor.email": contact.email or "",
        "visitor.phone": contact.phone or "",
        "visitor.language": speaks,
        "operator.name": agent.full_name,
        "operator.first_name": agent.name,
        "widget.name": shown_name(agent.widget_id, language, chat.widget.name),
        "chat.id": str(chat.pk),
        "page.url": facts.get("page_url") or "",
        "today": today,
        "weekday": weekday,
    }


def _known(language: str) -> str:
    """The language, if there are words of it for dates: a browser may tell anything."""
    return language if check_for_language(language) else settings.LANGUAGE_CODE


def _written(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _language_name(code: str | None) -> str:
    if not code:
        return ""
    try:
        return str(get_language_info(code.split("-")[0])["name_translated"])
    except KeyError:
        return code
