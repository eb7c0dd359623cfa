"""What somebody changes in the cabinet undoes nothing that another changes at the same time.

Each race is of two connections: one has changed the row and not committed yet, the other has read it as it was.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from apps.accounts import actions
from apps.accounts.models import Account, User, Widget
from apps.agents.models import Agent, Department
from apps.billing.models import Plan
from apps.compat.models import LegacyBot
from tests.accounts.attempts import forget
from tests.cast import signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.accounts import PASSWORD
from tests.factories.billing import PlanFactory
from tests.factories.compat import LegacyBotFactory
from tests.waits import AT_MOST_S, wait_until_somebody_waits

pytestmark = pytest.mark.django_db(transaction=True)
ANOTHER = "a-much-better-one"


@contextmanager
def meanwhile(work: Callable[[], Any]) -> Iterator[list[Any]]:
    """Runs the block in a transaction that commits once `work`, begun after it, waits for it; gives its result."""

    def closing() -> Any:
        try:
            return work()
        finally:
            connection.close()

    result: list[Any] = []
    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            yield result
            answer = thread.submit(closing)
            wait_until_somebody_waits()
        result.append(answer.result(timeout=AT_MOST_S))


def page_of(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def shown(browser: Client, row: Model) -> dict[str, Any]:
    """What the form of a row's page sends when nothing in it is changed."""
    sent = {}
    for bound in browser.get(page_of(row)).context["adminform"].form:
        names = [bound.html_name, *([bound.html_initial_name] if bound.field.show_hidden_initial else [])]
        for name in names:
            value = bound.value()
            if value not in (None, False) or name != bound.html_name:
                sent[name] = "on" if value is True and name == bound.html_name else "" if value is None else value
    return sent


@pytest.fixture
def nina(account: Account) -> User:
    """An owner, beside Olga."""
    return StaffFactory.create(account=account, email="nina@shop.test")


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": "viewer"}, {"is_staff": False}])
def test_a_saved_name_gives_no_right_back(cabinet: Client, nina: User, change: dict[str, Any]) -> None:
    form = shown(cabinet, nina) | {"surname": "Petrova"}
    with meanwhile(lambda: cabinet.post(page_of(nina), form).status_code) as status:
        actions.change_user(user_id=nina.pk, changes=change)
    nina.refresh_from_db()
    assert status == [302]
    assert nina.surname == "Petrova"
    assert {name: getattr(nina, name) for name in change} == change


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": "viewer"}, {"is_staff": False}])
def test_nor_does_a_page_that_was_opened_before(cabinet: Client, nina: User, change: dict[str, Any]) -> None:
    form = shown(cabinet, nina) | {"surname": "Petrova"}
    actions.change_user(user_id=nina.pk, changes=change)
    assert cabinet.post(page_of(nina), form).status_code == 302
    nina.refresh_from_db()
    assert nina.surname == "Petrova"
    assert {name: getattr(nina, name) for name in change} == change


@pytest.mark.parametrize("path", ["/admin/password_change/", "/console/password/"])
@pytest.mark.parametrize(
    "change", [{"is_active": False}, {"role": "viewer"}, {"password": make_password("of-the-owner-now")}]
)
def test_a_new_password_undoes_nothing(olga: Agent, nina: User, path: str, change: dict[str, Any]) -> None:
    forget()
    assert olga.user is not None
    browser = signed_in(olga.user)
    form = {"old_password": PASSWORD, "new_password1": ANOTHER, "new_password2": ANOTHER}
    with meanwhile(lambda: browser.post(path, form).status_code) as status:
        User.objects.filter(pk=olga.user.pk).update(**change)
    olga.user.refresh_from_db()
    assert {name: getattr(olga.user, name) for name in change} == change
    is_changed = change == {"role": "viewer"}
    assert status == [302 if is_changed else 200]
    assert olga.user.check_password(ANOTHER) is is_changed


def test_a_sign_in_under_way_does_not_bring_an_old_password_back(olga: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was hashed as is not done any more is hashed anew when it is given."""
    user = olga.user
    assert user is not None
    monkeypatch.setattr("django.contrib.auth.hashers.must_update_salt", lambda *_: True)
    monkeypatch.setattr("django.contrib.auth.hashers.BasePasswordHasher.must_update", lambda *_: True)
    before = user.password
    assert user.check_password(PASSWORD)
    stored = User.objects.get(pk=user.pk)
    assert stored.password not in (before, "")
    User.objects.filter(pk=user.pk).update(password="of another")
    assert stored.check_password(PASSWORD)
    assert User.objects.get(pk=user.pk).password == "of another"


def rows(olga: Agent, department: Department) -> dict[type[Model], tuple[Model, dict[str, Any], dict[str, Any]]]:
    """Of each kind a row, what a form changes of it, and what another changes meanwhile."""
    widget, account = olga.widget, olga.widget.account
    hours = {"Monday_0": "hours", "Monday_1": "08:00", "Monday_2": "09:00"}
    return {
        Account: (account, {"surname": "Petrova"}, {"phone": "+7 900"}),
        Widget: (widget, {"name": "Flowers"}, {"seats": 1, "allowed_origins": ["https://shop.test"]}),
        Agent: (olga, {"surname": "Petrova"}, {"name": "Olya", "status": "banned"}),
        Department: (
            department,
            {"name": "Wholesale", **hours},
            {"channels": ["smb"]},
        ),
        Plan: (PlanFactory.create(), {"name": "Pro"}, {"price_minor": 5, "is_on_sale": False}),
        LegacyBot: (LegacyBotFactory.create(widget=widget), {"is_active": ""}, {"url": "https://new.test/bot"}),
    }


@pytest.mark.parametrize("kind", [Account, Widget, Agent, Department, Plan, LegacyBot])
def test_another_field_keeps_what_it_became_meanwhile(kind: type[Any], olga: Agent, sales: Department) -> None:
    row, changed, meant = rows(olga, sales)[kind]
    browser = signed_in(SuperuserFactory.create())
    form = {name: value for name, value in (shown(browser, row) | changed).items() if value != ""}
    with meanwhile(lambda: browser.post(page_of(row), form).status_code) as status:
        kind.objects.filter(pk=row.pk).update(**meant)
    assert status == [302]
    row.refresh_from_db()
    assert {name: getattr(row, name) for name in meant} == meant
    for name, value in changed.items():
        if name.startswith("Monday"):
            assert row.schedule["Monday"] == {"from": "08:00", "to": "09:00"}  # type: ignore[attr-defined]
        else:
            assert (getattr(row, name) or "") == value
