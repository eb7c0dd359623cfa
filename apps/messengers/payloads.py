"""What a channel's own address is sent: the one declaration of the body, which `rules.py` writes and OpenAPI shows."""

from typing import Annotated, Literal, NotRequired, TypedDict

from apps.core.payloads import Field

WireType = Literal["text", "photo", "document", "location", "sticker"]


class Sender(TypedDict):
    """Who of the operators' side writes."""

    id: Annotated[str | None, Field("The agent's id; null where there is none.", "3")]
    name: Annotated[str, Field("As visitors read it.", "Alice Weber")]
    kind: Annotated[str, Field("What they are: `agent` is a person.", "agent")]


class Recipient(TypedDict):
    """Whom it is for."""

    id: Annotated[str, Field("Your own `external_client_id`.", "client-4711")]


class Button(TypedDict):
    """A button only opens its link."""

    label: Annotated[str, Field("What stands on it.", "Catalogue")]
    url: Annotated[str, Field("An absolute https URL.", "https://shop.example/catalogue")]
    style: Annotated[Literal["primary", "secondary"], Field("How it looks.", "primary")]


class Sticker(TypedDict):
    """A sticker."""

    id: Annotated[str, Field("Its id.", "s1")]
    url: NotRequired[Annotated[str, Field("Where its picture is.", "https://shop.example/s1.webp")]]


class MessageContent(TypedDict):
    """What a message says, whichever of the other platform's addresses it goes to."""

    id: Annotated[str, Field("The message's id: within a chat, the order.", "1042")]
    text: Annotated[str, Field("Its text; empty where there is none.", "Where to?")]
    timestamp: Annotated[int, Field("When it was sent, as Unix time.", 1795257900)]
    markdown: NotRequired[Annotated[str, Field("The text as Markdown, if it was sent as that.", "Where **to**?")]]
    file: NotRequired[
        Annotated[str, Field("Of a photo or document: an address that is good for an hour.", "https://chat.example/f")]
    ]
    file_name: NotRequired[Annotated[str, Field("Its name.", "roses.png")]]
    file_size: NotRequired[Annotated[int, Field("In bytes.", 20480)]]
    mime_type: NotRequired[Annotated[str, Field("Its type, by its content.", "image/png")]]
    latitude: NotRequired[Annotated[float, Field("Of a location, in degrees.", 55.75)]]
    longitude: NotRequired[Annotated[float, Field("The same.", 37.6)]]
    sticker: NotRequired[Annotated[Sticker, Field("Of a sticker.")]]
    buttons: NotRequired[Annotated[list[Button], Field("Link buttons below the text.")]]


class OutboundMessage(MessageContent):
    """The message. What its type does not have is left out."""

    type: Annotated[WireType, Field("Link buttons come with a `text`.", "text")]


class ChannelMessage(TypedDict):
    """A message of the operators' side, in the compat shape: ids are texts."""

    id: Annotated[
        str, Field("The event's id, also in `X-Service-Idempotency-Key`.", "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51")
    ]
    chat_id: Annotated[str, Field("The chat's id.", "42")]
    sender: Annotated[Sender, Field("Who of the operators' side writes.")]
    recipient: Annotated[Recipient, Field("Whom it is for.")]
    external_channel_id: Annotated[
        str | None, Field("What the last inbound message named; null where it named nothing.", "our-app")
    ]
    message: Annotated[OutboundMessage, Field("What they write; what its type does not have is left out.")]
