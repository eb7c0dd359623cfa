"""Letters that came in."""

from io import BytesIO
from typing import Any

from apps.chats.models import Message
from apps.core.files import storage
from apps.letters.models import InLetter
from apps.letters.rules.mailboxes import Door, LetterKind
from tests.factories.chats import MessageFactory

RAW = b"""From: Mary <mary@mail.test>\r
To: support@flowers.test\r
Subject: Roses\r
Content-Type: text/html; charset=utf-8\r
\r
<p onclick="x()">Do you have <b>roses</b>?</p><script>x()</script><img src="https://x.test/pixel.png">\r
"""


class LetterMessageFactory(MessageFactory):
    """A visitor's message that came by a letter."""

    class Meta:
        model = Message

    @classmethod
    def _create(cls, model_class: type[Message], *args: Any, **kwargs: Any) -> Message:
        message: Message = super()._create(model_class, *args, **kwargs)
        with storage.stored(BytesIO(RAW)) as key:
            InLetter.objects.create(
                widget_id=message.widget_id,
                door=Door.HOOK,
                raw_key=key,
                size=len(RAW),
                sender="mary@mail.test",
                kind=LetterKind.MESSAGE,
                chat_id=message.chat_id,
                message=message,
                handled_at=message.created_at,
            )
        return message
