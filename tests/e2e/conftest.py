"""The demo shop and its operators' browsers."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from tests.conftest import RUNNING
from tests.e2e.console import ALICE, Desk, Open, Shop
from tests.run.service import Service


@pytest.fixture
def open_desk(running_service: Service, new_context: Callable[..., BrowserContext]) -> Open:
    """Signs an operator in, in a browser with playwright's options of a context."""

    def go(email: str = ALICE, init_script: str = "", **options: Any) -> Desk:
        context = new_context(**options)
        if init_script:
            context.add_init_script(init_script)
        return Desk(running_service, context, email)

    return go


@pytest.fixture(scope="module")
def shop(kept_service: Service) -> Shop:
    """One for the tests of a file: making it takes seconds."""
    if kept_service.ended:
        kept_service.end()
        kept_service.start(**RUNNING)
    return Shop(kept_service)
