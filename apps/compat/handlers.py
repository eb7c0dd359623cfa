"""A widget's bot is told of its chats: visitors' messages while no person has them, and who has them."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.apps import apps as django_apps

from apps.accounts.rules import Answerer
from apps.chats.events import ChatClosed, ChatTaken, MessagePosted, PostedContent
from apps.chats.models import Chat
from apps.chats.rules import SenderKind, Via
from apps.compat import actions, rules
from apps.compat.actions import Told
from apps.compat.rules import Talk
from apps.core.bus import Cte, adds_cte, handles
from apps.messengers.serializers import message_content


@adds_cte(MessagePosted)
def queue_bot_events(events: Sequence[Any]) -> Cte | None:
    """Tells the bot what a visitor wrote, or that a person has taken the chat by writing."""
    told = [_told(event, event.said) for event in events if "compat" in event.read_for and event.said]
    return actions.telling_cte([each for each in told if each])


def _told(event: MessagePosted, content: PostedContent) -> Told | None:
    """Tells the bot of a message; nothing of a chat that a person has, nor of a message that an app has taken, such as
    a code.

    The bot's own messages are sent as a person's, and take no chat.
    """
    talk, bot = _talk(event), event.read_for["compat"]
    if bot["person_has_chat"]:
        return None
    if event.author_type == "OPERATOR":
        if content.sender_kind != SenderKind.AGENT or content.agent_id is None or content.via == Via.LEGACY_BOT:
            return None
        joined = rules.agent_joined(talk, uuid4(), agent_id=content.agent_id)
        return Told(talk, bot["bot_id"], joined, takes_chat=True)
    if _takes_text(talk.widget_id, talk.chat_id, content.body):
        return None
    message = rules.client_message(
        talk,
        uuid4(),
        name=content.sender_name,
        channel=event.channel,
        agents_online=bot["agents_online"],
        type_=content.type,
        content=message_content(talk.widget_id, event.message_id, content),
    )
    return Told(talk, bot["bot_id"], message, takes_chat=False)


def _takes_text(widget_id: int, chat_id: int, text: str) -> bool:
    """Whether the support desk takes a client's text, so that it is not carried on."""
    if not django_apps.is_installed("apps.support"):
        return False
    from apps.support.actions.interception import takes_text

    return takes_text(widget_id, chat_id, text)


@handles(ChatTaken)
def pause_bot_on_takeover(event: ChatTaken) -> None:
    """A person who accepts or is given a chat has it from then on."""
    if Answerer.LEGACY_BOT in event.answerers:
        actions.take_chat(_talk(event), agent_id=event.agent_id)


@handles(ChatClosed)
def resume_bot_on_close(event: ChatClosed) -> None:
    """A closed chat is the bot's again."""
    if Answerer.LEGACY_BOT not in event.answerers:
        return
    contact_guid = (
        Chat.objects.for_widget(event.widget_id).values_list("contact__guid", flat=True).get(pk=event.chat_id)
    )
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
