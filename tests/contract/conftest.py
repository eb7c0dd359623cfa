"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Widget
    from apps.agents.models import Agent
    from apps.chats.models import Chat, Contact
    from tests.cast import Rival
    from tests.contract.samples import World


@pytest.fixture
def world(shop: Widget, alice: Agent, ivan: Contact, chat: Chat, rival: Rival, settings: Settings) -> World:
    from tests.contract.samples import RECEIVER, World

    settings.EGRESS_ALLOW = [urlsplit(RECEIVER).netloc]
    return World(widget=shop, agent=alice, contact=ivan, chat=chat, rival=rival)


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The OpenAPI document, generated as `/api/schema` does."""
    from drf_spectacular.generators import SchemaGenerator

    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return generated
