"""`/v1/billing/…`: the widget's transactions, subscriptions and invoices, to be read."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account, Widget
from apps.billing.actions.invoices import cancel_invoice, pay_invoice
from apps.billing.actions.ledger import cancel_withdrawal
from apps.billing.actions.plans import cancel_subscription
from apps.billing.models import Invoice, LegalEntity, PlanSubscription, Transaction, Wallet
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AccountFactory, FileFactory, WidgetFactory
from tests.factories.billing import (
    LegalEntityFactory,
    issued_invoice,
    plan_bought,
    topped_up,
    unpaid_withdrawal,
)

LISTS = ("transactions", "subscriptions", "invoices")
MAKERS: dict[str, Callable[[Widget], Any]] = {
    "transactions": topped_up,
    "subscriptions": plan_bought,
    "invoices": issued_invoice,
}


@pytest.fixture
def entity(account: Account) -> LegalEntity:
    return LegalEntityFactory.create(account=account)


def listed(api: ApiClient, name: str, **query: str) -> list[int]:
    return [row["id"] for row in api.get(f"/billing/{name}", query=query).json()["data"]]


def test_a_transaction_says_what_moved_and_why(api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
    withdrawal = unpaid_withdrawal(shop, entity, 10_050)
    data = api.get(f"/billing/transactions/{withdrawal.pk}").json()["data"]
    assert data.pop("created_at").endswith("Z")
    assert data == {
        "id": withdrawal.pk,
        "type": "withdrawal",
        "state": "pending",
        "direction": "debit",
        "amount_minor": 10_050,
        "currency": "RUB",
        "minor_unit_scale": 2,
        "description": None,
        "legal_entity_id": entity.pk,
        "invoice_id": None,
        "subscription_id": None,
        "settled_at": None,
    }
    cancel_withdrawal(withdrawal=withdrawal)
    data = api.get(f"/billing/transactions/{withdrawal.pk}").json()["data"]
    assert data["state"] == "cancelled"
    assert data["settled_at"].endswith("Z")


def test_the_list_shows_the_same_rows_newest_first(api: ApiClient, shop: Widget) -> None:
    for name in LISTS:
        MAKERS[name](shop)
        MAKERS[name](shop)
        rows = api.get(f"/billing/{name}").json()["data"]
        assert [row["id"] for row in rows] == sorted((row["id"] for row in rows), reverse=True)
        one = api.get(f"/billing/{name}/{rows[0]['id']}").json()["data"]
        one.pop("items", None)
        assert one == rows[0]


def test_a_subscription_says_what_was_bought(api: ApiClient, shop: Widget) -> None:
    bought = plan_bought(shop, code="pro", name="Pro", days=30, ad_slots=3, price_minor=99_000)
    data = api.get(f"/billing/subscriptions/{bought.pk}").json()["data"]
    times = [data.pop(name) for name in ("created_at", "started_at", "ends_at")]
    assert all(moment.endswith("Z") for moment in times)
    assert data == {
        "id": bought.pk,
        "plan": "pro",
        "name": "Pro",
        "kind": "product",
        "status": "active",
        "price_minor": 99_000,
        "currency": "RUB",
        "minor_unit_scale": 2,
        "ad_slots": 3,
    }
    assert bought.ends_at is not None
    assert (bought.ends_at - bought.started_at).days == 30
    (purchase,) = api.get("/billing/transactions", query={"type": "plan_purchase"}).json()["data"]
    assert (purchase["subscription_id"], purchase["amount_minor"]) == (bought.pk, 99_000)


def test_an_invoice_is_shown_with_its_items(api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
    invoice = issued_invoice(shop, entity, price=50_000)
    data = api.get(f"/billing/invoices/{invoice.pk}").json()["data"]
    year = data.pop("created_at")[:4]
    assert data == {
        "id": invoice.pk,
        "number": f"{year}-{invoice.pk:06d}",
        "status": "issued",
        "legal_entity_id": entity.pk,
        "amount_minor": 100_000,
        "currency": "RUB",
        "minor_unit_scale": 2,
        "has_document": False,
        "document_id": None,
        "due_at": None,
        "paid_at": None,
        "items": [{"name": "Пакет «Про»", "quantity": 2, "price_minor": 50_000, "amount_minor": 100_000}],
    }
    assert "items" not in api.get("/billing/invoices").json()["data"][0]


def test_a_paid_invoice_is_told_and_its_money_is_there(api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
    invoice = issued_invoice(shop, entity)
    payment = pay_invoice(invoice=invoice)
    data = api.get(f"/billing/invoices/{invoice.pk}").json()["data"]
    assert data["status"] == "paid"
    assert data["paid_at"].endswith("Z")
    assert api.get(f"/billing/transactions/{payment.pk}").json()["data"]["invoice_id"] == invoice.pk
    assert api.get("/billing/balance").json()["data"] == {
        "balance_minor": 100_000,
        "reserved_minor": 0,
        "available_minor": 100_000,
        "currency": "RUB",
        "minor_unit_scale": 2,
    }


def test_an_invoices_document_is_a_file_of_the_widget(api: ApiClient, shop: Widget) -> None:
    file = FileFactory.create(widget=shop)
    invoice = issued_invoice(shop)
    Invoice.objects.filter(pk=invoice.pk).update(document=file)
    for data in (
        api.get(f"/billing/invoices/{invoice.pk}").json()["data"],
        api.get("/billing/invoices").json()["data"][0],
    ):
        assert (data["has_document"], data["document_id"]) == (True, file.pk)


def test_each_filter_picks_its_rows(api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
    product, package = plan_bought(shop), plan_bought(shop, kind="package")
    cancel_subscription(subscription=package)
    withdrawal = unpaid_withdrawal(shop, entity)
    paid, open_, withdrawn = (issued_invoice(shop, entity) for _ in range(3))
    payment = pay_invoice(invoice=paid)
    cancel_invoice(invoice=withdrawn)
    assert listed(api, "transactions", type="invoice_payment") == [payment.pk]
    assert listed(api, "transactions", state="pending") == [withdrawal.pk]
    assert listed(api, "transactions", state="pending", direction="credit") == []
    assert set(listed(api, "transactions", direction="credit")) == set(
        Transaction.objects.filter(type__in=["top_up", "invoice_payment"]).values_list("pk", flat=True)
    )
    assert listed(api, "subscriptions", status="cancelled") == [package.pk]
    assert listed(api, "subscriptions", status="active", kind="product") == [product.pk]
    assert listed(api, "subscriptions", kind="package") == [package.pk]
    assert listed(api, "invoices", status="issued") == [open_.pk]
    assert listed(api, "invoices", status="cancelled") == [withdrawn.pk]


FILTERS = [
    ("transactions", "type"),
    ("transactions", "state"),
    ("transactions", "direction"),
    ("subscriptions", "status"),
    ("subscriptions", "kind"),
    ("invoices", "status"),
]


@pytest.mark.parametrize(("name", "filter_"), FILTERS)
@pytest.mark.parametrize("slug", ["", "nonsense", "Pending", "top-up", "1"])
def test_a_filter_takes_known_slugs_only(api: ApiClient, name: str, filter_: str, slug: str) -> None:
    assert_problem(api.get(f"/billing/{name}", query={filter_: slug}), 422, "invalid_input", errors=[filter_])


@pytest.mark.parametrize(("name", "filter_"), FILTERS)
def test_unknown_is_a_slug_of_every_enum(
    api: ApiClient, shop: Widget, document: dict[str, Any], name: str, filter_: str
) -> None:
    MAKERS[name](shop)
    assert listed(api, name, **{filter_: "unknown"}) == []
    parameters = document["paths"][f"/api/v1/billing/{name}"]["get"]["parameters"]
    (parameter,) = [parameter for parameter in parameters if parameter["name"] == filter_]
    assert "unknown" in parameter["schema"]["enum"]


@pytest.mark.parametrize("name", LISTS)
class TestWhoseTheyAre:
    def test_another_widgets_are_404_and_in_no_list(
        self, api: ApiClient, shop: Widget, rival: Rival, name: str
    ) -> None:
        sibling = WidgetFactory.create(account=shop.account)
        for widget in (sibling, rival.widget):
            foreign = MAKERS[name](widget)
            assert_problem(api.get(f"/billing/{name}/{foreign.pk}"), 404, "not_found")
        assert listed(api, name) == []

    def test_the_widget_alone_is_not_enough(self, api: ApiClient, shop: Widget, name: str) -> None:
        """A record of the widget's, from when another account owned it."""
        kept = MAKERS[name](shop)
        for kind in (Transaction, PlanSubscription, Invoice, Wallet):
            kind.objects.filter(widget=shop).update(account=AccountFactory.create())
        assert_problem(api.get(f"/billing/{name}/{kept.pk}"), 404, "not_found")
        assert listed(api, name) == []
        assert api.get("/billing/balance").json()["data"]["balance_minor"] == 0

    def test_the_list_costs_the_same_whatever_its_length(self, api: ApiClient, shop: Widget, name: str) -> None:
        MAKERS[name](shop)
        api.get(f"/billing/{name}")
        with CaptureQueriesContext(connection) as few:
            api.get(f"/billing/{name}")
        for _ in range(5):
            MAKERS[name](shop)
        with CaptureQueriesContext(connection) as many:
            assert len(listed(api, name)) >= 6
        assert len(many) == len(few) <= 2

    def test_the_list_pages_by_cursor(self, api: ApiClient, shop: Widget, name: str) -> None:
        for _ in range(3):
            MAKERS[name](shop)
        whole, query, seen = listed(api, name), {"limit": "2"}, list[int]()
        while True:
            page = api.get(f"/billing/{name}", query=query).json()
            seen += [row["id"] for row in page["data"]]
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
        assert seen == whole


def test_no_endpoint_moves_money(api: ApiClient, shop: Widget) -> None:
    topped_up(shop)
    for path in ("balance", "transactions", "subscriptions", "invoices"):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = api.request(method, f"/billing/{path}", json={"amount_minor": 1})
            assert_problem(answer, 405, "method_not_allowed")
    assert Transaction.objects.count() == 1
