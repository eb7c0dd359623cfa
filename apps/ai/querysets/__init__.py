"""Named reads of assistants, operators, credentials and alerts; each starts from the widget."""

from apps.ai.querysets.assistants import (
    AiSettingsQuerySet,
    AssistantQuerySet,
    DetachedTestQuerySet,
    OperatorQuerySet,
    PersonaHistoryQuerySet,
    PersonaVersionQuerySet,
)
from apps.ai.querysets.credentials import AlertQuerySet, CredentialQuerySet, UsageQuerySet
from apps.ai.querysets.replies import ConversationQuerySet, ExchangeQuerySet, ReplyJobQuerySet, answering

__all__ = [
    "AiSettingsQuerySet",
    "AlertQuerySet",
    "AssistantQuerySet",
    "ConversationQuerySet",
    "CredentialQuerySet",
    "DetachedTestQuerySet",
    "ExchangeQuerySet",
    "OperatorQuerySet",
    "PersonaHistoryQuerySet",
    "PersonaVersionQuerySet",
    "ReplyJobQuerySet",
    "UsageQuerySet",
    "answering",
]
