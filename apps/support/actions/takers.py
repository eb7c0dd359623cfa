"""Messages that the support desk answers, so that the AI side does not (`core.intelligence`, slot `taken_messages`)."""

from collections.abc import Collection, Sequence

from apps.chats.models import Chat
from apps.support.rules.settings import APP


def taken_messages(widget_id: int, chat_id: int, message_ids: Sequence[int]) -> Collection[int]:
    """Those of a chat's messages that are the desk's: of an application's room, all."""
    is_app_room = Chat.objects.of(widget_id).filter(pk=chat_id, channel=APP).exists()
    return message_ids if is_app_room else ()
