"""The cast: the people whom tests tell their stories about.

`shop` is a flower shop's widget. Olga owns it, Alice and Boris answer its visitors, Ada is its AI operator; Ivan
«Иван Петров» is a visitor with a chat. `rival` is another account's widget: nothing of it may ever show at the shop.
`api` speaks to the API as the shop's own system, `rival_api` as the rival's: both with every scope.

Making them takes longer than most tests. So they are made outside the tests, in a transaction around those of a file
(as `TestCase.setUpTestData`), and a test that asks for them has copies of its own: see `Stage`.
"""

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from apps.accounts.models import Account, User, Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact
from apps.core.redis import connection as redis
from tests.client import ApiClient
from tests.factories import (
    AccountFactory,
    AgentFactory,
    AiAgentFactory,
    ApiTokenFactory,
    ChatFactory,
    ContactFactory,
    DepartmentFactory,
    OwnerFactory,
    WidgetFactory,
    plain_text,
)

# How each is made, by name, out of those whom its parameters name; who is needed stands before who needs them.
MAKERS: dict[str, Callable[..., Any]] = {}


def member(make: Callable[..., Any]) -> Any:
    """The fixture of one of the cast: a copy of whom the test finds on the stage, else made by and by."""
    name, needs = make.__name__, inspect.signature(make).parameters.values()
    MAKERS[name] = make

    def given(company: Mapping[str, Any], **needed: Any) -> Any:
        return company[name] if name in company else make(**needed)

    parameters = [inspect.Parameter("company", inspect.Parameter.POSITIONAL_OR_KEYWORD), *needs]
    given.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    given.__doc__ = make.__doc__
    return pytest.fixture(name=name)(given)


class Stage:
    """Those of the cast whom a test asks for, and nobody else.

    Whoever the test before asked for too has stayed. Each came on a savepoint, in the order in which they stand below,
    and leaves with all who came later.
    """

    def __init__(self) -> None:
        self._savepoints: list[transaction.Atomic] = []
        self.rows: dict[str, Any] = {}

    def call(self, names: Sequence[str]) -> None:
        """Sets the stage for these names. Without fixtures no transaction is open."""
        called = [name for name in MAKERS if name in names]
        lost = transaction.get_connection().closed_in_transaction  # by the test before
        there = [] if lost else list(self.rows)
        while there != called[: len(there)]:
            there.pop()
        self._leave(len(there))
        for name in called[len(there) :]:
            savepoint: Any = transaction.atomic()
            savepoint._from_testcase = True  # as Django marks those of its own test cases
            self._savepoints.append(savepoint)
            savepoint.__enter__()
            needs = inspect.signature(MAKERS[name]).parameters
            self.rows[name] = MAKERS[name](**{needed: self.rows[needed] for needed in needs})

    def _leave(self, left: int) -> None:
        self.rows = dict(list(self.rows.items())[:left])
        while len(self._savepoints) > left:
            transaction.set_rollback(True)
            self._savepoints.pop().__exit__(None, None, None)


@pytest.fixture(scope="module")
def stage(django_db_setup: None, django_db_blocker: Any) -> Iterator[Stage]:
    stage = Stage()
    yield stage
    with django_db_blocker.unblock():
        stage.call(())


@pytest.fixture
def set_stage(request: pytest.FixtureRequest, stage: Stage, django_db_blocker: Any) -> None:
    """Calls whom the test asks for: nobody for one that commits, which has rows of its own."""
    marker = request.node.get_closest_marker("django_db")
    commits = "transactional_db" in request.fixturenames or (marker and marker.kwargs.get("transaction"))
    with django_db_blocker.unblock():
        stage.call(() if commits else request.fixturenames)
    with suppress(redis.RedisAway):
        redis.ask(
            lambda client: client.flushdb()
        )  # what the test before left there: of the same people, of one address


@pytest.fixture
def _django_db_helper(set_stage: None, _django_db_helper: None) -> None:
    """What pytest-django begins the test's own transaction with: in that of the stage."""


@pytest.fixture
def company(stage: Stage, db: None) -> dict[str, Any]:
    """Copies of those on the stage, of this test alone; they know each other as the rows do."""
    return copy.deepcopy(stage.rows)


@dataclass(frozen=True, slots=True)
class Rival:
    """The other account: a row of each kind."""

    account: Account
    widget: Widget
    owner: Agent
    agent: Agent
    department: Department
    contact: Contact
    chat: Chat


@member
def account() -> Account:
    return AccountFactory.create(email="office@shop.test", name="Olga")


@member
def shop(account: Account) -> Widget:
    return WidgetFactory.create(account=account, name="Flower shop")


@member
def ivan(shop: Widget) -> Contact:
    return ContactFactory.create(widget=shop, name="Иван Петров", email="ivan@mail.test", phone="+7 901 123-45-67")


@member
def chat(ivan: Contact) -> Chat:
    """Ivan's chat: active, no message yet, nobody's."""
    return ChatFactory.create(contact=ivan)


@member
def olga(shop: Widget) -> Agent:
    return OwnerFactory.create(widget=shop, name="Olga", surname="Romanova", email="olga@shop.test")


@member
def alice(shop: Widget) -> Agent:
    return AgentFactory.create(widget=shop, name="Alice", surname="Weber", email="alice@shop.test")


@member
def boris(shop: Widget) -> Agent:
    return AgentFactory.create(widget=shop, name="Борис", surname="Кузнецов", email="boris@shop.test")


@member
def ada(shop: Widget) -> Agent:
    return AiAgentFactory.create(widget=shop, name="Ada")


@member
def sales(shop: Widget, alice: Agent, boris: Agent) -> Department:
    return DepartmentFactory.create(widget=shop, name="Sales", agents=[alice, boris])


@member
def rival() -> Rival:
    widget = WidgetFactory.create(account=AccountFactory.create(email="office@rival.test"), name="Rival florist")
    owner = OwnerFactory.create(widget=widget, name="Viktor", email="viktor@rival.test")
    agent = AgentFactory.create(widget=widget, name="Wanda", email="wanda@rival.test")
    contact = ContactFactory.create(widget=widget, name="Иван Петров", email="ivan@mail.test")
    return Rival(
        account=widget.account,
        widget=widget,
        owner=owner,
        agent=agent,
        department=DepartmentFactory.create(widget=widget, agents=[agent]),
        contact=contact,
        chat=ChatFactory.create(contact=contact),
    )


@pytest.fixture
def token(shop: Widget) -> str:
    """A token of the shop with every scope."""
    return plain_text(ApiTokenFactory.create(widget=shop))


@pytest.fixture
def api(token: str) -> ApiClient:
    return ApiClient(token)


@pytest.fixture
def rival_api(rival: Rival) -> ApiClient:
    return ApiClient(plain_text(ApiTokenFactory.create(widget=rival.widget)))


def signed_in(user: User) -> Client:
    """A browser in which the user is signed in."""
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.fixture
def cabinet(olga: Agent) -> Client:
    """Olga's browser, signed in to the cabinet of the shop's account."""
    assert olga.user is not None
    return signed_in(olga.user)
