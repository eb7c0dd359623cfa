"""What happens is queued for those who subscribed, in the same transaction (specification, "Events")."""

import uuid
from collections import Counter
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.events import ChatClosed, MessagePosted
from apps.chats.models import Chat, Contact
from apps.core import bus
from apps.core.database import encryption
from apps.webhooks.actions.outbox import OutboxEvent
from apps.webhooks.actions.switches import make_switches, set_event_enabled
from apps.webhooks.models import Delivery, Event, EventSwitch
from apps.webhooks.rules import CATALOGUE, LEGACY_NAMES
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import ChatFactory
from tests.factories.webhooks import SubscriptionFactory, emit

pytestmark = pytest.mark.django_db
TEXT = {"type": "text", "body": "Здравствуйте"}


def enable(*names: str) -> None:
    for name in names:
        set_event_enabled(name=name, enabled=True)


def emitted() -> list[dict[str, Any]]:
    """The bodies of all events, in the order they happened."""
    events = Event.objects.order_by("id")
    return [orjson.loads(encryption.decrypt(event.body) if event.is_sealed else event.body) for event in events]


def posted(shop: Widget, **changes: Any) -> MessagePosted:
    fields: dict[str, Any] = {
        "widget_id": shop.pk,
        "widget_guid": shop.guid,
        "chat_id": 1,
        "message_id": 2,
        "contact_guid": "c" * 32,
        "channel": "widget",
        "author_type": "USER",
        "is_internal": False,
    }
    return MessagePosted(**{**fields, **changes})


def test_a_client_s_message_emits_message_created(shop: Widget, ivan: Contact) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    message = actions.post_client_message(contact=ivan, content=TEXT)
    (body,) = emitted()
    assert body["type"] == "message.created"
    assert body["data"] == {
        "chat_id": message.chat_id,
        "message_id": message.id,
        "client_id": ivan.guid,
        "author_type": "USER",
        "source": "widget",
        "button_guid": shop.guid,
    }
    delivery = Delivery.objects.get()
    assert (delivery.kind, delivery.destination_id) == ("subscription", subscription.pk)
    assert (delivery.status, delivery.attempts) == ("pending", 0)
    assert body["id"] == str(uuid.UUID(body["id"])) == str(delivery.event.guid)
    assert delivery.guid != delivery.event.guid


def test_an_agent_s_message_over_the_api_emits_message_created(
    api: ApiClient, shop: Widget, chat: Chat, alice: Agent
) -> None:
    SubscriptionFactory.create(widget=shop)
    answer = api.post(f"/chats/{chat.pk}/messages", json={**TEXT, "agent_id": alice.pk})
    assert answer.status_code == 202
    (body,) = emitted()
    assert body["data"]["author_type"] == "OPERATOR"
    assert body["data"]["message_id"] == answer.json()["data"]["message_id"]


def test_a_body_holds_no_text_of_a_message(shop: Widget, ivan: Contact) -> None:
    SubscriptionFactory.create(widget=shop)
    actions.post_client_message(contact=ivan, content=TEXT)
    body = Event.objects.get().body
    assert TEXT["body"] not in body
    assert ivan.name not in body
    assert ivan.email not in body


def test_a_note_for_operators_emits_nothing(shop: Widget) -> None:
    SubscriptionFactory.create(widget=shop)
    with transaction.atomic():
        bus.publish(posted(shop, author_type="OPERATOR", is_internal=True))
        bus.publish(posted(shop, author_type="OPERATOR"))
    assert Delivery.objects.count() == 1


def test_a_first_message_a_first_reply_and_a_close_emit_their_events(
    api: ApiClient, shop: Widget, ivan: Contact, alice: Agent
) -> None:
    enable("chat.created", "chat.accepted", "chat.closed")
    SubscriptionFactory.create(widget=shop, events=["chat.created", "chat.accepted", "chat.closed"])
    chat_id = actions.post_client_message(contact=ivan, content=TEXT).chat_id
    actions.post_client_message(contact=ivan, content=TEXT)
    for _ in range(2):
        actions.post_agent_message(widget_id=shop.pk, chat_id=chat_id, content=TEXT, agent_id=alice.pk)
    for _ in range(2):
        assert api.post(f"/chats/{chat_id}/close", json={"reason": "resolved"}).status_code == 200
    common = {"chat_id": chat_id, "button_guid": shop.guid}
    assert [(body["type"], body["data"]) for body in emitted()] == [
        ("chat.created", {**common, "client_id": ivan.guid, "source": "widget"}),
        (
            "chat.accepted",
            {**common, "operator_id": alice.pk, "operator_type": "human", "client_id": ivan.guid},
        ),
        ("chat.closed", {**common, "reason": "resolved"}),
    ]


