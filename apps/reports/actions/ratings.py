"""Asking visitors for ratings: by the policy when an episode is over, by a link where there is no widget; and the deeds
that follow a low one.

Each ended episode is decided about once (`RatingDecision`), one decision of a widget at a time.
"""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from apps.accounts.rules import digest
from apps.chats import actions as chats
from apps.chats.actions.ratings import REQUESTS, GivenRating, RatingLink, end_request, wait_for_low_rating
from apps.chats.models import Chat, Message, Rating, RatingRequest
from apps.chats.questions import is_unreachable, shown_name, spoken_language
from apps.chats.rules import Status
from apps.chats.rules.messages import ASKS_RATING
from apps.chats.rules.ratings import RequestCause
from apps.reports.actions.episodes import caught_up
from apps.reports.models import EpisodeRow, RatingDecision, RatingPolicy
from apps.reports.querysets.ratings import due_episodes, last_asked_at
from apps.reports.rules.ratings import (
    OLDEST_REQUEST,
    QUESTIONS,
    THANKS,
    TOKEN_BYTES,
    Ask,
    EndedEpisode,
    NotAsked,
    OnLow,
    refusal_to_ask,
    text_in,
)
from apps.reports.settings import policy_of

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Asking:
    """The visitors who were asked, and the episodes that nobody was asked about."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    not_asked: list[dict[str, Any]] = field(default_factory=list)


def ask_for_ratings(*, as_of: datetime) -> Asking:
    """Decides about all episodes that are due, and asks; requests that are over are asked no longer.

    Harmless when run twice at once: each episode is decided about once. A widget whose episodes cannot be decided
    about does not keep the others waiting.
    """
    asking = Asking()
    policies = RatingPolicy.objects.unscoped("of every widget that asks").filter(ask=Ask.AFTER_END)
    for policy in policies.exclude(widget__moving_since__isnull=False).order_by("pk"):
        if policy.since is None:  # an import brought it
            RatingPolicy.objects.for_widget(policy.pk).filter(since=None).update(since=as_of)
            continue
        try:
            caught_up(policy.pk)
            for episode_id in due_episodes(policy, as_of):
                _decide(asking, policy.pk, episode_id, as_of)
        except Exception:
            logger.exception("episodes of widget %s could not be decided about", policy.pk)
    _end_old_requests(as_of)
    return asking


@transaction.atomic
def _decide(asking: Asking, widget_id: int, episode_id: int, as_of: datetime) -> None:
    """One decision; none where another process was quicker, or the episode is no more."""
    policy = RatingPolicy.objects.for_widget(widget_id).select_for_update().filter(ask=Ask.AFTER_END).first()
    if policy is None or episode_id not in due_episodes(policy, as_of, episode_id=episode_id):
        return
    episode = EpisodeRow.objects.for_widget(widget_id).get(pk=episode_id)
    rows = Chat.objects.for_widget(widget_id).select_related("contact", "widget")
    chat = rows.exclude(status=Status.SPAM).filter(pk=episode.chat_id).first()
    if chat is None:
        return
    reason = _reason(policy, episode, chat, as_of)
    request, about = None, {"chat_id": chat.pk, "episode_id": episode_id}
    if reason is None:
        link = new_link(policy, as_of)
        ids = {"widget_id": widget_id, "chat_id": chat.pk}
        request = chats.request_rating(**ids, cause=RequestCause.POLICY, link=link)
        asking.asked.append({**about, "channel": chat.channel, "url": link.url})
    else:
        asking.not_asked.append({**about, "reason": reason.value})
        REQUESTS.labels("not_asked").inc()
    RatingDecision.objects.create(
        episode_id=episode_id, widget_id=widget_id, chat=chat, request=request, reason=reason, at=as_of
    )


def _reason(policy: RatingPolicy, episode: EpisodeRow, chat: Chat, as_of: datetime) -> NotAsked | None:
    ended = EndedEpisode(
        outcome=episode.outcome,
        ended_by=episode.ended_by,
        channel=chat.channel,
        is_rated=episode.rated_at is not None,
        asked_at=last_asked_at(policy.pk, episode.person_id),
        reopened_at=episode.reopened_at,
    )
    refused = refusal_to_ask(
        ended,
        outcomes=policy.outcomes,
        ends=policy.ended_by,
        channels=policy.channels,
        again_days=policy.again_days,
        now=as_of,
    )
    return refused or (NotAsked.UNREACHABLE if is_unreachable(chat, as_of) else None)


def new_link(policy: RatingPolicy, now: datetime) -> RatingLink:
    """A new link, by which a rating is given for the policy's days."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    until = max(now, timezone.now()) + timedelta(days=policy.valid_days)
    return RatingLink(settings.PUBLIC_URL + reverse("rate", args=[token]), digest(token).hex(), until)


