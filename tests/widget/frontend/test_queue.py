"""The place in the queue, in the widget: one polite line, and nothing where no place is told."""

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from config.environment import PROJECT_ROOT
from tests.widget.frontend.chat import bodies, open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
MODULE = PROJECT_ROOT / "apps/widget/static/widget/queue.js"


def waiting(visit: Visit, server: StandIn) -> tuple[Page, list[str]]:
    """A visitor who has written, and what the page has asked for since."""
    page = visit()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"] and bool(server.sockets))
    return page, asked


def told(place: int, *expects: int) -> dict[str, object]:
    span = dict(zip(("from_min", "to_min"), expects, strict=True)) if expects else None
    return {"chat_id": 1, "queue": {"place": place, "of": 5, "expects": span}}


def test_the_place_is_a_polite_line_that_changes_and_goes(visit: Visit, server: StandIn) -> None:
    page, _ = waiting(visit, server)
    line = page.locator("parley-widget [role=status]").filter(has_text="place")
    server.push("queue.updated", told(3, 2, 6))
    expect(line).to_have_text("Your place: 3. Usually 2–6 minutes.")
    server.push("queue.updated", told(2))
    expect(line).to_have_text("Your place: 2.")
    server.push("queue.updated", {"chat_id": 1, "queue": None})
    expect(line).to_have_count(0)


def test_the_line_is_russian_in_a_russian_chat(visit: Visit, server: StandIn) -> None:
    server.settings["language"] = "ru"
    page, _ = waiting(visit, server)
    server.push("queue.updated", told(3, 2, 6))
    expect(page.get_by_text("Ваше место: 3. Обычно 2–6 минут.")).to_be_visible()


def test_without_a_place_its_module_is_not_loaded(visit: Visit, server: StandIn) -> None:
    page, asked = waiting(visit, server)
    server.push("queue.updated", {"chat_id": 1, "queue": None})
    server.says("Good day")
    expect(page.get_by_text("Good day")).to_be_visible()
    assert not [url for url in asked if "queue.js" in url]


def test_its_module_is_small() -> None:
    assert len(gzip.compress(MODULE.read_bytes())) <= 600
