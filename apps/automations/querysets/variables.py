"""The values of the variables of texts (`rules/variables.py`), for a chat."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import check_for_language, get_language_info, override

from apps.agents.models import Agent
from apps.automations.rules.variables import ATTRIBUTE
from apps.chats.models import Chat
from apps.chats.questions import shown_name, visitor_facts


def variable_values(chat: Chat, agent: Agent | None, language: str, now: datetime) -> dict[str, str]:
    """The values by name, empty where nothing is known, in a language; `now` is local. Without an operator the
    variables of operators are unknown.
    """
    contact = chat.contact
    facts = visitor_facts(chat.widget_id, [chat.contact_id]).get(chat.contact_id, {})
    attributes = {f"{ATTRIBUTE}{name}": _written(value) for name, value in contact.attributes.items()}
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
        "operator.name": agent.full_name if agent else "",
        "operator.first_name": agent.name if agent else "",
        "widget.name": shown_name(chat.widget_id, language, chat.widget.name),
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
