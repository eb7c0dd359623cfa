"""Whether the operator is at work."""

from typing import Any

from apps.agents import actions
from apps.agents.models import Agent
from apps.console.authentication import SessionAuthenticator
from apps.console.serializers.responses import StatusSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Choice
from apps.core.endpoints.viewsets import EndpointViewSet


class StatusBody(Body):
    """`relaxation`: on a break; `active`: at work."""

    status = Choice(choices=[Agent.Status.ACTIVE.value, Agent.Status.RELAXATION.value])


class StatusViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(
        summary="Take a break, or end it", takes=StatusBody, answers=StatusSerializer, example={"status": "active"}
    )
    def update(self, call: RequestContext) -> dict[str, Any]:
        """The caller's own switch: visitors see the team as online while an operator is online and at work."""
        status = call.body["status"]
        on_break = status == Agent.Status.RELAXATION
        actions.set_on_break(widget_id=call.widget_id, agent_id=call.caller.agent.pk, on_break=on_break)
        return {"status": status}
