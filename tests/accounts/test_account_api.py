"""`/v1/account`: what is shown of the owning account, and the three members that can be changed."""

from typing import Any

import pytest

from apps.accounts import actions
from apps.accounts.events import WidgetChanged
from apps.accounts.models import Account, Widget
from apps.billing.actions.invoices import pay_invoice
from apps.billing.models import Invoice, LegalEntity, PlanSubscription, Transaction, Wallet
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import WidgetFactory
from tests.factories.billing import FIELDS, LegalEntityFactory, issued_invoice, plan_bought, unpaid_withdrawal
from tests.handlers import also
from tests.hooks import unhook

PATH = "/account"


def profile(account: Account) -> tuple[str, str, str]:
    account.refresh_from_db()
    return account.name, account.surname, account.phone


def test_the_profile_and_the_legal_entities_are_shown(api: ApiClient, account: Account, rival: Rival) -> None:
    LegalEntityFactory.create(account=rival.account)
    older, newer = LegalEntityFactory.create_batch(2, account=account)
    data = api.get(PATH).json()["data"]
    entities = data.pop("legal_entities")
    assert data.pop("created_at").endswith("Z")
    assert data == {
        "id": account.pk,
        "name": "Olga",
        "surname": None,
        "phone": None,
        "email": "office@shop.test",
    }
    assert [entity["id"] for entity in entities] == [newer.pk, older.pk]
    assert entities == api.get("/billing/entities").json()["data"]
    assert entities[0].items() >= FIELDS.items()


def test_without_billing_there_are_no_legal_entities(
    api: ApiClient, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    LegalEntityFactory.create(account=account)
    unhook(monkeypatch, "account_members")
    assert api.get(PATH).json()["data"]["legal_entities"] == []


def test_an_account_goes_with_all_its_money(account: Account, shop: Widget, rival: Rival) -> None:
    for widget in (shop, rival.widget):
        entity = LegalEntityFactory.create(account=widget.account)
        pay_invoice(invoice=issued_invoice(widget, entity))
        unpaid_withdrawal(widget, entity)
        plan_bought(widget)
    actions.delete_account(account=account)
    for kind in (LegalEntity, Wallet, Transaction, Invoice, PlanSubscription):
        assert {row.account_id for row in kind.objects.all()} == {rival.account.pk}


def test_what_is_sent_changes_and_nothing_else(api: ApiClient, account: Account) -> None:
    answer = api.patch(PATH, json={"surname": "Романова 🌷", "phone": "+7 (900) 000-00-00"})
    assert answer.status_code == 200
    assert answer.json()["data"]["surname"] == "Романова 🌷"
    assert profile(account) == ("Olga", "Романова 🌷", "+7 (900) 000-00-00")
    assert api.patch(PATH, json={"name": "Ольга"}).json()["data"] == api.get(PATH).json()["data"]
    assert profile(account) == ("Ольга", "Романова 🌷", "+7 (900) 000-00-00")


@pytest.mark.parametrize("member", ["name", "surname", "phone"])
def test_null_clears(api: ApiClient, account: Account, member: str) -> None:
    api.patch(PATH, json={"name": "O", "surname": "R", "phone": "8"})
    assert api.patch(PATH, json={member: None}).json()["data"][member] is None
    assert profile(account).count("") == 1


def test_nothing_to_change_is_no_refusal(api: ApiClient, account: Account) -> None:
    assert api.patch(PATH, json={}).status_code == 200
    assert profile(account) == ("Olga", "", "")


@pytest.mark.parametrize("member", ["email", "password", "legal_entities", "id", "created_at"])
def test_read_only_members_are_refused_by_name(api: ApiClient, account: Account, member: str) -> None:
    answer = api.patch(PATH, json={"name": "Ольга", member: "x"})
    assert_problem(answer, 422, "invalid_input", errors={member: "This member is read-only."})
    assert profile(account) == ("Olga", "", "")


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("name", "a\nb"),
        ("name", "a\x7f"),
        ("surname", "\x85"),
        ("name", "   "),
        ("name", ""),
        ("name", 5),
        ("surname", "n" * 256),
        ("phone", "phone"),
        ("phone", "++7"),
        ("phone", "(900)"),
        ("phone", "٧٧٧"),
        ("phone", "7" * 33),
        ("phone", 79000000000),
        ("nonsense", "x"),
    ],
)
def test_bad_input_is_refused_by_name(api: ApiClient, account: Account, member: str, value: Any) -> None:
    assert_problem(api.patch(PATH, json={member: value}), 422, "invalid_input", errors=[member])
    assert profile(account) == ("Olga", "", "")


def test_another_content_type_is_415(api: ApiClient, account: Account) -> None:
    answer = api.patch(PATH, data=b'{"name": "x"}', content_type="text/plain")
    assert_problem(answer, 415, "unsupported_media_type")
    assert profile(account) == ("Olga", "", "")


def test_a_new_name_is_news_for_every_widget_of_the_account(
    api: ApiClient, account: Account, shop: Widget, rival: Rival, monkeypatch: pytest.MonkeyPatch
) -> None:
    sibling = WidgetFactory.create(account=account)
    told: list[int] = []
    also(monkeypatch, lambda event: told.append(event.widget_id), WidgetChanged)
    api.patch(PATH, json={"name": "Olga", "surname": "R", "phone": "8"})
    assert told == []
    api.patch(PATH, json={"name": "Ольга"})
    assert told == [shop.pk, sibling.pk]


def test_a_new_name_given_in_the_cabinet_is_news_too(
    account: Account, shop: Widget, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    also(monkeypatch, lambda event: told.append(event.widget_id), WidgetChanged)
    actions.change_profile(account_id=account.pk, changes={"name": "Olga", "phone": "8"})
    assert told == []
    actions.change_profile(account_id=account.pk, changes={"name": "Ольга"})
    assert told == [shop.pk]


def test_a_sibling_widget_shows_the_same_account(api: ApiClient, rival_api: ApiClient) -> None:
    assert api.get(PATH).json()["data"]["id"] != rival_api.get(PATH).json()["data"]["id"]
