"""The API's documentation in a real browser: each operation is found, and nothing comes from elsewhere."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.run.service import Service

pytestmark = pytest.mark.e2e
READY, FOUND = "body[data-ready]", ".opblock-tag-section .opblock-summary-path"


@pytest.fixture
def complaints(page: Page, running_service: Service) -> list[str]:
    """What the page would load from elsewhere, and what its policy keeps it from."""
    found: list[str] = []
    own = (running_service.url, "data:")
    page.on("request", lambda request: None if request.url.startswith(own) else found.append(request.url))
    page.on("console", lambda said: "Content Security Policy" in said.text and found.append(said.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/api/docs#/chats/chat_close", "/api/redoc#operation/chat_close"])
def test_an_operation_shows_its_scopes_and_idempotency_and_nothing_comes_from_elsewhere(
    running_service: Service, page: Page, complaints: list[str], path: str
) -> None:
    page.goto(running_service.url + path)
    operation = page.locator("#operations-chats-chat_close")
    expect(operation.get_by_text("X-Service-Idempotency-Key is required")).to_be_visible()
    expect(operation.get_by_text("Scope: chats:write")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert complaints == []


@pytest.mark.slow
def test_tags_are_closed_at_first_and_the_search_finds_by_path_and_by_title(
    running_service: Service, page: Page, complaints: list[str]
) -> None:
    page.goto(f"{running_service.url}/api/docs")
    page.locator(READY).wait_for(state="attached")
    expect(page.locator(".opblock-tag").first).to_be_visible()
    assert page.locator(".opblock-tag-section .opblock").count() == 0
    for words, path in {
        "rotate-secret": "/api/v1/webhook-subscriptions/{subscription_id}/rotate-secret",
        "subscription SECRET": "/api/v1/webhook-subscriptions/{subscription_id}/rotate-secret",
        "disconnect a mess": "/api/v1/messengers/{provider}",
    }.items():
        page.keyboard.press("/")
        page.get_by_role("searchbox").fill(words)
        expect(page.locator(f'{FOUND}[data-path="{path}"]')).to_be_visible()
        expect(page.locator(FOUND)).to_have_count(1)
    page.get_by_role("searchbox").fill("no such words")
    expect(page.get_by_role("status")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(page.get_by_role("status")).to_be_hidden()
    assert page.locator(".opblock-tag-section .opblock").count() == 0
    assert complaints == []


def test_a_guide_and_a_problem_fit_a_phone(
    running_service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    for path in ("/api/docs/guides/", "/api/docs/guides/webhooks", "/problems/turn_closed", "/problems/"):
        page.goto(running_service.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
