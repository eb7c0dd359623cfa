"""What sockets are told of what happens in chats."""

from collections.abc import Sequence

from apps.chats.events import ChatUpdated, MessagePosted, MessagesSeen
from apps.chats.nudges import ChatsChanged, MessagesStored
from apps.core.bus import reacts_after_commit
from apps.core.redis import nudges


@reacts_after_commit(MessagePosted)
def tell_sockets_of_messages(events: Sequence[MessagePosted]) -> None:
    """Those that look at the chat read what they have not shown yet."""
    nudges.send(MessagesStored(chat_ids=tuple(event.chat_id for event in events)))


@reacts_after_commit(ChatUpdated, MessagesSeen)
def tell_sockets_of_changes(events: Sequence[ChatUpdated | MessagesSeen]) -> None:
    """Those that look at the chat read its state anew."""
    nudges.send(ChatsChanged(chat_ids=tuple(event.chat_id for event in events)))
