"""A shop with a program that answers cards. (Pytest reads this file before Django is set up.)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from pytest_django import Settings

from tests.cards.shop import ShopProgram

if TYPE_CHECKING:
    from apps.accounts.models import Widget
    from apps.agents.models import Agent
    from tests.console.browser import Console

CARDS = [
    {"key": "order", "title": "Last order", "ttl_seconds": 300},
    {"key": "bonus", "title": "Bonus points", "ttl_seconds": 60},
]


@pytest.fixture
def program(settings: Settings) -> Iterator[ShopProgram]:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with ShopProgram() as running:
        yield running


@pytest.fixture
def secret(shop: Widget, program: ShopProgram) -> str:
    """The shop's program is set up with two cards."""
    from apps.cards.actions.settings import set_cards

    made = set_cards(widget_id=shop.pk, url=program.url, target=program.url, cards=CARDS)
    assert made is not None
    return made


@pytest.fixture
def alices_console(alice: Agent) -> Console:
    from tests.console.browser import Console

    return Console(alice)
