"""A chat whose wait may have changed has a row that is due, where routing or answer times are on."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.models import Chat, Contact
from apps.routing.actions.settings import change_routing
from apps.routing.models import QueueRow

pytestmark = pytest.mark.django_db
ON = [{"mode": "routed"}, {"answer_times": [{"first_reply": 5}]}]
HELLO = {"type": "text", "body": "Hello"}


def due() -> list[int]:
    return list(QueueRow.objects.filter(due_at__isnull=False).values_list("chat_id", flat=True))


@pytest.mark.parametrize("changes", ON, ids=["routing", "answer times"])
def test_a_message_puts_the_chats_row(
    shop: Widget, sales: Department, ivan: Contact, chat: Chat, changes: dict[str, Any]
) -> None:
    actions.post_client_message(contact=ivan, content=HELLO)
    assert due() == []
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes=changes)
    actions.post_client_message(contact=ivan, content=HELLO)
    assert due() == [chat.pk]


def test_the_row_is_put_by_the_statement_that_stores_the_message(shop: Widget, ivan: Contact, chat: Chat) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            actions.post_client_message(contact=ivan, content=HELLO)
        return len(asked)

    actions.post_client_message(contact=ivan, content=HELLO)
    off = statements()
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    assert statements() == off
    assert due() == [chat.pk]


def test_a_change_without_a_message_puts_it_too(shop: Widget, alice: Agent, chat: Chat) -> None:
    snooze_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, until=None)
    assert due() == []
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    snooze_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, until=None)
    assert due() == [chat.pk]
