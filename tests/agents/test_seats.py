"""Seats under concurrency: who wants the last one waits for those who want it too."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.agents.models import Agent, AgentEvent
from tests.client import ApiClient
from tests.factories import AgentFactory, ApiTokenFactory, OwnerFactory, WidgetFactory, plain_text

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 40


def at_once(calls: list[Callable[[], Any]]) -> Counter[tuple[int, str | None]]:
    """Makes the calls from as many connections, all begun together; how often each answer came."""
    barrier = Barrier(len(calls))

    def make(call: Callable[[], Any]) -> tuple[int, str | None]:
        barrier.wait(timeout=60)
        try:
            answer = call()
            return answer.status_code, answer.json().get("code") if answer.content else None
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as callers:
        return Counter(callers.map(make, calls))


@pytest.fixture
def full_but_one() -> Widget:
    """A widget with two seats, of which its owner has one."""
    widget = WidgetFactory.create(seats=2)
    OwnerFactory.create(widget=widget)
    return widget


def restore(token: str, agent: Agent) -> Callable[[], Any]:
    return lambda: ApiClient(token).post(f"/agents/{agent.pk}/restore")


def seated(widget: Widget) -> int:
    return Agent.objects.for_widget(widget.pk).seated().count()


def test_of_forty_restored_at_once_into_one_seat_one_is(full_but_one: Widget) -> None:
    token = plain_text(ApiTokenFactory.create(widget=full_but_one))
    banned = AgentFactory.create_batch(CALLERS, widget=full_but_one, status="banned")
    answers = at_once([restore(token, agent) for agent in banned])
    assert answers == {(200, None): 1, (409, "seat_limit_reached"): CALLERS - 1}
    assert seated(full_but_one) == 2
    assert AgentEvent.objects.for_widget(full_but_one.pk).count() == 1


def test_one_agent_restored_by_forty_at_once_takes_one_seat(full_but_one: Widget) -> None:
    token = plain_text(ApiTokenFactory.create(widget=full_but_one))
    agent = AgentFactory.create(widget=full_but_one, status="banned")
    assert at_once([restore(token, agent)] * CALLERS) == {(200, None): CALLERS}
    assert seated(full_but_one) == 2
    assert list(AgentEvent.objects.for_widget(full_but_one.pk).values_list("type_code", flat=True)) == [10]


def test_restoring_and_suspending_at_once_ends_and_fills_no_seat_twice(full_but_one: Widget) -> None:
    token = plain_text(ApiTokenFactory.create(widget=full_but_one))
    leaving = AgentFactory.create(widget=full_but_one)
    coming = AgentFactory.create_batch(5, widget=full_but_one, status="banned")
    suspends: list[Callable[[], Any]] = [lambda: ApiClient(token).post(f"/agents/{leaving.pk}/suspend")] * 5
    answers = at_once([*suspends, *(restore(token, agent) for agent in coming)])
    assert answers.keys() <= {(200, None), (409, "seat_limit_reached")}
    assert answers[200, None] in (5, 6), "the seat was free in time for one of them, or for none"
    assert seated(full_but_one) == answers[200, None] - 4
