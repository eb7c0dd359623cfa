"""Whether the operator is at work."""

from typing import Any

from apps.agents import actions
from apps.agents.models import Agent
from apps.agents.rules.absence import MAX_BREAK_NOTE
from apps.console.authentication import SessionAuthenticator
from apps.console.serializers.responses import StatusSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Boolean, Choice, Text, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.parsing.names import control_refusal


class StatusBody(Body):
    """`relaxation`: on a break; `active`: at work."""

    status = Choice(choices=[Agent.Status.ACTIVE.value, Agent.Status.RELAXATION.value])
    note = Text(
        required=False,
        allow_blank=True,
        max_length=MAX_BREAK_NOTE,
        validators=[validator_of(control_refusal)],
        help_text="Words for colleagues during the break.",
    )
    pass_on = Boolean(required=False, help_text="The visitors who wait for the caller go on to others at once.")


class StatusViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(
        summary="Take a break, or end it",
        takes=StatusBody,
        answers=StatusSerializer,
        example={"status": "relaxation", "note": "Lunch", "pass_on": True},
    )
    def update(self, context: RequestContext) -> dict[str, Any]:
        """The caller's own switch: visitors see the team as online while an operator is online and at work.

        A break has a `note` for colleagues, and `pass_on`: waiting visitors go on to others at once. Both end with it.
        """
        body = context.body
        actions.set_on_break(
            widget_id=context.widget_id,
            agent_id=context.caller.agent.pk,
            on_break=body["status"] == Agent.Status.RELAXATION,
            note=body.get("note", "").strip(),
            pass_on=body.get("pass_on", False),
        )
        return {"status": body["status"]}
