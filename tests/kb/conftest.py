"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Widget
    from apps.demo.servers.language_models import Vendor


@pytest.fixture
def vendor(settings: Settings) -> Iterator[Vendor]:
    """A vendor of embeddings that outbound calls may reach."""
    from apps.demo.servers.language_models import Vendor, vectors

    with Vendor() as vendor:
        settings.EGRESS_ALLOW = [vendor.host]
        vendor.answer = vectors
        yield vendor


@pytest.fixture
def embedding(shop: Widget, vendor: Vendor) -> Any:
    """The shop's credential at that vendor, whose model is known."""
    from tests.factories.ai import CredentialFactory

    return CredentialFactory.create(
        widget=shop,
        provider="openai_compatible",
        base_url=f"{vendor.url}/v1",
        target=f"{vendor.url}/v1",
        embedding_model="e-1",
    )
