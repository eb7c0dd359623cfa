"""Automations over REST."""

from apps.automations.actions import automations as actions
from apps.automations.actions.trials import try_automation
from apps.automations.errors import AUTOMATION_LIMIT, AUTOMATION_NOT_TRIED, TOO_MANY_TRIALS
from apps.automations.models import Automation, AutomationRun
from apps.automations.serializers import (
    AutomationBody,
    AutomationChanges,
    AutomationSerializer,
    OrderBody,
    RunSerializer,
    TrialBody,
    TrialDaysBody,
    TrialSerializer,
)
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet

WAITS_TEN_MINUTES = {
    "name": "Nobody answered for ten minutes",
    "when": {"wait": "visitor_waits", "minutes": 10, "clock": "open"},
    "if": {"all": [{"field": "priority", "op": "is_not", "value": "low"}]},
    "then": [
        {"do": "priority", "value": "urgent"},
        {"do": "notify", "whom": "managers", "by": ["console"], "text": "A visitor waits for ten minutes."},
    ],
}
_TRIED = {name: WAITS_TEN_MINUTES[name] for name in ("when", "if", "then")}


class AutomationViewSet(ApiViewSet):
    target = Automation
    reads = ("automations:read",)
    writes = ("automations:write",)

    @operation(summary="List automations", answers=AutomationSerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """All of the widget's, in the order in which they are asked."""
        return context.whole(Automation.objects.for_widget(context.widget_id).in_order())

    @operation(
        summary="Add an automation",
        takes=AutomationBody,
        answers=AutomationSerializer,
        status=201,
        problems=(AUTOMATION_LIMIT,),
        example=WAITS_TEN_MINUTES,
    )
    def create(self, context: RequestContext) -> Answer:
        """Switched off, behind the others; a widget has 100 at most. Each refusal is named by its path."""
        return actions.create_automation(widget_id=context.widget_id, values=context.body)

    @operation(summary="Read an automation", answers=AutomationSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """With its newest trial, and the rows that it names and that are gone."""
        return context.target

    @operation(
        summary="Change an automation",
        takes=AutomationChanges,
        answers=AutomationSerializer,
        problems=(AUTOMATION_NOT_TRIED,),
        example={"is_enabled": True},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Another `when`, `if`, `then` or `stop` is a new version, switched off; one that was not tried stays off."""
        actions.change_automation(widget_id=context.widget_id, automation_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Delete an automation", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Its runs stay, without it; waits that are counted for it are dropped."""
        actions.delete_automation(widget_id=context.widget_id, automation_id=context.target_id)

    @operation(
        summary="Order the automations",
        takes=OrderBody,
        answers=AutomationSerializer,
        lists="whole",
        example={"ids": [12, 11]},
    )
    def order(self, context: RequestContext) -> Page:
        """The first is asked first."""
        actions.order_automations(widget_id=context.widget_id, ids=context.body["ids"])
        return self.list(context)


class AutomationRunsViewSet(ApiViewSet):
    target = Automation
    reads = ("automations:read",)

    @operation(summary="List an automation's runs", answers=RunSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first, of the last 90 days."""
        return context.page(
            AutomationRun.objects.for_widget(context.widget_id).filter(automation=context.target_id).order_by("-id")
        )


class TrialViewSet(ApiViewSet):
    reads = ("automations:read",)
    writes = ("automations:read",)

    @operation(
        summary="Try an automation",
        takes=TrialBody,
        answers=TrialSerializer,
        problems=(TOO_MANY_TRIALS,),
        idempotent=False,
        example={**_TRIED, "days": 7},
    )
    def try_out(self, context: RequestContext) -> Answer:
        """The acts that it would have done in the last days. Nothing is written, and nothing is sent.

        After ten seconds it ends: `from` says how far back it looked. At most 4 trials of a widget run at once.
        """
        body = context.body
        return try_automation(
            widget_id=context.widget_id,
            when=body["when"],
            condition=body["if"],
            then=body["then"],
            stop=body["stop"],
            days=body["days"],
        )


class StoredTrialViewSet(ApiViewSet):
    target = Automation
    reads = ("automations:read",)
    writes = ("automations:read",)

    @operation(
        summary="Try a stored automation",
        takes=TrialDaysBody,
        answers=TrialSerializer,
        problems=(TOO_MANY_TRIALS,),
        idempotent=False,
        example={"days": 30},
    )
    def try_out(self, context: RequestContext) -> Answer:
        """As the trial of one that is not kept. Its version may be switched on after it."""
        automation = context.target
        return try_automation(
            widget_id=context.widget_id,
            when=automation.when,
            condition=automation.condition,
            then=automation.then,
            stop=automation.stop,
            days=context.body["days"],
            automation_id=context.target_id,
        )
