"""The cabinet's pages of the AI: settings, assistants with "try it", operators, credentials, alerts, usage."""

from apps.ai.admin.alerts import AlertAdmin
from apps.ai.admin.assistants import AssistantAdmin
from apps.ai.admin.credentials import CredentialAdmin
from apps.ai.admin.evaluations import AnswerFeedbackAdmin, EvaluationCaseAdmin, EvaluationRunAdmin
from apps.ai.admin.external import ExternalOperatorAdmin
from apps.ai.admin.operators import OPERATOR_FIELDS, AiOperatorAdmin
from apps.ai.admin.reports import ExchangeAdmin, UsageAdmin
from apps.ai.admin.settings import AiSettingsAdmin

__all__ = [
    "OPERATOR_FIELDS",
    "AiOperatorAdmin",
    "AiSettingsAdmin",
    "AlertAdmin",
    "AnswerFeedbackAdmin",
    "AssistantAdmin",
    "CredentialAdmin",
    "EvaluationCaseAdmin",
    "EvaluationRunAdmin",
    "ExchangeAdmin",
    "ExternalOperatorAdmin",
    "UsageAdmin",
]
