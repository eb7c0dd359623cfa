"""The form of a rating as the owner wants it: its scale, its words, when it asks for more; and "not now"."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.widget.frontend.chat import open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
CLOSED = {"id": 1, "kind": "closed", "name": None, "at": "2026-11-29T10:00:00Z"}
FORM = {"scale": "stars", "question": "Was it tea?", "thanks": "Come again!", "comment": "low", "low": 2}


def asked(page: Page, server: StandIn) -> Locator:
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.push("rating.requested", {})
    return page.get_by_role("group", name="Was it tea?").get_by_role("button")


@pytest.mark.parametrize("scale", ["stars", "faces"])
def test_a_low_rating_asks_for_words_and_another_thanks(visit: Visit, server: StandIn, scale: str) -> None:
    server.settings |= {"rating_form": FORM | {"scale": scale}}
    page = visit()
    marks = asked(page, server)
    expect(marks).to_have_count(5)
    marks.nth(4).click()
    expect(page.get_by_text("Come again!")).to_be_visible()
    expect(page.locator(".rating textarea")).to_be_hidden()
    pressed = [mark.get_attribute("aria-pressed") for mark in marks.all()]
    assert pressed == (["true"] * 5 if scale == "stars" else ["false"] * 4 + ["true"])
    marks.nth(1).click()
    expect(page.locator(".rating textarea")).to_be_visible()


def test_thumbs_give_one_and_five(visit: Visit, server: StandIn) -> None:
    server.settings |= {"rating_form": FORM | {"scale": "thumbs", "comment": "never"}}
    page = visit()
    marks = asked(page, server)
    expect(marks).to_have_count(2)
    marks.first.click()
    until(page, lambda: ("rating", {"value": 1}) in server.calls)
    expect(page.get_by_text("Come again!")).to_be_visible()
    expect(page.locator(".rating textarea")).to_be_hidden()
    marks.last.click()
    until(page, lambda: ("rating", {"value": 5}) in server.calls)


def test_skipping_tells_the_server_and_a_rating_does_not(visit: Visit, server: StandIn) -> None:
    server.settings |= {"rating_form": FORM}
    page = visit()
    marks = asked(page, server)
    page.get_by_role("button", name="Skip").click()
    until(page, lambda: "rating-request" in [call for call, _ in server.calls])
    expect(marks).to_have_count(0)


def test_the_next_talk_is_asked_about_once_it_is_over(visit: Visit, server: StandIn) -> None:
    server.settings |= {"rating_form": FORM}
    page = visit()
    marks = asked(page, server)
    write(page, "Hello")
    until(page, lambda: bool(server.messages))
    page.get_by_role("button", name="Skip").click()
    expect(marks).to_have_count(0)
    write(page, "Another question")
    until(page, lambda: sum(len(each) for each in server.messages.values()) == 2)
    last = max(message["id"] for each in server.messages.values() for message in each)
    server.steps.append(CLOSED | {"after_message_id": last})
    page.evaluate("sessionStorage.clear()")  # a later visit
    page.reload()
    open_chat(page)
    expect(page.get_by_text("Another question")).to_be_visible()
    until(page, lambda: bool(server.sockets))
    server.push("rating.requested", {})
    expect(marks).to_have_count(5)
