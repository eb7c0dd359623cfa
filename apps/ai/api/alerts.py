"""Alerts over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from apps.ai.actions.alerts import acknowledge
from apps.ai.models import Alert
from apps.ai.serializers.assistants import AcknowledgedSerializer, AlertSerializer
from apps.ai.serializers.requests import Distinct, Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Body, Choice
from apps.core.endpoints.viewsets import ApiViewSet


class AlertListQuery(PageQuery):
    """The filter of alerts."""

    state = Choice(
        required=False,
        default="unacknowledged",
        choices=["unacknowledged", "acknowledged", "all"],
    )


class AcknowledgementBody(Body):
    """The alerts to acknowledge; all open ones by default."""

    ids = Distinct(required=False, child=Id(), allow_empty=False, max_length=100)


class AlertViewSet(ApiViewSet):
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List alerts", filters=AlertListQuery, answers=AlertSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The alerts for the owner, newest first; a repetition of an open one is counted."""
        state = context.filters.pop("state")
        return context.page(Alert.objects.for_widget(context.widget_id).in_state(state).order_by("-first_at", "-id"))

    @operation(
        summary="Acknowledge alerts",
        takes=AcknowledgementBody,
        answers=AcknowledgedSerializer,
        example={"ids": [7]},
    )
    def acknowledge(self, context: RequestContext) -> dict[str, Any]:
        """`acknowledged` counts those that were open. One unknown id refuses them all."""
        return {"acknowledged": acknowledge(widget_id=context.widget_id, ids=context.body.get("ids"))}