def _end_old_requests(as_of: datetime) -> None:
    """Requests whose days are over wait for no answer any more."""
    rows = RatingRequest.objects.unscoped("of every widget").filter(
        until__lte=as_of, at__gte=as_of - OLDEST_REQUEST, answered_at=None, declined_at=None
    )
    for widget_id, chat_id, asked_at in rows.filter(chat__rating_requested_at=F("at")).values_list(
        "widget_id", "chat_id", "at"
    ):
        if end_request(widget_id=widget_id, chat_id=chat_id, asked_at=asked_at):
            REQUESTS.labels("over").inc()


def send_request(*, widget_id: int, request_id: int, url: str | None) -> None:
    """Asks in a chat outside of the widget: a message, in the visitor's language, with one link.

    A visitor whom the newest message of the chat asks already is not asked by another.
    """
    request = (
        RatingRequest.objects.for_widget(widget_id).select_related("chat__contact", "chat__widget").get(pk=request_id)
    )
    chat, policy = request.chat, policy_of(widget_id)
    said = Message.objects.for_widget(widget_id).filter(chat=chat, is_internal=False).order_by("-id")
    if said.values_list("origin", flat=True).first() == ASKS_RATING:
        return
    if url is None:
        link = new_link(policy, request.at)
        RatingRequest.objects.for_widget(widget_id).filter(pk=request_id).update(digest=link.digest, until=link.until)
        url = link.url
    language = spoken_language(chat)
    chats.post_shop_word(
        widget_id=widget_id,
        chat_id=chat.pk,
        body=f"{text_in(policy.question_i18n, QUESTIONS, language)}\n{url}",
        name=shown_name(widget_id, language, chat.widget.name),
        origin=ASKS_RATING,
    )


def request_of(token: str, now: datetime) -> RatingRequest | None:
    """The request of a link's token; None for one that is unknown or over."""
    rows = RatingRequest.objects.unscoped("named by the secret of its link").filter(digest=digest(token).hex())
    return rows.filter(until__gt=now).select_related("chat__contact", "chat__widget").first()


def rate_by_link(*, request: RatingRequest, value: int, comment: str) -> GivenRating:
    """Stores the rating that was given on the page of a link, of the episode that the request was about."""
    return chats.rate_chat(
        widget_id=request.widget_id, chat_id=request.chat_id, value=value, comment=comment, request=request
    )


def follow_low_rating(*, widget_id: int, chat_id: int, before: int | None) -> None:
    """A new or changed rating: if it is low, and was not `before`, the chat waits for a person, where the owner wants.

    `before` is the value that it replaced; None for the first one of its episode.
    """
    policy = policy_of(widget_id)
    if policy.on_low != OnLow.WAITS or (before is not None and before <= policy.low):
        return
    ratings = Rating.objects.for_widget(widget_id).filter(chat_id=chat_id).newest_first()
    value = ratings.values_list("value", flat=True).first()
    if value is not None and value <= policy.low:
        wait_for_low_rating(widget_id=widget_id, chat_id=chat_id)


def rating_form(widget_id: int, language: str) -> Mapping[str, Any]:
    """The form by which the widget asks, in a language: the scale, the question, the thanks, and when for words."""
    policy = policy_of(widget_id)
    return {
        "rating_form": {
            "scale": policy.scale,
            "question": text_in(policy.question_i18n, QUESTIONS, language),
            "thanks": text_in(policy.thanks_i18n, THANKS, language),
            "comment": policy.comment,
            "low": policy.low,
        }
    }
