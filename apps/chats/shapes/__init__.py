"""What chats and messages look like on the wire: the shapes that document, the functions that write.

The REST API, the visitor's side and the realtime frames all write through these functions.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from rest_framework import serializers

from apps.chats.rules import Handling, MessageType, OperatorType, SenderKind, Status
from apps.chats.shapes.files import FileReferenceShape, file_address
from apps.core.endpoints.serializers import Shape


class ChatRow(NamedTuple):
    """A chat as `querysets` reads it for showing; the fields are the statement's columns, in order."""

    id: int
    status: str
    channel: str
    agent_id: int | None
    accepted_agent_id: int | None
    accepted_type: str | None
    accepted_at: datetime | None
    handled_agent_id: int | None
    handled_type: str | None
    handled_at: datetime | None
    handling: str
    contact_guid: str
    department_id: int | None
    created_at: datetime
    last_message_at: datetime | None


class MessageRow(NamedTuple):
    """A message as `querysets` reads it for showing; the fields are the statement's columns, in order."""

    id: int
    chat_id: int
    type: str
    body: str
    markdown: str | None
    details: str | None  # JSON
    origin: str | None
    sender_kind: str
    agent_id: int | None
    sender_name: str
    created_at: datetime
    seen_at: datetime | None


def show_chat(row: Sequence[Any]) -> dict[str, Any]:
    """A chat's wire shape. `row` has the columns of ChatRow."""
    (
        id_,
        status,
        channel,
        agent_id,
        accepted_agent_id,
        accepted_type,
        accepted_at,
        handled_agent_id,
        handled_type,
        handled_at,
        handling,
        contact_guid,
        department_id,
        created_at,
        last_message_at,
    ) = row
    return {
        "id": id_,
        "status": status,
        "channel": channel,
        "agent_id": agent_id,
        "accepted_by": accepted_type and {"agent_id": accepted_agent_id, "type": accepted_type, "at": accepted_at},
        "handled_by": handled_type and {"agent_id": handled_agent_id, "type": handled_type, "at": handled_at},
        "handling": handling,
        "contact_id": contact_guid,
        "department_id": department_id,
        "created_at": created_at,
        "last_message_at": last_message_at,
    }


def show_message(row: Sequence[Any]) -> dict[str, Any]:
    """A message's wire shape. `row` has the columns of MessageRow."""
    (
        id_,
        chat_id,
        type_,
        body,
        markdown,
        details,
        origin,
        sender_kind,
        agent_id,
        sender_name,
        created_at,
        seen_at,
    ) = row
    extras = orjson.loads(details) if details else {}
    file = extras.get("file")
    return {
        "id": id_,
        "chat_id": chat_id,
        "type": type_,
        "body": body,
        "markdown": markdown,
        "file": file,
        "name": file and file["name"],
        "url": file and file_address(file["id"]),
        "coords": extras.get("coords"),
        "sticker": extras.get("sticker"),
        "keyboard": extras.get("keyboard"),
        "origin": origin,
        "sender": {"kind": sender_kind, "agent_id": agent_id, "name": sender_name or None},
        "agent_id": agent_id,
        "created_at": created_at,
        "seen_at": seen_at,
    }


class OperatorShape(Shape):
    """Who answered a chat; `at` is null for chats accepted before attribution was recorded."""

    agent_id = serializers.IntegerField()
    type = serializers.ChoiceField(choices=list(OperatorType))
    at = serializers.DateTimeField(allow_null=True)


class ChatShape(Shape):
    """A chat."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=list(Status))
    channel = serializers.CharField(help_text="Provider code; `widget` is the on-site widget.")
    agent_id = serializers.IntegerField(allow_null=True, help_text="The routing owner; never an AI operator.")
    accepted_by = OperatorShape(allow_null=True)
    handled_by = OperatorShape(allow_null=True)
    handling = serializers.ChoiceField(choices=list(Handling))
    contact_id = serializers.CharField(min_length=32, max_length=32)
    department_id = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    last_message_at = serializers.DateTimeField(allow_null=True)


class SenderShape(Shape):
    """Who wrote a message."""

    kind = serializers.ChoiceField(choices=list(SenderKind))
    agent_id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_null=True)


class CoordsShape(Shape):
    """The place of a `location` message, in degrees."""

    lat = serializers.FloatField()
    lng = serializers.FloatField()


class StickerShape(Shape):
    """The sticker of a `sticker` message."""

    id = serializers.CharField()
    url = serializers.URLField(required=False)


class ButtonShape(Shape):
    """A button only opens its link."""

    label = serializers.CharField()  # type: ignore[assignment]
    url = serializers.URLField()
    style = serializers.ChoiceField(choices=["primary", "secondary"])  # type: ignore[assignment]


class KeyboardShape(Shape):
    """The link buttons of a `keyboard` message."""

    buttons = ButtonShape(many=True)


class MessageShape(Shape):
    """A message."""

    id = serializers.IntegerField()
    chat_id = serializers.IntegerField()
    type = serializers.ChoiceField(choices=list(MessageType))
    body = serializers.CharField(allow_blank=True)
    markdown = serializers.CharField(allow_null=True)
    file = FileReferenceShape(allow_null=True)
    name = serializers.CharField(allow_null=True, help_text="The attachment's original name.")
    url = serializers.URLField(
        allow_null=True, help_text="Where the attachment can be downloaded without a token, for an hour."
    )
    coords = CoordsShape(allow_null=True)
    sticker = StickerShape(allow_null=True)
    keyboard = KeyboardShape(allow_null=True)
    origin = serializers.CharField(allow_null=True)
    sender = SenderShape()
    agent_id = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField(allow_null=True)


class PostedMessageShape(Shape):
    """What a send is answered with: the message is already stored."""

    message_id = serializers.IntegerField()
    chat_id = serializers.IntegerField()