def test_data_has_the_fields_of_the_catalogue(shop: Widget, ivan: Contact, alice: Agent) -> None:
    enable(*CATALOGUE)
    SubscriptionFactory.create(widget=shop, events=list(CATALOGUE))
    chat_id = actions.post_client_message(contact=ivan, content=TEXT).chat_id
    actions.post_agent_message(widget_id=shop.pk, chat_id=chat_id, content=TEXT, agent_id=alice.pk)
    actions.close_chat(widget_id=shop.pk, chat_id=chat_id, reason=None)
    bodies = emitted()
    assert len(bodies) == 5
    for body in bodies:
        assert set(body["data"]) == {*CATALOGUE[body["type"]].fields, "button_guid"}


def test_a_transfer_and_a_rating_emit_their_events(
    api: ApiClient, shop: Widget, ivan: Contact, alice: Agent, boris: Agent
) -> None:
    enable("chat.transferred", "rating.created")
    SubscriptionFactory.create(widget=shop, events=["chat.transferred", "rating.created"])
    chat_id = actions.post_client_message(contact=ivan, content=TEXT).chat_id
    actions.post_agent_message(widget_id=shop.pk, chat_id=chat_id, content=TEXT, agent_id=alice.pk)
    for _ in range(2):
        assert api.post(f"/chats/{chat_id}/transfer", json={"agent_id": boris.pk}).status_code == 202
    for value in (5, 1):
        actions.rate_chat(widget_id=shop.pk, chat_id=chat_id, value=value, comment="Secret words")
    assert [(body["type"], body["data"]) for body in emitted()] == [
        (
            "chat.transferred",
            {
                "chat_id": chat_id,
                "client_guid": ivan.guid,
                "from_operator_id": alice.pk,
                "to_operator_id": boris.pk,
                "author_type": "OPERATOR",
                "source": "widget",
                "button_guid": shop.guid,
            },
        ),
        (
            "rating.created",
            {
                "chat_client_id": ivan.guid,
                "operator_id": boris.pk,
                "author_type": "USER",
                "source": "widget",
                "button_guid": shop.guid,
            },
        ),
    ]


class TestManyClosings:
    """A sweep's: each told as if it were alone, for the price of one."""

    def close_all(self, *chats: Chat) -> None:
        events = [
            ChatClosed(widget_id=chat.widget_id, widget_guid=chat.widget.guid, chat_id=chat.pk, reason="expired")
            for chat in chats
        ]
        with transaction.atomic():
            bus.publish(*events)

    def test_each_subscription_gets_its_own_widgets_closings(self, shop: Widget, rival: Rival) -> None:
        enable("chat.closed")
        native = SubscriptionFactory.create(widget=shop, events=["chat.closed"])
        legacy = SubscriptionFactory.create(widget=shop, events=["chat_finished"], is_legacy_compat=True)
        SubscriptionFactory.create(widget=shop, events=["chat.closed"], is_active=False)
        SubscriptionFactory.create(widget=shop, events=["chat.created"])
        theirs = SubscriptionFactory.create(widget=rival.widget, events=["chat.closed"])
        chats = ChatFactory.create_batch(3, contact__widget=shop)
        self.close_all(*chats, rival.chat)
        told = Delivery.objects.values_list("destination_id", "is_legacy", "event__widget_id")
        assert Counter(told) == {
            (native.pk, False, shop.pk): 3,
            (legacy.pk, True, shop.pk): 3,
            (theirs.pk, False, rival.widget.pk): 1,
        }
        assert {body["data"]["chat_id"] for body in emitted()} == {chat.pk for chat in [*chats, rival.chat]}
        for event in Event.objects.all():
            body = orjson.loads(event.body)
            widget = shop if event.widget_id == shop.pk else rival.widget
            assert body["id"] == str(event.guid)
            assert body["type"] == event.type == "chat.closed"
            assert (body["data"]["reason"], body["data"]["button_guid"]) == ("expired", widget.guid)
        assert len(set(Event.objects.values_list("guid", flat=True))) == 4

    @pytest.mark.parametrize("number", [9, 30])
    def test_they_cost_two_statements_however_many_and_one_when_nobody_listens(
        self, shop: Widget, number: int, django_assert_num_queries: Any
    ) -> None:
        enable("chat.closed")
        chats = ChatFactory.create_batch(number, contact__widget=shop)
        closed = [
            ChatClosed(widget_id=shop.pk, widget_guid=shop.guid, chat_id=chat.pk, reason="expired") for chat in chats
        ]
        with django_assert_num_queries(1):
            bus.publish(*closed)
        SubscriptionFactory.create(widget=shop, events=["chat.closed"])
        with django_assert_num_queries(2):
            bus.publish(*closed)
        assert Delivery.objects.count() == number

    def test_a_type_that_is_switched_off_is_not_delivered(self, shop: Widget) -> None:
        SubscriptionFactory.create(widget=shop, events=["chat.closed"])
        self.close_all(*ChatFactory.create_batch(2, contact__widget=shop))
        assert not Event.objects.exists()


