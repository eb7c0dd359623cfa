"""A decision costs the same however many chats wait: the figures of ten thousand, with five hundred operators."""

import sys
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact
from apps.routing.actions.router import decide
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment, OperatorPlaces

pytestmark = pytest.mark.django_db
BATCH = 1_000  # a statement takes 65,535 values


def waits(widget: Widget, department: Department, count: int) -> None:
    """So many chats that stand in the queue of a department."""
    now = timezone.now()
    contacts = Contact.objects.bulk_create(
        [Contact(widget=widget, guid=f"{number:032x}") for number in range(count)], batch_size=BATCH
    )
    Chat.objects.bulk_create(
        [
            Chat(
                widget=widget,
                contact=contact,
                department=department,
                has_client_messages=True,
                queued_at=now - timedelta(seconds=number % 3600),
                handed_over_at=now - timedelta(seconds=number % 3600),
            )
            for number, contact in enumerate(contacts)
        ],
        batch_size=BATCH,
    )


def works(widget: Widget, department: Department, count: int, *, free: int) -> None:
    """So many operators at work, of whom the first have a place, and one place each."""
    now = timezone.now()
    agents = Agent.objects.bulk_create([Agent(widget=widget, name=f"{n}", online_since=now) for n in range(count)])
    department.agents.add(*agents)
    OperatorPlaces.objects.bulk_create(
        [OperatorPlaces(widget=widget, agent=agent, capacity=int(n < free)) for n, agent in enumerate(agents)]
    )
    change_routing(widget_id=widget.pk, department_id=None, changes={"mode": "routed"})


@pytest.mark.parametrize("count", [3, 60])
def test_the_statements_of_a_decision_are_as_many_however_many_wait(
    shop: Widget, sales: Department, count: int
) -> None:
    waits(shop, sales, count)
    works(shop, sales, 2, free=1)
    assert decide(widget_id=shop.pk, as_of=timezone.now()).given == 1
    Chat.objects.update(offered_to=None)
    Assignment.objects.all().delete()
    with CaptureQueriesContext(connection) as asked:
        assert decide(widget_id=shop.pk, as_of=timezone.now()).given == 1
    assert len(asked) <= 32


@pytest.mark.slow
def test_a_decision_at_10_000_waiting_and_2_500_places(
    shop: Widget, sales: Department, capsys: pytest.CaptureFixture[str]
) -> None:
    waits(shop, sales, 10_000)
    works(shop, sales, 500, free=1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    decide(widget_id=shop.pk, as_of=timezone.now())
    took = []
    for number in range(5):
        OperatorPlaces.objects.filter(capacity__gt=0).update(capacity=2 + number)
        begun = time.perf_counter()
        assert decide(widget_id=shop.pk, as_of=timezone.now()).given == 1
        took.append((time.perf_counter() - begun) * 1000)
    OperatorPlaces.objects.update(capacity=5)
    begun, given = time.perf_counter(), 0
    while (decision := decide(widget_id=shop.pk, as_of=timezone.now())).given:
        given += decision.given
    filled = time.perf_counter() - begun
    with capsys.disabled():
        sys.stdout.write(f"one decision: {sorted(took)[2]:.0f} ms; {given} places filled in {filled:.1f} s\n")
    assert given > 2_400
    assert filled < 60
