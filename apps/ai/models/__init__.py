"""The models of a widget's AI: settings, assistants with their versions, credentials, alerts, and usage."""

from apps.ai.models.assistants import AiOperator, AiSettings, Assistant, DetachedTest, PersonaHistory, PersonaVersion
from apps.ai.models.credentials import Alert, Credential, Usage
from apps.ai.models.evaluations import EvaluationCase, EvaluationResult, EvaluationRun, Trial
from apps.ai.models.exchanges import AnswerFeedback, Exchange
from apps.ai.models.external import (
    ExternalOperator,
    OperatorEvent,
    OperatorHealth,
    OperatorMove,
    ProbeTest,
    ReplyToken,
    Turn,
)
from apps.ai.models.replies import Conversation, ReplyJob

__all__ = [
    "AiOperator",
    "AiSettings",
    "Alert",
    "AnswerFeedback",
    "Assistant",
    "Conversation",
    "Credential",
    "DetachedTest",
    "EvaluationCase",
    "EvaluationResult",
    "EvaluationRun",
    "Exchange",
    "ExternalOperator",
    "OperatorEvent",
    "OperatorHealth",
    "OperatorMove",
    "PersonaHistory",
    "PersonaVersion",
    "ProbeTest",
    "ReplyJob",
    "ReplyToken",
    "Trial",
    "Turn",
    "Usage",
]
