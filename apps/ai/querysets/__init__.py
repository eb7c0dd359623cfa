"""Named reads of assistants, operators, credentials and alerts; each starts from the widget."""

from apps.ai.querysets.assistants import (
    AiSettingsQuerySet,
    AssistantQuerySet,
    DetachedTestQuerySet,
    OperatorQuerySet,
    PersonaHistoryQuerySet,
    PersonaVersionQuerySet,
    assistant_names,
)
from apps.ai.querysets.credentials import AlertQuerySet, CredentialQuerySet, UsageQuerySet
from apps.ai.querysets.evaluations import (
    EvaluationCaseQuerySet,
    EvaluationResultQuerySet,
    EvaluationRunQuerySet,
    TrialQuerySet,
)
from apps.ai.querysets.replies import (
    AnswerFeedbackQuerySet,
    ConversationQuerySet,
    ExchangeQuerySet,
    ReplyJobQuerySet,
    answering,
    cited_sources,
    pieces_used,
)

__all__ = [
    "AiSettingsQuerySet",
    "AlertQuerySet",
    "AnswerFeedbackQuerySet",
    "AssistantQuerySet",
    "ConversationQuerySet",
    "CredentialQuerySet",
    "DetachedTestQuerySet",
    "EvaluationCaseQuerySet",
    "EvaluationResultQuerySet",
    "EvaluationRunQuerySet",
    "ExchangeQuerySet",
    "OperatorQuerySet",
    "PersonaHistoryQuerySet",
    "PersonaVersionQuerySet",
    "ReplyJobQuerySet",
    "TrialQuerySet",
    "UsageQuerySet",
    "answering",
    "assistant_names",
    "cited_sources",
    "pieces_used",
]
