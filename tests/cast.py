"""The cast: the people whom tests tell their stories about.

`shop` is a flower shop's widget. Olga owns it, Alice and Boris answer its visitors, Ada is its AI operator; Ivan
«Иван Петров» is a visitor with a chat. `rival` is another account's widget: nothing of it may ever show at the shop.
`api` speaks to the API as the shop's own system, `rival_api` as the rival's: both with every scope.
"""

from dataclasses import dataclass

import pytest
from django.test import Client

from apps.accounts.models import Account, User, Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact
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


def make_account() -> Account:
    return AccountFactory.create(email="office@shop.test", name="Olga")


def make_shop(account: Account) -> Widget:
    return WidgetFactory.create(account=account, name="Flower shop")


def make_alice(shop: Widget) -> Agent:
    return AgentFactory.create(widget=shop, name="Alice", surname="Weber", email="alice@shop.test")


def make_ivan(shop: Widget) -> Contact:
    return ContactFactory.create(widget=shop, name="Иван Петров", email="ivan@mail.test", phone="+7 901 123-45-67")


def make_rival() -> Rival:
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
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def shop(account: Account) -> Widget:
    return make_shop(account)


@pytest.fixture
def olga(shop: Widget) -> Agent:
    return OwnerFactory.create(widget=shop, name="Olga", surname="Romanova", email="olga@shop.test")


@pytest.fixture
def alice(shop: Widget) -> Agent:
    return make_alice(shop)


@pytest.fixture
def boris(shop: Widget) -> Agent:
    return AgentFactory.create(widget=shop, name="Борис", surname="Кузнецов", email="boris@shop.test")


@pytest.fixture
def ada(shop: Widget) -> Agent:
    return AiAgentFactory.create(widget=shop, name="Ada")


@pytest.fixture
def sales(shop: Widget, alice: Agent, boris: Agent) -> Department:
    return DepartmentFactory.create(widget=shop, name="Sales", agents=[alice, boris])


@pytest.fixture
def ivan(shop: Widget) -> Contact:
    return make_ivan(shop)


@pytest.fixture
def chat(ivan: Contact) -> Chat:
    """Ivan's chat: active, no message yet, nobody's."""
    return ChatFactory.create(contact=ivan)


@pytest.fixture
def rival(db: None) -> Rival:
    return make_rival()


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
