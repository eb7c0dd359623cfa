"""A model's suggestion for a review: asked for by a person or by itself, as an assist."""

import json
import logging
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from prometheus_client import Gauge

from apps.agents.models import Agent
from apps.ai.actions.replies.reading import StoredMessage, visible_messages
from apps.ai.actions.usage import is_budget_left
from apps.ai.settings import settings_of
from apps.assists.actions.asking import STARTS, queue_assist, require_budget
from apps.assists.actions.models_asked import helping_model
from apps.assists.actions.runs import AssistRun
from apps.assists.errors import ASSIST_UNAVAILABLE
from apps.assists.models import Assist
from apps.assists.rules.json_answers import first_object
from apps.assists.rules.kinds import AssistKind, FailReason
from apps.assists.rules.results import AssistFailed, AssistResult
from apps.chats.models import Chat
from apps.chats.querysets.episodes import episodes_of_chat
from apps.chats.rules import SenderKind, Status
from apps.core import database
from apps.reviews.models import Review, Scorecard, UnconfirmedScore
from apps.reviews.querysets.scorecards import scorecard_of, scorecard_version
from apps.reviews.querysets.unconfirmed import next_unscored
from apps.reviews.rules.scorecards import Prefill, applying, read_criteria
from apps.reviews.rules.scores import ReviewState, score_of
from apps.reviews.rules.suggestions import (
    MAX_ANSWER_TOKENS,
    MAX_MESSAGES,
    ReviewedMessage,
    read_suggestion,
    suggestion_prompt,
    without_quotes_of,
)

logger = logging.getLogger(__name__)
# So many are asked for by themselves at a time: drafts for operators go on beside them.
AT_ONCE = 2
REVIEWS_OPEN = Gauge("parley_reviews_open", "Reviews that nobody has scored yet.", multiprocess_mode="mostrecent")


@transaction.atomic
def ask_suggestion(*, agent: Agent, review_id: int) -> Review:
    """Asks a model to score a review; a question that is under way goes on. It counts for nothing until a person saves.

    Raises NOT_FOUND (404), ASSIST_UNAVAILABLE (409), BUDGET_EXHAUSTED and TOO_MANY_ASSISTS (429).
    """
    widget_id = agent.widget_id
    review = Review.objects.for_widget(widget_id).select_related("chat").get_for_update(pk=review_id)
    if not _is_under_way(review):
        if not helping_model(widget_id).sources or review.chat.status == Status.SPAM:
            raise ASSIST_UNAVAILABLE()
        require_budget(widget_id)
        STARTS.spend(agent.pk)
        _ask(review, is_automatic=False)
    shown: Review = Review.objects.for_widget(widget_id).for_api().get(pk=review_id)
    return shown


def suggest_all() -> None:
    """Asks models for automatic suggestions, a few at a time at each widget; tells how much is open.

    A widget that fails does not keep the others waiting. Harmless when run twice at once.
    """
    cards = Scorecard.objects.unscoped("every widget's newest scorecard").order_by("widget_id", "-version")
    for widget_id, prefill in cards.distinct("widget_id").values_list("widget_id", "prefill"):
        if prefill != Prefill.OFF:
            try:
                suggest_next(widget_id)
            except Exception:
                logger.exception("no scores could be suggested at widget %s", widget_id)
    REVIEWS_OPEN.set(Review.objects.unscoped("every widget's rows").filter(state=ReviewState.OPEN).count())


@transaction.atomic
def suggest_next(widget_id: int) -> None:
    """Asks a model about the oldest open reviews without a suggestion, and then about episodes of AI, as the owner
    wants it: as many as may be under way, while the budget's automatic share lasts.
    """
    database.lock(f"reviews.suggestions:{widget_id}")
    card = scorecard_of(widget_id)
    under_way = Assist.objects.for_widget(widget_id).filter(kind=AssistKind.REVIEW, is_automatic=True).in_flight()
    free = AT_ONCE - under_way.count()
    if card.prefill == Prefill.OFF or free <= 0 or not _may_be_asked(widget_id):
        return
    open_ones = Review.objects.for_widget(widget_id).filter(state=ReviewState.OPEN, assist_id=None)
    for review in open_ones.exclude(chat__status=Status.SPAM).select_related("chat").order_by("pk")[:free]:
        _ask(review, is_automatic=True)
        free -= 1
    if card.prefill == Prefill.ALL_AI and free:
        for score in next_unscored(widget_id, card.version, most=free, now=timezone.now()):
            score.assist_id = _queue(score.chat, {"episode": score.episode_id}, is_automatic=True).pk
            score.save(force_insert=True)


