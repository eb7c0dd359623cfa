"""Quotes go with the words that they stood in."""

from apps.chats.events import MessageChanged
from apps.core.bus import handles
from apps.reviews.actions.suggestions import forget_quotes


@handles(MessageChanged)
def forget_quotes_of_changed(event: MessageChanged) -> None:
    """A message that was edited or deleted has not the words any more that a model quoted."""
    if not event.is_internal:
        forget_quotes(widget_id=event.widget_id, chat_id=event.chat_id, message_id=event.message_id)
