"""An update of a chat tells the former and the new value of what other apps follow, whoever changed it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.departments import delete_department
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.attribution import assign_chat, request_operator, return_chat, transfer_chat_to_department
from apps.chats.actions.priorities import set_priority
from apps.chats.actions.snoozes import end_snooze, snooze_chat
from apps.chats.events import ChatUpdated
from apps.chats.models import Chat, Contact
from apps.chats.rules import Status
from apps.chats.rules.priorities import Priority
from apps.chats.rules.timers import moment_anchor
from apps.core.bus import DomainEvent

pytestmark = pytest.mark.django_db
HELLO = {"type": "text", "body": "Hello"}


def changed(happened: list[DomainEvent]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for event in happened:
        found |= event.changed if isinstance(event, ChatUpdated) else {}
    return found


def test_a_visitor_who_comes_back_opens_it(ivan: Contact, chat: Chat, happened: list[DomainEvent]) -> None:
    actions.post_client_message(contact=ivan, content=HELLO)
    assert changed(happened) == {}
    actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
    assert changed(happened) == {"status": ("active", "expired")}
    happened.clear()
    actions.post_client_message(contact=ivan, content=HELLO)
    assert changed(happened) == {"status": ("expired", "active")}


def test_a_person_who_answers_owns_it(chat: Chat, alice: Agent, happened: list[DomainEvent]) -> None:
    actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=HELLO, agent_id=alice.pk)
    assert changed(happened) == {"agent_id": (None, alice.pk)}


def test_the_sweep_tells_of_each_chat_as_it_was(shop: Widget, chat: Chat, happened: list[DomainEvent]) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    Chat.objects.filter(pk=chat.pk).update(status=Status.READY, last_message_at=long_ago)
    actions.sweep_chats(as_of=timezone.now())
    assert changed(happened) == {"status": ("ready", "expired")}
    happened.clear()
    Chat.objects.filter(pk=chat.pk).update(last_message_at=timezone.now())
    actions.sweep_chats(as_of=timezone.now())
    assert changed(happened) == {"status": ("expired", "active")}


def test_what_people_and_machines_do_with_it(
    chat: Chat, alice: Agent, sales: Department, happened: list[DomainEvent]
) -> None:
    of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    Chat.objects.filter(pk=chat.pk).update(department=None)

    def told(act: Callable[[], Any]) -> dict[str, Any]:
        happened.clear()
        act()
        return changed(happened)

    assert told(lambda: set_priority(**of, priority=Priority.HIGH)) == {"priority": ("normal", "high")}
    assert told(lambda: set_priority(**of, priority=Priority.HIGH)) == {}
    assert told(lambda: assign_chat(**of, agent_id=alice.pk)) == {"agent_id": (None, alice.pk)}
    assert told(lambda: return_chat(**of)) == {"agent_id": (alice.pk, None)}
    given = told(lambda: transfer_chat_to_department(**of, department_id=sales.pk))
    assert given == {"department_id": (None, sales.pk)}
    assert told(lambda: request_operator(**of, reason="asked")).keys() == {"handed_over_at"}
    assert told(lambda: request_operator(**of, reason="asked")) == {}
    gone = told(lambda: delete_department(widget_id=chat.widget_id, department_id=sales.pk))
    assert gone == {"department_id": (sales.pk, None)}


def test_a_snooze_and_its_end(chat: Chat, alice: Agent, happened: list[DomainEvent]) -> None:
    of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    until = timezone.now() + timedelta(hours=1)
    snooze_chat(**of, agent_id=alice.pk, until=until)
    assert changed(happened).keys() == {"snoozed_at"}
    happened.clear()
    chat.refresh_from_db()
    assert chat.snoozed_at is not None
    end_snooze(**of, anchor=moment_anchor(chat.snoozed_at), as_of=until)
    assert changed(happened)["woken_at"] == (None, until)
