"""Each of the ten events, from what causes it to what a receiver is sent (specification, "Event catalogue")."""

import hashlib
import hmac
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence, end_presence
from apps.agents.models import Agent
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery
from apps.webhooks.rules import CATALOGUE, LEGACY_NAMES
from tests.client import ApiClient
from tests.factories.webhooks import SECRET
from tests.webhooks.receivers import Heard, HookReceiver, wait_until
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)
FORM = {"name": "Ольга", "email": "olga@mail.test", "phone": "+7 901 123-45-67", "message": "Перезвоните мне"}

Sent = Callable[[str], list[dict[str, Any]]]


class Visit:
    """A visitor of the shop: their browser, who they are, and their chat once there is one."""

    def __init__(self, widget: Widget) -> None:
        self.browser = VisitorClient(widget)
        self.guid = self.browser.come(name="Ольга")["contact_id"]
        self.chat_id = 0

    def say(self, text: str = "Здравствуйте") -> int:
        """The id of the message."""
        message = self.browser.say(text)
        self.chat_id = message["chat_id"]
        return int(message["id"])


@pytest.fixture
def visit(shop: Widget) -> Visit:
    return Visit(shop)


@pytest.fixture
def sent(api: ApiClient, hook: HookReceiver, deliverer: Deliverer) -> Sent:
    """Called with an event's name before it happens, subscribes to it; called again, gives what receivers were sent."""
    subscribed: set[str] = set()

    def subscribe_or_hear(name: str, count: int = 1) -> list[dict[str, Any]]:
        if name not in subscribed:
            subscribed.add(name)
            set_event_enabled(name=LEGACY_NAMES.get(name, name), enabled=True)
            body = {"url": hook.url, "events": [name], "secret": SECRET, "is_legacy_compat": name in LEGACY_NAMES}
            assert api.post("/webhook-subscriptions", json=body).status_code == 201
            return []
        deliverer.wake()
        hook.wait_for(count)
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists())
        heard = hook.heard
        assert len(heard) == count
        return [_checked(each, name) for each in heard]

    return subscribe_or_hear


def _checked(heard: Heard, name: str) -> dict[str, Any]:
    """The body, once its headers fit."""
    body: dict[str, Any] = heard.json
    assert heard.headers["x-service-event"] == name
    digest = hmac.new(SECRET.encode(), heard.body, hashlib.sha256).hexdigest()
    assert heard.headers["x-service-signature"] == f"sha256=v1:{digest}"
    if name in CATALOGUE:
        assert list(body) == ["id", "type", "data"]
        assert (body["id"], body["type"]) == (heard.headers["x-service-idempotency-key"], name)
    return body


def test_message_created(sent: Sent, visit: Visit, shop: Widget) -> None:
    sent("message.created")
    message_id = visit.say()
    (body,) = sent("message.created")
    assert body["data"] == {
        "chat_id": visit.chat_id,
        "message_id": message_id,
        "client_id": visit.guid,
        "author_type": "USER",
        "source": "widget",
        "button_guid": shop.guid,
    }


def test_message_created_by_an_operator(api: ApiClient, sent: Sent, visit: Visit, shop: Widget, alice: Agent) -> None:
    visit.say()
    sent("message.created")
    reply = {"type": "text", "body": "Добрый день", "agent_id": alice.pk}
    message_id = api.post(f"/chats/{visit.chat_id}/messages", json=reply).json()["data"]["message_id"]
    (body,) = sent("message.created")
    assert body["data"] == {
        "chat_id": visit.chat_id,
        "message_id": message_id,
        "client_id": visit.guid,
        "author_type": "OPERATOR",
        "source": "widget",
        "button_guid": shop.guid,
    }


def test_chat_created(sent: Sent, visit: Visit, shop: Widget) -> None:
    sent("chat.created")
    visit.say()
    visit.say("Ещё вопрос")
    (body,) = sent("chat.created")
    assert body["data"] == {
        "chat_id": visit.chat_id,
        "client_id": visit.guid,
        "source": "widget",
        "button_guid": shop.guid,
    }


def reply(api: ApiClient, visit: Visit, agent: Agent) -> None:
    body = {"type": "text", "body": "Добрый день", "agent_id": agent.pk}
    assert api.post(f"/chats/{visit.chat_id}/messages", json=body).status_code == 202


