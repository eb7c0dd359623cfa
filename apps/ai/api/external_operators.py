"""External operators over REST (specification, Endpoints, "External operators")."""

from typing import Any

from apps.agents.errors import OPERATOR_NOT_VERIFIED, OPERATOR_REVOKED
from apps.ai.actions.external import (
    change_external_operator,
    delete_external_operator,
    force_drain,
    move_operator,
    require_switched_on,
)
from apps.ai.actions.personas import token_actor
from apps.ai.actions.probes import begin_test
from apps.ai.errors import (
    DELIVERY_UNAVAILABLE,
    INVALID_TRANSITION,
    NOT_ROTATING,
    OPERATOR_NOT_REVOKED,
    ROTATION_UNDER_WAY,
    TEST_IN_FLIGHT,
)
from apps.ai.models import ExternalOperator, ProbeTest
from apps.ai.rules import lifecycle
from apps.ai.rules.actors import Actor
from apps.ai.rules.lifecycle import Action
from apps.ai.serializers.external_operators import (
    DrainedOperatorSerializer,
    ExternalOperatorSerializer,
    MovedOperatorSerializer,
    ProbeTestSerializer,
)
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.outbound_urls import OutboundUrl
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Choice, Integer, PatchBody, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.parsing.names import name_refusal


class ExternalOperatorChangesBody(PatchBody):
    """The changes of an external operator. All else is set in the cabinet."""

    name = Text(required=False, max_length=lifecycle.MAX_NAME, validators=[validator_of(name_refusal)])
    endpoint_url = OutboundUrl(
        required=False,
        max_length=lifecycle.MAX_URL,
        source="*",
        help_text="https, on a public address. Another one is to be proved by a test before the operator speaks again.",
    )


class LifecycleBody(Body):
    """A move of the lifecycle."""

    action = Choice(choices=[action.value for action in Action])
    reason = Text(required=False, max_length=lifecycle.MAX_REASON, help_text="Kept with the move, for people.")
    overlap_sec = Integer(
        required=False,
        min_value=0,
        max_value=lifecycle.MAX_OVERLAP_S,
        help_text="How long both secrets count after a `rotate`; 3,600 unless it is sent.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "overlap_sec" in attrs and attrs["action"] != Action.ROTATE:
            raise INVALID_INPUT(errors={"overlap_sec": ["Only a rotation has an overlap."]})
        return attrs


def _actor(context: RequestContext) -> Actor:
    return token_actor(context.widget_id, context.caller.token_id)


class ExternalOperatorViewSet(ApiViewSet):
    target, target_field = ExternalOperator, "public_id"
    reads = ("agents:read",)
    writes = ("agents:write",)

    @operation(summary="List external operators", answers=ExternalOperatorSerializer, lists=True, problems=(NOT_FOUND,))
    def list(self, context: RequestContext) -> Page:
        """The widget's external operators, newest first, without deleted ones. 404 where the cabinet has switched
        external operators off.
        """
        require_switched_on(context.widget_id)
        return context.page(ExternalOperator.objects.for_widget(context.widget_id))

    @operation(summary="Read an external operator", answers=ExternalOperatorSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One external operator of the widget, with how its endpoint does and what it is waited for with."""
        return context.target

    @operation(
        summary="Change an external operator",
        takes=ExternalOperatorChangesBody,
        answers=ExternalOperatorSerializer,
        problems=(OPERATOR_REVOKED, ROTATION_UNDER_WAY),
        calls_out=True,
        example={"name": "Orders bot", "endpoint_url": "https://bot.example.com/turns"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Renames it, or replaces its address. Another address has proved nothing: an active operator is paused until
        a test has proved it and `activate` is called. At another origin the bearer credential is forgotten
        (`has_bearer`): it is typed again in the cabinet. While a rotation is under way the address stays (409).
        """
        with context.outbound.write():
            change_external_operator(
                widget_id=context.widget_id, public_id=context.target_id, changes=context.body, actor=_actor(context)
            )
        return context.target

    @operation(summary="Delete an external operator", status=204, problems=(OPERATOR_NOT_REVOKED,))
    def destroy(self, context: RequestContext) -> None:
        """Takes a revoked operator out of every list. Chats, messages and statistics stay, and its agent, banned."""
        delete_external_operator(widget_id=context.widget_id, public_id=context.target_id, actor=_actor(context))

    @operation(
        summary="Move an external operator through its lifecycle",
        takes=LifecycleBody,
        answers=MovedOperatorSerializer,
        problems=(INVALID_TRANSITION, OPERATOR_NOT_VERIFIED, ROTATION_UNDER_WAY),
        example={"action": "kill", "reason": "It answers nonsense."},
    )
    def lifecycle(self, context: RequestContext) -> Answer:
        """`activate`, `pause`, `rotate`, `kill` or `revoke`. A move to the state that it is in changes nothing.

        `kill` is the kill switch: when it has answered, every open turn is closed, and nothing more is sent. `revoke`
        is the same for good. `rotate` answers with the new secret, once; for `overlap_sec` both secrets count.
        """
        body = context.body
        moved = move_operator(
            widget_id=context.widget_id,
            public_id=context.target_id,
            action=Action(body["action"]),
            actor=_actor(context),
            reason=body.get("reason", ""),
            overlap_s=body.get("overlap_sec", lifecycle.DEFAULT_OVERLAP_S),
        )
        shown = ExternalOperatorSerializer.show(context.target)
        return shown if moved.secret is None else {**shown, "signing_secret": moved.secret}

    @operation(
        summary="End an external operator's rotation now",
        answers=DrainedOperatorSerializer,
        problems=(NOT_ROTATING,),
    )
    def force_drain(self, context: RequestContext) -> Answer:
        """Abandons waiting events, closes the turns, and ends the old secret at once."""
        abandoned = force_drain(widget_id=context.widget_id, public_id=context.target_id, actor=_actor(context))
        return {**ExternalOperatorSerializer.show(context.target), "abandoned": abandoned}


class ProbeViewSet(ApiViewSet):
    """Tests: `POST` names the operator, `GET` one of its tests."""

    target, target_field = ProbeTest, "public_id"
    target_within = ("operator__public_id",)
    reads = ("agents:read",)
    writes = ("agents:write",)

    @operation(summary="Read a test of an external operator", answers=ProbeTestSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """Poll it until `status` is no longer `queued`: 15 seconds, and what waits before it."""
        return context.target


class ProbeStartViewSet(ApiViewSet):
    target, target_field = ExternalOperator, "public_id"
    reads = ("agents:read",)
    writes = ("agents:write",)

    @operation(
        summary="Test an external operator",
        answers=ProbeTestSerializer,
        status=202,
        problems=(OPERATOR_REVOKED, TEST_IN_FLIGHT, DELIVERY_UNAVAILABLE),
    )
    def create(self, context: RequestContext) -> Answer:
        """Posts one synthetic `delivery.test` to its address, signed like every event. An answer 2xx with
        `{"challenge": "<the same>"}` proves the address. One attempt; one test at a time.
        """
        test = begin_test(widget_id=context.widget_id, public_id=context.target_id, actor=_actor(context))
        return ProbeTest.objects.for_widget(context.widget_id).select_related("operator").get(pk=test.pk)
