"""Money in the cabinet: who runs the installation moves it, an account's staff reads its own."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import Account, Widget
from apps.billing.models import Invoice, LegalEntity, Plan, PlanSubscription, Transaction, Wallet
from apps.chats.models import File
from apps.core.endpoints.bodies import AT_MOST, AWAITED
from tests.cast import Rival, signed_in
from tests.client import ApiClient
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.billing import (
    LegalEntityFactory,
    PlanFactory,
    issued_invoice,
    plan_bought,
    topped_up,
    unpaid_withdrawal,
)
from tests.rows import snapshot

PAGES = "/admin/billing/"
BUTTONS = {
    "transaction": ("paid-out", "cancel"),
    "plansubscription": ("end",),
    "invoice": ("paid", "cancel", "reopen"),
    "wallet": (),
    "legalentity": (),
}
KINDS = ("transaction", "plansubscription", "invoice", "wallet", "legalentity")


@pytest.fixture
def ops(db: None) -> Client:
    """The browser of somebody who runs the installation."""
    return signed_in(SuperuserFactory.create())


@pytest.fixture
def staff(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account))


@pytest.fixture
def entity(account: Account) -> LegalEntity:
    return LegalEntityFactory.create(account=account)


def add(browser: Client, kind: str, **fields: Any) -> Any:
    """Opens the form, fills it in and sends it, with the reference that it came with."""
    page = browser.get(f"{PAGES}{kind}/add/").content.decode()
    found = re.search(r'name="intent" value="([0-9a-f]{32})"', page)
    assert found, "the form has a reference"
    return browser.post(f"{PAGES}{kind}/add/", {"intent": found[1], **fields})


def press(browser: Client, row: Any, button: str) -> Any:
    """Presses a button of a row's page and says yes on the page that asks; None where there is no such button."""
    kind = row._meta.model_name
    address = f"{PAGES}{kind}/{row.pk}/{button.replace('_', '-')}/"
    if address not in browser.get(f"{PAGES}{kind}/{row.pk}/change/").content.decode():
        return None
    assert browser.get(address).status_code == 200, "it asks, and does nothing yet"
    return browser.post(address, follow=True)


def test_a_top_up_is_in_the_balance(ops: Client, api: ApiClient, shop: Widget) -> None:
    answer = add(ops, "transaction", move="top_up", widget=shop.pk, amount="1234.56", description="Card")
    assert answer.status_code == 302
    (row,) = api.get("/billing/transactions").json()["data"]
    assert (row["type"], row["amount_minor"], row["description"]) == ("top_up", 123_456, "Card")
    assert api.get("/billing/balance").json()["data"]["available_minor"] == 123_456
    assert ops.get(f"{PAGES}transaction/{row['id']}/change/").status_code == 200
    assert "1,234.56\u00a0₽" in ops.get(f"{PAGES}wallet/").content.decode()


def test_a_form_sent_twice_moves_once(ops: Client, shop: Widget) -> None:
    fields = {"move": "top_up", "widget": shop.pk, "amount": "5", "intent": "a" * 32}
    for _ in range(2):
        assert ops.post(f"{PAGES}transaction/add/", fields).status_code == 302
    assert Wallet.objects.get().credited_minor == 500


@pytest.mark.parametrize("amount", ["0", "-1", "1.001", "x", "", "1e30", "NaN"])
def test_an_amount_that_is_none_moves_nothing(ops: Client, shop: Widget, amount: str) -> None:
    assert add(ops, "transaction", move="top_up", widget=shop.pk, amount=amount).status_code == 200
    assert not Transaction.objects.exists()


def test_a_withdrawal_is_requested_and_paid_out(ops: Client, shop: Widget, entity: LegalEntity) -> None:
    topped_up(shop, 10_000)
    add(ops, "transaction", move="withdrawal", widget=shop.pk, amount="60", entity=entity.pk)
    row = Transaction.objects.get(type="withdrawal")
    assert (row.state, row.entity, Wallet.objects.get().reserved_minor) == ("pending", entity, 6_000)
    press(ops, row, "paid_out")
    row.refresh_from_db()
    assert (row.state, Wallet.objects.get().sums) == ("completed", (10_000, 6_000, 0))
    assert press(ops, row, "cancel") is None, "no button is left"


def test_a_withdrawal_is_cancelled(ops: Client, shop: Widget, entity: LegalEntity) -> None:
    row = unpaid_withdrawal(shop, entity, 6_000)
    press(ops, row, "cancel")
    row.refresh_from_db()
    assert (row.state, Wallet.objects.get().sums) == ("cancelled", (6_000, 0, 0))


