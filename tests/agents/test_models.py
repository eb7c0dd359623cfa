"""What the database itself promises about operators and the people behind them."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from apps.accounts import actions
from apps.accounts.models import Account, User, Widget
from apps.agents import rules
from apps.agents.models import Agent
from apps.console.querysets import operators_of
from tests.cast import Rival
from tests.factories import AgentFactory, OwnerFactory, StaffFactory, SuperuserFactory, UserFactory
from tests.factories.accounts import PASSWORD


def test_a_widget_has_one_owner(olga: Agent) -> None:
    with pytest.raises(IntegrityError, match="agents_agent_one_owner"), transaction.atomic():
        OwnerFactory.create(widget=olga.widget)
    assert Agent.objects.for_widget(olga.widget_id).owner() == olga


def test_the_rules_name_what_may_be_stored() -> None:
    stored = (Agent.Type.values, Agent.Role.values, Agent.Status.values)
    assert stored == (list(rules.TYPES), list(rules.ROLES), list(rules.STATUSES))


def test_a_person_is_an_operator_of_a_widget_once_but_of_several_widgets(olga: Agent, rival: Rival) -> None:
    with pytest.raises(IntegrityError, match="agents_agent_user_once"), transaction.atomic():
        AgentFactory.create(widget=olga.widget, user=olga.user)
    AgentFactory.create(widget=rival.widget, user=olga.user)


def test_a_new_widget_has_its_owner_as_an_operator(shop: Widget, olga: Agent) -> None:
    assert olga.user is not None
    widget = actions.add_widget(account=shop.account, name="Blog", owner=olga.user)
    owner = Agent.objects.for_widget(widget.pk).owner()
    assert (owner.user, owner.full_name, owner.email) == (olga.user, "Olga", "olga@shop.test")


def test_a_stranger_owns_no_widget(shop: Widget, rival: Rival) -> None:
    assert rival.owner.user is not None
    with pytest.raises(ValueError, match="one of its account's people"):
        actions.add_widget(account=shop.account, name="Blog", owner=rival.owner.user)
    assert not Widget.objects.filter(name="Blog").exists()


def test_a_superuser_belongs_to_no_account(shop: Widget) -> None:
    with pytest.raises(IntegrityError, match="accounts_user_superuser_of_no_account"), transaction.atomic():
        SuperuserFactory.create(account=shop.account)
    assert not User.objects.filter(is_superuser=True).exists()


def test_a_deleted_user_leaves_the_operator(olga: Agent, alice: Agent, db: Any) -> None:
    assert alice.user is not None
    alice.user.delete()
    alice.refresh_from_db()
    assert (alice.user, alice.full_name) == (None, "Alice Weber")


def test_letters_of_an_email_address_are_one_in_either_case(account: Any, client: Any) -> None:
    UserFactory.create(email="nina@shop.test", account=account)
    with pytest.raises(IntegrityError, match="accounts_user_email_once"), transaction.atomic():
        UserFactory.create(email="Nina@shop.test", account=account)
    assert client.login(username="NINA@Shop.test", password=PASSWORD)
    assert not client.login(username="nina@other.test", password=PASSWORD)


def test_an_account_goes_without_those_of_its_people_who_work_elsewhere(
    account: Account, shop: Widget, rival: Rival
) -> None:
    """Oleg came by an invitation to the rival's widget, too; he goes on there."""
    owner, oleg, ira = (StaffFactory.create(account=account, role="owner") for _ in range(3))
    there = AgentFactory.create(widget=rival.widget, user=oleg)
    for user in (oleg, ira):
        AgentFactory.create(widget=shop, user=user)
    actions.delete_account(account=account)
    assert not User.objects.filter(pk__in=[owner.pk, ira.pk]).exists()
    oleg.refresh_from_db()
    assert (oleg.account, oleg.is_staff, oleg.role, oleg.is_active) == (None, False, "viewer", True)
    assert [agent.pk for agent in operators_of(oleg.pk)] == [there.pk]
    assert Client().login(email=oleg.email, password=PASSWORD)
