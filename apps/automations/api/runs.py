"""Runs of automations and macros over REST, and their undoing."""

from apps.automations.actions.undo import undo_run, undo_since
from apps.automations.errors import ALREADY_UNDONE
from apps.automations.models import Automation, AutomationRun
from apps.automations.serializers import RunFilters, RunSerializer, SinceBody, UndoingSerializer, UndoneSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet


class RunViewSet(ApiViewSet):
    target = AutomationRun
    reads = ("automations:read",)
    writes = ("automations:write",)

    @operation(summary="List runs of automations and macros", answers=RunSerializer, filters=RunFilters, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first, of the last 90 days; of one chat, if it is named."""
        return context.page(AutomationRun.objects.for_widget(context.widget_id).order_by("-id"))

    @operation(summary="Undo a run", answers=UndoneSerializer, problems=(ALREADY_UNDONE,), idempotent=False)
    def undo(self, context: RequestContext) -> Answer:
        """All that it set goes back where it still stands; messages, notices and webhooks stay."""
        return undo_run(widget_id=context.widget_id, run_id=context.target_id)


class UndoingViewSet(ApiViewSet):
    target = Automation
    reads = ("automations:read",)
    writes = ("automations:write",)

    @operation(
        summary="Undo an automation's runs",
        takes=SinceBody,
        answers=UndoingSerializer,
        status=202,
        example={"since": "2026-11-29T08:00:00Z"},
    )
    def undo(self, context: RequestContext) -> Answer:
        """All of its runs since then, in the background, the newest first."""
        runs = undo_since(widget_id=context.widget_id, automation_id=context.target_id, since=context.body["since"])
        return {"runs": runs}
