"""Assistants over REST (specification, Endpoints, "AI configuration")."""

from apps.ai.actions.assistants import change_assistant, create_assistant, delete_assistant
from apps.ai.actions.personas import token_actor
from apps.ai.errors import ASSISTANT_IN_USE
from apps.ai.models import Assistant
from apps.ai.serializers.assistant_requests import AssistantBody, AssistantChangesBody, cleared
from apps.ai.serializers.assistants import AssistantSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet


class AssistantViewSet(ApiViewSet):
    target = Assistant
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List assistants", answers=AssistantSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's assistants, newest first, with what each spent this month."""
        return context.page(Assistant.objects.for_widget(context.widget_id))

    @operation(
        summary="Make an assistant",
        takes=AssistantBody,
        answers=AssistantSerializer,
        status=201,
        example={"name": "Flora", "persona": "You sell flowers.", "escalation_triggers": ["refund*"]},
    )
    def create(self, context: RequestContext) -> Answer:
        """The widget's first assistant is its default. Nothing replies until an AI operator runs it, a credential is
        there, and the widget's AI is enabled.
        """
        actor = token_actor(context.widget_id, context.caller.token_id)
        return create_assistant(widget_id=context.widget_id, actor=actor, **cleared(context.body))

    @operation(summary="Read an assistant", answers=AssistantSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One assistant of the widget."""
        return context.target

    @operation(
        summary="Change an assistant",
        takes=AssistantChangesBody,
        answers=AssistantSerializer,
        example={"greeting_i18n": {"de": "Guten Tag!", "es": None}},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes what is sent and nothing else.

        `is_default: true` moves the mark; `false` on the default one is 422. A change of `persona` or `system_prompt`
        makes the assistant's next version.
        """
        change_assistant(
            widget_id=context.widget_id,
            assistant_id=context.target_id,
            changes=cleared(context.body),
            actor=token_actor(context.widget_id, context.caller.token_id),
        )
        return context.target

    @operation(summary="Delete an assistant", status=204, problems=(ASSISTANT_IN_USE,))
    def destroy(self, context: RequestContext) -> None:
        """Its own credentials go with it, and retired operators lose it. Was it the default, the oldest left is."""
        delete_assistant(widget_id=context.widget_id, assistant_id=context.target_id)
