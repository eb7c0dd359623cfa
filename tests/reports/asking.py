"""Talks that end, for the tests of ratings."""

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, Contact, Message
from apps.reports.settings import POLICY
from tests.factories import ChatFactory, ContactFactory
from tests.widget.visitor import VisitorClient

TEXT = "text"
DAY = timedelta(days=1)


def policy(widget: Widget, **changes: Any) -> None:
    """The widget asks about what ends from now on; `changes` besides."""
    change_settings(POLICY, widget_id=widget.pk, changes={"ask": "after_end", "delay_minutes": 0, **changes})


def visitor(widget: Widget) -> VisitorClient:
    browser = VisitorClient(widget)
    browser.come(lang="en")
    browser.chat_id = browser.say("Do you have roses?")["chat_id"]
    return browser


def answer(agent: Agent, chat_id: int, body: str = "We do.") -> None:
    content = {"type": TEXT, "body": body}
    actions.post_agent_message(widget_id=agent.widget_id, chat_id=chat_id, content=content, agent_id=agent.pk)


def ended(widget: Widget, agent: Agent, *, by_api: bool = False) -> VisitorClient:
    """A visitor of the site whose question was answered, and whose chat was closed."""
    browser = visitor(widget)
    answer(agent, browser.chat_id)
    by = None if by_api else agent.pk
    actions.close_chat(widget_id=widget.pk, chat_id=browser.chat_id, by_agent_id=by)
    return browser


def elsewhere(widget: Widget, channel: str, agent: Agent) -> Chat:
    """A chat in another channel, asked, answered and closed."""
    contact: Contact = ContactFactory.create(widget=widget)
    chat: Chat = ChatFactory.create(contact=contact, channel=channel)
    content = {"type": TEXT, "body": "Do you have roses?"}
    actions.post_client_message(contact=contact, content=content, channel=channel)
    answer(agent, chat.pk)
    actions.close_chat(widget_id=widget.pk, chat_id=chat.pk, by_agent_id=agent.pk)
    return chat


def first_message(chat_id: int) -> int:
    found: int = Message.objects.filter(chat_id=chat_id).order_by("id").values_list("pk", flat=True)[0]
    return found


def asks(after: timedelta = timedelta(seconds=1), *, as_of: datetime | None = None) -> dict[str, Any]:
    """What `ask_ratings --json` says as of so long from now."""
    out = StringIO()
    call_command("ask_ratings", as_of=((as_of or timezone.now()) + after).isoformat(), json=True, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def reasons(found: dict[str, Any]) -> list[str]:
    return [each["reason"] for each in found["not_asked"]]
