"""A worker of routing that is killed at any point: before or after, within its lease, and each chat is offered once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, ChatActivity, Timer
from apps.chats.tasks import TIMERS_QUEUE
from apps.leases import Queue, claims
from apps.leases.runner import Runner
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment, OperatorPlaces, QueueRow, RouterRow
from apps.routing.tasks import LOOKS_QUEUE, ROUTER_QUEUE
from tests.factories import AgentFactory, ChatFactory, ContactFactory, DepartmentFactory, WidgetFactory
from tests.faults.failpoints import restore, run_apart, state
from tests.routing.served import come, serve
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]
HELLO = {"type": "text", "body": "Hello"}
WITHIN = timedelta(seconds=60)


@pytest.fixture
def agents() -> list[Agent]:
    """Two operators of a routed department who have one place each."""
    widget = WidgetFactory.create()
    found = [AgentFactory.create(widget=widget) for _ in range(2)]
    DepartmentFactory.create(widget=widget).agents.set(found)
    change_routing(widget_id=widget.pk, department_id=None, changes={"mode": "routed", "capacity": 1, "misses": 1})
    come(*found)
    return found


@pytest.fixture
def chats(agents: list[Agent]) -> list[Chat]:
    """Three chats that have begun to wait, and that nobody has looked at yet."""
    widget = agents[0].widget
    department = agents[0].departments.get()
    found = [ChatFactory.create(contact=ContactFactory.create(widget=widget), department=department) for _ in range(3)]
    for chat in found:
        actions.post_client_message(contact=chat.contact, content=HELLO)
    return found


def work_on(*queues: Queue[Any], most: int | None = None) -> str:
    """A worker's rounds, until nothing is due; or one, of so many rows."""
    for _ in range(20):
        leases = [lease for queue in queues for lease in claims.claim(queue, wanted=most or 9)]
        for lease in leases:
            lease.run()
        if not leases or most is not None:
            return "done"
    raise AssertionError("it does not come to rest")


def leases_run_out() -> None:
    """Those of a worker that died: none lasts for more than a minute."""
    for queue in (LOOKS_QUEUE, ROUTER_QUEUE, TIMERS_QUEUE):
        held = queue.rows().filter(claim_id__isnull=False)
        assert not held.filter(lease_until__gt=timezone.now() + WITHIN).exists()
        held.update(lease_until=timezone.now())


def looks() -> str:
    return work_on(LOOKS_QUEUE)


def decides() -> str:
    return work_on(ROUTER_QUEUE)


def ends_offers() -> str:
    return work_on(TIMERS_QUEUE)


@pytest.mark.parametrize(
    ("killed", "accept_seconds"),
    [
        (decides, 40),
        (ends_offers, 40),
        pytest.param(decides, 0, marks=pytest.mark.slow),
        pytest.param(looks, 40, marks=pytest.mark.slow),
    ],
)
def test_a_worker_that_is_killed_at_any_point_leaves_one_offer_of_each_chat(
    chats: list[Chat], agents: list[Agent], killed: Callable[[], str], accept_seconds: int
) -> None:
    widget = agents[0].widget
    change_routing(widget_id=widget.pk, department_id=None, changes={"accept_seconds": accept_seconds})
    if killed is looks:  # two have been looked at, and the third is
        work_on(LOOKS_QUEUE, most=2)
    else:
        looks()
    if killed is ends_offers:
        decides()
        looks()
        Timer.objects.filter(kind="offer").update(due_at=timezone.now())
    before = state()
    points = run_apart(killed).passed
    assert len(points) >= 3
    for number, point in enumerate(points, start=1):
        restore(before)
        assert run_apart(killed, killed_at=number).was_killed
        leases_run_out()
        run_apart(lambda: work_on(TIMERS_QUEUE, LOOKS_QUEUE, ROUTER_QUEUE))
        assert_all_places_are_taken(point, taken=0 if killed is ends_offers else 2)
        assert_nothing_is_doubled(point, missed=2 if killed is ends_offers else 0)


def assert_all_places_are_taken(point: str, *, taken: int) -> None:
    """By one chat each, whether it was offered or given."""
    given = Assignment.objects.filter(Q(outcome=None) | Q(outcome="assigned"))
    assert [len(set(given.values_list(name, flat=True))) for name in ("pk", "chat", "agent")] == [taken] * 3, point


def assert_nothing_is_doubled(point: str, *, missed: int) -> None:
    """As many steps and timers as there are offers; each was missed once, and nobody works under a lease any more."""
    offers = Assignment.objects.filter(outcome=None)
    assert Assignment.objects.filter(outcome="missed").count() == missed, point
    assert ChatActivity.objects.filter(kind="routed").count() == Assignment.objects.count(), point
    assert sorted(Timer.objects.filter(kind="offer").values_list("chat", flat=True)) == sorted(
        offers.values_list("chat", flat=True)
    ), point
    assert set(Chat.objects.filter(offered_to__isnull=False).values_list("pk", "offered_to")) == set(
        offers.values_list("chat", "agent")
    ), point
    assert not QueueRow.objects.filter(claim_id__isnull=False).exists(), point
    assert not RouterRow.objects.filter(claim_id__isnull=False).exists(), point
    if missed:  # one was enough for a break
        assert set(Agent.objects.values_list("status", "break_reason")) == {("relaxation", "missed")}, point


def test_while_somebody_waits_the_router_decides_each_minute_though_nobody_asks(
    chats: list[Chat], agents: list[Agent]
) -> None:
    """A place that got free unseen is found by the row that stands, by a worker that nobody wakes for it."""
    widget: Widget = agents[0].widget
    serve()
    RouterRow.objects.filter(widget=widget).update(due_at=timezone.now())
    decides()
    row = RouterRow.objects.get(widget=widget)
    assert row.due_at is not None
    assert timezone.now() < row.due_at <= timezone.now() + WITHIN
    waiting = Chat.objects.get(queued_at__isnull=False, offered_to=None)
    OperatorPlaces.objects.filter(widget=widget, agent=agents[0], department=None).update(capacity=2)
    QueueRow.objects.update(due_at=None)
    RouterRow.objects.filter(widget=widget).update(due_at=timezone.now() + timedelta(seconds=1))
    runner = Runner([TIMERS_QUEUE, LOOKS_QUEUE, ROUTER_QUEUE])
    runner.wake()
    try:
        wait_until(lambda: Chat.objects.filter(pk=waiting.pk, offered_to=agents[0]).exists())
    finally:
        assert runner.stop()
    assert Assignment.objects.filter(outcome=None).count() == 3
