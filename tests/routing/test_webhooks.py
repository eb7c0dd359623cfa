"""Integrators are told once that a chat waits for an operator, and whose it is then."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.attribution import accept_chat
from apps.chats.models import Chat, Contact
from apps.core.bus import DomainEvent
from apps.routing.actions.settings import change_routing
from apps.routing.events import ChatAssigned, ChatQueued
from apps.webhooks.handlers import WEBHOOK_EVENTS
from tests.handlers import also
from tests.routing.served import come, serve

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[DomainEvent]:
    events: list[DomainEvent] = []
    also(monkeypatch, events.append, ChatQueued, ChatAssigned)
    return events


@pytest.fixture
def routed(shop: Widget, sales: Department, chat: Chat, alice: Agent) -> Chat:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    Chat.objects.filter(pk=chat.pk).update(department=sales, priority="high")
    come(alice)
    return chat


def bodies(told: list[DomainEvent]) -> list[tuple[str, Any]]:
    return [(name, data_of(event)) for event in told for name, data_of in [WEBHOOK_EVENTS[type(event)]]]


@pytest.mark.parametrize(("seconds", "outcome"), [(40, "accepted"), (0, "assigned")])
def test_it_is_told_once_a_wait_and_who_has_it(
    shop: Widget, ivan: Contact, routed: Chat, alice: Agent, told: list[DomainEvent], seconds: int, outcome: str
) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"accept_seconds": seconds})
    for _ in range(2):
        actions.post_client_message(contact=ivan, content={"type": "text", "body": "Hello"})
        serve()
    if seconds:
        accept_chat(widget_id=shop.pk, chat_id=routed.pk, agent_id=alice.pk)
        serve()
    about = {"chat_id": routed.pk, "client_id": ivan.guid}
    of_department = {"department_id": routed.department_id or Chat.objects.get(pk=routed.pk).department_id}
    assert bodies(told) == [
        ("chat.queued", {**about, **of_department, "priority": "high"}),
        ("chat.assigned", {**about, **of_department, "operator_id": alice.pk, "outcome": outcome}),
    ]
