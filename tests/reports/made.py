"""Chats of one episode each, as tests of pages and letters need them."""

from datetime import datetime, timedelta

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Rating
from tests.factories import ChatFactory, MessageFactory

WORDS = "Is the oolong in stock?"


def episode(
    widget: Widget,
    at: datetime,
    *,
    channel: str = "widget",
    answered_s: int | None = None,
    agent: Agent | None = None,
    value: int | None = None,
    comment: str = "",
) -> Chat:
    """A chat with a question, and an answer of `agent` after so many seconds; with `value`, a rating."""
    chat: Chat = ChatFactory.create(contact__widget=widget, channel=channel, created_at=at)
    MessageFactory.create(chat=chat, body=WORDS, created_at=at)
    if answered_s is not None:
        MessageFactory.create(chat=chat, agent=agent, body="Yes", created_at=at + timedelta(seconds=answered_s))
    if value is not None:
        rated_at = at + timedelta(minutes=10)
        Rating.objects.create(widget=widget, chat=chat, value=value, comment=comment, rated_at=rated_at, agent=agent)
    return chat
