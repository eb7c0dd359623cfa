"""The cabinet's forms of the AI: assistants, credentials, operators, and the question of "try it"."""

from apps.ai.forms.assistants import AiSettingsForm, AssistantForm, OperatorForm, PhraseLinesField, QuestionForm
from apps.ai.forms.credentials import PROVIDERS, CredentialForm, look_up
from apps.ai.forms.templates import TemplateForm

__all__ = [
    "PROVIDERS",
    "AiSettingsForm",
    "AssistantForm",
    "CredentialForm",
    "OperatorForm",
    "PhraseLinesField",
    "QuestionForm",
    "TemplateForm",
    "look_up",
]
