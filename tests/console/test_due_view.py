"""What is due in the console: the view in the order of due times, and a row's answer time before, at and after them."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.models import Chat
from apps.console.querysets import View, inbox_page, inbox_rows
from apps.console.querysets.counted_chats import counted_chats
from apps.console.querysets.routing import queue_of_page
from apps.routing.actions.looks import look_at
from apps.routing.actions.settings import change_routing
from apps.routing.models import SlaClock
from tests.cast import Rival
from tests.console.browser import Console
from tests.factories import ChatFactory, ContactFactory
from tests.routing.served import pass_time

pytestmark = pytest.mark.django_db
TIMES = [
    {"priority": "urgent", "first_reply": 5},
    {"priority": "low", "first_reply": 500},
    {"first_reply": 30, "next_reply": 60, "resolution": 240},
]


@pytest.fixture(autouse=True)
def answer_times(shop: Widget) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": TIMES})


def asked(widget: Widget, **fields: Any) -> Chat:
    """A chat whose visitor has just asked something."""
    chat: Chat = ChatFactory.create(contact=ContactFactory.create(widget=widget), widget=widget, **fields)
    actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Where is my order?"})
    look(chat)
    return chat


def look(chat: Chat) -> None:
    look_at(widget_id=chat.widget_id, chat_id=chat.pk, as_of=timezone.now())


def due(agent: Agent, **options: Any) -> list[int]:
    page = inbox_page(widget_id=agent.widget_id, agent_id=agent.pk, view=View.DUE, **options)
    return [row["id"] for row in page.data]


def sla_of(chat: Chat) -> Any:
    (row,) = inbox_rows(chat.widget_id, [chat.pk])
    return row["sla"]


def is_counted(chat: Chat) -> bool:
    counted = counted_chats([chat.widget_id])[chat.widget_id].get(chat.pk)
    return counted is not None and counted.is_due


def test_the_view_goes_by_when_an_answer_is_due_and_what_is_missed_stays_first(shop: Widget, alice: Agent) -> None:
    late, normal = asked(shop, priority="low"), asked(shop)
    urgent, second = asked(shop, priority="urgent"), asked(shop)
    assert due(alice) == [urgent.pk, normal.pk, second.pk, late.pk]
    pass_time(timezone.now() + timedelta(minutes=6))
    assert sla_of(urgent)["breached_at"] is not None
    assert due(alice) == [urgent.pk, normal.pk, second.pk, late.pk]


def test_whose_clock_is_paused_or_ended_and_who_has_none_is_not_due(shop: Widget, alice: Agent) -> None:
    waits, answered, snoozed, closed = (asked(shop) for _ in range(4))
    untimed = asked(shop)
    SlaClock.objects.filter(chat=untimed).update(target_minutes=None, due_at=None)
    content = {"type": "text", "body": "On its way."}
    actions.post_agent_message(widget_id=shop.pk, chat_id=answered.pk, agent_id=alice.pk, content=content)
    snooze_chat(widget_id=shop.pk, chat_id=snoozed.pk, agent_id=alice.pk, until=None)
    actions.close_chat(widget_id=shop.pk, chat_id=closed.pk, by_agent_id=alice.pk)
    # Before anybody has looked at the clocks, and after.
    for _ in range(2):
        assert due(alice) == [waits.pk]
        assert [is_counted(chat) for chat in (waits, answered, snoozed, closed, untimed)] == [True, *[False] * 4]
        assert [sla_of(chat) for chat in (answered, snoozed, closed, untimed)] == [None] * 4
        for chat in (waits, answered, snoozed, closed):
            look(chat)
    assert set(SlaClock.objects.filter(chat=answered).values_list("metric", "due_at")) >= {("resolution", None)}


def test_a_row_tells_of_the_answer_that_is_due_first_its_warning_and_its_miss(
    chat: Chat, alice: Agent, alices_console: Console
) -> None:
    assert sla_of(chat) is None
    actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Where is my order?"})
    look(chat)
    (first, _) = SlaClock.objects.filter(chat=chat).order_by("due_at")
    begun = {"metric": "first_reply", "due_at": first.due_at, "warned_at": None, "breached_at": None}
    assert sla_of(chat) == begun
    assert alices_console.data("GET", f"/chats/{chat.pk}")["chat"]["sla"]["metric"] == "first_reply"
    versions = [Chat.objects.values_list("version", flat=True).get(pk=chat.pk)]
    for minutes, name in ((25, "warned_at"), (31, "breached_at")):
        pass_time(timezone.now() + timedelta(minutes=minutes))
        assert sla_of(chat)[name] == getattr(SlaClock.objects.get(pk=first.pk), name) is not None
        versions.append(Chat.objects.values_list("version", flat=True).get(pk=chat.pk))
    assert versions == sorted(set(versions)), "each is a frame"
    assert sla_of(chat)["due_at"] == first.due_at
    actions.post_agent_message(
        widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content={"type": "text", "body": "On its way."}
    )
    look(chat)
    assert sla_of(chat) is None


def test_a_page_of_what_is_due_goes_on_where_it_ended(shop: Widget, alice: Agent) -> None:
    ids = [asked(shop).pk for _ in range(5)]
    SlaClock.objects.filter(chat__in=ids[1:4]).update(due_at=timezone.now())
    first = inbox_page(widget_id=shop.pk, agent_id=alice.pk, view=View.DUE, limit=2)
    assert [row["id"] for row in first.data] + due(alice, cursor=first.next_cursor) == due(alice)
    assert sorted(due(alice)) == ids


def test_the_view_has_all_departments_and_no_other_widget(
    shop: Widget, alice: Agent, boris: Agent, sales: Department, rival: Rival
) -> None:
    """As the views of who waits: a department is a filter, no wall."""
    change_routing(widget_id=rival.widget.pk, department_id=None, changes={"answer_times": TIMES})
    of_sales, of_nobody, theirs = asked(shop, department=sales), asked(shop), asked(rival.widget)
    Chat.objects.filter(pk=of_nobody.pk).update(channel="ch7")
    for agent in (alice, boris):
        assert due(agent) == [of_sales.pk, of_nobody.pk]
    assert due(alice, channel="ch7") == [of_nobody.pk]
    assert due(rival.agent) == [theirs.pk]
    assert inbox_rows(shop.pk, [theirs.pk]) == []


def test_the_page_knows_whether_the_widget_has_answer_times(shop: Widget, sales: Department, alice: Agent) -> None:
    assert queue_of_page(shop.pk, alice.pk)["has_due"] is True
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": []})
    assert queue_of_page(shop.pk, alice.pk)["has_due"] is False
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"answer_times": [{"first_reply": 1}]})
    assert queue_of_page(shop.pk, alice.pk)["has_due"] is True


def test_rows_cost_one_statement_more_where_an_answer_is_due_however_many(
    shop: Widget, django_assert_num_queries: Any
) -> None:
    for count in (1, 10):
        ids = [asked(shop).pk for _ in range(count)]
        with django_assert_num_queries(3):  # the rows, their answer times, their marks
            assert all(row["sla"] for row in inbox_rows(shop.pk, ids))
