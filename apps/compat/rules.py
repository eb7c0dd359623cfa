"""The legacy messages, read: what a bot's becomes here, and what may be kept of a sender. Pure.

Specification: "Legacy compatibility"; Endpoints, "Compat routes".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from apps.compat.payloads import (
    AgentJoined,
    AgentUnavailable,
    BotWireType,
    ClientMessage,
    EveryBotEvent,
    LegacyChatClosed,
)
from apps.messengers.payloads import MessageContent

# What of a bot's messages says in the API where it comes from.
ORIGIN = "legacy_bot"
# Why a chat waits for a person that a bot has asked for.
INVITED = "bot_invited"
MAX_EXTERNAL_ID = 255
MAX_BUTTONS = 100
_ID = re.compile(r"[0-9]{1,18}")


class BotEvent(StrEnum):
    """The requests of a bot: the member `message_type`, whose synonym is `event`."""

    MESSAGE = "BOT_MESSAGE"
    INVITE = "INVITE_AGENT"
    RATE = "INIT_RATE"


class BotMessageType(StrEnum):
    """The types of a bot's message."""

    TEXT = "TEXT"
    MARKDOWN = "MARKDOWN"
    BUTTONS = "BUTTONS"


# The scope that each asks for of the token in the path.
SCOPES: Mapping[BotEvent, str] = {
    BotEvent.MESSAGE: "messages:write",
    BotEvent.INVITE: "chats:write",
    BotEvent.RATE: "chats:write",
}


def chat_id_of(given: int | str) -> int | None:
    """A chat's id, which is a number or one in a string; None for what is the id of no chat."""
    text = str(given).strip()
    return int(text) if text.isascii() and _ID.fullmatch(text) else None


def text_of(
    type_: BotMessageType, *, text: str, content: str, title: str, buttons: Sequence[str]
) -> tuple[str, str | None]:
    """The body that a bot's message has here, and its Markdown where it came as that.

    Buttons are lines of text below what they belong to: here, a button only opens a link, and theirs answer.
    """
    if type_ is BotMessageType.MARKDOWN:
        return text or content, content or text
    if type_ is BotMessageType.BUTTONS:
        head = text or title
        return "\n".join([*([head] if head.strip() else []), *(label for label in buttons if label.strip())]), None
    return text or title, None


def external_id(given: Any) -> str | None:
    """An id of theirs, which is a string or a number; None for any other value, or an empty one."""
    if isinstance(given, bool) or not isinstance(given, int | str):
        return None
    text = str(given)
    return text if text.strip() and len(text) <= MAX_EXTERNAL_ID else None


# --- What the bot is told ---------------------------------------------------------------------------------------------

# What deliveries to bots say of their kind (`core.destinations`).
DESTINATIONS = "legacy_bot"
# What the other platform's bots call the types of messages; text and link buttons are both `TEXT`.
BOT_WIRE_TYPES: Mapping[str, BotWireType] = {
    "text": "TEXT",
    "keyboard": "TEXT",
    "image": "PHOTO",
    "file": "DOCUMENT",
    "location": "LOCATION",
    "sticker": "STICKER",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The chat of an event for a bot."""

    widget_id: int
    widget_guid: str
    chat_id: int
    contact_guid: str

    def names(self, event_id: UUID) -> EveryBotEvent:
        """The fields of every event of the chat."""
        return {
            "id": str(event_id),
            "widget_id": self.widget_guid,
            "chat_id": str(self.chat_id),
            "client_id": self.contact_guid,
        }


def client_message(
    talk: Talk, event_id: UUID, *, name: str, channel: str, agents_online: bool, type_: str, content: MessageContent
) -> ClientMessage:
    """The event of a visitor's message. `type_` is the message's, `agents_online` whether a person could be invited."""
    return {
        **talk.names(event_id),
        "event": "CLIENT_MESSAGE",
        "message_type": "CLIENT_MESSAGE",
        "sender": {"id": talk.contact_guid, "name": name},
        "channel": {"id": channel},
        "agents_online": agents_online,
        "message": {**content, "type": BOT_WIRE_TYPES[type_]},
    }


def agent_joined(talk: Talk, event_id: UUID, *, agent_id: int) -> AgentJoined:
    """A person has taken the chat."""
    return {
        **talk.names(event_id),
        "event": "AGENT_JOINED",
        "message_type": "AGENT_JOINED",
        "agent": {"id": str(agent_id)},
    }


def agent_unavailable(talk: Talk, event_id: UUID) -> AgentUnavailable:
    """The event of an invitation while no person was online."""
    return {**talk.names(event_id), "event": "AGENT_UNAVAILABLE", "message_type": "AGENT_UNAVAILABLE"}


def chat_closed(talk: Talk, event_id: UUID) -> LegacyChatClosed:
    """The chat is closed."""
    return {**talk.names(event_id), "event": "CHAT_CLOSED", "message_type": "CHAT_CLOSED"}
