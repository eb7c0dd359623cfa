"""A real browser, one for each file: while playwright's loop is there, Django refuses to ask the database."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bootstrap import CHROMIUM_NAMES
from tests.waits import AT_MOST_S

CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip

MAX_MILLISECONDS = 1000 * AT_MOST_S
expect.set_options(timeout=MAX_MILLISECONDS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a browser profile; takes playwright's options of a context."""
    contexts = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", **options})
        context.set_default_timeout(MAX_MILLISECONDS)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of a browser profile of its own."""
    return new_context().new_page()
