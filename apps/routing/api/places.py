"""The places of operators over REST."""

from typing import Any

from rest_framework import serializers

from apps.agents.models import Agent
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.row_serializers import RowSerializer, TextList, Time
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, Items, PatchBody
from apps.core.endpoints.viewsets import ApiViewSet
from apps.routing.actions.places import change_places
from apps.routing.actions.settings import routing_of
from apps.routing.errors import NOT_ROUTABLE
from apps.routing.querysets.places import places_of
from apps.routing.rules import settings as rules


class DepartmentPlacesBody(Body):
    """The places of an operator in one department."""

    department_id = Integer(min_value=1, max_value=2**63 - 1)
    capacity = Integer(
        min_value=0, max_value=rules.MAX_CAPACITY, allow_null=True, help_text="Null: no limit of its own."
    )


class DepartmentPlaces(Items):
    """The places of an operator in some departments, each named once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=DepartmentPlacesBody(), max_length=1000, **options)

    def run_child_validation(self, data: Any) -> list[Any]:
        value = super().run_child_validation(data)
        if again := rules.named_again(row["department_id"] for row in value):
            refused = {f"{place}.department_id": ["Each department is named once."] for place in again}
            raise serializers.ValidationError(refused)
        return value


class PlacesBody(PatchBody):
    """The changes of an operator's places."""

    capacity = Integer(
        min_value=0, max_value=rules.MAX_CAPACITY, required=False, allow_null=True, help_text="Null: the widget's."
    )
    departments = DepartmentPlaces(required=False)


class DepartmentPlacesSerializer(RowSerializer):
    """The places of an operator in one department, and their chats there."""

    department_id = Integer()
    capacity = Integer(allow_null=True)
    load = Integer()


class PlacesSerializer(RowSerializer):
    """How many routed chats an operator takes at once, how many they have, and whether they get one now."""

    capacity = Integer(allow_null=True)
    departments = DepartmentPlacesSerializer(many=True)
    reads = TextList()
    effective_capacity = Integer()
    load = Integer()
    is_available = Boolean()
    why_not = Choice(
        choices=["offline", "on_break", "full", "excluded"],
        allow_null=True,
        help_text="`full`: nowhere a place; `excluded`: a capacity of 0.",
    )
    last_given_at = Time(allow_null=True)
    misses = Integer(help_text="Offers missed in a row.")


class PlacesViewSet(ApiViewSet):
    target = Agent
    reads = ("agents:read",)
    writes = ("agents:write",)

    @operation(summary="Read an operator's places", answers=PlacesSerializer, problems=(NOT_ROUTABLE,))
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """How many routed chats they take at once, how many they have, and whether they get one now."""
        return places_of(context.widget_id, context.target_id, routing_of(context.widget_id, None))

    @operation(
        summary="Change an operator's places",
        takes=PlacesBody,
        answers=PlacesSerializer,
        problems=(NOT_ROUTABLE,),
        example={"capacity": 4, "departments": [{"department_id": 1, "capacity": 2}]},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """A capacity of 0 takes no routed chat; by hand they take chats as ever. Departments that are not sent stay."""
        changes = dict(context.body)
        if "departments" in changes:
            changes["departments"] = {row["department_id"]: row["capacity"] for row in changes["departments"]}
        change_places(widget_id=context.widget_id, agent_id=context.target_id, changes=changes)
        return self.retrieve(context)
