"""Bots and channels of the other platform act in a chat by the actions of chats, as the API does."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import SystemRandom
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent
from apps.agents.rules import person_refusal
from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.errors import CHAT_IS_EMPTY, CHAT_IS_SPAM
from apps.chats.models import Chat
from apps.chats.rules import Status, Via
from apps.compat import rules
from apps.compat.actions.bots import queue_bot_event
from apps.compat.errors import CHAT_TAKES_NONE, NOBODY_TO_SEND_AS
from apps.compat.rules import Talk
from apps.core.problems import Problem
from apps.routing.actions.choosing import best_operator, is_routed

_random = SystemRandom()


def send_bot_message(*, widget_id: int, chat_id: int | None, content: Mapping[str, Any]) -> tuple[PostedMessage, int]:
    """Sends a bot's message as the chat's agent, in a chat without one as the widget's owner; answers as whom.

    Raises NOT_FOUND (404), CHAT_TAKES_NONE (422) for a spam chat, NOBODY_TO_SEND_AS (422).
    """
    chat = _chat(widget_id, chat_id)
    sender_id = _sender(widget_id, chat.agent)
    with _their_codes():
        posted = chats.post_agent_message(
            widget_id=widget_id, chat_id=chat.pk, content=content, agent_id=sender_id, via=Via.LEGACY_BOT
        )
    return posted, sender_id


@transaction.atomic
def invite_agent(*, widget_id: int, chat_id: int | None) -> int | None:
    """Gives a chat to any person who is online, in a routed department to the one before the others who has a place;
    returns their id, None without one. The bot is told either.

    Without one, the chat stays the bot's, and waits for a person.

    Raises NOT_FOUND (404), CHAT_TAKES_NONE (422) for a spam chat.
    """
    chat = _chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_TAKES_NONE(f"{CHAT_IS_SPAM.title}.")
    talk = Talk(widget_id=widget_id, widget_guid=chat.widget.guid, chat_id=chat.pk, contact_guid=chat.contact.guid)
    online = list(Agent.objects.for_widget(widget_id).available().values_list("pk", flat=True))
    if online and is_routed(chat):
        best_id = best_operator(chat, timezone.now())
        online = [] if best_id is None else [best_id]
    if not online:
        queue_bot_event(talk, rules.agent_unavailable(talk, uuid4()))
        chats.request_operator(widget_id=widget_id, chat_id=chat.pk, reason=rules.INVITED)
        return None
    agent_id = _random.choice(online)
    with _their_codes():
        chats.transfer_chat(widget_id=widget_id, chat_id=chat.pk, agent_id=agent_id)
    return agent_id


def ask_for_rating(*, widget_id: int, chat_id: int | None) -> None:
    """Asks the visitor to rate the chat.

    Raises NOT_FOUND (404), CHAT_TAKES_NONE (422) for a spam chat and for one without messages.
    """
    chat = _chat(widget_id, chat_id)
    with _their_codes():
        chats.request_rating(widget_id=widget_id, chat_id=chat.pk)


def receive_message(*, channel: Any, body: Mapping[str, Any]) -> PostedMessage:
    """Stores a client's message by a custom channel, which is active; see `messengers.actions.receive_message`."""
    from apps.messengers import actions as messengers  # there is a channel, so the app is installed

    recipient = body.get("recipient") or {}
    return messengers.receive_message(
        channel=channel,
        external_client_id=body["sender"]["id"],
        external_channel_id=recipient.get("id") or "",
        text=body["message"]["text"],
        message_id=body["message"].get("id"),
        about=body["sender"]["about"],
    )


def _chat(widget_id: int, chat_id: int | None) -> Chat:
    return (
        Chat.objects.for_widget(widget_id)
        .select_related("agent", "widget", "contact")
        .get_or_404("There is no such chat.", pk=chat_id)
    )


def _sender(widget_id: int, agent: Agent | None) -> int:
    """As whom a bot writes: the chat's agent, else the widget's owner, else whichever person is left."""
    if agent is not None and person_refusal(agent.type, agent.status) is None:
        return agent.pk
    people = Agent.objects.for_widget(widget_id).people().order_by("pk")
    default = people.filter(role=Agent.Role.OWNER).first() or people.first()
    if default is None:
        raise NOBODY_TO_SEND_AS()
    return default.pk


@contextmanager
def _their_codes() -> Iterator[None]:
    """The API's conflicts (409) are refused input here: the compat routes have no 409."""
    try:
        yield
    except Problem as problem:
        if problem.type in (CHAT_IS_SPAM, CHAT_IS_EMPTY):
            raise CHAT_TAKES_NONE(f"{problem.type.title}.") from None
        raise
