"""Owners invite to the cabinet: an address belongs to who proves it, and a link counts once."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts import actions
from apps.accounts.models import Account, AuditEntry, User
from apps.agents.models import Agent
from apps.core.models import Mail
from tests.accounts.attempts import forget
from tests.cast import Rival
from tests.factories import UserFactory
from tests.factories.accounts import PASSWORD, StaffFactory

ADD = "/admin/accounts/user/add/"
FORM = {"name": "Nina", "surname": "", "password": "glühwein-und-tulpen"}


@pytest.fixture(autouse=True)
def unlimited() -> None:
    forget()


def invite(browser: Client, email: str = "nina@mail.test", **fields: Any) -> str:
    assert browser.post(ADD, {"email": email, **fields}).status_code == 302
    found = re.search(r"https?://[^/]+(/colleagues/\S+)", Mail.objects.latest("pk").text)
    assert found is not None
    return found[1]


def test_somebody_new_proves_the_address_first(cabinet: Client, account: Account, rival: Rival, olga: Agent) -> None:
    forged = {"account": rival.account.pk, "is_superuser": "on", "password1": PASSWORD, "password2": PASSWORD}
    link = invite(cabinet, role="manager", **forged)
    assert not User.objects.filter(email="nina@mail.test").exists()
    line = AuditEntry.objects.latest("pk")
    assert (line.actor, line.changes) == (olga.user, {"invited": ["", "nina@mail.test: manager"]})
    page = Client().get(link)
    assert (page.status_code, page.headers["Referrer-Policy"]) == (200, "strict-origin")
    browser = Client()
    answer = browser.post(link, FORM)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
    assert browser.get("/admin/").status_code == 200, "who has just chosen a password is signed in"
    nina = User.objects.get(email="nina@mail.test")
    assert (nina.account, nina.role, nina.is_staff, nina.is_superuser) == (account, "manager", True, False)
    assert nina.check_password(FORM["password"])


def test_who_is_given_no_role_reads_and_a_role_that_is_none_is_refused(cabinet: Client) -> None:
    Client().post(invite(cabinet, role=""), FORM)
    assert User.objects.get(email="nina@mail.test").role == "viewer"
    assert cabinet.post(ADD, {"email": "n@mail.test", "role": "superuser"}).status_code == 200
    assert Mail.objects.count() == 1


def test_known_and_unknown_get_one_answer(cabinet: Client, rival: Rival) -> None:
    UserFactory.create(email="known@mail.test", account=rival.account)
    answers = [cabinet.post(ADD, {"email": email, "role": "viewer"}) for email in ("known@mail.test", "new@mail.test")]
    assert [(each.status_code, each.headers["Location"]) for each in answers] == [(302, "/admin/accounts/user/")] * 2
    assert Mail.objects.count() == 2


def test_who_works_elsewhere_joins_with_their_own_password(cabinet: Client, account: Account) -> None:
    nina = UserFactory.create(email="nina@mail.test", account=None)
    link = invite(cabinet, role="viewer")
    assert Client().post(link, {"password": "wrong"}).status_code == 422
    assert Client().post(link, {"password": PASSWORD}).headers["Location"] == "/admin/"
    nina.refresh_from_db()
    assert (nina.account, nina.is_staff, nina.role) == (account, True, "viewer")


def test_a_link_counts_once_whatever_was_taken_since(cabinet: Client, account: Account) -> None:
    link = invite(cabinet, role="owner")
    Client().post(link, FORM)
    nina = User.objects.get(email="nina@mail.test")
    for changes in ({}, {"is_staff": False, "role": "viewer"}, {"account_id": None}):
        if changes:
            actions.change_user(user_id=nina.pk, changes=changes)
        forget()
        assert Client().post(link, {"password": FORM["password"]}).status_code == 410
    nina.refresh_from_db()
    assert (nina.account_id, nina.is_staff) == (None, False)


def test_who_is_of_another_account_stays_there(cabinet: Client, rival: Rival) -> None:
    nina = UserFactory.create(email="nina@mail.test", account=rival.account)
    assert Client().post(invite(cabinet), {"password": PASSWORD}).status_code == 409
    nina.refresh_from_db()
    assert (nina.account, nina.is_staff) == (rival.account, False)


@pytest.mark.parametrize("changes", [{"role": "manager"}, {"is_active": False}, {"is_staff": False}])
def test_an_inviter_who_is_no_owner_any_more_invites_nobody(
    cabinet: Client, account: Account, olga: Agent, changes: dict[str, Any]
) -> None:
    StaffFactory.create(account=account)
    link = invite(cabinet)
    assert olga.user is not None
    actions.change_user(user_id=olga.user.pk, changes=changes)
    assert Client().post(link, FORM).status_code == 410
    assert not User.objects.filter(email="nina@mail.test").exists()


def test_a_changed_or_foreign_link_is_over(cabinet: Client) -> None:
    link = invite(cabinet)
    for wrong in (link[:-1] + ("a" if link[-1] != "a" else "b"), "/colleagues/x", "/colleagues/x:y:z"):
        assert [Client().get(wrong).status_code, Client().post(wrong, FORM).status_code] == [410, 410]


def test_an_account_invites_ten_an_hour(cabinet: Client) -> None:
    statuses = [cabinet.post(ADD, {"email": f"n{n}@mail.test"}).status_code for n in range(11)]
    assert (statuses, Mail.objects.count()) == ([302] * 10 + [200], 10)
