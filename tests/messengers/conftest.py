"""A receiver, which is the channel's own side, all vendors of messengers, and what a worker process runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.webhooks.conftest import deliverer, hook  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Widget
    from apps.demo.servers.dialects.all_vendors import Vendors


@pytest.fixture
def vendors(settings: Settings, db: Any) -> Iterator[Vendors]:
    """The vendors on loopback, where this installation calls them; it is public itself."""
    from apps.demo.servers.dialects.all_vendors import Vendors
    from apps.messengers.adapters import CONNECTED
    from apps.messengers.models import VendorSettings

    with Vendors() as server:
        settings.EGRESS_ALLOW = [server.host]
        settings.PUBLIC_URL = "https://chat.example.com"
        rows = [VendorSettings(provider=code, base=server.base(code)) for code in CONNECTED]
        VendorSettings.objects.bulk_create(rows)
        yield server


@pytest.fixture
def unpaid(shop: Widget) -> Widget:
    """The shop without a plan, where plans are sold."""
    from tests.factories.billing import PlanFactory

    PlanFactory.create()
    return shop


@pytest.fixture
def paid(shop: Widget) -> Widget:
    """The shop with a paid plan of two ad slots."""
    from tests.factories.billing import plan_bought

    plan_bought(shop, ad_slots=2)
    return shop
