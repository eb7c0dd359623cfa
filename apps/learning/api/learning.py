"""Self-learning over REST (specification, Endpoints, "Self-learning")."""

from typing import Any

from apps.ai.serializers.requests import MAX_ID
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import QueryInteger
from apps.core.endpoints.viewsets import ApiViewSet
from apps.learning.actions.cycles import tune
from apps.learning.actions.panel import panel_of, switch_of
from apps.learning.actions.targets import target_of
from apps.learning.errors import LEARNING_CYCLE_RUNNING, LEARNING_GATE_CLOSED
from apps.learning.models import Cycle
from apps.learning.serializers.learning import CycleSerializer, KillSwitchSerializer, LearningSettingsSerializer
from apps.learning.serializers.requests import APPLY, TargetQuery


class CycleQuery(PageQuery):
    """The filters of the list; without an assistant it is the whole widget's."""

    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)


class LearningViewSet(ApiViewSet):
    reads = ("ai:read",)
    writes = APPLY

    @operation(summary="Read the panel of self-learning", filters=TargetQuery, answers=LearningSettingsSerializer)
    def panel(self, context: RequestContext) -> dict[str, Any]:
        """The panel of the named assistant, else of the default one."""
        panel = panel_of(context.widget_id, target_of(context.widget_id, context.filters.get("assistant_id")))
        cycles = {name: _shown(panel[name]) for name in ("last_cycle", "running_cycle")}
        return {**panel, **cycles}

    @operation(summary="Read the kill switch", filters=TargetQuery, answers=KillSwitchSerializer)
    def kill_switch(self, context: RequestContext) -> dict[str, Any]:
        """The three gates that decide whether a tuning cycle may run, each with the first reason that closes it."""
        return switch_of(context.widget_id, target_of(context.widget_id, context.filters.get("assistant_id")))

    @operation(
        summary="Queue a tuning cycle",
        filters=TargetQuery,
        answers=CycleSerializer,
        status=202,
        problems=(LEARNING_GATE_CLOSED, LEARNING_CYCLE_RUNNING),
    )
    def tune(self, context: RequestContext) -> Cycle:
        """It learns from what people answered, in five minutes at most. The gates are asked again before each call of a
        provider and when it applies.
        """
        assistant = target_of(context.widget_id, context.filters.get("assistant_id"))
        return tune(widget_id=context.widget_id, assistant=assistant)

    @operation(summary="List cycles that made a version", filters=CycleQuery, answers=CycleSerializer, lists=True)
    def cycles(self, context: RequestContext) -> Page:
        """Newest first; those of deleted assistants, too."""
        if (assistant_id := context.filters.get("assistant_id")) is not None:
            target_of(context.widget_id, assistant_id)
        return context.page(Cycle.objects.for_widget(context.widget_id).applied().order_by("-queued_at", "-id"))


def _shown(cycle: Cycle | None) -> dict[str, Any] | None:
    return CycleSerializer.show(cycle) if cycle else None
