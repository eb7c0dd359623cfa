"""Who may grant which scopes to a token, who is shown to have issued it, and what becomes of it when they go."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts import actions
from apps.accounts.models import Account, ApiToken, User, Widget
from apps.agents.models import Agent
from apps.core import plugins
from tests.accounts.test_races import shown
from tests.cast import signed_in
from tests.factories import ApiTokenFactory, StaffFactory, SuperuserFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
ADD, LIST = "/admin/accounts/apitoken/add/", "/admin/accounts/apitoken/"
OF_OWNERS = ["account:write", "billing:write", "partners:withdraw"]


@pytest.fixture
def mila(account: Account) -> User:
    return StaffFactory.create(account=account, email="mila@shop.test", role="manager")


def issue(browser: Client, widget: Widget, *scopes: str) -> Any:
    return browser.post(ADD, {"name": "", "widget": widget.pk, "scopes": scopes, "expires": ""})


def test_what_moves_the_account_is_the_owners() -> None:
    assert sorted(scope.name for scope in plugins.scopes().values() if scope.owners_only) == OF_OWNERS


@pytest.mark.parametrize("scope", OF_OWNERS)
def test_a_manager_can_not_grant_it(mila: User, shop: Widget, scope: str) -> None:
    browser, before = signed_in(mila), snapshot()
    assert f'value="{scope}"' not in browser.get(ADD).content.decode()
    assert "Select a valid choice" in issue(browser, shop, "chats:read", scope).content.decode()
    with pytest.raises(actions.OwnersScopes):
        actions.issue_token(widget=shop, scopes=[scope], issued_by=mila)
    assert snapshot() == before


@pytest.mark.parametrize("scope", OF_OWNERS)
def test_owners_and_the_installation_can(olga: Agent, shop: Widget, scope: str) -> None:
    assert olga.user is not None
    for user in (olga.user, SuperuserFactory.create()):
        assert "is not shown again" in issue(signed_in(user), shop, scope).content.decode() or ApiToken.objects.filter(
            created_by=user, scopes=[scope]
        )


def test_a_manager_issues_everything_else(mila: User, shop: Widget) -> None:
    issue(signed_in(mila), shop, "chats:read", "billing:read")
    assert ApiToken.objects.get().scopes == ["chats:read", "billing:read"]


def test_a_token_shows_who_issued_it(cabinet: Client, mila: User, shop: Widget) -> None:
    ApiTokenFactory.create(widget=shop, scopes=["chats:read"], issued_by=mila)
    ApiTokenFactory.create(
        widget=shop, scopes=["chats:read"], issued_by=SuperuserFactory.create(email="root@parley.test")
    )
    page = cabinet.get(LIST).content.decode()
    assert "mila@shop.test" in page
    assert "the installation" in page
    assert "root@parley.test" not in page


def test_who_suspends_a_person_is_offered_to_revoke_their_tokens(cabinet: Client, mila: User, shop: Widget) -> None:
    theirs, gone = ApiTokenFactory.create_batch(2, widget=shop, scopes=["chats:read"], issued_by=mila)
    other = ApiTokenFactory.create(widget=shop)
    actions.revoke_token(token=gone)
    form = {name: value for name, value in shown(cabinet, mila).items() if name != "is_active"}
    page = cabinet.post(f"/admin/accounts/user/{mila.pk}/change/", form)
    assert page.status_code == 200
    assert {token.pk for token in page.context["tokens"]} == {theirs.pk}
    assert ApiToken.objects.get(pk=theirs.pk).revoked_at is None
    sent = {"action": "revoke", "confirmed": "yes", "_selected_action": theirs.pk}
    assert cabinet.post(LIST, sent).status_code == 302
    assert ApiToken.objects.get(pk=theirs.pk).revoked_at is not None
    assert ApiToken.objects.get(pk=other.pk).revoked_at is None


def test_nothing_is_asked_when_there_are_none(cabinet: Client, mila: User) -> None:
    form = {name: value for name, value in shown(cabinet, mila).items() if name != "is_active"}
    assert cabinet.post(f"/admin/accounts/user/{mila.pk}/change/", form).status_code == 302
