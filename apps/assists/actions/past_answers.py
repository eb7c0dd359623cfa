"""Answers of people as sources of drafts: what they wrote lately to questions like this one."""

from collections.abc import Sequence

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Left, Length

from apps.assists.actions.past_questions import nearest
from apps.assists.rules.past_answers import (
    MASK,
    MAX_READ,
    MIN_ANSWER,
    PastAnswerFound,
    best,
    united,
    without_long_numbers,
)
from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind, Via
from apps.core.parsing.personal import replaced
from apps.egress.call_budget import CallBudget

# Answers that are looked through, the newest ones.
LOOKED_THROUGH = 600


def past_answers(chat: Chat, searched: str, budget: CallBudget | None = None) -> Sequence[PastAnswerFound]:
    """The answers of people that fit best, of other chats; personal data and long numbers are masked.

    By meaning, where the knowledge's model is known and `meter` allows a call, then by words. Spam, chats between
    colleagues and deleted messages are none. Indexes: chats_message_counted, and chats_message_in_chat for each
    question.
    """
    asked = Message.objects.unscoped("each answer's own chat").filter(
        chat=OuterRef("chat_id"), is_internal=False, id__lt=OuterRef("id")
    )
    asked = asked.exclude(sender_kind=SenderKind.SYSTEM).order_by("-id")
    answers = (
        Message.objects.for_widget(chat.widget_id)
        .filter(sender_kind=SenderKind.AGENT, type="text", is_internal=False, chat__internal=False)
        .exclude(via=Via.LEGACY_BOT)
        .exclude(chat__status="spam")
        .exclude(details__has_key="deleted_at")
        .exclude(chat=chat)
        .annotate(
            length=Length("body"),
            asked_by=Subquery(asked.values("sender_kind")[:1]),
            question=Subquery(asked.annotate(read=Left("body", MAX_READ)).values("read")[:1]),
        )
        .filter(length__gte=MIN_ANSWER, asked_by=SenderKind.CLIENT)
        .order_by("-created_at")
        .values_list("id", "chat_id", "question", Left("body", MAX_READ))[:LOOKED_THROUGH]
    )
    known = {
        number: PastAnswerFound(chat_id, masked(question), masked(answer))
        for number, chat_id, question, answer in answers
    }
    alike = [known[number] for number in nearest(chat.widget_id, masked(searched), known, budget)] if budget else []
    return united(alike, best(searched, known.values()))


def masked(text: str) -> str:
    """A text without e-mail addresses, phones, cards and long numbers."""
    return without_long_numbers(replaced(text, lambda _: MASK))
