"""What operators send over the websocket."""

from typing import Any

from rest_framework import serializers

from apps.core.endpoints.serializers import Body, Text

MAX_CHATS = 1000
MAX_ID = 2**63 - 1


class Positions(serializers.Field[Any, Any, Any, Any]):
    """The last message that was shown of each chat: `{"<chat_id>": message_id}`; 0 is none."""

    def to_internal_value(self, data: Any) -> dict[int, int]:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be an object.")
        if len(data) > MAX_CHATS:
            raise serializers.ValidationError(f"At most {MAX_CHATS} chats.")
        refused = {name: refusals for name, value in data.items() if (refusals := _refusals(name, value))}
        if refused:
            raise serializers.ValidationError(refused)
        return {int(name): value for name, value in data.items()}


def _refusals(name: str, value: Any) -> list[str]:
    if not (name.isascii() and name.isdigit() and len(name) < 20 and 0 < int(name) <= MAX_ID):
        return ["The name must be the id of a chat."]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_ID:
        return ["The value must be the id of a message, or 0."]
    return []


class AuthBody(Body):
    """The first frame: a ticket, and how far the client has shown the chats that it looks at."""

    ticket = Text(max_length=200)
    chats = Positions(required=False)
