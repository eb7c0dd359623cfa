"""Visitors' sockets are told of what happens to their chats and sessions."""

from collections.abc import Sequence

from apps.chats.events import ChatCreated
from apps.core.bus import reacts_after_commit
from apps.core.redis import nudges
from apps.widget.events import SessionRevoked
from apps.widget.nudges import ChatBegun, VisitorRevoked
from apps.widget.querysets import CHANNEL


@reacts_after_commit(ChatCreated)
def tell_the_visitors_other_tabs(events: Sequence[ChatCreated]) -> None:
    """Their sockets were opened before there was a chat to look at."""
    for event in events:
        if event.channel == CHANNEL:
            nudges.send(ChatBegun(contact_guid=event.contact_guid, chat_id=event.chat_id))


@reacts_after_commit(SessionRevoked)
def close_the_visitors_sockets(events: Sequence[SessionRevoked]) -> None:
    """A revoked session's sockets are closed at once."""
    for event in events:
        nudges.send(VisitorRevoked(session_id=event.session_id))
