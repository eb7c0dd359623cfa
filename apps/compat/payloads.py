"""The bodies that a widget's bot is sent: their declarations, which `rules.py` writes and OpenAPI shows.

They have the format in which the other platform tells its bots; ids are texts.
"""

from typing import Annotated, Literal, TypedDict

from apps.core.payloads import Field
from apps.messengers.payloads import MessageContent

BotWireType = Literal["TEXT", "PHOTO", "DOCUMENT", "LOCATION", "STICKER"]
_EVENT = "The event; `message_type` says the same."
_CLIENT, _GUID = "f3c1a9d2b4e5f60718293a4b5c6d7e8f", "^[0-9a-f]{32}$"


class Client(TypedDict):
    """The visitor who writes."""

    id: Annotated[str, Field("The contact's guid, as in `client_id`.", _CLIENT, _GUID)]
    name: Annotated[str, Field("As operators read it.", "Maria")]


class LegacyChannel(TypedDict):
    """By what they write."""

    id: Annotated[str, Field("The channel's code.", "widget")]


class JoinedAgent(TypedDict):
    """The person."""

    id: Annotated[str, Field("The agent's id.", "3")]


class BotMessage(MessageContent):
    """The message. Members of other types are left out."""

    type: Annotated[BotWireType, Field("In capitals; the rest is as it is sent to a custom channel.", "TEXT")]


class EveryBotEvent(TypedDict):
    """The fields of every event for a bot."""

    id: Annotated[
        str, Field("The event's id, also in `X-Service-Idempotency-Key`.", "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51")
    ]
    widget_id: Annotated[str, Field("The widget's guid.", "0d9f2b7c4e6a48135f7089abcdef1234", _GUID)]
    chat_id: Annotated[str, Field("The chat's id, with which the bot answers.", "42")]
    client_id: Annotated[str, Field("The contact's guid.", _CLIENT, _GUID)]


class ClientMessage(EveryBotEvent):
    """A visitor has written in a chat that no person has."""

    event: Annotated[Literal["CLIENT_MESSAGE"], Field(_EVENT, "CLIENT_MESSAGE")]
    message_type: Annotated[str, Field("The same as `event`.", "CLIENT_MESSAGE")]
    sender: Annotated[Client, Field("The visitor who writes.")]
    channel: Annotated[LegacyChannel, Field("By what they write.")]
    agents_online: Annotated[bool, Field("Whether INVITE_AGENT would find a person now.", example=True)]
    message: Annotated[BotMessage, Field("The message; members of other types are left out.")]


class AgentJoined(EveryBotEvent):
    """A person has taken the chat: the bot hears no more of it until it is closed."""

    event: Annotated[Literal["AGENT_JOINED"], Field(_EVENT, "AGENT_JOINED")]
    message_type: Annotated[str, Field("The same as `event`.", "AGENT_JOINED")]
    agent: Annotated[JoinedAgent, Field("The agent who has taken it.")]


class AgentUnavailable(EveryBotEvent):
    """The bot has invited a person, and none was online: the chat is still the bot's."""

    event: Annotated[Literal["AGENT_UNAVAILABLE"], Field(_EVENT, "AGENT_UNAVAILABLE")]
    message_type: Annotated[str, Field("The same as `event`.", "AGENT_UNAVAILABLE")]


class LegacyChatClosed(EveryBotEvent):
    """The chat was closed, by any side. The visitor's next message goes to the bot again."""

    event: Annotated[Literal["CHAT_CLOSED"], Field(_EVENT, "CHAT_CLOSED")]
    message_type: Annotated[str, Field("The same as `event`.", "CHAT_CLOSED")]


BotEventBody = ClientMessage | AgentJoined | AgentUnavailable | LegacyChatClosed
EVENTS: tuple[type[BotEventBody], ...] = (ClientMessage, AgentJoined, AgentUnavailable, LegacyChatClosed)
