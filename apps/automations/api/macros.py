"""Macros over REST. Operators run them in the console."""

from apps.automations.actions import macros as actions
from apps.automations.errors import MACRO_LIMIT
from apps.automations.models import Macro
from apps.automations.serializers import MacroBody, MacroChanges, MacroSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet

THANKS = {
    "name": "Refund",
    "key": 1,
    "then": [{"do": "tag", "name": "refund"}, {"do": "reply", "text": "Your order {input.order} will be refunded."}],
    "inputs": [{"key": "order", "label": "Order", "is_required": True}],
}


class MacroViewSet(ApiViewSet):
    target = Macro
    reads = ("automations:read",)
    writes = ("automations:write",)

    @operation(summary="List macros", answers=MacroSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's, newest first: shared ones, and each operator's own."""
        return context.page(Macro.objects.for_widget(context.widget_id))

    @operation(
        summary="Add a macro",
        takes=MacroBody,
        answers=MacroSerializer,
        status=201,
        problems=(MACRO_LIMIT,),
        example=THANKS,
    )
    def create(self, context: RequestContext) -> Answer:
        """At most 200 shared ones of a widget, and 50 of each operator's own."""
        return actions.create_macro(widget_id=context.widget_id, values=context.body)

    @operation(summary="Read a macro", answers=MacroSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """With its acts and the questions that it asks."""
        return context.target

    @operation(summary="Change a macro", takes=MacroChanges, answers=MacroSerializer, example={"key": None})
    def partial_update(self, context: RequestContext) -> Answer:
        """It stays its owner's."""
        actions.change_macro(widget_id=context.widget_id, macro_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Delete a macro", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Its runs stay."""
        actions.delete_macro(widget_id=context.widget_id, macro_id=context.target_id)
