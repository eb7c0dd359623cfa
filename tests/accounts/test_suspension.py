"""An account that suspends a person ends their rights in its widgets alone."""

import pytest
from django.test import Client

from apps.accounts import actions
from apps.accounts.models import Account, User, Widget
from apps.agents.models import Agent, AgentEvent
from apps.console.querysets import operators_of
from tests.cast import Rival, signed_in
from tests.factories import AgentFactory, SuperuserFactory, UserFactory
from tests.factories.accounts import StaffFactory


@pytest.fixture
def nina(account: Account, shop: Widget) -> User:
    user: User = StaffFactory.create(account=account, role="manager")
    AgentFactory.create(widget=shop, user=user)
    return user


def suspend(browser: Client, user: User) -> int:
    form = {"name": user.name, "role": user.role, "is_staff": "on"}
    return browser.post(f"/admin/accounts/user/{user.pk}/change/", form).status_code


def test_who_works_nowhere_else_may_not_sign_in_and_frees_the_seat(cabinet: Client, nina: User, shop: Widget) -> None:
    assert suspend(cabinet, nina) == 302
    nina.refresh_from_db()
    assert (nina.is_active, nina.account_id) == (False, shop.account_id)
    agent = Agent.objects.get(user=nina)
    assert agent.status == "banned"
    assert AgentEvent.objects.filter(agent=agent).count() == 1


def test_who_works_elsewhere_keeps_that_and_leaves_the_account(
    cabinet: Client, nina: User, shop: Widget, rival: Rival
) -> None:
    elsewhere = AgentFactory.create(widget=rival.widget, user=nina)
    assert suspend(cabinet, nina) == 302
    nina.refresh_from_db()
    assert (nina.is_active, nina.account, nina.is_staff, nina.role) == (True, None, False, "viewer")
    assert [agent.pk for agent in operators_of(nina.pk)] == [elsewhere.pk]
    assert Agent.objects.get(widget=shop, user=nina).status == "banned"


def test_the_owner_operator_of_a_widget_becomes_nobodys(account: Account, olga: Agent, shop: Widget) -> None:
    owner = olga.user
    assert owner is not None
    StaffFactory.create(account=account)
    actions.suspend_person(account_id=account.pk, user_id=owner.pk)
    olga.refresh_from_db()
    assert (olga.user, olga.role, olga.status) == (None, "owner", "active")
    assert operators_of(owner.pk) == []


def test_the_last_owner_is_not_suspended(account: Account, olga: Agent) -> None:
    assert olga.user is not None
    with pytest.raises(actions.LastOwner):
        actions.suspend_person(account_id=account.pk, user_id=olga.user.pk)
    olga.refresh_from_db()
    assert olga.user is not None


def test_the_installation_suspends_everywhere(nina: User, rival: Rival) -> None:
    AgentFactory.create(widget=rival.widget, user=nina)
    assert suspend(signed_in(SuperuserFactory.create()), nina) == 302
    nina.refresh_from_db()
    assert (nina.is_active, operators_of(nina.pk)) == (False, [])


def test_an_account_suspends_its_own_people_alone(account: Account, olga: Agent, rival: Rival) -> None:
    stranger = UserFactory.create(account=rival.account)
    with pytest.raises(Exception, match=r"(?i)not.?found"):
        actions.suspend_person(account_id=account.pk, user_id=stranger.pk)
    stranger.refresh_from_db()
    assert stranger.is_active
