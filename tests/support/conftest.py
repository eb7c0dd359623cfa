"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from apps.demo.servers.language_models import Vendor

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Widget
    from tests.support.application import Application


@pytest.fixture
def vendor(settings: Settings) -> Iterator[Vendor]:
    """A vendor of models that outbound calls may reach; it says «Да.»."""
    from apps.demo.servers.language_models import chat

    with Vendor() as vendor:
        vendor.will_say(chat("Да."))
        settings.EGRESS_ALLOW = [vendor.host]
        yield vendor


@pytest.fixture
def application(shop: Widget) -> Application:
    """The shop's own application, bound to OpenAI; nothing answers it yet."""
    from tests.support.application import application_of

    return application_of(shop)


@pytest.fixture
def answered(application: Application, vendor: Vendor) -> Application:
    """The shop's application, whose turns the vendor answers."""
    from tests.factories.ai import CredentialFactory

    url = f"{vendor.url}/v1"
    CredentialFactory.create(widget=application.widget, base_url=url, target=url, model="m-1")
    return application
