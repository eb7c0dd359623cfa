"""Whether a department is routed, open and staffed: one rule, for a chat that is looked at and for the router."""

from collections.abc import Collection
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.agents.rules.hours import OpenHours, always_open
from apps.routing.actions.settings import change_routing, routing_of
from apps.routing.models import OperatorPlaces
from apps.routing.querysets.operators import operators_of, staffed_among
from apps.routing.rules.settings import Routing, RoutingMode
from apps.routing.rules.standing import departments_now
from tests.routing.served import come

pytestmark = pytest.mark.django_db
SALES, CLOSED, GONE = 1, 2, 3
UTC = ZoneInfo("UTC")


@pytest.mark.parametrize("usual", [0, 5])
def test_a_department_is_staffed_by_those_who_take_its_chats(
    shop: Widget, sales: Department, alice: Agent, boris: Agent, usual: int
) -> None:
    """The statement says what `Operator.takes` says of each, whatever their places are."""
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed", "capacity": usual})
    other = Department.objects.create(widget=shop, name="Other")
    empty = Department.objects.create(widget=shop, name="Empty")
    other.agents.set([boris])
    ids, seen = (None, sales.pk, other.pk, empty.pk), set()
    for here in ([], [alice], [boris], [alice, boris]):
        Agent.objects.for_widget(shop.pk).update(online_since=None)
        come(*here)
        for own, of_sales, of_other in [(None, None, None), (0, 3, 3), (2, 0, None), (None, 3, 0), (1, 0, 0)]:
            OperatorPlaces.objects.for_widget(shop.pk).delete()
            OperatorPlaces.objects.create(widget=shop, agent=boris, capacity=own)
            OperatorPlaces.objects.create(widget=shop, agent=boris, department=sales, capacity=of_sales)
            OperatorPlaces.objects.create(widget=shop, agent=boris, department=other, capacity=of_other)
            routing = routing_of(shop.pk, None)
            operators = operators_of(shop.pk, routing)
            taken = {pk for pk in ids if any(each.takes(pk) for each in operators)}
            assert staffed_among(shop.pk, routing, ids) == taken, (here, own, of_sales, of_other)
            seen.add(frozenset(taken))
    assert len(seen) >= 3


def test_what_is_not_routed_or_closed_is_asked_no_further() -> None:
    asked: list[Collection[int | None]] = []

    def staffed(ids: Collection[int | None]) -> Collection[int | None]:
        asked.append(set(ids))
        return ids

    routed = Routing(mode=RoutingMode.ROUTED)
    routings = {None: Routing(), SALES: routed, CLOSED: routed, GONE: routed}
    hours = {None: always_open(UTC), SALES: always_open(UTC), CLOSED: OpenHours(()), GONE: None}
    assert departments_now(routings, hours, staffed, timezone.now()) == {
        None: (False, False, False),
        SALES: (True, True, True),
        CLOSED: (True, False, False),
        GONE: (True, False, False),
    }
    assert asked == [{SALES}]
    departments_now({None: routed}, {CLOSED: OpenHours(())}, staffed, timezone.now())
    assert asked == [{SALES}]
