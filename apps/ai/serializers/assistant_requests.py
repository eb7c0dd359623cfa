"""The body of an assistant: the members that a call may make, change and examine."""

from typing import Any

from apps.ai.rules import configuration as rules
from apps.ai.rules.configuration import BASE_URLS
from apps.ai.serializers.requests import ByLanguage, Distinct
from apps.core.endpoints.serializers import Body, Boolean, Choice, Items, Number, PatchBody, Text, validator_of
from apps.core.parsing.names import name_refusal


class QuickPhrases(Items):
    """The phrases that a visitor may send by a click."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            child=Text(max_length=rules.MAX_QUICK_PHRASE, validators=[validator_of(name_refusal)]),
            max_length=rules.MAX_QUICK_PHRASES,
            **options,
        )


class AssistantBody(Body):
    """A new assistant. Null is as if a member were left out, where it is allowed."""

    name = Text(max_length=rules.MAX_NAME, validators=[validator_of(name_refusal)])
    enabled = Boolean(required=False)
    is_default = Boolean(required=False, help_text="A widget has one default assistant: the first, at first.")
    persona = Text(required=False, allow_null=True, allow_blank=True, max_length=rules.MAX_PERSONA)
    system_prompt = Text(required=False, allow_null=True, allow_blank=True, max_length=rules.MAX_SYSTEM_PROMPT)
    temperature = Number(required=False, allow_null=True, min_value=0, max_value=rules.MAX_TEMPERATURE)
    rag_enabled = Boolean(required=False)
    escalation_triggers = Distinct(
        required=False,
        allow_null=True,
        child=Text(max_length=rules.MAX_TRIGGER, validators=[validator_of(name_refusal)]),
        max_length=rules.MAX_TRIGGERS,
        help_text="Words at which a visitor is handed to people; a trailing `*` matches a beginning.",
    )
    greeting = Text(required=False, allow_null=True, allow_blank=True, max_length=rules.MAX_GREETING)
    greeting_i18n = ByLanguage(
        required=False,
        allow_null=True,
        child=Text(max_length=rules.MAX_GREETING),
        help_text="By language; merged, and null removes one.",
    )
    quick_phrases = QuickPhrases(required=False, allow_null=True)
    quick_phrases_i18n = ByLanguage(
        required=False, allow_null=True, child=QuickPhrases(), help_text="By language; merged, and null removes one."
    )
    provider = Choice(required=False, allow_null=True, choices=list(BASE_URLS))
    model = Text(required=False, allow_null=True, max_length=rules.MAX_MODEL, validators=[validator_of(name_refusal)])


# The values that null stands for.
_CLEARED: dict[str, Any] = {
    "persona": "",
    "system_prompt": "",
    "greeting": "",
    "escalation_triggers": [],
    "quick_phrases": [],
    "provider": "",
    "model": "",
}


def cleared(members: dict[str, Any]) -> dict[str, Any]:
    """The members, with the kept value in place of null."""
    return {name: _CLEARED.get(name) if value is None else value for name, value in members.items()}


class AssistantChangesBody(PatchBody):
    """The changes of an assistant. Null clears where it is allowed; the name can't be cleared."""

    of = AssistantBody
