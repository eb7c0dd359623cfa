"""Reads of the replies: the chats that AI answers, its jobs and exchanges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.core.database.tenants import TenantQuerySet
from apps.core.questions import Answering, AnsweringAssistant

if TYPE_CHECKING:
    from apps.ai.models import (  # noqa: F401 - named in the bases below
        AiSettings,
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


def answering(widget_id: int) -> Answering:
    """Whether the widget's AI answers, and by whom (the hook `answering`)."""
    from apps.ai.models import AiSettings, Assistant

    settings = AiSettings.objects.for_widget(widget_id).first()
    assistants = Assistant.objects.for_widget(widget_id).order_by("pk")
    found = [AnsweringAssistant(*row) for row in assistants.values_list("pk", "enabled", "rag_enabled")]
    if settings is None:
        return Answering(enabled=False, rag_enabled=True, assistants=found)
    return Answering(enabled=settings.enabled, rag_enabled=settings.rag_enabled, assistants=found)
