"""What Prometheus is told of routing: the length of the queue, its decisions, offers and answer times."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, Contact
from apps.core.observability import metrics
from apps.leases import claims
from apps.routing.actions.measuring import measure_queue
from apps.routing.actions.offers import decline
from apps.routing.actions.router import work
from apps.routing.actions.settings import change_routing
from apps.routing.tasks import ROUTER_QUEUE
from tests.cast import Rival
from tests.routing.served import come, serve

pytestmark = pytest.mark.django_db
Committing = Callable[..., AbstractContextManager[Any]]
HELLO = {"type": "text", "body": "Hello"}


def told(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_the_gauges_are_of_all_queues(shop: Widget, chat: Chat, rival: Rival) -> None:
    now = timezone.now()
    measure_queue(as_of=now)
    assert (metrics.QUEUE_WAITING._value.get(), metrics.QUEUE_OLDEST._value.get()) == (0, 0)
    for each, minutes in ((chat, 3), (rival.chat, 20)):
        Chat.objects.filter(pk=each.pk).update(queued_at=now - timedelta(minutes=minutes))
    with CaptureQueriesContext(connection) as asked:
        measure_queue(as_of=now)
    assert len(asked) == 1
    assert (metrics.QUEUE_WAITING._value.get(), metrics.QUEUE_OLDEST._value.get()) == (2, 1200)


def test_a_decision_is_timed(shop: Widget, sales: Department, chat: Chat, ivan: Contact) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    actions.post_client_message(contact=ivan, content=HELLO)
    before = told("parley_routing_seconds_count"), told("parley_routing_seconds_sum")
    (lease,) = claims.claim(ROUTER_QUEUE, wanted=1)
    work(lease)
    assert told("parley_routing_seconds_count") == before[0] + 1
    assert told("parley_routing_seconds_sum") > before[1]


@pytest.mark.parametrize("outcome", ["accepted", "declined", "missed", "withdrawn", "assigned"])
def test_offers_that_have_ended_are_counted_by_their_outcome(
    shop: Widget,
    sales: Department,
    alice: Agent,
    chat: Chat,
    ivan: Contact,
    django_capture_on_commit_callbacks: Committing,
    outcome: str,
) -> None:
    changes = {"mode": "routed", "accept_seconds": 0 if outcome == "assigned" else 40}
    change_routing(widget_id=shop.pk, department_id=None, changes=changes)
    come(alice)
    ids: dict[str, Any] = {"widget_id": shop.pk, "chat_id": chat.pk}
    before = told("parley_offers_total", outcome=outcome)
    with django_capture_on_commit_callbacks(execute=True):
        actions.post_client_message(contact=ivan, content=HELLO)
        serve()
        if outcome == "accepted":
            actions.post_agent_message(**ids, content=HELLO, agent_id=alice.pk)
        elif outcome == "declined":
            decline(**ids, agent_id=alice.pk)
        elif outcome == "missed":
            run_due(as_of=timezone.now() + timedelta(seconds=41))
        elif outcome == "withdrawn":
            change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "manual"})
        serve()
    assert told("parley_offers_total", outcome=outcome) == before + 1


def test_answer_times_are_counted_by_metric_and_outcome(
    shop: Widget, chat: Chat, ivan: Contact, django_capture_on_commit_callbacks: Committing
) -> None:
    times = [{"first_reply": 30, "resolution": 240}]
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": times, "clock": "always"})
    actions.post_client_message(contact=ivan, content=HELLO)
    serve()

    def counted() -> list[float]:
        labels = [("first_reply", "warned"), ("first_reply", "missed"), ("resolution", "warned")]
        return [told("parley_sla_total", metric=metric, outcome=outcome) for metric, outcome in labels]

    before = counted()
    for minutes, added in ((23, [0, 0, 0]), (25, [1, 0, 0]), (31, [1, 1, 0]), (60, [1, 1, 0]), (193, [1, 1, 1])):
        with django_capture_on_commit_callbacks(execute=True):
            run_due(as_of=timezone.now() + timedelta(minutes=minutes))
        assert counted() == [was + more for was, more in zip(before, added, strict=True)], minutes
