"""What a widget's bot is told of its chats: what visitors write while no person has them, and who has them."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from apps.agents.models import Agent
from apps.chats.events import ChatClosed, ChatTaken, MessagePosted
from apps.chats.models import Chat
from apps.compat import actions, rules
from apps.compat.models import TakenChat
from apps.compat.rules import ORIGIN, Talk
from apps.core.bus import Cte, adds_cte, reacts_to
from apps.messengers.shapes import message_content


@adds_cte(MessagePosted)
def tell_of_messages(events: Sequence[Any]) -> Cte | None:
    """Tells the bot what a visitor wrote, or that a person has taken the chat by writing.

    One message is posted at a time. What the bot itself writes is sent as a person's, and takes nothing.
    """
    (event,) = events
    if actions.bot_of(event.widget_id) is None:
        return None
    talk = _talk(event)
    if TakenChat.objects.of(talk.widget_id).filter(chat_id=talk.chat_id).exists():
        return None
    said = event.said
    if said is None:
        return None
    if event.author_type == "OPERATOR":
        if said.sender_kind != "agent" or said.agent_id is None or said.origin == ORIGIN:
            return None
        return actions.taking_cte(talk, agent_id=said.agent_id)
    message = rules.client_message(
        talk,
        uuid4(),
        name=said.sender_name,
        channel=event.channel,
        agents_online=Agent.objects.of(talk.widget_id).available().exists(),
        type_=said.type,
        content=message_content(event.message_id, said),
    )
    return actions.tell_bot(talk, message)


@reacts_to(ChatTaken)
def a_person_has_it(event: ChatTaken) -> None:
    """Who accepts or is given a chat has it from then on."""
    actions.take_chat(_talk(event), agent_id=event.agent_id)


@reacts_to(ChatClosed)
def it_is_closed(event: ChatClosed) -> None:
    """A closed chat is the bot's again."""
    if actions.bot_of(event.widget_id) is None:
        return
    contact_guid = Chat.objects.of(event.widget_id).values_list("contact__guid", flat=True).get(pk=event.chat_id)
    actions.close_chat(
        Talk(
            widget_id=event.widget_id,
            widget_guid=event.widget_guid,
            chat_id=event.chat_id,
            contact_guid=contact_guid,
        )
    )


def _talk(event: MessagePosted | ChatTaken) -> Talk:
    return Talk(
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        chat_id=event.chat_id,
        contact_guid=event.contact_guid,
    )
