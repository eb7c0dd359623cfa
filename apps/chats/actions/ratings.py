"""Asking a visitor to rate their chat, and storing the rating."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.errors import CHAT_IS_EMPTY, CHAT_IS_SPAM
from apps.chats.events import RatingChanged, RatingCreated
from apps.chats.models import Rating
from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind
from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True)
class GivenRating:
    """A stored rating; `is_new` is False when it replaced an earlier one."""

    rating: Rating
    is_new: bool


@transaction.atomic
def request_rating(*, widget_id: int, chat_id: int) -> None:
    """Asks the visitor for a rating: at once where the widget is open, else when they come back, until they give one.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409), CHAT_IS_EMPTY (409) before the first message.
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if chat.last_message_id is None:
        raise CHAT_IS_EMPTY()
    record_change(chat, rating_requested_at=timezone.now())


@transaction.atomic
def rate_chat(*, widget_id: int, chat_id: int, value: int, comment: str = "") -> GivenRating:
    """Stores the visitor's rating of the chat: a number from 1 to 5, and a comment if they like.

    It counts for the operator who handles the chat now. The first one emits `rating.created`; a later one replaces it,
    which no webhook tells of. It needs no request, and ends one. A spam chat can be rated like any other, so that its
    visitor does not learn that it is one.

    Raises NOT_FOUND (404), CHAT_IS_EMPTY (409) before the first message.
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.last_message_id is None:
        raise CHAT_IS_EMPTY()
    given = {"value": value, "comment": comment, "agent_id": chat.handled_agent_id, "rated_at": timezone.now()}
    before = Rating.objects.for_widget(widget_id).filter(chat=chat).values_list("value", flat=True).first()
    rating, is_new = Rating.objects.unscoped("read with its widget before").update_or_create(
        chat=chat, defaults=given, create_defaults={**given, "widget_id": widget_id}
    )
    events: list[DomainEvent] = []
    if before is None:
        events.append(RatingCreated.of(chat, agent_id=chat.handled_agent_id))
    elif before != value:
        events.append(RatingChanged.of(chat, agent_id=chat.handled_agent_id, value_before=before, value=value))
    if events:
        record_step(chat, StepKind.RATED, comment=str(value))
    record_change(chat, *events, rating_requested_at=None)
    return GivenRating(rating, is_new)
