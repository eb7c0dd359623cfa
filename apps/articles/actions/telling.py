"""Telling who asked in vain that an article answers them now: one message, once an article and chat."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps import leases
from apps.agents.models import Agent
from apps.articles.actions.search import address_of
from apps.articles.errors import NOT_PUBLISHED
from apps.articles.models import Article, ArticleTold
from apps.articles.querysets.articles import published
from apps.articles.querysets.centers import center_of
from apps.articles.questions import Occurrence, occurrences
from apps.articles.rules.gaps import (
    TOLD_WITHIN,
    TOLD_WORDS,
    AskedChat,
    LeftOutReason,
    ToldOutcome,
    told_text,
    topic_of,
    why_left_out,
)
from apps.chats import actions as chats
from apps.chats.models import Block, Chat, Message
from apps.chats.questions import is_unreachable, spoken_language
from apps.chats.rules import SenderKind, Status
from apps.core.errors import INVALID_INPUT
from apps.leases import Lease

WIDGET = "widget"
_TELLING = UUID("5f3b7c55-1f43-5a67-9b1e-6d6f0a7f52c1")
# So far back it is said how many are left out for their age.
_LOOKED_BACK = 4 * TOLD_WITHIN


class ArticleTelling(NamedTuple):
    """How many are told, and how many are not, by why."""

    queued: int
    left_out: Mapping[LeftOutReason, int]


@transaction.atomic
def tell(*, widget_id: int, article_id: int, agent_id: int, dry_run: bool = False) -> ArticleTelling:
    """Queues a message of an agent to each visitor who asked in vain for the article's answer, and still waits.

    `dry_run` counts alone. Raises NOT_FOUND (404), INVALID_INPUT (422) on `agent_id`, NOT_PUBLISHED (409).
    """
    article = Article.objects.for_widget(widget_id).get_for_update(pk=article_id)
    if not _may_write(widget_id, agent_id):
        raise INVALID_INPUT(errors={"agent_id": ["An operator of the widget is expected, a person who works here."]})
    if not _has_address(widget_id, article_id):
        raise NOT_PUBLISHED()
    now = timezone.now()
    asked = _who_asked(article, now)
    left_out = dict.fromkeys(LeftOutReason, 0)
    told = []
    for occurrence, reason in _judged(widget_id, article_id, asked, now):
        if reason is None:
            told.append(occurrence)
        else:
            left_out[reason] += 1
    if told and not dry_run:
        ArticleTold.objects.bulk_create(
            [
                ArticleTold(
                    widget_id=widget_id,
                    article_id=article_id,
                    chat_id=each.chat_id,
                    agent_id=agent_id,
                    question=each.question,
                    asked_message_id=each.message_id,
                )
                for each in told
            ],
            ignore_conflicts=True,
        )
        leases.wake_workers()
    return ArticleTelling(len(told), left_out)


def work(lease: Lease[ArticleTold]) -> None:
    """Tells one visitor, if they still wait and the article still stands. The work of a queue."""
    row = lease.row
    with transaction.atomic():
        outcome = _told(row)
        ArticleTold.objects.for_widget(row.widget_id).filter(pk=row.pk).update(outcome=outcome)
        lease.done()


def given_up(lease: Lease[ArticleTold], reason: str) -> None:
    """The visitor is not told."""
    ArticleTold.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.pk).update(outcome=ToldOutcome.GONE)


def _told(row: ArticleTold) -> ToldOutcome:
    now = timezone.now()
    chat = Chat.objects.for_widget(row.widget_id).select_related("contact", "widget").get(pk=row.chat_id)
    asked = Occurrence(row.chat_id, row.asked_message_id, row.question, now, False)
    reason = next(why for _, why in _judged(row.widget_id, None, [asked], now))
    if reason is not None:
        return ToldOutcome(reason.value)
    language = spoken_language(chat)
    text = published(row.widget_id, row.article_id, language)
    url = address_of(center_of(row.widget_id), text.lang, text.article_id, text.slug) if text else None
    if text is None or url is None or not _may_write(row.widget_id, row.agent_id):
        return ToldOutcome.GONE
    words = TOLD_WORDS.get(language, TOLD_WORDS["en"])
    chats.post_agent_message(
        widget_id=row.widget_id,
        chat_id=row.chat_id,
        content={"type": "text", "body": told_text(words, row.question, text.title, url)},
        agent_id=row.agent_id,
        client_id=uuid5(_TELLING, f"{row.article_id}:{row.chat_id}"),
    )
    return ToldOutcome.TOLD


def _may_write(widget_id: int, agent_id: int) -> bool:
    """Whether an operator is a person of the widget who works there."""
    people = Agent.objects.for_widget(widget_id).filter(pk=agent_id, type=Agent.Type.HUMAN)
    return people.exclude(status=Agent.Status.BANNED).exists()


def _has_address(widget_id: int, article_id: int) -> bool:
    """Whether the article is published where everybody can read it."""
    center = center_of(widget_id)
    text = published(widget_id, article_id, center.default_language)
    return text is not None and address_of(center, text.lang, article_id, text.slug) is not None


def _who_asked(article: Article, now: datetime) -> Sequence[Occurrence]:
    """The chats in which it was asked in vain. A reader who searched cannot be told."""
    topic_id = topic_of(article.gap_key)
    return () if topic_id is None else occurrences(article.widget_id, topic_id, now - _LOOKED_BACK)


def _judged(
    widget_id: int, article_id: int | None, asked: Sequence[Occurrence], now: datetime
) -> list[tuple[Occurrence, LeftOutReason | None]]:
    """Why each is left out, None where they are told. Without `article_id` they may have been told before."""
    ids = [each.chat_id for each in asked]
    chats_by_id = {
        chat.pk: chat
        for chat in Chat.objects.for_widget(widget_id).filter(pk__in=ids).select_related("contact", "widget")
    }
    answered = _last_answers(widget_id, ids)
    blocked = set(
        Block.objects.for_widget(widget_id)
        .in_force(now)
        .filter(contact_id__in=[chat.contact_id for chat in chats_by_id.values()])
        .values_list("contact_id", flat=True)
    )
    told: set[int] = set()
    if article_id is not None:
        rows = ArticleTold.objects.for_widget(widget_id).filter(article_id=article_id, chat_id__in=ids)
        told = set(rows.values_list("chat_id", flat=True))
    found = []
    for each in asked:
        chat = chats_by_id.get(each.chat_id)
        if chat is None:
            continue
        facts = AskedChat(
            asked_at=each.at,
            is_spam=chat.status == Status.SPAM,
            is_blocked=chat.contact_id in blocked,
            is_answered=each.is_thanked or answered.get(each.chat_id, 0) > each.message_id,
            is_told=each.chat_id in told,
            # A message in the widget waits there until the visitor is back, and a letter says so.
            is_unreachable=chat.channel != WIDGET and is_unreachable(chat, now),
        )
        found.append((each, why_left_out(facts, now)))
    return found


def _last_answers(widget_id: int, chat_ids: Collection[int]) -> Mapping[int, int]:
    """By chat: the newest message of a person. Index: chats_message_list, of each chat."""
    said = Message.objects.for_widget(widget_id).filter(
        chat_id__in=chat_ids, sender_kind=SenderKind.AGENT, is_internal=False
    )
    return dict(said.order_by().values("chat_id").annotate(last=Max("pk")).values_list("chat_id", "last"))
