"""The first word on a real page: an invitation is met and answered, questions are asked, an operator sees both."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.http import call
from tests.run.service import Service

pytestmark = pytest.mark.e2e

OPTIONS = [
    {"value": "order", "label": {"en": "An order", "ru": "Заказ"}},
    {"value": "tea", "label": {"en": "Tea", "ru": "Чай"}},
]
QUESTIONS: list[dict[str, Any]] = [
    {"key": "topic", "kind": "choice", "label": {"en": "Topic", "ru": "Тема"}, "required": True, "options": OPTIONS},
    {
        "key": "order_no",
        "kind": "text",
        "label": {"en": "Order number", "ru": "Номер заказа"},
        "required": True,
        "when": {"topic": ["order"]},
    },
    {
        "key": "agreed",
        "kind": "consent",
        "label": {"en": "I agree to the [rules](https://shop.example/rules)"},
        "required": True,
    },
]


def test_an_invitation_is_answered_and_its_questions_are_never_lost(running_service: Service, new_context: Any) -> None:
    widget = running_service.demo["accounts"][0]["widgets"][0]
    url, bearer = f"{running_service.url}/api/v1", f"Bearer {widget['tokens']['all']}"
    invitation = call(
        "POST",
        f"{url}/chat-invitations",
        bearer,
        {
            "name": "Waiting parcels",
            "state": "live",
            "texts": {"en": "Waiting for a parcel?"},
            "buttons": [{"en": "Where is my order?"}],
            "rule": {"page": ["/demo*"], "event": {"name": "basket", "times": 2}},
            "holdout": 0,
            "goal": {"event": "thanks"},
        },
    )["data"]
    call("PUT", f"{url}/widget/questions", bearer, {"is_on": True, "intro": None, "questions": QUESTIONS})
    try:
        context: BrowserContext = new_context(locale="en-US")
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{running_service.url}/demo/")
        why = "Parley.whyNot().then((rows) => rows[0]?.missing.map(({condition}) => condition).join() ?? '-')"
        page.wait_for_function(f"{why}.then((missing) => missing === 'event')")
        page.evaluate("Parley.track('basket'); Parley.track('basket')")
        region = page.get_by_role("region", name="Invitation")
        expect(region.get_by_role("status")).to_contain_text("Waiting for a parcel?")
        region.get_by_role("button", name="Where is my order?").click()
        expect(page.get_by_role("log").get_by_text("Waiting for a parcel?")).to_be_visible()
        composer = page.get_by_role("textbox", name="Write a message…")
        expect(composer).to_have_value("Where is my order?")
        page.get_by_label("Topic").select_option("An order")
        composer.press("Enter")
        expect(page.get_by_label("Order number")).to_be_focused()
        page.get_by_label("Order number").fill("A-17")
        page.get_by_label("I agree").check()
        composer.press("Enter")
        expect(page.get_by_role("log").get_by_text("Where is my order?")).to_be_visible()
        expect(page.get_by_label("Topic")).to_have_count(0)
        page.evaluate("Parley.track('thanks')")

        def mine() -> list[dict[str, Any]]:
            chats = call("GET", f"{url}/chats?limit=50", bearer)["data"]
            return [chat for chat in chats if (chat["invitation"] or {}).get("id") == invitation["id"]]

        for _ in range(100):
            if mine():
                break
            page.wait_for_timeout(100)
        (chat,) = mine()
        assert chat["invitation"] == {"id": invitation["id"], "name": "Waiting parcels"}
        assert chat["answers"] == {"topic": "order", "order_no": "A-17", "agreed": True}
        messages = call("GET", f"{url}/chats/{chat['id']}/messages", bearer)["data"]
        said = [(each["origin"], each["body"]) for each in sorted(messages, key=lambda each: each["id"])]
        assert ("invitation", "Waiting for a parcel?") in said
        assert said[said.index(("invitation", "Waiting for a parcel?")) + 1][1] == "Where is my order?"
        page.reload()
        bubbles = page.get_by_role("log").locator(".bubble")
        expect(bubbles.nth(0)).to_have_text("Waiting for a parcel?")
        expect(bubbles.nth(1)).to_have_text("Where is my order?")
        results = call("GET", f"{url}/chat-invitations/{invitation['id']}/results", bearer)["data"]
        assert (results["shown"], results["opened"], results["answered"]) == (1, 1, 1)
        assert results["converted"] == {"shown": 1, "held": 0}
        assert errors == []
    finally:
        call("DELETE", f"{url}/chat-invitations/{invitation['id']}", bearer)
        call("PUT", f"{url}/widget/questions", bearer, {"is_on": False, "intro": None, "questions": []})
