"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from pytest_django import Settings

    from apps.accounts.models import Account, Widget
    from apps.agents.models import Agent
    from apps.chats.models import Chat, Contact
    from tests.cast import Rival
    from tests.contract.samples import World
    from tests.core.egress_receivers import Receiver


class Cast(NamedTuple):
    """Those of `tests/cast.py` that every test of the matrix has."""

    shop: Widget
    alice: Agent
    ivan: Contact
    chat: Chat
    rival: Rival


def make_cast() -> Cast:
    from tests import cast
    from tests.factories import ChatFactory

    shop = cast.make_shop(cast.make_account())
    ivan = cast.make_ivan(shop)
    return Cast(shop, cast.make_alice(shop), ivan, ChatFactory.create(contact=ivan), cast.make_rival())


@pytest.fixture(scope="module")
def shared_cast(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast | None]:
    """The cast, made once for the tests of a file, which takes longer than most of them; None where one commits.

    As `TestCase.setUpTestData`: in a transaction around all of them.
    """
    from django.db import transaction

    tests = [item for item in request.session.items if item.path == request.path]
    if any(marker.kwargs.get("transaction") for test in tests for marker in test.iter_markers("django_db")):
        yield None
        return
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_cast()
        transaction.set_rollback(True)


@pytest.fixture
def cast(shared_cast: Cast | None, db: None) -> Cast:
    """The cast as it was made, with an operator who has called nothing yet."""
    from apps.core.redis import connection as redis

    if shared_cast is None:
        return make_cast()
    redis.ask(lambda client: client.delete(f"limit:console:{shared_cast.alice.user_id}"))
    return copy.deepcopy(shared_cast)


@pytest.fixture
def account(shop: Widget) -> Account:
    return shop.account


@pytest.fixture
def shop(cast: Cast) -> Widget:
    return cast.shop


@pytest.fixture
def alice(cast: Cast) -> Agent:
    return cast.alice


@pytest.fixture
def ivan(cast: Cast) -> Contact:
    return cast.ivan


@pytest.fixture
def chat(cast: Cast) -> Chat:
    return cast.chat


@pytest.fixture
def rival(cast: Cast) -> Rival:
    return cast.rival


@pytest.fixture
def world(
    shop: Widget,
    alice: Agent,
    ivan: Contact,
    chat: Chat,
    rival: Rival,
    file_server: Receiver,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> World:
    from apps.widget import admission
    from tests.contract.samples import RECEIVER, World

    file_url = f"http://127.0.0.1:{file_server.port}/prices.txt"
    settings.VISITOR_RATE_LIMIT = 1_000_000  # all visitors of a test call from one address
    monkeypatch.setattr(admission, "UPLOADS_A_MINUTE", 1_000_000)
    settings.EGRESS_ALLOW = [urlsplit(RECEIVER).netloc, urlsplit(file_url).netloc]
    return World(widget=shop, agent=alice, contact=ivan, chat=chat, rival=rival, file_url=file_url)


@pytest.fixture(scope="session")
def file_server() -> Iterator[Receiver]:
    """A website from which a file can be fetched."""
    from tests.core.egress_receivers import Receiver, answer, says

    with Receiver(says(answer("Тюльпаны, 25 шт.".encode()))) as server:
        yield server


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The OpenAPI document, generated as `/api/schema` does."""
    from drf_spectacular.generators import SchemaGenerator

    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return generated