def test_every_subscription_that_wants_it_gets_a_delivery_of_one_event(shop: Widget, rival: Rival) -> None:
    wanting = SubscriptionFactory.create_batch(3, widget=shop)
    SubscriptionFactory.create(widget=shop, events=["chat.closed"])
    SubscriptionFactory.create(widget=shop, is_active=False)
    SubscriptionFactory.create(widget=shop, events=["chat_finished"], is_legacy_compat=True)
    SubscriptionFactory.create(widget=rival.widget)
    with transaction.atomic():
        bus.publish(posted(shop))
    assert Event.objects.count() == 1
    deliveries = list(Delivery.objects.all())
    assert {delivery.destination_id for delivery in deliveries} == {each.pk for each in wanting}
    assert len({delivery.guid for delivery in deliveries}) == 3


def test_without_a_subscriber_nothing_is_kept(shop: Widget) -> None:
    with transaction.atomic():
        bus.publish(posted(shop))
    assert not Event.objects.exists()


def test_a_type_that_is_switched_off_is_not_delivered(shop: Widget) -> None:
    SubscriptionFactory.create(widget=shop, events=["chat.closed"])
    closed = ChatClosed(widget_id=shop.pk, widget_guid=shop.guid, chat_id=1, reason="expired")
    with transaction.atomic():
        bus.publish(closed)
    assert not Delivery.objects.exists()
    enable("chat.closed")
    with transaction.atomic():
        bus.publish(closed)
    assert Delivery.objects.count() == 1


def test_only_message_created_is_switched_on_at_first() -> None:
    assert dict(EventSwitch.objects.values_list("name", "enabled")) == {
        name: name == "message.created" for name in CATALOGUE
    }


def test_migrating_again_leaves_the_switches_as_they_are() -> None:
    set_event_enabled(name="message.created", enabled=False)
    enable("chat.closed")
    EventSwitch.objects.filter(name="agent.online").delete()
    make_switches()
    assert EventSwitch.objects.count() == len(CATALOGUE)
    assert set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True)) == {"chat.closed"}


def test_a_legacy_subscription_gets_the_native_event_by_its_legacy_name(shop: Widget) -> None:
    enable(*CATALOGUE)
    subscription = SubscriptionFactory.create(widget=shop, events=list(LEGACY_NAMES), is_legacy_compat=True)
    for name in CATALOGUE:
        emit([OutboxEvent(name, shop.pk, shop.guid, {})])
    assert set(Delivery.objects.values_list("event_type", flat=True)) == set(LEGACY_NAMES.values())
    assert all(d.is_legacy for d in Delivery.objects.to_subscription(subscription.pk))


def test_what_is_rolled_back_was_never_queued(shop: Widget, ivan: Contact) -> None:
    SubscriptionFactory.create(widget=shop)

    with transaction.atomic():
        actions.post_client_message(contact=ivan, content=TEXT)
        assert Delivery.objects.count() == 1
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()
    assert not Event.objects.exists()


def test_the_outbox_costs_one_statement(shop: Widget) -> None:
    SubscriptionFactory.create_batch(3, widget=shop)
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        bus.publish(posted(shop))
    assert len(statements) == 1


def test_personal_data_is_encrypted_at_rest(shop: Widget) -> None:
    enable("offline_message.created")
    SubscriptionFactory.create(widget=shop, events=["offline_message.created"])
    data = {"chat_id": 1, "email": "ivan@mail.test", "phone": "+7 901"}
    emit([OutboxEvent("offline_message.created", shop.pk, shop.guid, data)])
    event = Event.objects.get()
    assert event.is_sealed
    assert "ivan@mail.test" not in event.body


@pytest.mark.parametrize(("reason", "is_sealed"), [("expired", False), ("Позвоните Ивану, +7 901", True)])
def test_a_reason_in_the_callers_own_words_is_encrypted_at_rest(
    api: ApiClient, shop: Widget, ivan: Contact, reason: str, is_sealed: bool
) -> None:
    enable("chat.closed")
    SubscriptionFactory.create(widget=shop, events=["chat.closed"])
    chat_id = actions.post_client_message(contact=ivan, content=TEXT).chat_id
    assert api.post(f"/chats/{chat_id}/close", json={"reason": reason}).status_code == 200
    event = Event.objects.get()
    assert (event.is_sealed, reason in event.body) == (is_sealed, not is_sealed)
    assert emitted()[0]["data"]["reason"] == reason


def test_each_event_has_a_key_of_its_own(shop: Widget) -> None:
    SubscriptionFactory.create_batch(2, widget=shop)
    for _ in range(20):
        emit([OutboxEvent("message.created", shop.pk, shop.guid, {})])
    assert len({event.guid for event in Event.objects.all()}) == 20
    assert set(Counter(Delivery.objects.values_list("event_id", flat=True)).values()) == {2}
