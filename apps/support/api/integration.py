"""The binding of a company's application over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from apps.ai.drivers import DRIVERS
from apps.ai.errors import CREDENTIAL_UNAVAILABLE
from apps.ai.serializers.requests import Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Body, Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.support.actions.bindings import bind, unbind
from apps.support.errors import INTEGRATION_EXISTS
from apps.support.models import Binding
from apps.support.serializers.application import CreatedIntegrationSerializer, IntegrationSerializer


class IntegrationBody(Body):
    """The provider that answers the application's turns."""

    provider = Choice(choices=list(DRIVERS), help_text="A driver's code.")
    assistant_id = Id(required=False, help_text="The assistant whose persona, prompt and credential are used.")


class IntegrationViewSet(ApiViewSet):
    target, target_field = Binding, None
    reads = ("ai:read",)
    writes = ("ai:credentials:write",)

    @operation(summary="Read the integration", answers=IntegrationSerializer, may_be_null=True)
    def retrieve(self, context: RequestContext) -> Any:
        """The binding of the company's application; null where there is none."""
        return context.existing

    @operation(
        summary="Bind a company's application",
        takes=IntegrationBody,
        answers=CreatedIntegrationSerializer,
        status=201,
        also_needs=("ai:write",),
        problems=(CREDENTIAL_UNAVAILABLE, INTEGRATION_EXISTS),
        example={"provider": "openai"},
    )
    def create(self, context: RequestContext) -> Answer:
        """The calling token, which must hold `ai:write` as well, becomes the only signer of the application's calls.
        `signing_secret` is shown here alone. To rotate it, delete the integration and make a new one.
        """
        return bind(widget_id=context.widget_id, token_id=context.caller.token_id, **context.body)

    @operation(summary="Unbind the application", status=204, problems=(NOT_FOUND,))
    def destroy(self, context: RequestContext) -> None:
        """Revokes the binding and its secret: the next signed call is refused."""
        unbind(widget_id=context.widget_id)