def test_more_than_there_is_is_refused_in_words(ops: Client, shop: Widget, entity: LegalEntity) -> None:
    before = snapshot()["billing.Transaction"]
    for kind, fields in (
        ("transaction", {"move": "withdrawal", "amount": "60", "entity": entity.pk}),
        ("transaction", {"move": "partner_payout", "amount": "60"}),
        ("plansubscription", {"plan_on_sale": PlanFactory.create().pk}),
    ):
        answer = add(ops, kind, widget=shop.pk, **fields)
        assert "There is not enough money available." in ops.get(answer.headers["Location"]).content.decode()
    assert snapshot()["billing.Transaction"] == before
    assert not PlanSubscription.objects.exists()


def test_a_plan_is_given_without_money_and_once(ops: Client, api: ApiClient, shop: Widget) -> None:
    """It took a payment that never was."""
    before, plan = snapshot(), PlanFactory.create()
    form = {"widget": shop.pk, "plan_on_sale": plan.pk, "payment": "given", "intent": "g" * 32}
    for _time in range(2):
        assert ops.post(f"{PAGES}plansubscription/add/", form).status_code == 302
    row = PlanSubscription.objects.for_widget(shop.pk).get()
    assert (row.plan, row.price_minor, row.status) == (plan.code, 0, "active")
    assert [snapshot()[name] for name in ("billing.Transaction", "billing.Entry")] == [
        before[name] for name in ("billing.Transaction", "billing.Entry")
    ]
    assert "given" in ops.get(f"{PAGES}plansubscription/").content.decode()
    (shown,) = api.get("/billing/subscriptions").json()["data"]
    assert (shown["plan"], shown["price_minor"]) == (plan.code, 0)
    other = form | {"plan_on_sale": PlanFactory.create().pk}
    refused = ops.post(f"{PAGES}plansubscription/add/", other)
    assert "The reference was used for another plan." in ops.get(refused.headers["Location"]).content.decode()
    assert PlanSubscription.objects.for_widget(shop.pk).count() == 1


def test_a_withdrawal_to_anothers_entity_is_refused(ops: Client, shop: Widget, rival: Rival) -> None:
    topped_up(shop)
    foreign = LegalEntityFactory.create(account=rival.account)
    for entity in (foreign.pk, ""):
        answer = add(ops, "transaction", move="withdrawal", widget=shop.pk, amount="1", entity=entity)
        assert "A legal entity of the widget" in answer.content.decode()
    assert not Transaction.objects.filter(type="withdrawal").exists()


def test_a_plan_is_made_sold_and_ended(ops: Client, api: ApiClient, shop: Widget) -> None:
    plan = {"code": "pro", "name": "Pro", "kind": "product", "amount": "990", "days": "30", "ad_slots": "2"}
    assert ops.post(f"{PAGES}plan/add/", {**plan, "is_on_sale": "on"}).status_code == 302
    row = Plan.objects.get()
    assert row.price_minor == 99_000
    assert "990" in ops.get(f"{PAGES}plan/{row.pk}/change/").content.decode()
    topped_up(shop)
    assert add(ops, "plansubscription", widget=shop.pk, plan_on_sale=row.pk).status_code == 302
    (bought,) = api.get("/billing/subscriptions").json()["data"]
    assert (bought["plan"], bought["status"]) == ("pro", "active")
    press(ops, PlanSubscription.objects.get(), "end")
    assert api.get("/billing/subscriptions").json()["data"][0]["status"] == "cancelled"


def test_an_invoice_is_issued_with_its_document_and_paid(
    ops: Client, api: ApiClient, shop: Widget, entity: LegalEntity
) -> None:
    lines = "Pro, 1 year; 1; 990.00\r\nSetting up; up; 2; 0.01\r\n"
    file = SimpleUploadedFile("invoice.txt", "Счёт".encode())
    answer = add(ops, "invoice", widget=shop.pk, entity=entity.pk, lines=lines, due_at="2030-01-01T03:00", file=file)
    assert answer.status_code == 302
    row = Invoice.objects.get()
    data = api.get(f"/billing/invoices/{row.pk}").json()["data"]
    assert data["items"] == [
        {"name": "Pro, 1 year", "quantity": 1, "price_minor": 99_000, "amount_minor": 99_000},
        {"name": "Setting up; up", "quantity": 2, "price_minor": 1, "amount_minor": 2},
    ]
    assert (data["amount_minor"], data["due_at"], data["has_document"]) == (99_002, "2030-01-01T00:00:00Z", True)
    assert api.get(f"/files/{data['document_id']}").status_code == 302
    assert File.objects.get(pk=data["document_id"]).purpose == "invoice"
    press(ops, row, "paid")
    assert api.get("/billing/balance").json()["data"]["balance_minor"] == 99_002
    assert press(ops, row, "paid") is None


