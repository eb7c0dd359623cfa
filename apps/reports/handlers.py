"""Handlers of requests for ratings, which leave by a link where there is no widget; and of low ratings."""

from apps.chats.events import RatingChanged, RatingCreated, RatingRequested
from apps.core.bus import handles
from apps.reports.actions.ratings import follow_low_rating, send_request


@handles(RatingRequested)
def send_rating_request(event: RatingRequested) -> None:
    """Outside of the widget, a request is a message with a link."""
    if event.channel != "widget":
        send_request(widget_id=event.widget_id, request_id=event.request_id, url=event.url)


@handles(RatingCreated)
def follow_new_rating(event: RatingCreated) -> None:
    """A low rating brings the chat back, where the owner wants it."""
    follow_low_rating(widget_id=event.widget_id, chat_id=event.chat_id, before=None)


@handles(RatingChanged)
def follow_changed_rating(event: RatingChanged) -> None:
    """A rating that is low now does, too."""
    follow_low_rating(widget_id=event.widget_id, chat_id=event.chat_id, before=event.value_before)
