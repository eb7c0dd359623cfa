"""`/ws/operator`: what operators are told of the queue, and of answers that are due, against a real process."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, AgentPresence
from apps.chats import actions
from apps.chats.events import ChatUpdated
from apps.chats.models import Chat, Contact
from apps.console.realtime.inbox import QUEUE_EVERY_S
from apps.core import bus
from apps.routing.actions.looks import look_at
from apps.routing.actions.settings import change_routing
from launcher.processes import wait_until
from tests.console.browser import operators_browser, ticket_of
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab
from tests.routing.served import pass_time
from tests.waits import AT_MOST_S


@pytest.fixture
def tab(realtime: RealtimeProcess, alice: Agent) -> Iterator[OperatorTab]:
    with OperatorTab(realtime.url) as tab:
        tab.auth(ticket_of(operators_browser(alice)))
        yield tab
    assert wait_until(lambda: not AgentPresence.objects.exists(), seconds=AT_MOST_S)


def put_in_queue(chat: Chat, since: datetime | None) -> None:
    """As the router does it."""
    with transaction.atomic():
        Chat.objects.filter(pk=chat.pk).update(queued_at=since, version=F("version") + 1)
        bus.publish(ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk))


def test_the_queue_is_told_of_at_once_and_then_once_in_two_seconds(tab: OperatorTab, chat: Chat, ivan: Contact) -> None:
    actions.post_client_message(contact=ivan, content={"type": "text", "body": "Are you open?"})
    put_in_queue(chat, timezone.now())
    assert tab.of_type("queue.changed", seconds=QUEUE_EVERY_S) == {}
    told_at = time.monotonic()
    for minutes in range(4):
        put_in_queue(chat, timezone.now() - timedelta(minutes=minutes))
        tab.of_type("chat.updated")
    put_in_queue(chat, None)
    tab.until(lambda frame: frame["type"] == "inbox.counts" and frame["data"]["queue"] == 0)
    tab.of_type("queue.changed")
    spans = (time.monotonic() - told_at) / (QUEUE_EVERY_S * 0.9)
    assert spans > 1
    assert 2 <= [frame["type"] for frame in tab.frames].count("queue.changed") <= 1 + spans, "one a span"
    actions.post_client_message(contact=ivan, content={"type": "text", "body": "Hello?"})
    tab.of_type("chat.updated")
    assert "queue.changed" not in {frame["type"] for frame in tab.settle()}, "it is in no queue any more"


def test_what_is_due_is_shown_and_counted_until_it_is_answered(
    tab: OperatorTab, shop: Widget, chat: Chat, ivan: Contact, alice: Agent
) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": [{"first_reply": 30}]})
    assert tab.ready["inbox"]["counts"]["due"] == 0
    actions.post_client_message(contact=ivan, content={"type": "text", "body": "Are you open?"})
    look_at(widget_id=shop.pk, chat_id=chat.pk, as_of=timezone.now())
    shown = tab.until(lambda frame: frame["type"] == "chat.updated" and frame["data"]["chat"]["sla"] is not None)
    sla = shown["data"]["chat"]["sla"]
    assert (sla["metric"], sla["warned_at"], sla["breached_at"]) == ("first_reply", None, None)
    assert tab.until(lambda frame: frame["type"] == "inbox.counts")["data"]["due"] == 1
    tab.of_type("queue.changed")
    for minutes, name in ((25, "warned_at"), (31, "breached_at")):
        pass_time(timezone.now() + timedelta(minutes=minutes))
        row = tab.of_type("chat.updated")["chat"]
        assert (row["sla"][name] is not None, row["sla"]["due_at"]) == (True, sla["due_at"])
    assert row["sla"]["breached_at"] == sla["due_at"]
    content = {"type": "text", "body": "Until eight."}
    actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content=content)
    assert tab.of_type("chat.updated")["chat"]["sla"] is None
    assert tab.of_type("inbox.counts")["due"] == 0
