"""Every fact that opens a ticket, from its real cause; a further one on it only raises priority."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.events import HandedOver
from apps.chats.actions import leave_offline_message, post_agent_message, request_operator
from apps.chats.models import Chat, Contact
from apps.core import bus
from apps.support.actions.facts import open_unanswered
from apps.support.models import SupportSettings, Ticket


@pytest.fixture
def desk(shop: Widget) -> None:
    """The shop's desk is enabled."""
    SupportSettings.objects.create(widget=shop, enabled=True)


def leave(ivan: Contact) -> Any:
    return leave_offline_message(contact=ivan, about={}, message="Перезвоните.")


@pytest.mark.usefixtures("desk")
class TestOfflineForm:
    def test_it_opens_a_ticket(self, chat: Chat, ivan: Contact) -> None:
        posted = leave(ivan)
        ticket = Ticket.objects.get()
        assert (ticket.reason, ticket.priority, ticket.source, ticket.state) == ("offline_form", 2, "widget", "open")
        assert (ticket.chat_id, ticket.opening_message_id) == (chat.pk, posted.id)

    def test_on_an_open_one_it_only_counts_for_priority(self, chat: Chat, ivan: Contact) -> None:
        leave(ivan)
        Ticket.objects.update(priority=3)
        leave(ivan)
        assert Ticket.objects.get().priority == 2


def test_where_the_desk_is_off_nothing_opens(chat: Chat, ivan: Contact, shop: Widget) -> None:
    leave(ivan)
    hand_over(chat, "human_request")
    assert not Ticket.objects.exists()


def hand_over(chat: Chat, reason: str, mode: str = "offline") -> None:
    from django.db import transaction

    with transaction.atomic():
        bus.publish(HandedOver(widget_id=chat.widget_id, chat_id=chat.pk, reason=reason, mode=mode))


@pytest.mark.usefixtures("desk")
class TestHandovers:
    @pytest.mark.parametrize(
        ("reason", "opened", "priority"),
        [
            ("human_request", "customer_request", 1),
            ("safety_floor", "safety", 0),
            ("provider_failure", "ai_failed", 2),
            ("reply_limit", "ai_failed", 2),
            ("budget_exhausted", "ai_failed", 2),
            ("trigger", "ai_handoff", 1),
        ],
    )
    def test_while_people_are_away(self, chat: Chat, reason: str, opened: str, priority: int) -> None:
        hand_over(chat, reason)
        ticket = Ticket.objects.get()
        assert (ticket.reason, ticket.priority, ticket.source) == (opened, priority, "ai")

    def test_while_people_are_there_nothing_opens_at_once(self, chat: Chat) -> None:
        hand_over(chat, "human_request", mode="waiting")
        assert not Ticket.objects.exists()

    def test_but_when_nobody_has_come_for_15_minutes(self, chat: Chat, shop: Widget) -> None:
        request_operator(widget_id=shop.pk, chat_id=chat.pk, reason="human_request")
        assert open_unanswered() == 0
        Chat.objects.update(handed_over_at=timezone.now() - timedelta(minutes=15))
        assert (open_unanswered(), open_unanswered()) == (1, 0)
        assert Ticket.objects.get().reason == "unanswered"

    def test_not_if_somebody_has(self, chat: Chat, shop: Widget, alice: Agent) -> None:
        request_operator(widget_id=shop.pk, chat_id=chat.pk, reason="human_request")
        Chat.objects.update(handed_over_at=timezone.now() - timedelta(minutes=15))
        content = {"type": "text", "body": "Слушаю."}
        post_agent_message(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content=content)
        assert open_unanswered() == 0

    def test_never_where_the_owner_says_so(self, chat: Chat, shop: Widget) -> None:
        SupportSettings.objects.update(unanswered_ticket_after_sec=0)
        request_operator(widget_id=shop.pk, chat_id=chat.pk, reason="human_request")
        Chat.objects.update(handed_over_at=timezone.now() - timedelta(days=1))
        assert open_unanswered() == 0
