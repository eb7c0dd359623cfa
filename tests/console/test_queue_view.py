"""The queue in the console: the view has its order, and a row says to whom it is offered and since when."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.console.querysets import View, inbox_page, inbox_rows
from tests.console.browser import Console
from tests.factories import ChatFactory, ContactFactory, MessageFactory

pytestmark = pytest.mark.django_db


def ago(minutes: float) -> datetime:
    return timezone.now() - timedelta(minutes=minutes)


def queued(shop: Widget, minutes: float, **fields: Any) -> int:
    """A chat whose visitor waits for a place, since so many minutes."""
    chat: Chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), widget=shop)
    message = MessageFactory.create(chat=chat)
    since = ago(minutes)
    Chat.objects.filter(pk=chat.pk).update(
        waiting_since=since, queued_at=since, last_message=message, last_message_at=message.created_at, **fields
    )
    return chat.pk


def queue(agent: Agent, **options: Any) -> list[int]:
    return [
        row["id"] for row in inbox_page(widget_id=agent.widget_id, agent_id=agent.pk, view=View.QUEUE, **options).data
    ]


def test_the_view_has_the_order_of_the_queue(shop: Widget, alice: Agent) -> None:
    short, urgent, low = queued(shop, 1), queued(shop, 2, priority="urgent"), queued(shop, 10, priority="low")
    long, aged = queued(shop, 14), queued(shop, 31)
    high = queued(shop, 3, priority="high")
    # `aged` has two ranks more for its 31 minutes: 1 + 2, as urgent, and has waited longer.
    assert queue(alice) == [aged, urgent, high, long, short, low]


def test_a_page_of_the_queue_goes_on_where_it_ended(shop: Widget, alice: Agent) -> None:
    ids = [queued(shop, 14 - place) for place in range(5)]
    first = inbox_page(widget_id=alice.widget_id, agent_id=alice.pk, view=View.QUEUE, limit=2)
    rest = inbox_page(widget_id=alice.widget_id, agent_id=alice.pk, view=View.QUEUE, cursor=first.next_cursor)
    assert [row["id"] for row in (*first.data, *rest.data)] == ids


def test_whoever_waits_for_no_place_is_in_no_queue(shop: Widget, alice: Agent) -> None:
    waits = queued(shop, 3)
    snoozed = Chat.objects.filter(pk=queued(shop, 3))
    snoozed.update(snoozed_at=timezone.now(), snoozed_after_id=F("last_message_id"))
    Chat.objects.filter(pk=queued(shop, 3)).update(queued_at=None)
    queued(shop, 3, dealt_with_message_id=2**40)
    queued(shop, 3, answer_missed_at=timezone.now())
    assert queue(alice) == [waits]


def test_a_row_says_to_whom_it_is_offered(shop: Widget, alice: Agent, boris: Agent, alices_console: Console) -> None:
    since, until = ago(0.2), ago(-0.5)
    offered = queued(shop, 3, offered_to=boris, offered_at=since, offered_until=until)
    (row,) = inbox_rows(shop.pk, [offered])
    assert row["rings_for"] == "offered"
    assert {name: row["offer"][name] for name in ("agent_id", "since", "until")} == {
        "agent_id": boris.pk,
        "since": since,
        "until": until,
    }
    assert row["agent_id"] is None
    shown = alices_console.data("GET", f"/chats/{offered}")["chat"]
    assert (shown["offer"]["agent_id"], shown["place"], shown["sla"]) == (boris.pk, 1, None)


def test_a_row_that_nobody_is_offered_has_no_offer(chat: Chat) -> None:
    (row,) = inbox_rows(chat.widget_id, [chat.pk])
    assert (row["offer"], row["place"], row["sla"], row["priority"]) == (None, None, None, "normal")