@pytest.mark.parametrize("lines", ["", "Pro", "Pro; 1", "Pro; 0; 5", "Pro; 1; 0.001", "Pro; x; 1"])
def test_lines_that_are_none_issue_nothing(ops: Client, shop: Widget, entity: LegalEntity, lines: str) -> None:
    assert add(ops, "invoice", widget=shop.pk, entity=entity.pk, lines=lines).status_code == 200
    assert not Invoice.objects.exists()


def test_a_partner_is_rewarded_and_paid(ops: Client, api: ApiClient, shop: Widget) -> None:
    add(ops, "transaction", move="partner_reward", widget=shop.pk, amount="100")
    add(ops, "transaction", move="partner_payout", widget=shop.pk, amount="30.5")
    told = api.get("/partners").json()["data"]
    assert [told[name] for name in ("earned_minor", "paid_minor", "available_minor")] == [10_000, 3_050, 6_950]
    assert all(ops.get(f"{PAGES}{kind}/").status_code == 200 for kind in KINDS)


class TestStaff:
    @pytest.fixture
    def rows(self, shop: Widget, rival: Rival) -> dict[str, tuple[Any, Any]]:
        """Of each kind, an own row and the rival's."""
        made: dict[str, list[Any]] = {}
        for widget in (shop, rival.widget):
            entity = LegalEntityFactory.create(account=widget.account)
            withdrawal = unpaid_withdrawal(widget, entity)
            rows = [withdrawal, plan_bought(widget), issued_invoice(widget, entity), withdrawal.wallet, entity]
            for kind, row in zip(KINDS, rows, strict=True):
                made.setdefault(kind, []).append(row)
        return {kind: (own, theirs) for kind, (own, theirs) in made.items()}

    @pytest.mark.parametrize("kind", KINDS)
    def test_reads_the_rows_of_its_account_alone(
        self, staff: Client, rows: dict[str, tuple[Any, Any]], kind: str
    ) -> None:
        own, theirs = rows[kind]
        page = staff.get(f"{PAGES}{kind}/").content.decode()
        assert f"{PAGES}{kind}/{own.pk}/change/" in page
        assert f"{PAGES}{kind}/{theirs.pk}/change/" not in page
        assert staff.get(f"{PAGES}{kind}/{own.pk}/change/").status_code == 200
        assert staff.get(f"{PAGES}{kind}/{theirs.pk}/change/").status_code == 404

    def test_staff_cannot_move_money(self, staff: Client, rows: dict[str, tuple[Any, Any]]) -> None:
        before = snapshot()
        for kind, (own, _) in rows.items():
            if kind == "legalentity":
                continue  # owners write theirs: test_payable_invoices.py
            assert staff.get(f"{PAGES}{kind}/add/").status_code == 403
            assert staff.post(f"{PAGES}{kind}/add/", {"amount": "1"}).status_code == 403
            for button in BUTTONS[kind]:
                assert staff.post(f"{PAGES}{kind}/{own.pk}/{button}/").status_code == 403
            assert staff.post(f"{PAGES}{kind}/{own.pk}/delete/", {"post": "yes"}).status_code == 403
        assert snapshot() == before

    def test_staff_see_no_plan(self, staff: Client) -> None:
        plan = PlanFactory.create()
        assert staff.get(f"{PAGES}plan/").status_code == 403
        assert staff.get(f"{PAGES}plan/{plan.pk}/change/").status_code in (403, 404)


def test_the_cabinet_takes_a_form_with_a_file_of_10_mb_and_of_strangers_a_short_one(ops: Client) -> None:
    """The server asks before it waits for a long one (`core/endpoints/bodies.py`)."""
    asked = [
        browser.post("/admin/billing/invoice/add/", **{AWAITED: True}, CONTENT_LENGTH="10500000")
        for browser in (ops, Client())
    ]
    assert [answer.status_code for answer in asked] == [100, 100]
    assert [int(answer.headers[AT_MOST]) for answer in asked] == [11 * 1024 * 1024, 1024 * 1024]


def test_the_time_left_of_a_plan_is_no_direction(ops: Client, shop: Widget) -> None:
    """In Russian it read "Слева: 364 дня": left of something."""
    form = {"widget": shop.pk, "plan_on_sale": PlanFactory.create().pk, "payment": "given", "intent": "l" * 32}
    assert ops.post(f"{PAGES}plansubscription/add/", form).status_code == 302
    shown = ops.get(f"{PAGES}plansubscription/", headers={"Accept-Language": "ru"}).content.decode()
    assert "Осталось" in shown
    assert "лева" not in shown
