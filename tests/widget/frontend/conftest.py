"""A stand-in server and a browser profile for each test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.widget.frontend.server import StandIn


@pytest.fixture
def server() -> Iterator[StandIn]:
    """At an address of its own: what a page of the test before still asks for does not come here."""
    stand_in = StandIn()
    stand_in.start()
    yield stand_in
    stand_in.stop()


@pytest.fixture
def visit(server: StandIn, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Opens the embedding page in a browser of its own; takes playwright's context options."""

    def go(**options: Any) -> Page:
        page = new_context(**options).new_page()
        page.goto(server.page)
        expect(page.locator("parley-widget .launcher")).to_be_visible()
        return page

    return go
