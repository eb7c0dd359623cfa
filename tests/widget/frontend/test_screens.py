"""The field to write in is in sight on every screen: phones with a keyboard open, low windows, magnified pages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from apps.widget.rules.languages import CLOSED
from tests.widget.frontend.chat import open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]

SIZES: dict[str, tuple[int, int, bool]] = {
    "a small phone with its keyboard": (375, 293, True),
    "a phone on its side with its keyboard": (844, 180, True),
    "WCAG 1.4.10, 1280 px at 400 %": (320, 256, False),
    "a low window": (640, 360, False),
    "a phone": (390, 844, True),
    "a desk": (1280, 720, False),
}
LONG = "A very long answer of a person who explains all there is to say about white tea and how it is kept. " * 8


def nothing(page: Page, server: StandIn) -> None:
    pass


def a_talk(page: Page, server: StandIn) -> None:
    write(page, "Hello")
    until(page, lambda: bool(server.messages) and any(server.messages.values()))
    server.says(LONG)
    expect(page.get_by_text("A very long answer")).to_be_visible()


def every_strip(page: Page, server: StandIn) -> None:
    """Stars with their comment, no connection, somebody typing, all at once."""
    write(page, "Hello")
    until(page, lambda: bool(server.sockets))
    server.push("typing", {"name": "Anna", "state": "start"})
    server.push("rating.requested", {})
    page.locator(".marks button").nth(3).dispatch_event("click")
    expect(page.locator(".rating textarea")).to_be_attached()
    page.evaluate("dispatchEvent(new Event('offline'))")


def contacts(page: Page, server: StandIn) -> None:
    write(page, "Hello")
    expect(page.locator(".away [name=email]")).to_be_attached()


def many_lines(page: Page, server: StandIn) -> None:
    page.locator(".composer textarea").fill("line\n" * 30)


STATES = {each.__name__: each for each in (nothing, a_talk, every_strip, contacts, many_lines)}


@pytest.mark.parametrize(("state", "language"), [*((state, "en") for state in STATES), ("nothing", "ar")])
def test_the_field_is_in_sight(visit: Visit, server: StandIn, state: str, language: str) -> None:
    server.settings |= {"language": language, "online": state != "contacts"}
    page = visit(viewport={"width": 1280, "height": 720}, has_touch=True)
    page.locator("parley-widget .launcher").click()
    page.get_by_role("dialog").wait_for()
    STATES[state](page, server)
    for width, height, _ in SIZES.values():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        field = page.locator(".composer textarea")
        for part in (
            field,
            page.locator(".composer button").last,
            page.get_by_role("button", name=CLOSED[language]["close"]),
        ):
            expect(part, f"{width}×{height}").to_be_in_viewport(ratio=0.98)
        box = field.bounding_box()
        assert box
        assert (box["width"] >= 120, box["height"] >= 30) == (True, True)


@pytest.mark.parametrize("name", [name for name, (*_, is_phone) in SIZES.items() if not is_phone])
def test_what_is_asked_for_can_be_scrolled_to_in_a_low_window(visit: Visit, server: StandIn, name: str) -> None:
    width, height, _ = SIZES[name]
    page = visit(viewport={"width": width, "height": height})
    open_chat(page)
    every_strip(page, server)
    for asked in (page.locator(".rating .key"), page.get_by_role("button", name="Skip")):
        asked.scroll_into_view_if_needed()
        expect(asked).to_be_in_viewport()
    expect(page.locator(".composer textarea")).to_be_in_viewport(ratio=1)


def test_a_keyboard_that_moves_the_view_moves_the_chat_along(visit: Visit, server: StandIn) -> None:
    """iOS shifts what is in sight instead of making the window smaller."""
    page = visit(viewport={"width": 375, "height": 667}, has_touch=True)
    open_chat(page)
    page.evaluate(
        """() => {
          const seen = { height: 293, offsetTop: 180 };
          for (const [name, value] of Object.entries(seen)) Object.defineProperty(visualViewport, name, { value });
          visualViewport.dispatchEvent(new Event("scroll"));
        }"""
    )
    assert page.get_by_role("dialog").bounding_box() == {"x": 0, "y": 180, "width": 375, "height": 293}
