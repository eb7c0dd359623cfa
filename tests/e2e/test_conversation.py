"""The whole way: a visitor's browser, the widget, REST, the websocket, a signed webhook; every process is real."""

import hashlib
import hmac
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.http import call
from tests.run.service import Service
from tests.webhooks.receivers import Heard, HookReceiver

pytestmark = pytest.mark.e2e


class Customer:
    """The customer's own system: speaks REST with the token that the demo data printed."""

    def __init__(self, service: Service) -> None:
        self.widget: dict[str, Any] = service.demo["accounts"][0]["widgets"][0]
        self._base = f"{service.url}/api/v1"
        self._authorization = f"Bearer {self.widget['tokens']['all']}"

    def get(self, path: str) -> Any:
        return call("GET", self._base + path, self._authorization)["data"]

    def post(self, path: str, body: Any) -> Any:
        return call("POST", self._base + path, self._authorization, body)["data"]


def test_a_visitor_asks_and_is_answered_and_the_customer_hears_of_it(running_service: Service, page: Page) -> None:
    service = running_service
    with HookReceiver() as hook:
        customer = Customer(service)
        subscription = customer.post("/webhook-subscriptions", {"url": hook.url, "events": ["message.created"]})

        # The visitor writes in the browser.
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        page.goto(f"{service.url}/demo/")
        page.get_by_role("button", name="Open chat").click()
        page.get_by_role("dialog").get_by_role("textbox", name="Write a message").fill("Do you have Misty Jade?")
        page.keyboard.press("Enter")
        log = page.get_by_role("log")
        expect(log).to_contain_text("Do you have Misty Jade?")

        # The customer's system hears of it, and reads it over REST.
        (told,) = hook.wait_for(1)
        event = verified(told, subscription["secret"])
        assert event["data"]["author_type"] == "USER"
        chat_id = event["data"]["chat_id"]
        (question,) = customer.get(f"/chats/{chat_id}/messages")
        assert (question["id"], question["body"]) == (event["data"]["message_id"], "Do you have Misty Jade?")
        assert customer.get(f"/chats/{chat_id}")["contact_id"] == event["data"]["client_id"]

        # It answers, and the visitor sees the answer, once, also after a reload.
        agent = customer.widget["agents"][0]
        answer = {"type": "text", "body": "Yes, picked last week.", "agent_id": agent["id"]}
        answered = customer.post(f"/chats/{chat_id}/messages", answer)
        expect(log).to_contain_text("Yes, picked last week.")
        page.reload()  # the chat was open, and is again
        for text in ("Do you have Misty Jade?", "Yes, picked last week."):
            expect(page.get_by_role("log").get_by_text(text, exact=True)).to_have_count(1)
        assert errors == []

        told_again = verified(hook.wait_for(2)[1], subscription["secret"])
        assert told_again["data"]["message_id"] == answered["message_id"]
        assert told_again["data"]["author_type"] == "OPERATOR"


def verified(heard: Heard, secret: str) -> dict[str, Any]:
    """The webhook's body, after its signature has been checked as a receiver would."""
    expected = "sha256=v1:" + hmac.new(secret.encode(), heard.body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(heard.headers["x-service-signature"], expected)
    assert heard.headers["x-service-event"] == "message.created"
    document: dict[str, Any] = heard.json
    assert heard.headers["x-service-idempotency-key"] == document["id"]
    return document
