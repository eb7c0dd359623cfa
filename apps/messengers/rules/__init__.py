"""The pure rules of messengers: custom channels, providers, inbound and outbound messages."""

from apps.messengers.rules.channels import (
    DESTINATIONS,
    MAX_EXTERNAL_ID,
    MAX_NAME,
    MAX_TEXT_LENGTH,
    SECRET_PREFIX,
    WIRE_TYPES,
    attribute_name,
    channel_id_of,
    client_id_of,
    code_of,
    is_secret,
    message_content,
    new_secret,
    outbound_body,
    outbound_message,
)

__all__ = [
    "DESTINATIONS",
    "MAX_EXTERNAL_ID",
    "MAX_NAME",
    "MAX_TEXT_LENGTH",
    "SECRET_PREFIX",
    "WIRE_TYPES",
    "attribute_name",
    "channel_id_of",
    "client_id_of",
    "code_of",
    "is_secret",
    "message_content",
    "new_secret",
    "outbound_body",
    "outbound_message",
]
