"""The widget and the console side by side, every process real: from the first question to a person, and back to AI."""

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from apps.ai.rules.phrases import PHRASES
from apps.demo.servers.language_models import Vendor, chat
from apps.demo.servers.played import PlayedRequest, Says
from tests.e2e.console import Open, Shop
from tests.e2e.http import call

pytestmark = pytest.mark.e2e


@pytest.fixture
def vendor(shop: Shop) -> Iterator[Vendor]:
    """The shop's AI is on, and asks a vendor of this test."""
    settings = f"{shop.service.url}/api/v1/ai/settings"
    authorization = f"Bearer {shop.widget['tokens']['all']}"
    with Vendor() as vendor:
        body = {"provider": "openai_compatible", "api_key": "k", "base_url": f"{vendor.url}/v1", "model": "m-1"}
        body["timeout_s"] = 120  # a page may open slowly while the vendor waits for this test
        shop.post("/ai/credentials", body)
        call("PATCH", settings, authorization, {"enabled": True})
        yield vendor
        call("PATCH", settings, authorization, {"enabled": False})


def replies_asked(vendor: Vendor) -> list[PlayedRequest]:
    """The vendor's calls for words: it is also asked now and then whether it is there."""
    return [one for one in vendor.asked if one.path.endswith("/chat/completions")]


def test_ai_answers_a_person_takes_the_chat_and_gives_it_back(
    open_desk: Open, shop: Shop, vendor: Vendor, page: Page
) -> None:
    shop.clear_the_desk()
    slow = threading.Event()
    vendor.will_say(Says(chat("Ruby Mountain is twelve a box."), wait=slow))
    desk = open_desk()
    page.goto(f"{shop.service.url}/demo/")
    page.get_by_role("button", name="Open chat").click()
    field = page.get_by_role("dialog").get_by_role("textbox", name="Write a message")
    log = page.get_by_role("log")

    # The first question: both sides see that somebody types, and who.
    field.fill("How much is Ruby Mountain?")
    field.press("Enter")
    row = desk.rows.filter(has_text="How much is Ruby Mountain?")
    row.click()
    thread, title = desk.page.get_by_role("log"), desk.page.locator(".chat-title")
    expect(title).to_contain_text("AI answers")
    expect(desk.page.locator(".around")).to_contain_text("Ada is writing an answer…")
    expect(page.get_by_text("Ada is typing…")).to_be_visible()
    slow.set()
    expect(log).to_contain_text("Ruby Mountain is twelve a box.")
    expect(log).to_contain_text("Ada (AI)")
    expect(thread.locator(".msg.is-ai")).to_contain_text("Ruby Mountain is twelve a box.")

    # A person is asked for: the visitor is told, and the chat stands in the queue with its reason.
    field.fill("I want to talk to a human")
    field.press("Enter")
    expect(log).to_contain_text(PHRASES["handover_notice"]["en"])
    expect(thread).to_contain_text("The chat waits for a person. The visitor asks for a person")
    desk.show("unanswered")
    waiting = desk.rows.filter(has_text="Waits for a person")
    expect(waiting).to_have_count(1)

    # One click takes it; what the visitor writes now is the person's.
    desk.page.locator(".chat-header").get_by_role("button", name="Accept", exact=True).click()
    expect(title).to_contain_text("A person answers")
    desk.page.locator(".composer textarea").fill("Alice here: what may I do for you?")
    desk.page.locator(".composer textarea").press("Enter")
    expect(log).to_contain_text("Alice here: what may I do for you?")
    asked = len(replies_asked(vendor))
    field.fill("Do you deliver on Sunday?")
    field.press("Enter")
    expect(title).to_contain_text("AI answers at")
    assert len(replies_asked(vendor)) == asked, "a person has the word"

    # One click gives it back: what was asked meanwhile is answered at once.
    vendor.will_say(chat("We deliver every day."))
    desk.page.locator(".chat-header").get_by_role("button", name="Unassign", exact=True).click()
    expect(log).to_contain_text(PHRASES["handoff_to_ai"]["en"])
    expect(log).to_contain_text("We deliver every day.")
    expect(title).to_contain_text("AI answers")
    desk.check("people-and-ai")
