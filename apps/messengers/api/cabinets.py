"""Ad cabinets over REST (specification, Endpoints, "Messengers, communities and ad cabinets")."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.messengers.actions.cabinets import remove_cabinet, set_cabinet_status
from apps.messengers.actions.connections import calls_quota
from apps.messengers.errors import AD_SLOTS_EXHAUSTED, CALL_PROBLEMS, PAID_PLAN_REQUIRED
from apps.messengers.models import AdCabinet
from apps.messengers.rules.providers import SETTABLE, CabinetStatus
from apps.messengers.serializers import CabinetSerializer


class CabinetBody(Body):
    """The new status of a cabinet."""

    status = Choice(choices=[one.value for one in SETTABLE], help_text="`suspended_by_billing` is the system's alone.")


class CabinetViewSet(ApiViewSet):
    target = AdCabinet
    reads = ("messengers:read",)
    writes = ("messengers:write",)

    @operation(summary="List ad cabinets", answers=CabinetSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's cabinets, newest first. They are connected in the cabinet of staff alone."""
        return context.page(AdCabinet.objects.for_widget(context.widget_id))

    @operation(summary="Read an ad cabinet", answers=CabinetSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """A cabinet. Its `channel` is what departments list."""
        return context.target

    @operation(
        summary="Enable or disable an ad cabinet",
        takes=CabinetBody,
        answers=CabinetSerializer,
        problems=(PAID_PLAN_REQUIRED, AD_SLOTS_EXHAUSTED),
        example={"status": "disabled"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """An enabled cabinet holds a slot of the plan. No provider is called: `webhook.attempted` is false."""
        status = CabinetStatus(context.body["status"])
        set_cabinet_status(widget_id=context.widget_id, cabinet_id=context.target_id, status=status)
        shown = CabinetSerializer.show(context.target)
        shown["webhook"]["attempted"] = False
        return shown

    @operation(
        summary="Remove an ad cabinet", status=204, calls_out=True, problems=CALL_PROBLEMS, limits=(calls_quota(),)
    )
    def destroy(self, context: RequestContext) -> None:
        """Removes the cabinet for good: it can only be connected again in the cabinet of staff."""
        remove_cabinet(cabinet=context.target, outbound=context.outbound)