def _may_be_asked(widget_id: int) -> bool:
    return bool(helping_model(widget_id).sources) and is_budget_left(settings_of(widget_id), automatic=True)


def _is_under_way(review: Review) -> bool:
    rows = Assist.objects.for_widget(review.widget_id).filter(pk=review.assist_id or 0)
    return rows.in_flight().exists()


def _ask(review: Review, *, is_automatic: bool) -> None:
    review.assist_id = _queue(review.chat, {"review": review.pk}, is_automatic=is_automatic).pk
    review.save(update_fields=["assist_id"])


def _queue(chat: Chat, asked: dict[str, Any], *, is_automatic: bool) -> Assist:
    return queue_assist(chat, kind=AssistKind.REVIEW, asked=asked, client_id=uuid4(), is_automatic=is_automatic)


def suggest(run: AssistRun) -> AssistResult:
    """The work of a review's assist: one call of a model, and the scores whose quotes stand in the chat.

    Raises AssistFailed, and the errors of `AssistRun.ask`.
    """
    about = _scored_row(run.assist)
    card = None if about is None else scorecard_version(about.widget_id, about.scorecard_version)
    if about is None or card is None:
        raise AssistFailed(FailReason.STOPPED)
    kind = about.kind if isinstance(about, Review) else "ai"
    criteria = applying(read_criteria(card.criteria), kind)
    messages = _messages_of(about.widget_id, about.chat_id, about.episode_id)
    if not messages or not criteria:
        raise AssistFailed(FailReason.EMPTY)
    prompt = suggestion_prompt(messages, criteria.values(), subject=kind, redaction=run.redaction)
    found = first_object(run.ask(prompt, max_tokens=MAX_ANSWER_TOKENS))
    scores = found and read_suggestion(found, messages, criteria, redaction=run.redaction)
    if not scores:
        raise AssistFailed(FailReason.BAD_ANSWER)
    return AssistResult(more={"scores": scores, "score": score_of(scores, criteria)})


def keep_suggestion(assist: Assist, result: AssistResult) -> None:
    """Stores the suggestion with its review, or the score of an episode. In the transaction that ends the job."""
    about = _scored_row(assist, locks=True)
    if isinstance(about, Review):
        about.suggestion = result.more["scores"]
        about.save(update_fields=["suggestion"])
    elif about is not None:
        about.scores = [{"key": score["key"], "value": score["value"]} for score in result.more["scores"]]
        about.score = result.more["score"]
        about.save(update_fields=["scores", "score"])
    if assist.is_automatic:
        transaction.on_commit(lambda: suggest_next(assist.widget_id))


def _scored_row(assist: Assist, *, locks: bool = False) -> Review | UnconfirmedScore | None:
    """The row that an assist is for; None once it is gone, or another job was asked for it."""
    asked: dict[str, Any] = json.loads(assist.asked or "{}")
    rows: Any = Review.objects if "review" in asked else UnconfirmedScore.objects
    rows = rows.for_widget(assist.widget_id).filter(pk=asked.get("review") or asked.get("episode"))
    rows = rows.filter(assist_id=assist.pk)
    found: Review | UnconfirmedScore | None = (rows.select_for_update(no_key=True) if locks else rows).first()
    return found


def forget_quotes(*, widget_id: int, chat_id: int, message_id: int) -> None:
    """Takes the quotes of a message out of the suggestions for its chat, and scores that rest on no other. In a
    transaction."""
    reviews = Review.objects.for_widget(widget_id).filter(chat_id=chat_id, suggestion__isnull=False)
    for review in reviews.select_for_update(no_key=True):
        kept = without_quotes_of(review.suggestion or (), message_id)
        if kept != review.suggestion:
            review.suggestion = kept
            review.save(update_fields=["suggestion"])


_SPEAKERS = {SenderKind.CLIENT: "visitor", SenderKind.AGENT: "person"}


def _messages_of(widget_id: int, chat_id: int, episode_id: int) -> list[ReviewedMessage]:
    """The messages of an episode, of those that both sides see: to the begin of the next, the newest of many."""
    later = [each.id for each in episodes_of_chat(widget_id, chat_id) if each.id > episode_id]
    found = visible_messages(widget_id, chat_id, MAX_MESSAGES, since=episode_id, before=later[0] if later else None)
    return [ReviewedMessage(each.id, _who(each), each.text, each.body) for each in found if each.says_something]


def _who(message: StoredMessage) -> str:
    is_machine = message.sender_kind == SenderKind.AGENT and not message.is_persons
    return "ai" if is_machine else _SPEAKERS.get(SenderKind(message.sender_kind), "ai")
