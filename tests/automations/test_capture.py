"""What happened in a chat is noted where an automation asks about it, by the statement of the action."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.automations.actions.chains import Chain, chained
from apps.automations.models import Automation, AutomationEvent
from apps.automations.rules.limits import MAX_DEPTH
from apps.automations.rules.triggers import EVENTS
from apps.chats import actions
from apps.chats.actions.attribution import assign_chat, escalate, return_chat, transfer_chat_to_department
from apps.chats.actions.priorities import set_priority
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, Contact
from apps.chats.rules import Status
from apps.chats.rules.attribution import AttributionEvent
from apps.chats.rules.priorities import Priority
from apps.core import bus
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned
from tests.automations.served import HELLO, automation, pending
from tests.factories import ContactFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def all_on(shop: Widget) -> None:
    for event in EVENTS:
        automation(shop, event=event)


def noted(act: Callable[[], Any]) -> list[str]:
    AutomationEvent.objects.all().delete()
    act()
    return pending()


def test_without_an_automation_that_is_on_there_is_not_a_row_and_not_a_statement_more(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    of: Any = {"widget_id": shop.pk, "chat_id": chat.pk}

    def statements() -> list[int]:
        counts = []
        for act in (
            lambda: actions.post_client_message(contact=ivan, content=HELLO),
            lambda: actions.post_agent_message(**of, content=HELLO, agent_id=alice.pk),
            lambda: actions.close_chat(**of),
        ):
            with CaptureQueriesContext(connection) as asked:
                act()
            counts.append(len(asked))
        return counts

    statements()
    off = statements()
    made = automation(shop, event="visitor.wrote", is_enabled=False)
    assert (statements(), pending()) == (off, [])
    Automation.objects.filter(pk=made.pk).update(is_enabled=True)
    assert statements() == off, "the statements of the acts put the rows"
    assert pending() == ["visitor.wrote"]


@pytest.mark.usefixtures("all_on")
class TestWords:
    def test_a_visitor_who_begins(self, shop: Widget) -> None:
        contact = ContactFactory.create(widget=shop)
        posted = actions.post_client_message(contact=contact, content=HELLO)
        assert pending() == ["chat.started", "visitor.wrote"]
        rows = AutomationEvent.objects.order_by("pk")
        assert [row.data for row in rows] == [{"message_id": posted.id}] * 2
        assert noted(lambda: actions.post_client_message(contact=contact, content=HELLO)) == ["visitor.wrote"]

    def test_one_who_comes_back(self, chat: Chat, ivan: Contact) -> None:
        actions.post_client_message(contact=ivan, content=HELLO)
        actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
        back = noted(lambda: actions.post_client_message(contact=ivan, content=HELLO))
        assert back == ["chat.reopened", "visitor.wrote"]
        (reopened, _) = AutomationEvent.objects.order_by("pk")
        assert reopened.data["previous"] == {"status": "expired"}

    def test_one_who_ends_a_snooze(self, chat: Chat, ivan: Contact, alice: Agent, ada: Agent) -> None:
        of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
        actions.post_client_message(contact=ivan, content=HELLO)
        snooze_chat(**of, agent_id=alice.pk, until=None)
        back = noted(lambda: actions.post_client_message(contact=ivan, content=HELLO))
        assert back == ["snooze.ended", "visitor.wrote"]
        snooze_chat(**of, agent_id=alice.pk, until=None)
        about: Any = {"agent_id": ada.pk, "fact": AttributionEvent.AI_ANSWERED, "client_id": uuid4()}
        actions.post_machine_message(**of, content=HELLO, **about)
        over = noted(lambda: actions.post_client_message(contact=ivan, content=HELLO))
        assert over == ["visitor.wrote"], "the machine's word has ended it before"

    def test_a_person_and_a_machine(self, chat: Chat, alice: Agent, ada: Agent) -> None:
        of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
        about: Any = {"agent_id": ada.pk, "fact": AttributionEvent.AI_ANSWERED, "client_id": uuid4()}
        assert noted(lambda: actions.post_machine_message(**of, content=HELLO, **about)) == ["ai.answered"]
        answered = noted(lambda: actions.post_agent_message(**of, content=HELLO, agent_id=alice.pk))
        assert answered == ["person.wrote", "chat.assigned"]
        about = {"agent_id": ada.pk, "fact": AttributionEvent.AI_ANSWERED, "client_id": uuid4()}
        by_person = {**HELLO, "details": {"by_person": True}}
        assert noted(lambda: actions.post_machine_message(**of, content=by_person, **about)) == ["person.wrote"]

    def test_notes_and_the_services_words_are_no_events(self, chat: Chat, alice: Agent) -> None:
        of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
        assert noted(lambda: actions.post_note(**of, agent_id=alice.pk, content=HELLO)) == []
        assert noted(lambda: actions.post_system_message(**of, body="Hello")) == []
        assert noted(lambda: actions.post_shop_word(**of, body="Hello", name="Shop")) == []


@pytest.mark.usefixtures("all_on")
def test_what_is_done_with_a_chat(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent, boris: Agent, sales: Department
) -> None:
    of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    Chat.objects.filter(pk=chat.pk).update(department=None)
    actions.post_client_message(contact=ivan, content=HELLO)
    assert noted(lambda: escalate(**of, reason="asked")) == ["chat.handed_over"]
    assert noted(lambda: assign_chat(**of, agent_id=alice.pk)) == ["chat.assigned"]
    assert noted(lambda: assign_chat(**of, agent_id=alice.pk)) == []
    assert noted(lambda: assign_chat(**of, agent_id=boris.pk)) == ["chat.assigned"]
    assert AutomationEvent.objects.get().data == {"previous": {"agent_id": alice.pk}}
    sent = noted(lambda: transfer_chat_to_department(**of, department_id=sales.pk))
    assert sent == ["department.changed", "chat.unassigned"]
    assert AutomationEvent.objects.first().data == {"previous": {"agent_id": boris.pk, "department_id": None}}
    assert noted(lambda: set_priority(**of, priority=Priority.HIGH)) == ["priority.changed"]
    assign_chat(**of, agent_id=alice.pk)
    assert noted(lambda: return_chat(**of)) == ["chat.unassigned"]
    assert noted(lambda: actions.close_chat(**of)) == ["chat.closed"]
    assert noted(lambda: actions.set_chat_state(**of, status=Status.ACTIVE)) == ["chat.reopened"]
    assert noted(lambda: actions.rate_chat(**of, value=2)) == ["chat.rated"]
    assert noted(lambda: actions.rate_chat(**of, value=2)) == []
    assert noted(lambda: actions.rate_chat(**of, value=5)) == ["chat.rated"]
    Chat.objects.filter(pk=chat.pk).update(last_message_at=timezone.now() - timedelta(hours=1))
    assert noted(lambda: actions.sweep_chats(as_of=timezone.now())) == ["chat.closed"]


@pytest.mark.usefixtures("all_on")
def test_a_snooze_that_is_over(chat: Chat, ivan: Contact, alice: Agent) -> None:
    until = timezone.now() + timedelta(hours=1)
    actions.post_client_message(contact=ivan, content=HELLO)
    snooze_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, until=until)
    assert noted(lambda: run_due(as_of=until)) == ["snooze.ended"]


@pytest.mark.usefixtures("all_on")
def test_a_new_tag_in_each_open_chat_of_its_contact(shop: Widget, ivan: Contact, chat: Chat) -> None:
    of: Any = {"widget_id": shop.pk, "guid": ivan.guid}
    Chat.objects.create(widget=shop, contact=ivan, channel="tg__1")
    Chat.objects.create(widget=shop, contact=ivan, channel="vk__1", status="expired")
    assert noted(lambda: actions.tag_contact(**of, names=["vip", "new"])) == ["tag.added"] * 4
    assert [row.data["tag"] for row in AutomationEvent.objects.filter(chat=chat).order_by("pk")] == ["new", "vip"]
    assert noted(lambda: actions.tag_contact(**of, names=["vip"])) == []


@pytest.mark.usefixtures("all_on")
def test_answer_times_that_warn_and_are_missed(chat: Chat) -> None:
    about: Any = {"metric": "first_reply", "due_at": timezone.now(), "department_id": None, "agent_id": None}
    told = [kind.of(chat, **about, priority="normal") for kind in (AnswerTimeWarned, AnswerTimeMissed)]
    assert noted(lambda: bus.publish(*told)) == ["sla.warning", "sla.breached"]


def test_another_widgets_automations_hear_nothing(rival: Any, ivan: Contact, chat: Chat) -> None:
    automation(rival.widget, event="visitor.wrote")
    automation(rival.widget, event="chat.closed")
    actions.post_client_message(contact=ivan, content=HELLO)
    actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
    assert pending() == []


def test_what_a_run_causes_is_of_its_chain_and_ends_with_its_depth(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, event="chat.closed")
    automation(shop, event="tag.added")
    deepest = Chain((1, 2), MAX_DEPTH - 1)
    with chained(deepest):
        actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
    row = AutomationEvent.objects.get()
    assert (row.chain, row.depth) == ([1, 2], MAX_DEPTH - 1)
    AutomationEvent.objects.all().delete()
    with chained(deepest.after(3)):
        actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.ACTIVE)
        actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
        actions.tag_contact(widget_id=shop.pk, guid=ivan.guid, names=["vip"])
    assert pending() == []
