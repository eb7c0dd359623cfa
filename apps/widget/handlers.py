"""A new widget speaks its owner's language; visitors' sockets are told of what happens to their chats and sessions."""

from collections.abc import Sequence

from apps.accounts.events import WidgetAdded
from apps.accounts.models import User
from apps.chats.events import ChatCreated, ChatMoved
from apps.core.bus import handles, handles_after_commit
from apps.core.redis import broadcasts
from apps.widget.actions.settings import change_settings
from apps.widget.broadcasts import ChatBegun, ChatLeft, VisitorRevoked
from apps.widget.events import SessionRevoked
from apps.widget.querysets import CHANNEL
from apps.widget.rules.fields import FALLBACK, SOURCE


@handles(WidgetAdded)
def speak_the_owners_language(event: WidgetAdded) -> None:
    """The shop's own texts are in its owner's language, and so are texts for visitors whose language is not spoken."""
    language = User.objects.get(pk=event.owner_id).mail_language
    change_settings(widget_id=event.widget_id, changes={FALLBACK: language, SOURCE: language})


@handles_after_commit(ChatCreated)
def broadcast_new_chat(events: Sequence[ChatCreated]) -> None:
    """Their sockets were opened before there was a chat to look at."""
    for event in events:
        if event.channel == CHANNEL:
            broadcasts.send(ChatBegun(contact_guid=event.contact_guid, chat_id=event.chat_id))


@handles_after_commit(ChatMoved)
def broadcast_moved_chat(events: Sequence[ChatMoved]) -> None:
    """The visitor's sockets have no chat to look at, until they write on the site again."""
    for event in events:
        if event.from_channel == CHANNEL:
            left = ChatLeft(contact_guid=event.contact_guid, chat_id=event.chat_id, channel=event.to_channel)
            broadcasts.send(left)


@handles_after_commit(SessionRevoked)
def close_sockets_of_revoked(events: Sequence[SessionRevoked]) -> None:
    """A revoked session's sockets are closed at once."""
    for event in events:
        broadcasts.send(VisitorRevoked(session_id=event.session_id))
