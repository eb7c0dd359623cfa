"""An operator signs in, and the visitor's widget says that somebody is there; every process is real."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.run.service import Service

pytestmark = pytest.mark.e2e


@pytest.mark.slow
def test_whoever_has_the_console_open_is_online_for_visitors(
    running_service: Service, page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    service = running_service
    banner = service.output
    assert f"  console     {service.url}/console/" in banner
    widget = service.demo["accounts"][0]["widgets"][0]
    olga, alice = widget["agents"][:2]
    for operator in (olga, alice):
        assert f"  {operator['email']}  {operator['password']}" in banner

    page.goto(f"{service.url}/demo/")
    page.get_by_role("button", name="Open chat").click()
    away = page.get_by_text("We’re away, but do write to us")
    expect(away).to_be_visible()
    page.get_by_role("dialog").get_by_role("textbox", name="Write a message").fill("Anybody there?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("Anybody there?")

    operator = new_context().new_page()
    errors: list[str] = []
    operator.on("pageerror", lambda error: errors.append(str(error)))
    operator.on("console", lambda message: message.type == "error" and errors.append(message.text))
    operator.goto(f"{service.url}/console/")
    operator.get_by_label("E-mail address").fill(alice["email"])
    operator.get_by_label("Password").fill(alice["password"])
    operator.get_by_role("button", name="Sign in").click()
    expect(operator.get_by_role("heading", name=widget["name"])).to_be_visible()
    connection = operator.locator(".connection")
    expect(connection).to_have_text("Online")
    expect(connection).to_have_attribute("title", "You are online: visitors are told that somebody is there.")
    expect(away).to_be_hidden()

    # A process that ends takes nobody along for good: the page comes back by itself.
    service.leaders()["realtime"].terminate()
    expect(connection).to_have_text("Connecting…")
    expect(connection).to_have_text("Online")

    operator.get_by_role("button", name="Alice Weber: settings and signing out").click()
    operator.get_by_role("button", name="Sign out").click()
    expect(operator.get_by_role("heading", name="Sign in to the console")).to_be_visible()
    assert [error for error in errors if "WebSocket" not in error] == []
    expect(away).to_be_visible()
