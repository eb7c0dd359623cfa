"""A visitor who lets the browser draw no letters below 20 px: the widget grows, and loses nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import ARGUMENTS, CHROMIUM, MAX_MILLISECONDS
from tests.e2e.measures import GAP_OF_THE_WIDGET, measure
from tests.widget.frontend.server import StandIn
from tests.widget.frontend.test_look import LONG_NAME, full

pytestmark = pytest.mark.e2e
SMALLEST = 20


@pytest.fixture(scope="module")
def large_letters(browser: Browser) -> Iterator[Browser]:
    arguments = [*ARGUMENTS, f"--blink-settings=minimumFontSize={SMALLEST}"]
    chromium = browser.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    yield chromium
    chromium.close()


@pytest.mark.parametrize("changes", [{}, {"language": "ru", "widget_name": LONG_NAME}], ids=["en", "ru"])
def test_at_a_minimum_font_of_20_px_nothing_is_cut_or_lies_on_another(
    large_letters: Browser, server: StandIn, changes: dict[str, Any]
) -> None:
    server.settings |= changes
    context = large_letters.new_context(reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(MAX_MILLISECONDS)
    page: Page = context.new_page()
    page.goto(server.page)
    expect(page.locator("parley-widget .launcher")).to_be_visible()
    full(page, server)
    meta = page.locator("parley-widget .meta").first
    assert meta.evaluate("each => getComputedStyle(each).fontSize") == f"{SMALLEST}px", (
        "the browser does as it is asked"
    )
    found = measure(page, gap=GAP_OF_THE_WIDGET, within="parley-widget", overlap=True)
    context.close()
    assert found == {}
