"""The ledger: whatever is done to it, in whatever order and by however many at once, no minor unit is lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Case, F, Sum, Value, When
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Account, Widget
from apps.billing.actions import partners
from apps.billing.actions.invoices import Item, cancel_invoice, issue_invoice, pay_invoice
from apps.billing.actions.ledger import cancel_withdrawal, pay_withdrawal, request_withdrawal, top_up
from apps.billing.actions.plans import buy_plan
from apps.billing.models import Entry, Invoice, LegalEntity, Transaction, Wallet
from apps.billing.rules.ledger import IN_WALLET, MAX_AMOUNT, LedgerPlace, MoneyRefused
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.billing import LegalEntityFactory, PlanFactory, issued_invoice, topped_up, unpaid_withdrawal
from tests.rows import snapshot


@pytest.fixture
def entity(account: Account) -> LegalEntity:
    return LegalEntityFactory.create(account=account)


def held(wallet: Wallet, place: LedgerPlace) -> int:
    """What is in a place by the entries of a wallet: what was given to it without what was taken from it."""
    amount = Case(
        When(credited=place, then=F("amount_minor")), When(debited=place, then=-F("amount_minor")), default=Value(0)
    )
    return Entry.objects.filter(transaction__wallet=wallet).aggregate(sum=Sum(amount, default=0))["sum"]


def assert_sound() -> None:
    """Of every wallet: all places together hold nothing, its sums are those of its entries, and none is below zero."""
    for wallet in Wallet.objects.all():
        by_place = {place: held(wallet, place) for place in LedgerPlace}
        assert sum(by_place.values()) == 0
        assert wallet.reserved_minor == by_place[LedgerPlace.RESERVED] >= 0
        assert wallet.available_minor == by_place[LedgerPlace.AVAILABLE] >= 0
        assert wallet.sums.balance == sum(by_place[place] for place in IN_WALLET)
        moved = Transaction.objects.filter(wallet=wallet).exclude(state="cancelled")
        pending = moved.filter(state="pending").aggregate(sum=Sum("amount_minor", default=0))["sum"]
        signed = Case(When(direction="credit", then=F("amount_minor")), default=-F("amount_minor"))
        assert wallet.available_minor == moved.aggregate(sum=Sum(signed, default=0))["sum"]
        assert wallet.reserved_minor == pending


def balance(api: ApiClient) -> tuple[int, int, int]:
    data = api.get("/billing/balance").json()["data"]
    return data["balance_minor"], data["reserved_minor"], data["available_minor"]


def test_each_move_and_what_it_leaves(api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
    assert balance(api) == (0, 0, 0)
    top_up(widget=shop, amount=100_001, reference="a")
    assert balance(api) == (100_001, 0, 100_001)
    buy_plan(widget=shop, plan=PlanFactory.create(price_minor=40_000), reference="b")
    assert balance(api) == (60_001, 0, 60_001)
    paid = request_withdrawal(widget=shop, entity=entity, amount=10_000, reference="c")
    cancelled = request_withdrawal(widget=shop, entity=entity, amount=50_001, reference="d")
    assert balance(api) == (60_001, 60_001, 0)
    pay_withdrawal(withdrawal=paid)
    assert balance(api) == (50_001, 50_001, 0)
    cancel_withdrawal(withdrawal=cancelled)
    assert balance(api) == (50_001, 0, 50_001)
    pay_invoice(invoice=issued_invoice(shop, entity, price=1))
    assert balance(api) == (50_003, 0, 50_003)
    assert_sound()


class TestWhatIsRefused:
    @pytest.mark.parametrize("amount", [0, -1, MAX_AMOUNT + 1])
    def test_an_amount_that_is_none(self, shop: Widget, amount: int) -> None:
        before = snapshot()
        with pytest.raises(MoneyRefused), transaction.atomic():
            top_up(widget=shop, amount=amount, reference="a")
        assert snapshot() == before

    def test_more_than_is_available(self, shop: Widget, entity: LegalEntity) -> None:
        topped_up(shop, 100)
        unpaid_withdrawal(shop, entity, 50)
        plan = PlanFactory.create(price_minor=101)
        before = snapshot()
        for move in (
            partial(request_withdrawal, widget=shop, entity=entity, amount=101, reference="a"),
            partial(buy_plan, widget=shop, plan=plan, reference="b"),
            partial(partners.pay_partner, account=shop.account, amount=1, reference="c"),
        ):
            with pytest.raises(MoneyRefused):
                move()
        assert snapshot() == before

    def test_a_withdrawal_to_anothers_entity(self, shop: Widget, rival: Rival) -> None:
        topped_up(shop)
        foreign = LegalEntityFactory.create(account=rival.account)
        before = snapshot()
        with pytest.raises(MoneyRefused):
            request_withdrawal(widget=shop, entity=foreign, amount=1, reference="a")
        with pytest.raises(MoneyRefused):
            issue_invoice(widget=shop, entity=foreign, items=[Item("Tea", 1, 1)], reference="a")
        assert snapshot() == before

    def test_what_was_settled_otherwise(self, shop: Widget, entity: LegalEntity) -> None:
        withdrawal, invoice = unpaid_withdrawal(shop, entity), issued_invoice(shop, entity)
        pay_withdrawal(withdrawal=withdrawal)
        cancel_invoice(invoice=invoice)
        before = snapshot()
        with pytest.raises(MoneyRefused):
            cancel_withdrawal(withdrawal=withdrawal)
        with pytest.raises(MoneyRefused):
            pay_invoice(invoice=invoice)
        with pytest.raises(MoneyRefused):
            pay_withdrawal(withdrawal=topped_up(shop))
        assert snapshot()["billing.Invoice"] == before["billing.Invoice"]
        assert_sound()

    def test_a_wallet_below_zero_by_the_database_itself(self, shop: Widget) -> None:
        topped_up(shop, 100)
        for change in ({"reserved_minor": 101}, {"debited_minor": 101}, {"reserved_minor": -1}):
            with pytest.raises(DatabaseError), transaction.atomic():
                Wallet.objects.update(**change)


class TestOnceForAReference:
    def test_the_same_again_is_the_same(self, shop: Widget, entity: LegalEntity) -> None:
        topped_up(shop)
        plan = PlanFactory.create(price_minor=1)
        invoice = issued_invoice(shop, entity)
        withdrawal = unpaid_withdrawal(shop, entity)
        moves: list[Callable[[], Any]] = [
            partial(top_up, widget=shop, amount=5, reference="a"),
            partial(request_withdrawal, widget=shop, entity=entity, amount=5, reference="b"),
            partial(buy_plan, widget=shop, plan=plan, reference="c"),
            partial(issue_invoice, widget=shop, entity=entity, items=[Item("Tea", 2, 3)], reference="d"),
            partial(pay_invoice, invoice=invoice),
            partial(pay_withdrawal, withdrawal=withdrawal),
            partial(partners.reward_partner, account=shop.account, amount=5, reference="e"),
            partial(partners.pay_partner, account=shop.account, amount=5, reference="f"),
        ]
        for move in moves:
            first = move()
            before = snapshot()
            assert move() == first
            assert snapshot() == before
        assert_sound()

    def test_for_another_move_it_is_refused(self, shop: Widget, entity: LegalEntity) -> None:
        top_up(widget=shop, amount=5, reference="a")
        before = snapshot()
        for move in (
            partial(top_up, widget=shop, amount=6, reference="a"),
            partial(request_withdrawal, widget=shop, entity=entity, amount=5, reference="a"),
            partial(buy_plan, widget=shop, plan=PlanFactory.build(), reference="a"),
        ):
            with pytest.raises(MoneyRefused):
                move()
        assert snapshot() == before


AMOUNTS = st.integers(1, 1_000) | st.just(MAX_AMOUNT)
DONE = st.lists(
    st.tuples(
        st.sampled_from(["top_up", "withdraw", "pay", "cancel", "buy", "bill", "pay_bill", "reward", "pay_partner"]),
        AMOUNTS,
        st.integers(0, 3),
    ),
    max_size=25,
)


class Clerk:
    """Somebody who moves a widget's money; what is refused is refused."""

    def __init__(self, widget: Widget, entity: LegalEntity, plans: list[Any]) -> None:
        self.widget, self.entity, self.plans = widget, entity, plans

    def do(self, what: str, amount: int, which: int) -> None:
        reference = f"{what} {amount} {which}"
        try:
            self.move(what, amount, which, reference)
        except MoneyRefused:
            return

    def move(self, what: str, amount: int, which: int, reference: str) -> None:
        common: dict[str, Any] = {"widget": self.widget, "reference": reference}
        withdrawals = (
            Transaction.objects.for_widget(self.widget.pk).filter(type="withdrawal").order_by("pk")[which : which + 1]
        )
        invoices = Invoice.objects.for_widget(self.widget.pk).order_by("pk")[which : which + 1]
        match what:
            case "top_up":
                top_up(amount=amount, **common)
            case "withdraw":
                request_withdrawal(entity=self.entity, amount=amount, **common)
            case "pay" | "cancel":
                for row in withdrawals:
                    (pay_withdrawal if what == "pay" else cancel_withdrawal)(withdrawal=row)
            case "buy":
                buy_plan(plan=self.plans[which], **common)
            case "bill":
                issue_invoice(entity=self.entity, items=[Item("Tea", 1 + which, amount)], **common)
            case "pay_bill":
                for bill in invoices:
                    pay_invoice(invoice=bill)
            case "reward":
                partners.reward_partner(account=self.widget.account, amount=amount, reference=reference)
            case _:
                partners.pay_partner(account=self.widget.account, amount=amount, reference=reference)


