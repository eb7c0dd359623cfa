"""What a visitor does in the chat, and what there is to see."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page

from tests.widget.frontend.server import StandIn


def open_chat(page: Page) -> Locator:
    """Opens the chat, unless it was left open: then it opens by itself."""
    if not page.evaluate("Object.keys(sessionStorage).some((key) => key.endsWith(':open'))"):
        page.locator("parley-widget .launcher").click()
    page.get_by_role("dialog").wait_for()
    return page.get_by_role("log")


def write(page: Page, text: str) -> None:
    page.locator(".composer textarea").fill(text)
    page.keyboard.press("Enter")


def bubbles(page: Page) -> Locator:
    """The bodies shown, without the greeting."""
    return page.locator("parley-widget .row:not(:first-child) .bubble")


def until(page: Page, fact: Callable[[], bool]) -> None:
    """Waits for a fact on the server's side, at most thirty seconds."""
    for _ in range(600):
        if fact():
            return
        page.wait_for_timeout(50)
    raise AssertionError("did not happen in time")


def bodies(server: StandIn) -> list[str]:
    return [message["body"] for messages in server.messages.values() for message in messages]
