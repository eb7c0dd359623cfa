"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from apps.ai.vendor import Vendor

if TYPE_CHECKING:
    from pytest_django import Settings


@pytest.fixture
def vendor(settings: Settings) -> Iterator[Vendor]:
    """A vendor of models that outbound calls may reach."""
    with Vendor() as vendor:
        settings.EGRESS_ALLOW = [vendor.host]
        yield vendor
