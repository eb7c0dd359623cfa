"""Episodes that have ended, as tests of reviews need them, and reviews of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, ChatActivity, Message, Rating
from apps.reviews.models import Review
from tests.factories import ChatFactory, MessageFactory

# A Wednesday; the week is picked on the Monday after.
AT = datetime(2026, 10, 21, 9, tzinfo=UTC)
MONDAY = datetime(2026, 10, 26, 9, tzinfo=UTC)
# Scores by the criteria that stand there from the first day.
GOOD = {"correct": 1, "complete": 5, "clear": 5, "friendly": 5, "right_hands": 1}


def ended(
    widget: Widget,
    agent: Agent | None = None,
    *,
    at: datetime = AT,
    wait_s: int = 30,
    value: int | None = None,
    answer: str = "Yes, until Friday.",
    **message: Any,
) -> Chat:
    """A chat with a question, an answer after so many seconds, and a close an hour later; with `value`, a rating."""
    chat: Chat = ChatFactory.create(contact__widget=widget, created_at=at)
    MessageFactory.create(chat=chat, body="Is the oolong in stock?", created_at=at)
    if agent is not None:
        said_at = at + timedelta(seconds=wait_s)
        MessageFactory.create(chat=chat, agent=agent, body=answer, created_at=said_at, **message)
    newest = Message.objects.filter(chat=chat).order_by("-id").values_list("id", flat=True)[0]
    ChatActivity.objects.create(
        widget=widget, chat=chat, kind="closed", at=at + timedelta(hours=1), agent=agent, after_message_id=newest
    )
    if value is not None:
        rated_at = at + timedelta(minutes=10)
        Rating.objects.create(
            widget=widget, chat=chat, value=value, rated_at=rated_at, agent=agent, after_message_id=newest
        )
    return chat


def scores(**values: Any) -> list[dict[str, Any]]:
    """Good scores, but for those that are named."""
    return [{"key": key, "value": value, "note": ""} for key, value in {**GOOD, **values}.items()]


def review_of(chat: Chat, agent: Agent, *, blind: bool | None = None, **values: Any) -> Review:
    """An open review of a person's answers; `blind`: with such a number."""
    if blind is not None:
        newest = Review.objects.order_by("-pk").values_list("pk", flat=True).first() or 5_000_000
        values["id"] = newest + (5 - newest % 5 if blind else 1 + (newest % 5 == 4))
    about = {"kind": "person", "agent_id": agent.pk, "origin": "person", "scorecard_version": 1}
    return Review.objects.create(widget=chat.widget, chat=chat, episode_id=episode_of(chat), **{**about, **values})


def episode_of(chat: Chat) -> int:
    """The first message of a chat, by which its first episode is named."""
    return Message.objects.filter(chat=chat).order_by("id").values_list("id", flat=True)[0]
