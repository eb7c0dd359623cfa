"""Answers to articles: topics asked about in chats in vain, people's answers there, and a model's article of them."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.actions.usage import is_budget_left_for_automatic
from apps.ai.models import AnswerFeedback
from apps.ai.rules.facts import KnownFacts
from apps.ai.rules.redaction import Redaction
from apps.ai.settings import settings_of
from apps.articles.questions import AskedTopic, Occurrence, PastAnswer, WritingFailed, WrittenArticle
from apps.chats.rules import Via
from apps.core.database import fetch_all
from apps.core.parsing.periods import Window
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import ModelFailed, NoModel
from apps.learning.actions.topics import topics_of
from apps.learning.models import DemandSignal
from apps.learning.rules.articles import MAX_ANSWER, MAX_ANSWERS, SYSTEM, UnreadableArticle, article_in, task_of
from apps.learning.rules.demand import KEPT

SECONDS, OPERATIONS, MAX_TOKENS = 120.0, 4, 4_000
PURPOSE = "article"


def asked_topics(
    widget_id: int, window: Window, lang: str | None, limit: int, topic_id: int | None = None
) -> list[AskedTopic]:
    """The topics of a window, the most frequent first, or the one that is named; one statement."""
    return topics_of(widget_id=widget_id, window=window, lang=lang, limit=limit, topic_id=topic_id)[1]


def occurrences(widget_id: int, topic_id: int, since: datetime) -> list[Occurrence]:
    """The chats in which a topic was asked about since a moment, each by its newest question."""
    signals = DemandSignal.objects.for_widget(widget_id).filter(topic_id=topic_id, at__gte=since)
    newest = list(signals.order_by("chat_id", "-at", "-id").distinct("chat_id"))
    thumbs = AnswerFeedback.objects.for_widget(widget_id).filter(helpful=True)
    thanked = dict(
        thumbs.filter(chat_id__in=[each.chat_id for each in newest])
        .order_by()
        .values("chat_id")
        .annotate(last=Max("message_id"))
        .values_list("chat_id", "last")
    )
    return [
        Occurrence(each.chat_id, each.burst_id, each.question, each.at, thanked.get(each.chat_id, 0) > each.burst_id)
        for each in newest
    ]


# The first words of people after each question, up to the visitor's next words. Index: chats_message_list.
_ANSWERS = """
WITH asked AS (
    SELECT s.chat_id, s.burst_id, s.question, s.at FROM learning_demandsignal s
    WHERE s.widget_id = %(widget_id)s AND s.topic_id = %(topic_id)s AND s.at > %(since)s
    ORDER BY s.at DESC, s.id DESC LIMIT %(limit)s
)
SELECT asked.question, said.body FROM asked
JOIN chats_chat c ON c.id = asked.chat_id AND c.widget_id = %(widget_id)s AND c.status <> 'spam' AND NOT c.internal
CROSS JOIN LATERAL (
    SELECT m.id FROM chats_message m
    WHERE m.widget_id = %(widget_id)s AND m.chat_id = asked.chat_id AND m.id > asked.burst_id
      AND m.sender_kind = 'agent' AND NOT m.is_internal AND m.type = 'text'
      AND NOT coalesce(m.details ? 'deleted_at', false)
      AND (m.via IS NULL OR m.via <> ALL (%(not_theirs)s))
    ORDER BY m.id LIMIT 1
) first
CROSS JOIN LATERAL (
    SELECT string_agg(m.body, E'\\n\\n' ORDER BY m.id) AS body FROM chats_message m
    WHERE m.widget_id = %(widget_id)s AND m.chat_id = asked.chat_id AND m.id >= first.id
      AND m.sender_kind = 'agent' AND NOT m.is_internal AND m.type = 'text'
      AND NOT coalesce(m.details ? 'deleted_at', false)
      AND (m.via IS NULL OR m.via <> ALL (%(not_theirs)s))
      AND m.id < coalesce((
          SELECT min(n.id) FROM chats_message n
          WHERE n.widget_id = %(widget_id)s AND n.chat_id = asked.chat_id AND n.id > first.id
            AND n.sender_kind = 'client'
      ), 9223372036854775807)
) said
ORDER BY asked.at DESC, asked.burst_id DESC"""
_NOT_THEIRS = (Via.SUPPORT_API, Via.LEGACY_BOT)


def past_answers(widget_id: int, topic_id: int) -> list[PastAnswer]:
    """People's answers to a topic's newest questions, without personal data; each answer once, the newest first.

    Never of spam, nor texts that the support surface, or a bot of the other platform, wrote in a person's name.
    """
    rows = fetch_all(
        _ANSWERS,
        {
            "widget_id": widget_id,
            "topic_id": topic_id,
            "since": timezone.now() - KEPT,
            "limit": MAX_ANSWERS,
            "not_theirs": [via.value for via in _NOT_THEIRS],
        },
    )
    once: dict[str, PastAnswer] = {}
    for question, body in rows:
        redaction = Redaction()
        pair = PastAnswer(redaction.hide(question), redaction.hide(body)[:MAX_ANSWER])
        if pair.answer.strip():
            once.setdefault(" ".join(pair.answer.casefold().split()), pair)
    return list(once.values())


def may_write(widget_id: int) -> bool:
    """Whether a model may write an article: one is there, and the day's budget leaves something to work by itself."""
    settings = settings_of(widget_id)
    return bool(CHAT_MODEL.available(widget_id) and is_budget_left_for_automatic(settings))


def write(
    widget_id: int, lang: str, questions: Sequence[str], answers: Sequence[str], pieces: Sequence[str]
) -> WrittenArticle:
    """A model's article of material without personal data. Facts that stand in none of it are named.

    Raises WritingFailed.
    """
    if not is_budget_left_for_automatic(settings_of(widget_id)):
        raise WritingFailed
    try:
        reply = CHAT_MODEL.complete(
            widget_id,
            purpose=PURPOSE,
            system=SYSTEM,
            messages=[("user", task_of(lang, questions, answers, pieces))],
            max_tokens=MAX_TOKENS,
            budget=CallBudget(operations=OPERATIONS, seconds=SECONDS),
        )
        article = article_in(reply.text)
    except (NoModel, ModelFailed, SpentError, UnreadableArticle) as failure:
        raise WritingFailed from failure
    known = KnownFacts([*questions, *answers, *pieces])
    missing = known.missing(f"{article.title}\n{article.body}")
    return WrittenArticle(article.title, article.body, list(dict.fromkeys(fact.text for fact in missing)))
