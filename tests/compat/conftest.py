"""A bot and a channel of the shop's. (Pytest reads this file before Django is set up: what needs it comes late.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.webhooks.conftest import deliverer, hook  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from apps.accounts.models import Widget
    from apps.messengers.models import Channel
    from tests.compat.clients import LegacyBot, LegacyChannel


@pytest.fixture
def bot(token: str) -> LegacyBot:
    """A bot with a token of the shop's that may do everything."""
    from tests.compat.clients import LegacyBot

    return LegacyBot(token)


@pytest.fixture
def channel(shop: Widget) -> Channel:
    from tests.factories.messengers import ChannelFactory

    return ChannelFactory.create(widget=shop, name="Our app")


@pytest.fixture
def app(channel: Channel) -> LegacyChannel:
    """The side of the channel that its customer wrote for the other platform."""
    from tests.compat.clients import LegacyChannel

    return LegacyChannel(channel.secret)