@pytest.fixture
def clerk(shop: Widget, entity: LegalEntity) -> Clerk:
    plans = [PlanFactory.create(price_minor=price, kind="package") for price in (1, 7, 400, MAX_AMOUNT)]
    return Clerk(shop, entity, plans)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(done=DONE)
def test_no_sequence_loses_a_minor_unit(clerk: Clerk, done: list[tuple[str, int, int]]) -> None:
    with transaction.atomic():
        for what, amount, which in done:
            clerk.do(what, amount, which)
        assert_sound()
        transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(done=st.lists(DONE, min_size=4, max_size=4))
def test_nor_do_four_at_once(clerk: Clerk, done: list[list[tuple[str, int, int]]]) -> None:
    def work(mine: list[tuple[str, int, int]]) -> None:
        try:
            for what, amount, which in mine:
                clerk.do(what, amount, which)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, done))
    assert_sound()


@pytest.mark.django_db(transaction=True)
def test_the_last_money_is_spent_once(shop: Widget, entity: LegalEntity) -> None:
    topped_up(shop, 100)

    def withdraw(number: int) -> bool:
        try:
            request_withdrawal(widget=shop, entity=entity, amount=100, reference=str(number))
        except MoneyRefused:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(withdraw, range(16))) == [False] * 15 + [True]
    assert_sound()


@pytest.mark.django_db(transaction=True)
def test_one_reference_at_once_is_one_move(shop: Widget) -> None:
    def put_in(_: int) -> int:
        try:
            return top_up(widget=shop, amount=100, reference="one").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(put_in, range(16)))) == 1
    assert Wallet.objects.get().credited_minor == 100
    assert_sound()
