"""Assistants over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from apps.ai.actions.assistants import change_assistant, create_assistant, delete_assistant
from apps.ai.actions.personas import token_actor
from apps.ai.errors import ASSISTANT_IN_USE
from apps.ai.models import Assistant
from apps.ai.rules import configuration as rules
from apps.ai.rules.configuration import BASE_URLS
from apps.ai.serializers.assistants import AssistantSerializer
from apps.ai.serializers.requests import ByLanguage, Distinct
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Boolean, Choice, Items, Number, PatchBody, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
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


# What null stands for.
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
    """The members, with what is kept where they are null."""
    return {name: _CLEARED.get(name) if value is None else value for name, value in members.items()}


class AssistantChangesBody(PatchBody):
    """The changes of an assistant. Null clears where it is allowed; the name can't be cleared."""

    of = AssistantBody


class AssistantViewSet(ApiViewSet):
    target = Assistant
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List assistants", answers=AssistantSerializer, lists=True)
    def list(self, call: RequestContext) -> Page:
        """The widget's assistants, newest first, with what each spent this month."""
        return call.page(Assistant.objects.for_widget(call.widget_id))

    @operation(
        summary="Make an assistant",
        takes=AssistantBody,
        answers=AssistantSerializer,
        status=201,
        example={"name": "Flora", "persona": "You sell flowers.", "escalation_triggers": ["refund*"]},
    )
    def create(self, call: RequestContext) -> Answer:
        """The widget's first assistant is its default. Nothing replies until an AI operator runs it, a credential is
        there, and the widget's AI is enabled.
        """
        actor = token_actor(call.widget_id, call.caller.token_id)
        return create_assistant(widget_id=call.widget_id, actor=actor, **cleared(call.body))

    @operation(summary="Read an assistant", answers=AssistantSerializer)
    def retrieve(self, call: RequestContext) -> Answer:
        """One assistant of the widget."""
        return call.target

    @operation(
        summary="Change an assistant",
        takes=AssistantChangesBody,
        answers=AssistantSerializer,
        example={"greeting_i18n": {"de": "Guten Tag!", "es": None}},
    )
    def partial_update(self, call: RequestContext) -> Answer:
        """Changes what is sent and nothing else.

        `is_default: true` moves the mark; `false` on the default one is 422. A change of `persona` or `system_prompt`
        makes the assistant's next version.
        """
        change_assistant(
            widget_id=call.widget_id,
            assistant_id=call.target_id,
            changes=cleared(call.body),
            actor=token_actor(call.widget_id, call.caller.token_id),
        )
        return call.target

    @operation(summary="Delete an assistant", status=204, problems=(ASSISTANT_IN_USE,))
    def destroy(self, call: RequestContext) -> None:
        """Its own credentials go with it, and retired operators lose it. Was it the default, the oldest left is."""
        delete_assistant(widget_id=call.widget_id, assistant_id=call.target_id)
