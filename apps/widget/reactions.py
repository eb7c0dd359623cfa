"""What this app does when something happens to chats."""

from apps.chats.events import ChatCreated
from apps.core.bus import reacts_to
from apps.core.redis import nudges
from apps.widget.querysets import CHANNEL


@reacts_to(ChatCreated)
def tell_the_visitors_other_tabs(event: ChatCreated) -> None:
    """Their sockets were opened before there was a chat to look at."""
    if event.channel == CHANNEL:
        nudges.after_commit(
            "visitor", {"kind": "chat.created", "contact_guid": event.contact_guid, "chat_id": event.chat_id}
        )
