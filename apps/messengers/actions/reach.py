"""Whether words in a messenger's chat reach its visitor now."""

from datetime import datetime

from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind
from apps.messengers.adapters import ADAPTERS, is_messenger
from apps.messengers.models import Peer
from apps.messengers.rules import channel_id_of


def is_unreachable(widget_id: int, chat: Chat, now: datetime) -> bool | None:
    """Whether a message goes to nobody: the visitor is no peer of the messenger, or its vendor takes a message for some
    time after theirs alone, which is over. None for a chat of another channel.
    """
    if not is_messenger(chat.channel) and channel_id_of(chat.channel) is None:
        return None
    if Peer.objects.for_widget(widget_id).behind(chat.contact.guid, chat.channel) is None:
        return True
    adapter = ADAPTERS.get(chat.channel)
    if adapter is None or adapter.answers_within is None:
        return False
    theirs = Message.objects.for_widget(widget_id).filter(chat=chat, sender_kind=SenderKind.CLIENT)
    return not theirs.filter(created_at__gt=now - adapter.answers_within).exists()
