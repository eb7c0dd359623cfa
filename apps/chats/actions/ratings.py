"""Asking a visitor to rate an episode of their chat, and storing the rating."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from prometheus_client import Counter

from apps.chats.actions.attribution import request_operator
from apps.chats.actions.changes import locked_chat, newest_message_id, record_change, record_step
from apps.chats.actions.states import set_chat_state
from apps.chats.errors import CHAT_IS_EMPTY, CHAT_IS_SPAM
from apps.chats.events import RatingChanged, RatingCreated, RatingRequested
from apps.chats.models import Chat, Rating, RatingRequest
from apps.chats.querysets.episodes import episodes_of_chat
from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.episodes import LOW_RATING
from apps.chats.rules.ratings import RequestCause
from apps.core.bus import DomainEvent

# States: asked, answered, declined; over, and not_asked, by whom the policy asks.
REQUESTS = Counter("parley_rating_requests", "Requests for ratings, by what became of them.", ["state"])


@dataclass(frozen=True, slots=True)
class GivenRating:
    """A stored rating; `is_new` is False when it replaced an earlier one."""

    rating: Rating
    is_new: bool


@dataclass(frozen=True, slots=True)
class RatingLink:
    """The address at which a rating is given, the digest of its token, and until when it is."""

    url: str
    digest: str
    until: datetime


@transaction.atomic
def request_rating(
    *,
    widget_id: int,
    chat_id: int,
    cause: RequestCause = RequestCause.API,
    agent_id: int | None = None,
    link: RatingLink | None = None,
) -> RatingRequest:
    """Asks the visitor for a rating: at once where the widget is open, else when they come back, until they give one or
    put it away; in another channel by a message.

    The request is kept with its `cause` and the operator who asked. It opens, reopens and accepts nothing.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409), CHAT_IS_EMPTY (409) before the first message.
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if chat.last_message_id is None:
        raise CHAT_IS_EMPTY()
    now = timezone.now()
    request = RatingRequest.objects.create(
        widget_id=widget_id,
        chat=chat,
        cause=cause,
        agent_id=agent_id,
        channel=chat.channel,
        after_message_id=newest_message_id(chat),
        at=now,
        until=link.until if link else None,
        digest=link.digest if link else None,
    )
    REQUESTS.labels("asked").inc()
    asked = RatingRequested.of(chat, request_id=request.pk, url=link.url if link else None)
    record_change(chat, asked, rating_requested_at=now)
    return request


@transaction.atomic
def decline_rating(*, widget_id: int, chat_id: int) -> None:
    """The visitor does not want to rate now: they are asked no longer. Without effect where nobody asks.

    Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.rating_requested_at is not None:
        REQUESTS.labels("declined").inc(_open_requests(chat).update(declined_at=timezone.now()))
        record_change(chat, rating_requested_at=None)


@transaction.atomic
def end_request(*, widget_id: int, chat_id: int, asked_at: datetime) -> bool:
    """Takes back the question of that moment, if nothing has been asked or answered since; whether it was so."""
    chat = locked_chat(widget_id, chat_id)
    if chat.rating_requested_at != asked_at:
        return False
    record_change(chat, rating_requested_at=None)
    return True


@transaction.atomic
def rate_chat(
    *, widget_id: int, chat_id: int, value: int, comment: str = "", request: RatingRequest | None = None
) -> GivenRating:
    """Stores the visitor's rating of the chat: a number from 1 to 5, and a comment if they like.

    It belongs to the chat's newest episode, or to that of the `request` whose link was followed, and counts for the
    operator who handles the chat now. The first one of an episode emits `rating.created`; a later one replaces it,
    which no webhook tells of. It needs no request, and ends one. A spam chat can be rated like any other, so that its
    visitor does not learn that it is one.

    Raises NOT_FOUND (404), CHAT_IS_EMPTY (409) before the first message.
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.last_message_id is None:
        raise CHAT_IS_EMPTY()
    now, place = timezone.now(), request.after_message_id if request else newest_message_id(chat)
    rating = _rating_beside(chat, place)
    before = rating.value if rating is not None else None
    is_new = rating is None
    if rating is None:
        rating = Rating(widget_id=widget_id, chat=chat)
    rating.value, rating.comment, rating.agent_id = value, comment, chat.handled_agent_id
    rating.after_message_id, rating.rated_at = place, now
    rating.save()
    events: list[DomainEvent] = []
    if before is None:
        events.append(RatingCreated.of(chat, agent_id=chat.handled_agent_id))
    elif before != value:
        events.append(RatingChanged.of(chat, agent_id=chat.handled_agent_id, value_before=before, value=value))
    if events:
        record_step(chat, StepKind.RATED, comment=str(value))
    REQUESTS.labels("answered").inc(_open_requests(chat).update(answered_at=now))
    record_change(chat, *events, rating_requested_at=None)
    return GivenRating(rating, is_new)


def _rating_beside(chat: Chat, place: int) -> Rating | None:
    """The rating of the episode that a place in a locked chat belongs to: a new one replaces it."""
    starts = [episode.id for episode in episodes_of_chat(chat.widget_id, chat.pk)]
    first = max((each for each in starts if each <= place), default=0)
    beyond = min((each for each in starts if each > place), default=None)
    ratings = Rating.objects.for_widget(chat.widget_id).filter(chat=chat, after_message_id__gte=first)
    if beyond is not None:
        ratings = ratings.filter(after_message_id__lt=beyond)
    return ratings.newest_first().first()


def _open_requests(chat: Chat) -> QuerySet[RatingRequest]:
    return RatingRequest.objects.for_widget(chat.widget_id).filter(chat=chat, answered_at=None, declined_at=None)


@transaction.atomic
def wait_for_low_rating(*, widget_id: int, chat_id: int) -> None:
    """A visitor rated badly: the chat is open again and waits for a person. A spam chat stays as it is.

    Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        return
    if chat.status == Status.EXPIRED:
        set_chat_state(widget_id=widget_id, chat_id=chat_id, status=Status.ACTIVE)
    request_operator(widget_id=widget_id, chat_id=chat_id, reason=LOW_RATING)
