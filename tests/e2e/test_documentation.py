"""The API's documentation in a real browser: it is all there, and comes from nowhere else."""

import pytest
from playwright.sync_api import Page, expect

from tests.run.service import Service

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("path", ["/api/docs#/chats/chat_close", "/api/redoc#operation/chat_close"])
def test_an_operation_shows_its_scopes_and_idempotency_and_nothing_comes_from_elsewhere(
    running_service: Service, page: Page, path: str
) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("response", lambda response: asked.append(response.url))
    page.on("console", lambda said: "Content Security Policy" in said.text and complaints.append(said.text))
    page.goto(running_service.url + path)
    # Swagger UI draws what is in sight, and guesses where the rest is: it may stop shortly before the operation.
    operation = page.locator("#operations-chats-chat_close")
    shown = page.get_by_text("X-Service-Idempotency-Key is required").first
    if "docs#" in path:
        expect(page.locator(".opblock").first).to_be_visible()
        for _ in range(300):
            if operation.is_visible():
                break
            page.mouse.wheel(0, 200)
            page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200))")
    shown.scroll_into_view_if_needed()
    expect(shown).to_be_visible()
    expect(page.get_by_text("Scope: chats:write").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert f"{running_service.url}/api/schema/rest" in asked
    assert [url for url in asked if not url.startswith((running_service.url, "blob:", "data:"))] == []
    # Redoc's own script would load its maker's logo, which the page does not show.
    assert [said for said in complaints if "https://cdn.redoc.ly/redoc/logo-mini.svg" not in said] == []