def transfer(api: ApiClient, visit: Visit, agent: Agent) -> None:
    assert api.post(f"/chats/{visit.chat_id}/transfer", json={"agent_id": agent.pk}).status_code == 202


def close(api: ApiClient, visit: Visit) -> None:
    assert api.post(f"/chats/{visit.chat_id}/close", json={"reason": "resolved"}).status_code == 200


def test_chat_transferred(api: ApiClient, sent: Sent, visit: Visit, shop: Widget, alice: Agent, boris: Agent) -> None:
    visit.say()
    reply(api, visit, alice)
    sent("chat.transferred")
    transfer(api, visit, boris)
    (body,) = sent("chat.transferred")
    assert body["data"] == {
        "chat_id": visit.chat_id,
        "client_guid": visit.guid,
        "from_operator_id": alice.pk,
        "to_operator_id": boris.pk,
        "author_type": "OPERATOR",
        "source": "widget",
        "button_guid": shop.guid,
    }


def test_chat_closed(api: ApiClient, sent: Sent, visit: Visit, shop: Widget) -> None:
    visit.say()
    sent("chat.closed")
    close(api, visit)
    (body,) = sent("chat.closed")
    assert body["data"] == {"chat_id": visit.chat_id, "reason": "resolved", "button_guid": shop.guid}


def test_chat_closed_by_the_idle_job(sent: Sent, visit: Visit, shop: Widget) -> None:
    visit.say()
    sent("chat.closed")
    call_command("sweep_chats", as_of=(timezone.now() + timedelta(minutes=8)).isoformat())
    (body,) = sent("chat.closed")
    assert body["data"] == {"chat_id": visit.chat_id, "reason": "expired", "button_guid": shop.guid}


def test_rating_created(api: ApiClient, sent: Sent, visit: Visit, shop: Widget, alice: Agent) -> None:
    visit.say()
    reply(api, visit, alice)
    sent("rating.created")
    for value in (5, 4):
        visit.browser.post("rating", {"value": value, "comment": "Спасибо"})
    (body,) = sent("rating.created")
    assert body["data"] == {
        "chat_client_id": visit.guid,
        "operator_id": alice.pk,
        "author_type": "USER",
        "source": "widget",
        "button_guid": shop.guid,
    }


@pytest.mark.parametrize("name", ["agent.online", "agent.offline"])
def test_an_operator_comes_and_goes(sent: Sent, shop: Widget, alice: Agent, name: str) -> None:
    sent(name)
    tabs = [uuid4(), uuid4()]
    for tab in tabs:
        begin_presence(agent_id=alice.pk, process=tab)
    for tab in tabs:
        end_presence(agent_id=alice.pk, process=tab)
    (body,) = sent(name)
    assert body["data"] == {"operator_id": alice.pk, "button_guid": shop.guid}


def test_chat_accepted(api: ApiClient, sent: Sent, visit: Visit, shop: Widget, alice: Agent) -> None:
    visit.say()
    sent("chat.accepted")
    for _ in range(2):
        reply(api, visit, alice)
    (body,) = sent("chat.accepted")
    assert body["data"] == {
        "chat_id": visit.chat_id,
        "operator_id": alice.pk,
        "operator_type": "human",
        "client_id": visit.guid,
        "button_guid": shop.guid,
    }


def leave(visit: Visit) -> dict[str, Any]:
    answer = visit.browser.post("offline", FORM)
    assert answer.status_code == 201
    message: dict[str, Any] = answer.json()["data"]
    return message


def test_offline_message_created(sent: Sent, visit: Visit, shop: Widget) -> None:
    sent("offline_message.created")
    message = leave(visit)
    (body,) = sent("offline_message.created")
    assert body["data"] == {
        "chat_id": message["chat_id"],
        "client_id": visit.guid,
        "message_id": message["id"],
        "name": "Ольга",
        "email": "olga@mail.test",
        "phone": "+7 901 123-45-67",
        "button_guid": shop.guid,
    }


def test_contact_updated(api: ApiClient, sent: Sent, visit: Visit, shop: Widget) -> None:
    sent("contact.updated")
    changes = {"name": "Ольга Петрова", "attributes": {"plan": "pro"}}
    assert api.patch(f"/contacts/{visit.guid}", json=changes).status_code == 200
    (body,) = sent("contact.updated")
    assert set(body["data"].pop("changed_fields")) == {"name", "attributes"}
    assert body["data"] == {"client_id": visit.guid, "button_guid": shop.guid}


