"""Visitors of the shop. (Pytest reads this file before Django is set up: what needs Django is imported late.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Widget
    from apps.chats.models import Contact
    from apps.widget.models import VisitorSession
    from tests.widget.visitor import VisitorClient


@pytest.fixture(autouse=True)
def generous_limit(settings: Settings) -> None:
    """All tests call from one address; those about limits set their own."""
    settings.VISITOR_RATE_LIMIT = 1_000_000


@pytest.fixture
def visitor(shop: Widget) -> VisitorClient:
    """Somebody who has just opened a page of the shop."""
    from tests.widget.visitor import VisitorClient

    return VisitorClient(shop)


@pytest.fixture
def ivans_session(ivan: Contact) -> VisitorSession:
    from tests.factories.widget import VisitorSessionFactory

    return VisitorSessionFactory.create(contact=ivan)


@pytest.fixture
def ivans_browser(shop: Widget, ivans_session: VisitorSession) -> VisitorClient:
    """The browser of Ivan, whom the shop knows; his chat is the cast's `chat`, where a test has it."""
    from tests.factories.widget import visitor_token
    from tests.widget.visitor import VisitorClient

    return VisitorClient(shop, visitor_token(ivans_session))
