"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Widget
    from apps.agents.models import Agent
    from apps.chats.models import Chat, Contact
    from apps.demo.servers.dialects.all_vendors import Vendors
    from apps.demo.servers.language_models import Vendor
    from tests.cast import Rival
    from tests.contract.samples import World
    from tests.egress.receivers import Receiver


@pytest.fixture
def world(
    shop: Widget,
    alice: Agent,
    ivan: Contact,
    chat: Chat,
    rival: Rival,
    file_server: Receiver,
    vendor_server: Vendor,
    messengers_server: Vendors,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> World:
    from apps.widget import authentication
    from tests.contract.samples import RECEIVER, World

    file_url = f"http://127.0.0.1:{file_server.port}/prices.txt"
    settings.VISITOR_RATE_LIMIT = 1_000_000  # all visitors of a test call from one address
    monkeypatch.setattr(authentication, "UPLOADS_A_MINUTE", 1_000_000)
    settings.EGRESS_ALLOW = [urlsplit(RECEIVER).netloc, urlsplit(file_url).netloc]
    settings.EGRESS_ALLOW += [vendor_server.host, messengers_server.host]
    settings.MESSENGER_CALL_LIMIT = 1_000_000
    models_url = f"{vendor_server.url}/v1"
    return World(
        widget=shop,
        agent=alice,
        contact=ivan,
        chat=chat,
        rival=rival,
        file_url=file_url,
        models_url=models_url,
        messengers_url=messengers_server.url,
    )


@pytest.fixture(scope="module")
def web(
    django_db_setup: None, file_server: Receiver, vendor_server: Vendor, messengers_server: Vendors
) -> Iterator[str]:
    """The address of a web process on the test's database, which may call what the samples name."""
    from django.conf import settings

    from tests.contract.samples import RECEIVER
    from tests.contract.web import WebProcess
    from tests.realtime.process import database_url

    allowed = f"{urlsplit(RECEIVER).netloc},127.0.0.1:{file_server.port},{vendor_server.host}"
    allowed += f",{messengers_server.host}"
    with WebProcess(DATABASE_URL=database_url(), REDIS_URL=settings.REDIS_URL, EGRESS_ALLOW=allowed) as process:
        yield process.url


@pytest.fixture(scope="session")
def messengers_server() -> Iterator[Vendors]:
    """All vendors of messengers."""
    from apps.demo.servers.dialects.all_vendors import Vendors

    with Vendors() as server:
        yield server


@pytest.fixture(scope="session")
def file_server() -> Iterator[Receiver]:
    """A website from which a file can be fetched."""
    from tests.egress.receivers import Receiver, answer, says

    with Receiver(says(answer("Тюльпаны, 25 шт.".encode()))) as server:
        yield server


@pytest.fixture(scope="session")
def vendor_server() -> Iterator[Vendor]:
    """A vendor of models, which has one."""
    from apps.demo.servers.language_models import Vendor, chat, heard, only_model, vectors
    from apps.demo.servers.played import PlayedRequest, Says

    def answer(request: PlayedRequest) -> Says | dict[str, Any]:
        if request.method == "GET":
            return only_model()
        if "/audio/" in request.path:
            return heard(request)
        return vectors(request) if "mbed" in request.path else chat("Да.")

    with Vendor() as vendor:
        vendor.answer = answer
        yield vendor


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The OpenAPI document, generated as `/api/schema` does."""
    from drf_spectacular.generators import SchemaGenerator

    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return generated
