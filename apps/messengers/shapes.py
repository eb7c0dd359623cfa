"""What custom channels look like on the wire."""

import time

from apps.chats.events import Said
from apps.chats.shapes.files import file_address
from apps.core.endpoints.serializers import Boolean, Integer, Text
from apps.core.endpoints.shapes import Secret, Shape
from apps.messengers import rules
from apps.messengers.payloads import MessageContent


class CustomChannelShape(Shape):
    """A custom channel. Neither its address nor its secret is shown once it is made."""

    id = Integer()
    name = Text()
    code = Text(help_text="What chats and events call it: `ch` and its id.")
    is_active = Boolean(help_text="False: it is disabled, and takes no messages.")
    has_secret = Boolean()


class RegisteredChannelShape(CustomChannelShape):
    """A new custom channel, with its secret."""

    secret = Secret(help_text="Signs what is sent to the channel, and is its address's secret. Shown once.")


class ChannelStatusShape(Shape):
    """Whether somebody is there to answer."""

    online = Integer(min_value=0, max_value=1, help_text="1 while a person has the console open and is not on a break.")


def message_content(message_id: int, said: Said) -> MessageContent:
    """What a message that was stored just now says to an address of the other platform's format."""
    details = said.details or {}
    file = details.get("file")
    return rules.message_content(
        message_id=message_id,
        body=said.body,
        markdown=said.markdown,
        details=details,
        file_url=file_address(file["id"]) if file else None,
        sent_at=int(time.time()),
    )
