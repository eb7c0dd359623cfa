"""Reviewing: a chat is chosen, scored, answered by who is scored, and settled."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.chats.querysets.episodes import episodes_of_chat
from apps.chats.rules.episodes import ChatEpisode
from apps.core import database
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.reports.querysets.episodes import database_now
from apps.reviews.errors import ALREADY_ANSWERED, NOT_YOURS, OWN_REVIEW, REVIEW_CHANGED
from apps.reviews.models import Review
from apps.reviews.querysets.scorecards import scorecard_of, scorecard_version
from apps.reviews.rules.scorecards import Criterion, applying, read_criteria
from apps.reviews.rules.scores import MAY_SCORE, MAY_SETTLE, Origin, ReviewState, is_blind, score_of, scores_refusal
from apps.reviews.rules.subjects import last_subject


class StartedReview(NamedTuple):
    """A review, and whether this call made it."""

    review: Review
    is_new: bool


@transaction.atomic
def start_review(
    *, widget_id: int, chat_id: int, episode_id: int | None = None, agent_id: int | None = None
) -> StartedReview:
    """The review of an ended episode for who wrote its last answer, or for the operator `agent_id`; made if need be.

    Without an `episode_id` the chat's newest ended one. Raises INVALID_INPUT (422) on a chat that is not the widget's
    or has no such episode, and on an operator who wrote no answer in it.
    """
    episode = _ended_episode(widget_id, chat_id, episode_id)
    subject = last_subject(episode, agent_id=agent_id)
    if subject is None:
        name = "chat_id" if agent_id is None else "agent_id"
        raise INVALID_INPUT(
            errors={name: ["Nobody wrote an answer." if agent_id is None else "There is no such operator."]}
        )
    database.lock(f"reviews.pick:{widget_id}")
    about = {"episode_id": episode.id, **subject._asdict()}
    known = Review.objects.for_widget(widget_id).filter(**about).first()
    if known is not None:
        return StartedReview(known, is_new=False)
    version = scorecard_of(widget_id).version
    made = Review.objects.create(
        widget_id=widget_id, chat_id=chat_id, origin=Origin.PERSON, scorecard_version=version, **about
    )
    return StartedReview(made, is_new=True)


def _ended_episode(widget_id: int, chat_id: int, episode_id: int | None) -> ChatEpisode:
    if not Chat.objects.for_widget(widget_id).filter(pk=chat_id).exists():
        raise INVALID_INPUT(errors={"chat_id": ["There is no such chat."]})
    now = database_now()
    ended = [each for each in episodes_of_chat(widget_id, chat_id) if each.is_ended(now)]
    if episode_id is not None:
        ended = [each for each in ended if each.id == episode_id]
    if not ended:
        name = "chat_id" if episode_id is None else "episode_id"
        raise INVALID_INPUT(errors={name: ["There is no such episode that has ended."]})
    return ended[-1]


@transaction.atomic
def save_scores(
    *, agent: Agent, review_id: int, version: int, scores: Sequence[Mapping[str, Any]], comment: str | None = None
) -> Review:
    """Scores a review, or changes its scores until its subject has replied.

    Raises NOT_FOUND (404), OWN_REVIEW (403), REVIEW_CHANGED (409), INVALID_INPUT (422) on `scores`.
    """
    review = _changeable(agent, review_id, version, MAY_SCORE)
    changes = _scored(review, scores) | {"state": ReviewState.DONE.value, "reviewer_id": agent.pk}
    if review.done_at is None:
        changes["done_at"] = database_now()
        if is_blind(review.pk):
            changes["first_scores"] = changes["scores"]
    return _saved(review, changes, comment)


@transaction.atomic
def settle_review(
    *,
    agent: Agent,
    review_id: int,
    version: int,
    scores: Sequence[Mapping[str, Any]] | None = None,
    comment: str | None = None,
) -> Review:
    """Settles a review that was scored, with other scores or the same.

    Raises NOT_FOUND (404), OWN_REVIEW (403), REVIEW_CHANGED (409), INVALID_INPUT (422) on `scores`.
    """
    review = _changeable(agent, review_id, version, MAY_SETTLE)
    changes = {} if scores is None else _scored(review, scores)
    return _saved(review, {**changes, "state": ReviewState.SETTLED.value}, comment)


@transaction.atomic
def reply_to_review(*, agent: Agent, is_manager: bool, review_id: int, text: str) -> Review:
    """The reply of the operator whose answers were scored, once.

    Raises NOT_FOUND (404), NOT_YOURS (403), ALREADY_ANSWERED (409), REVIEW_CHANGED (409) while it is open, and once it
    is settled.
    """
    rows = Review.objects.for_widget(agent.widget_id).seen_by(agent.pk, is_manager=is_manager)
    review = rows.get_for_update(pk=review_id)
    if review.agent_id != agent.pk:
        raise NOT_YOURS()
    if review.replied_at is not None:
        raise ALREADY_ANSWERED()
    if review.state != ReviewState.DONE:
        raise REVIEW_CHANGED()
    return _saved(review, {"reply": text, "replied_at": database_now(), "state": ReviewState.ANSWERED.value}, None)


def criteria_of(review: Review) -> dict[str, Criterion]:
    """The criteria of a review's own version of the scorecard that apply to its subject, by key."""
    card = scorecard_version(review.widget_id, review.scorecard_version)
    return applying(read_criteria(card.criteria), review.kind) if card else {}


def _changeable(agent: Agent, review_id: int, version: int, states: Sequence[ReviewState]) -> Review:
    review: Review = Review.objects.for_widget(agent.widget_id).get_for_update(pk=review_id)
    if review.agent_id == agent.pk:
        raise OWN_REVIEW()
    if review.version != version or review.state not in states:
        raise REVIEW_CHANGED()
    return review


def _scored(review: Review, scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    criteria = criteria_of(review)
    if refusal := scores_refusal(scores, criteria):
        raise INVALID_INPUT(errors={"scores": [refusal]})
    by_key = {score["key"]: score for score in scores}
    in_order = [{"key": key, "value": by_key[key]["value"], "note": by_key[key]["note"]} for key in criteria]
    return {"scores": in_order, "score": score_of(in_order, criteria)}


def _saved(review: Review, changes: Mapping[str, Any], comment: str | None) -> Review:
    changes = {**changes, "version": review.version + 1}
    if comment is not None:
        changes["comment"] = comment
    save_changed(review, set_changes(review, changes))
    shown: Review = Review.objects.for_widget(review.widget_id).for_api().get(pk=review.pk)
    return shown
