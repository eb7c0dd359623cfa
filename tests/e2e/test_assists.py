"""A model helps an operator, every process real: a draft while its words come, another wording, a summary."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from apps.demo.servers.language_models import Vendor, spoken, streamed, wants_stream
from apps.demo.servers.played import PlayedRequest
from tests.e2e.console import Open, Shop
from tests.e2e.http import call

pytestmark = pytest.mark.e2e

DRAFT = "A box of Ruby Mountain is 12 €. Delivery is 99 €."
SUMMARY = {
    "wants": "A box of Ruby Mountain for Friday",
    "done": "The price was named",
    "open": ["The address", "Whether Sunday will do"],
    "promised": ["To call back by 15:30"],
    "tags": [],
}


class Model:
    """A vendor that stops behind each word while `go` is not set."""

    def __init__(self, vendor: Vendor) -> None:
        self.vendor, self.go = vendor, threading.Event()
        vendor.answer = self.answer

    def answer(self, request: PlayedRequest) -> Any:
        purpose = request.headers.get("x-service-purpose")
        if purpose == "summary":
            return spoken(request, json.dumps(SUMMARY))
        if purpose == "rewrite":
            return spoken(request, "Dear visitor, a box is 13 €.")
        if wants_stream(request):
            return streamed(request, DRAFT, between=lambda: self.go.wait(60))
        return spoken(request, DRAFT)


@pytest.fixture
def model(shop: Shop) -> Iterator[Model]:
    """The shop's AI answers nobody; its model helps people."""
    with Vendor() as vendor:
        body = {"provider": "openai_compatible", "api_key": "k", "base_url": f"{vendor.url}/v1", "model": "m-1"}
        credential = shop.post("/ai/credentials", {**body, "timeout_s": 120})["data"]
        yield Model(vendor)
        # The next model is asked, and this one no more.
        authorization = f"Bearer {shop.widget['tokens']['all']}"
        call(
            "PATCH", f"{shop.service.url}/api/v1/ai/credentials/{credential['id']}", authorization, {"is_active": False}
        )


@pytest.mark.parametrize(
    ("size", "locale"),
    [((1280, 800), "en-GB"), ((390, 844), "ru-RU")],
    ids=["en-1280", "ru-390"],
)
def test_an_operator_drafts_rewrites_and_sums_up(
    open_desk: Open, shop: Shop, model: Model, size: tuple[int, int], locale: str
) -> None:
    width, height = size
    is_russian = locale == "ru-RU"
    said = (lambda en, ru: ru) if is_russian else (lambda en, ru: en)
    shop.clear_the_desk()
    visitor = shop.visitor().says("How much is a box of Ruby Mountain?")
    model.go.clear()
    desk = open_desk(viewport={"width": width, "height": height}, locale=locale)
    page = desk.page
    page.goto(f"{shop.service.url}/console/#/chats/{visitor.chat_id}")
    field = page.locator(".composer textarea")
    field.fill("twelve euros")

    # The words come while the model still writes; only the end can be used.
    page.get_by_role("button", name=said("AI help", "Помощь ИИ")).click()
    page.get_by_role("menuitem", name=said("Draft", "Черновик ответа")).click()
    strip = page.get_by_role("region", name=said("Draft", "Черновик ответа"))
    expect(strip).to_contain_text(said("Writing…", "Пишет…"))
    expect(strip.get_by_role("button", name=said("Use", "Взять"), exact=True)).to_have_count(0)
    model.go.set()
    expect(strip).to_contain_text("Delivery is 99 €.")
    expect(strip).to_contain_text(said("Not in any source:", "Нет ни в одном источнике:"))
    desk.check(f"assist-draft-{locale[:2]}-{width}")

    # It is put behind what was typed, and one undo takes it out; nothing was sent.
    strip.get_by_role("button", name=said("Use", "Взять"), exact=True).click()
    expect(field).to_have_value(f"twelve euros {DRAFT}")
    expect(strip).to_have_count(0)
    field.press("Control+z")
    expect(field).to_have_value("twelve euros")
    assert len(visitor.messages()) == 1

    # Another wording of it: a changed number stops it until a person has looked.
    field.fill("A box is 12 €.")
    page.get_by_role("button", name=said("AI help", "Помощь ИИ")).click()
    page.get_by_role("menuitem", name=said("Improve", "Улучшить текст")).click()
    page.get_by_role("menuitem", name=said("More formal", "Официальнее")).click()
    wording = page.get_by_role("region", name=said("Improve", "Улучшить текст"))
    replace = wording.get_by_role("button", name=said("Replace", "Заменить"))
    expect(replace).to_be_disabled()
    desk.check(f"assist-rewrite-{locale[:2]}-{width}")
    wording.get_by_role("checkbox").check()
    replace.click()
    expect(field).to_have_value("Dear visitor, a box is 13 €.")
    field.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("Dear visitor, a box is 13 €.")

    # What the chat is about, atop the thread.
    page.get_by_role("button", name=said("AI help", "Помощь ИИ")).click()
    page.get_by_role("menuitem", name=said("Summary", "Кратко")).click()
    expect(page.locator(".summed")).to_contain_text("A box of Ruby Mountain for Friday")
    desk.check(f"assist-summary-{locale[:2]}-{width}")

    # The visitor writes on: a draft of before says so.
    field.press("Control+j")
    expect(strip.get_by_role("button", name=said("Use", "Взять"), exact=True)).to_be_visible()
    visitor.says("And on Sunday?")
    expect(strip).to_contain_text(said("The visitor has written since", "Посетитель написал ещё"))
    field.press("Escape")
    expect(strip).to_have_count(0)
