"""Writing down what visitors asked for in vain: one row an occurrence, by facts, without a model."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.models import Conversation
from apps.ai.rules.decisions import Mode
from apps.ai.rules.redaction import Redaction
from apps.chats.models import Message, Rating
from apps.chats.questions import taken_messages
from apps.core.bus import Cte
from apps.core.database import Parameters
from apps.learning.models import DemandSignal, DemandTopic
from apps.learning.rules.demand import ALIKE, DISSATISFIED, KEPT, MAX_QUESTION, TOPIC_LIVES, folded
from apps.learning.rules.states import DemandCategory

BATCH = 1_000
READ_AT_ONCE = 20
CLIENT = "client"

# The topic whose wording is most alike, else a new one; then the occurrence, unless it is known. Index:
# learning_topic_alike, whose own threshold (0.3) is below ours.
_NOTE = """
learning_known AS (
    SELECT FROM learning_demandsignal WHERE widget_id = %(learning_widget_id)s AND chat_id = %(learning_chat_id)s
       AND category = %(learning_category)s AND burst_id = %(learning_burst_id)s
    /* unscoped: by the widget of the event */
), learning_alike AS (
    SELECT id FROM learning_demandtopic t
    WHERE t.widget_id = %(learning_widget_id)s AND t.category = %(learning_category)s
      AND t.last_seen_at > %(learning_at)s - %(learning_lives)s AND (t.folded = %(learning_folded)s
       OR (t.folded %% %(learning_folded)s AND similarity(t.folded, %(learning_folded)s) >= %(learning_alike)s))
    ORDER BY t.folded = %(learning_folded)s DESC, similarity(t.folded, %(learning_folded)s) DESC, id LIMIT 1
    /* unscoped: by the widget of the event */
), learning_seen AS (
    UPDATE learning_demandtopic t SET last_seen_at = greatest(t.last_seen_at, %(learning_at)s)
    FROM learning_alike, written
    WHERE t.id = learning_alike.id AND NOT EXISTS (SELECT FROM learning_known)
), learning_begun AS (
    INSERT INTO learning_demandtopic (widget_id, category, topic, folded, last_seen_at)
    SELECT %(learning_widget_id)s, %(learning_category)s, %(learning_question)s, %(learning_folded)s, %(learning_at)s
    FROM written WHERE NOT EXISTS (SELECT FROM learning_alike) AND NOT EXISTS (SELECT FROM learning_known) RETURNING id
), learning_noted AS (
    INSERT INTO learning_demandsignal (widget_id, topic_id, category, chat_id, burst_id, question, at)
    SELECT %(learning_widget_id)s, found.id, %(learning_category)s, %(learning_chat_id)s, %(learning_burst_id)s,
        %(learning_question)s, %(learning_at)s
    FROM (SELECT id FROM learning_alike UNION ALL SELECT id FROM learning_begun) found CROSS JOIN written
    WHERE NOT EXISTS (SELECT FROM learning_known)
    ON CONFLICT (chat_id, category, burst_id) DO NOTHING RETURNING id
)"""


def demand_cte(
    *,
    widget_id: int,
    category: DemandCategory,
    chat_id: int,
    burst_id: int,
    question: str,
    at: datetime | None = None,
) -> Cte | None:
    """Writes an occurrence, once a chat, category and burst; the question is redacted and cut. None without words."""
    text = " ".join(Redaction().hide(question).replace("\0", "").split())[:MAX_QUESTION]
    if not text:
        return None
    parameters: Parameters = {
        "learning_widget_id": widget_id,
        "learning_category": category.value,
        "learning_chat_id": chat_id,
        "learning_burst_id": burst_id,
        "learning_question": text,
        "learning_folded": folded(text),
        "learning_at": at or timezone.now(),
        "learning_lives": TOPIC_LIVES,
        "learning_alike": ALIKE,
    }
    return Cte(_NOTE, parameters, "(SELECT id FROM learning_noted)", lambda _: None)


def note_demand(**about: Any) -> None:
    """Writes the occurrence of `demand_cte` by a statement of its own, in a transaction."""
    if (cte := demand_cte(**about)) is not None:
        cte.run()


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
