"""AI operators over REST (specification, Endpoints, "AI configuration")."""

from apps.ai.actions.operators import change_operator, create_operator, retire_operator
from apps.ai.models import AiOperator
from apps.ai.rules.configuration import MAX_NAME
from apps.ai.serializers.assistants import AiOperatorSerializer
from apps.ai.serializers.requests import Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Boolean, Choice, PatchBody, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.parsing.names import name_refusal


class OperatorBody(Body):
    """A new AI operator."""

    assistant_id = Id(help_text="The assistant that it runs.")
    name = Text(
        required=False,
        max_length=MAX_NAME,
        validators=[validator_of(name_refusal)],
        help_text="The assistant's, unless it is sent.",
    )
    show_in_header = Boolean(required=False)
    status = Choice(required=False, choices=["active", "relaxation"], help_text="On a break it does not answer.")


class OperatorChangesBody(PatchBody):
    """The changes of an AI operator; `active` brings a retired one back."""

    of = OperatorBody


class AiOperatorViewSet(ApiViewSet):
    target = AiOperator
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List AI operators", answers=AiOperatorSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's AI operators, newest first, retired ones too."""
        return context.page(AiOperator.objects.for_widget(context.widget_id))

    @operation(
        summary="Make an AI operator",
        takes=OperatorBody,
        answers=AiOperatorSerializer,
        status=201,
        example={"assistant_id": 1, "name": "Flora"},
    )
    def create(self, context: RequestContext) -> Answer:
        """An assistant's replies are attributed to it. It takes no seat, and never owns a chat."""
        return create_operator(widget_id=context.widget_id, **context.body)

    @operation(
        summary="Change an AI operator",
        takes=OperatorChangesBody,
        answers=AiOperatorSerializer,
        example={"status": "relaxation"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes what is sent and nothing else."""
        change_operator(widget_id=context.widget_id, operator_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Retire an AI operator", status=204)
    def destroy(self, context: RequestContext) -> None:
        """It answers no more; its messages stay, and `status: active` brings it back."""
        retire_operator(widget_id=context.widget_id, operator_id=context.target_id)
