"""Reads of the replies: the chats that AI answers, its jobs and exchanges."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Func
from django.utils import timezone

from apps.core.database.tenants import TenantQuerySet
from apps.kb.questions import Answering, AnsweringAssistant

if TYPE_CHECKING:
    from apps.ai.models import (  # noqa: F401 - named in the bases below
        AiSettings,
        AnswerFeedback,
        Assistant,
        Conversation,
        Exchange,
        ReplyJob,
    )


class ConversationQuerySet(TenantQuerySet["Conversation"]):
    widget_path = "chat__widget_id"


class ReplyJobQuerySet(TenantQuerySet["ReplyJob"]):
    """The chats of a widget that the AI side has looked at, or is to."""


class ExchangeQuerySet(TenantQuerySet["Exchange"]):
    """The visitors' questions to the AI side, and their outcomes. Index of the newest: ai_exchange_list."""


class AnswerFeedbackQuerySet(TenantQuerySet["AnswerFeedback"]):
    """The visitors' thumbs under machines' messages. Index of the newest: ai_feedback_list."""


def pieces_used(widget_id: int) -> dict[int, int]:
    """How many answers of the last 30 days were given each piece of knowledge, by its id (the hook `used_knowledge`).

    Index: ai_exchange_list.
    """
    from apps.ai.models import Exchange

    lately = Exchange.objects.for_widget(widget_id).filter(at__gt=timezone.now() - timedelta(days=30))
    pieces = lately.annotate(piece=Func("chunk_ids", function="unnest")).order_by()
    return dict(pieces.values("piece").annotate(answers=Count("pk")).values_list("piece", "answers"))


def cited_sources(widget_id: int, since: datetime, until: datetime) -> dict[str, int]:
    """How many answers that visitors were shown named each source, by its name (the hook `cited_sources`).

    Index: ai_exchange_list.
    """
    from apps.ai.models import Exchange

    shown = Exchange.objects.for_widget(widget_id).filter(at__gte=since, at__lt=until, outcome=Exchange.Outcome.SHOWN)
    citing = shown.filter(sources__contains=[{"cited": True}]).values_list("sources", flat=True)
    return Counter(ref for sources in citing.iterator() for ref in {one["ref"] for one in sources if one.get("cited")})


def answering(widget_id: int) -> Answering:
    """Whether the widget's AI answers, and by whom (the hook `answering`)."""
    from apps.ai.models import AiSettings, Assistant

    settings = AiSettings.objects.for_widget(widget_id).first()
    assistants = Assistant.objects.for_widget(widget_id).order_by("pk")
    found = [AnsweringAssistant(*row) for row in assistants.values_list("pk", "enabled", "rag_enabled")]
    if settings is None:
        return Answering(enabled=False, rag_enabled=True, assistants=found)
    return Answering(enabled=settings.enabled, rag_enabled=settings.rag_enabled, assistants=found)
