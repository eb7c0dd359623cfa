"""Writing down what visitors asked for in vain: one row an occurrence, by facts, without a model."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.models import Conversation
from apps.ai.rules.decisions import Mode
from apps.ai.rules.redaction import Redaction
from apps.chats.models import Message, Rating
from apps.chats.questions import taken_messages
from apps.core.database import execute
from apps.learning.models import DemandSignal, DemandTopic
from apps.learning.rules.demand import ALIKE, DISSATISFIED, KEPT, MAX_QUESTION, TOPIC_LIVES, folded
from apps.learning.rules.states import DemandCategory

BATCH = 1_000
READ_AT_ONCE = 20
CLIENT = "client"

# The topic whose wording is most alike, else a new one; then the occurrence, unless it is known. Index:
# learning_topic_alike, whose own threshold (0.3) is below ours.
_NOTE = """
WITH known AS (
    SELECT FROM learning_demandsignal WHERE widget_id = %(widget_id)s AND chat_id = %(chat_id)s
       AND category = %(category)s AND burst_id = %(burst_id)s
), alike AS (
    SELECT id FROM learning_demandtopic t
    WHERE t.widget_id = %(widget_id)s AND t.category = %(category)s AND t.last_seen_at > %(at)s - %(lives)s
      AND (t.folded = %(folded)s OR (t.folded %% %(folded)s AND similarity(t.folded, %(folded)s) >= %(alike)s))
    ORDER BY t.folded = %(folded)s DESC, similarity(t.folded, %(folded)s) DESC, id LIMIT 1
), seen AS (
    UPDATE learning_demandtopic t SET last_seen_at = greatest(t.last_seen_at, %(at)s) FROM alike
    WHERE t.id = alike.id AND NOT EXISTS (SELECT FROM known)
), begun AS (
    INSERT INTO learning_demandtopic (widget_id, category, topic, folded, last_seen_at)
    SELECT %(widget_id)s, %(category)s, %(question)s, %(folded)s, %(at)s
    WHERE NOT EXISTS (SELECT FROM alike) AND NOT EXISTS (SELECT FROM known) RETURNING id
)
INSERT INTO learning_demandsignal (widget_id, topic_id, category, chat_id, burst_id, question, at)
SELECT %(widget_id)s, found.id, %(category)s, %(chat_id)s, %(burst_id)s, %(question)s, %(at)s
FROM (SELECT id FROM alike UNION ALL SELECT id FROM begun) found WHERE NOT EXISTS (SELECT FROM known)
ON CONFLICT (chat_id, category, burst_id) DO NOTHING"""


def note_demand(
    *,
    widget_id: int,
    category: DemandCategory,
    chat_id: int,
    burst_id: int,
    question: str,
    at: datetime | None = None,
) -> None:
    """Writes an occurrence, once a chat, category and burst; the question is redacted and cut. In a transaction."""
    text = " ".join(Redaction().hide(question).replace("\0", "").split())[:MAX_QUESTION]
    if not text:
        return
    execute(
        _NOTE,
        {
            "widget_id": widget_id,
            "category": category.value,
            "chat_id": chat_id,
            "burst_id": burst_id,
            "question": text,
            "folded": folded(text),
            "at": at or timezone.now(),
            "lives": TOPIC_LIVES,
            "alike": ALIKE,
        },
    )


def note_last_words(*, widget_id: int, chat_id: int, category: DemandCategory) -> None:
    """Writes an occurrence about the visitor's last message of a chat that no app has taken; none without one."""
    said = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, sender_kind=CLIENT, is_internal=False)
    newest = dict(said.order_by("-pk").values_list("pk", "body")[:READ_AT_ONCE])
    taken = taken_messages(widget_id, chat_id, list(newest))
    last = next((pair for pair in newest.items() if pair[0] not in taken), None)
    if last is not None:
        burst_id, body = last
        note_demand(widget_id=widget_id, category=category, chat_id=chat_id, burst_id=burst_id, question=body)


def note_takeover(*, widget_id: int, chat_id: int) -> None:
    """A person took a chat: an escalation if AI had the word in it."""
    conversation = Conversation.objects.for_widget(widget_id).filter(chat_id=chat_id, mode=Mode.AI)
    if conversation.exists():
        note_last_words(widget_id=widget_id, chat_id=chat_id, category=DemandCategory.ESCALATION)


def note_rating(*, widget_id: int, chat_id: int) -> None:
    """Notes a visitor's new or changed rating: a low rating is an occurrence."""
    ratings = Rating.objects.for_widget(widget_id).filter(chat_id=chat_id).newest_first()
    value = ratings.values_list("value", flat=True).first()
    if value is not None and value <= DISSATISFIED:
        note_last_words(widget_id=widget_id, chat_id=chat_id, category=DemandCategory.DISSATISFACTION)


@transaction.atomic
def note_thumb(*, widget_id: int, chat_id: int, burst_id: int, question: str, helpful: bool | None) -> None:
    """Notes a visitor's thumb under an answer: down is an occurrence, up or none takes it back.

    An occurrence that a low rating of the chat made, too, stays.
    """
    if helpful is False:
        category = DemandCategory.DISSATISFACTION
        note_demand(widget_id=widget_id, category=category, chat_id=chat_id, burst_id=burst_id, question=question)
        return
    ratings = Rating.objects.for_widget(widget_id).filter(chat_id=chat_id).newest_first()
    rated = ratings.values_list("value", flat=True).first()
    if rated is not None and rated <= DISSATISFIED:
        return
    noted = DemandSignal.objects.for_widget(widget_id).filter(
        chat_id=chat_id, category=DemandCategory.DISSATISFACTION, burst_id=burst_id
    )
    topics = list(noted.values_list("topic_id", flat=True))
    noted.delete()
    DemandTopic.objects.for_widget(widget_id).filter(pk__in=topics, signals=None).delete()


def forget_old_demand() -> int:
    """Deletes occurrences older than KEPT, then topics without any; a batch a transaction. Returns how many."""
    forgotten = 0
    while True:
        with transaction.atomic():
            old = (
                DemandSignal.objects.unscoped("every widget's rows")
                .filter(at__lt=Now() - KEPT)
                .order_by("at")
                .values("pk")[:BATCH]
            )
            deleted, _ = (
                DemandSignal.objects.unscoped("every widget's rows")
                .filter(pk__in=old.select_for_update(skip_locked=True))
                .delete()
            )
        forgotten += deleted
        if deleted < BATCH:
            break
    DemandTopic.objects.unscoped("every widget's rows").filter(
        last_seen_at__lt=Now() - KEPT - timedelta(days=1), signals=None
    ).delete()
    return forgotten