class TestLegacyEnvelope:
    """Each of the five names, in the envelope keyed by `event_name`: ids under their own names, and the agent."""

    def test_chat_updated(
        self, api: ApiClient, sent: Sent, visit: Visit, shop: Widget, alice: Agent, boris: Agent
    ) -> None:
        visit.say()
        reply(api, visit, alice)
        sent("chat_updated")
        transfer(api, visit, boris)
        assert sent("chat_updated") == [
            {
                "event_name": "chat_updated",
                "widget_id": shop.guid,
                "chat_id": visit.chat_id,
                "agent": {"id": boris.pk},
                "client_guid": visit.guid,
                "from_operator_id": alice.pk,
                "to_operator_id": boris.pk,
                "author_type": "OPERATOR",
                "source": "widget",
            }
        ]

    def test_chat_finished(self, api: ApiClient, sent: Sent, visit: Visit, shop: Widget) -> None:
        visit.say()
        sent("chat_finished")
        close(api, visit)
        assert sent("chat_finished") == [
            {"event_name": "chat_finished", "widget_id": shop.guid, "chat_id": visit.chat_id, "reason": "resolved"}
        ]

    def test_chat_accepted(self, api: ApiClient, sent: Sent, visit: Visit, shop: Widget, alice: Agent) -> None:
        visit.say()
        sent("chat_accepted")
        reply(api, visit, alice)
        assert sent("chat_accepted") == [
            {
                "event_name": "chat_accepted",
                "widget_id": shop.guid,
                "chat_id": visit.chat_id,
                "agent": {"id": alice.pk},
                "operator_id": alice.pk,
                "operator_type": "human",
                "client_id": visit.guid,
            }
        ]

    def test_offline_message(self, sent: Sent, visit: Visit, shop: Widget) -> None:
        sent("offline_message")
        message = leave(visit)
        assert sent("offline_message") == [
            {
                "event_name": "offline_message",
                "widget_id": shop.guid,
                "chat_id": message["chat_id"],
                "client_id": visit.guid,
                "message_id": message["id"],
                "name": "Ольга",
                "email": "olga@mail.test",
                "phone": "+7 901 123-45-67",
            }
        ]

    def test_client_updated(self, api: ApiClient, sent: Sent, visit: Visit, shop: Widget) -> None:
        sent("client_updated")
        assert api.patch(f"/contacts/{visit.guid}", json={"phone": "+7 902 765-43-21"}).status_code == 200
        assert sent("client_updated") == [
            {
                "event_name": "client_updated",
                "widget_id": shop.guid,
                "client_id": visit.guid,
                "changed_fields": ["phone"],
            }
        ]


def test_a_rotated_secret_signs_what_waits_already(
    api: ApiClient, hook: HookReceiver, deliverer: Deliverer, visit: Visit
) -> None:
    body = {"url": hook.url, "events": ["message.created"], "secret": SECRET}
    subscription_id = api.post("/webhook-subscriptions", json=body).json()["data"]["id"]
    visit.say()
    rotated = api.post(f"/webhook-subscriptions/{subscription_id}/rotate-secret", json={}).json()["data"]["secret"]
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    digest = hmac.new(rotated.encode(), heard.body, hashlib.sha256).hexdigest()
    assert heard.headers["x-service-signature"] == f"sha256=v1:{digest}"


def test_a_redelivery_is_the_same_event_under_another_name(
    api: ApiClient, hook: HookReceiver, deliverer: Deliverer, visit: Visit
) -> None:
    body = {"url": hook.url, "events": ["message.created"]}
    address = f"/webhook-subscriptions/{api.post('/webhook-subscriptions', json=body).json()['data']['id']}"
    visit.say()
    deliverer.wake()
    (first,) = hook.wait_for(1)
    assert deliverer.stop(5)
    (row,) = api.get(f"{address}/deliveries").json()["data"]
    assert (row["delivery_id"], row["status"]) == (first.headers["x-service-delivery"], "delivered")
    again = api.post(f"{address}/redeliver", json={"delivery_id": row["delivery_id"]}).json()["data"]
    deliverer.wake()
    second = hook.wait_for(2)[1]
    assert second.body == first.body
    assert second.headers["x-service-idempotency-key"] == first.headers["x-service-idempotency-key"]
    assert second.headers["x-service-delivery"] == again["delivery_id"] != first.headers["x-service-delivery"]
