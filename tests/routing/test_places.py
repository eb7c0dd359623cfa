"""The place in the queue, as visitors are told of it: in a session's answer."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact, Message
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment
from apps.routing.querysets.estimates import ended_waits
from tests.factories import ChatFactory, ContactFactory, MessageFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

PAGE = {"page_url": "https://shop.test/", "lang": "en", "referrer": "", "time_zone": "Europe/Moscow"}


def queued(widget: Widget, minutes: int, department: Department | None = None, **fields: Any) -> Chat:
    """A chat that has waited in the queue for so many minutes."""
    chat = ChatFactory.create(contact=ContactFactory.create(widget=widget), department=department, **fields)
    Chat.objects.filter(pk=chat.pk).update(queued_at=timezone.now() - timedelta(minutes=minutes))
    return chat


def told(contact: Contact) -> Any:
    """The member `queue` of the answer to a visitor's session."""
    token = visitor_token(VisitorSessionFactory.create(contact=contact))
    answer = VisitorClient(contact.widget).post("sessions", PAGE | {"visitor_token": token})
    assert answer.status_code == 200, answer.content
    return answer.json()["data"]["queue"]


def answered(chat: Chat, agent: Agent, since: datetime, waited_s: int, *, outcome: str = "accepted") -> None:
    """A wait of the chat's department that an operator has ended by a message."""
    Assignment.objects.create(
        widget=chat.widget,
        chat=chat,
        agent=agent,
        department_id=chat.department_id,
        waits_since=since,
        given_at=since,
        ended_at=since,
        outcome=outcome,
        why={},
    )
    message = MessageFactory.create(chat=chat, sender_kind="agent", agent=agent)
    Message.objects.filter(pk=message.pk).update(created_at=since + timedelta(seconds=waited_s))


def answered_often(widget: Widget, agent: Agent, department: Department | None, times: int, waited_s: int) -> None:
    since = timezone.now() - timedelta(minutes=60)
    for _ in range(times):
        chat = ChatFactory.create(contact=ContactFactory.create(widget=widget), department=department)
        answered(chat, agent, since, waited_s)


def test_a_place_is_that_of_the_department_in_the_queues_order(shop: Widget, sales: Department) -> None:
    help_desk = Department.objects.create(widget=shop, name="Help")
    third, first, other = queued(shop, 1, sales), queued(shop, 9, sales), queued(shop, 3, help_desk)
    urgent = queued(shop, 2, sales, priority="urgent")
    assert told(urgent.contact) == {"place": 1, "of": 3, "expects": None}
    assert told(first.contact) == {"place": 2, "of": 3, "expects": None}
    assert told(third.contact) == {"place": 3, "of": 3, "expects": None}
    assert told(other.contact) == {"place": 1, "of": 1, "expects": None}


def test_who_waits_in_no_queue_has_no_place(shop: Widget) -> None:
    queued(shop, 5)
    assert told(ChatFactory.create(contact=ContactFactory.create(widget=shop)).contact) is None
    assert told(ContactFactory.create(widget=shop)) is None


def test_what_usually_comes_is_told_where_ten_such_waits_ended(shop: Widget, sales: Department, alice: Agent) -> None:
    waiting = queued(shop, 0, sales)
    answered_often(shop, alice, sales, 9, 120)
    answered_often(shop, alice, None, 5, 120)
    assert told(waiting.contact)["expects"] is None
    answered_often(shop, alice, sales, 1, 120)
    assert told(waiting.contact)["expects"] == {"from_min": 2, "to_min": 3}
    longer = queued(shop, 10, sales)
    assert told(longer.contact)["expects"] is None


def test_only_a_persons_word_ends_a_wait(shop: Widget, alice: Agent) -> None:
    """An offer that was accepted and left without an answer says nothing of how long it takes."""
    since = timezone.now() - timedelta(minutes=60)
    spoken, silent, missed = (ChatFactory.create(contact=ContactFactory.create(widget=shop)) for _ in range(3))
    answered(spoken, alice, since, 60)
    answered(silent, alice, since, 70)
    Message.objects.filter(chat=silent).update(is_internal=True)
    answered(missed, alice, since, 60, outcome="missed")
    found = ended_waits(shop.pk, None, timezone.now())
    assert [round(each.waited) for each in found] == [60]
    assert ended_waits(shop.pk, None, timezone.now() + timedelta(hours=25)) == []


@pytest.mark.parametrize(
    ("changes", "shown"),
    [({"show_place": False}, None), ({"show_expected": False}, {"place": 1, "of": 1, "expects": None})],
)
def test_a_widget_tells_what_it_is_set_to(
    shop: Widget, alice: Agent, changes: dict[str, bool], shown: dict[str, Any] | None
) -> None:
    answered_often(shop, alice, None, 10, 120)
    waiting = queued(shop, 0)
    assert told(waiting.contact)["expects"] == {"from_min": 2, "to_min": 3}
    change_routing(widget_id=shop.pk, department_id=None, changes=changes)
    assert told(waiting.contact) == shown
