"""The body that a channel's own address is sent: its one declaration, which `rules.py` writes and OpenAPI shows."""

from typing import Annotated, Literal, NotRequired, TypedDict

from apps.core.payloads import Field

WireType = Literal["text", "photo", "document", "location", "sticker"]


class SenderData(TypedDict):
    """The author on the operators' side."""

    id: Annotated[str | None, Field("The agent's id; null where there is none.", "3")]
    name: Annotated[str, Field("As visitors read it.", "Alice Weber")]
    kind: Annotated[str, Field("The kind of the author: `agent` is a person, `system` the shop itself.", "agent")]
    ai: Annotated[bool, Field("Whether AI speaks; whoever shows the message says so.", False)]


class Recipient(TypedDict):
    """The recipient of the message."""

    id: Annotated[str, Field("Your own `external_client_id`.", "client-4711")]


class Button(TypedDict):
    """A button only opens its link."""

    label: Annotated[str, Field("The label of the button.", "Catalogue")]
    url: Annotated[str, Field("An absolute https URL.", "https://shop.example/catalogue")]
    style: Annotated[Literal["primary", "secondary"], Field("How it looks.", "primary")]


class Sticker(TypedDict):
    """A sticker."""

    id: Annotated[str, Field("Its id.", "s1")]
    url: NotRequired[Annotated[str, Field("The address of its picture.", "https://shop.example/s1.webp")]]


class MessageContent(TypedDict):
    """The content of a message, in the other platform's format."""

    id: Annotated[str, Field("The message's id: within a chat, the order.", "1042")]
    text: Annotated[str, Field("Its text; empty where there is none.", "Where to?")]
    timestamp: Annotated[int, Field("When it was sent, as Unix time.", 1795257900)]
    markdown: NotRequired[Annotated[str, Field("The text as Markdown, if it was sent as that.", "Where **to**?")]]
    file: NotRequired[
        Annotated[str, Field("For a photo or document: an address that is good for an hour.", "https://chat.example/f")]
    ]
    file_name: NotRequired[Annotated[str, Field("Its name.", "roses.png")]]
    file_size: NotRequired[Annotated[int, Field("In bytes.", 20480)]]
    mime_type: NotRequired[Annotated[str, Field("Its type, by its content.", "image/png")]]
    latitude: NotRequired[Annotated[float, Field("For a location, in degrees.", 55.75)]]
    longitude: NotRequired[Annotated[float, Field("The same.", 37.6)]]
    sticker: NotRequired[Annotated[Sticker, Field("For a sticker.")]]
    buttons: NotRequired[Annotated[list[Button], Field("Link buttons below the text.")]]


class OutboundMessageData(MessageContent):
    """The message. Members of other types are left out."""

    type: Annotated[WireType, Field("Link buttons come with a `text`.", "text")]


class ChannelMessage(TypedDict):
    """A message of the operators' side, in the compat shape: ids are texts."""

    id: Annotated[
        str, Field("The event's id, also in `X-Service-Idempotency-Key`.", "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51")
    ]
    chat_id: Annotated[str, Field("The chat's id.", "42")]
    sender: Annotated[SenderData, Field("The author on the operators' side.")]
    recipient: Annotated[Recipient, Field("The recipient of the message.")]
    external_channel_id: Annotated[
        str | None, Field("The value of the last inbound message; null if it had none.", "our-app")
    ]
    message: Annotated[OutboundMessageData, Field("The message; members of other types are left out.")]
