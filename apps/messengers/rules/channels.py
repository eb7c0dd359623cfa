"""Custom channels: their codes and secrets, who is online on them, and what an outbound message looks like. Pure.

Specification: "Chat" (`ch{id}`), "Message" (keyboard delivery); Endpoints, "Custom channels".
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from apps.messengers.payloads import ChannelMessage, MessageContent, OutboundMessageData, SenderData, WireType

MAX_NAME = 255
MAX_EXTERNAL_ID = 255
MAX_TEXT_LENGTH = 65_536  # characters, as every message's

SECRET_PREFIX = "cs_"  # noqa: S105 - what a channel's secret begins with
_SECRET = re.compile(r"cs_[A-Za-z0-9_-]{43}")
_CODE = re.compile(r"ch([1-9][0-9]{0,17})")
_MESSAGES = UUID("5b7f6a0e-2f2c-4e0b-9a36-0c1a5d1f7a11")


def code_of(channel_id: int) -> str:
    """The code by which chats name a custom channel."""
    return f"ch{channel_id}"


def channel_id_of(code: str) -> int | None:
    """The id of the custom channel with that code; None for the code of any other way."""
    found = _CODE.fullmatch(code)
    return int(found[1]) if found else None


def new_secret() -> str:
    """A fresh channel secret: `cs_` and 256 random bits."""
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Whether a text has the shape of a channel's secret."""
    return _SECRET.fullmatch(text) is not None


def client_id_of(code: str, external_client_id: str, message_id: str | None) -> UUID | None:
    """The name under which a message is stored, so that it is stored once however often it is delivered.

    None for a message without an id of its own: each is a new one.
    """
    if message_id is None:
        return None
    return uuid5(_MESSAGES, "\n".join((code, external_client_id, message_id)))


def attribute_name(code: str) -> str:
    """The attribute of a contact that holds what the channel calls them."""
    return f"{code}_user_id"


# --- Outbound ---------------------------------------------------------------------------------------------------------

# What deliveries to channels say of their kind (`core.destinations`).
DESTINATIONS = "custom_channel"
# What the compat format calls the types of messages; text and link buttons are both `text`.
WIRE_TYPES: Mapping[str, WireType] = {
    "text": "text",
    "keyboard": "text",
    "image": "photo",
    "file": "document",
    "location": "location",
    "sticker": "sticker",
}


def outbound_body(
    *,
    event_id: UUID,
    chat_id: int,
    sender: SenderData,
    recipient_id: str,
    external_channel_id: str | None,
    message: OutboundMessageData,
) -> ChannelMessage:
    """The body of a POST to a channel's address: who says what to whom, in the compat shape. Ids are texts.

    `recipient_id` is the channel's own `external_client_id`, `external_channel_id` what the last inbound message named.
    """
    return {
        "id": str(event_id),
        "chat_id": str(chat_id),
        "sender": sender,
        "recipient": {"id": recipient_id},
        "external_channel_id": external_channel_id,
        "message": message,
    }


def outbound_message(type_: str, content: MessageContent) -> OutboundMessageData:
    """The member `message` of such a body, of what a message of that type says."""
    return {**content, "type": WIRE_TYPES[type_]}


def message_content(
    *,
    message_id: int,
    body: str,
    markdown: str | None,
    details: Mapping[str, Any],
    file_url: str | None,
    sent_at: int,
) -> MessageContent:
    """The content of a message.

    `details` is what its type adds, `file_url` the address of its file if it has one, `sent_at` Unix time.

    Members of other types are left out. Link buttons are `buttons`, as they were sent, beside their text.
    """
    client: MessageContent = {"id": str(message_id), "text": body, "timestamp": sent_at}
    if markdown is not None:
        client["markdown"] = markdown
    if file_url is not None:
        file = details["file"]
        client["file"], client["file_name"] = file_url, file["name"]
        client["file_size"], client["mime_type"] = file["size"], file["content_type"]
    if coords := details.get("coords"):
        client["latitude"], client["longitude"] = coords["lat"], coords["lng"]
    if sticker := details.get("sticker"):
        client["sticker"] = sticker
    if keyboard := details.get("keyboard"):
        client["buttons"] = keyboard["buttons"]
    return client
