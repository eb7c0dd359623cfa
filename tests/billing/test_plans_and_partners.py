"""What plans allow and when they end; what partners earn."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from apps.accounts.events import PlanChanged
from apps.accounts.models import Account, Widget
from apps.accounts.questions import EVERYTHING, Entitlements, entitlements_of
from apps.billing.actions import partners, plans
from apps.billing.models import PlanSubscription
from apps.billing.rules.ledger import MoneyRefused
from apps.billing.tasks import end_plans
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import AccountFactory
from tests.factories.billing import PlanFactory, plan_bought, topped_up
from tests.handlers import also
from tests.hooks import unhook

NOTHING = Entitlements(paid=False, ad_slots=0)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The guids of the widgets whose plan changed."""
    guids: list[str] = []
    also(monkeypatch, lambda event: guids.append(event.widget_guid), PlanChanged)
    return guids


def let_end(subscription: PlanSubscription) -> None:
    PlanSubscription.objects.filter(pk=subscription.pk).update(ends_at=timezone.now())


class TestEntitlements:
    def test_an_installation_that_sells_no_plan_allows_everything(self, shop: Widget) -> None:
        assert entitlements_of(shop.pk) == EVERYTHING == Entitlements(paid=True, ad_slots=None)

    def test_without_an_app_that_sells_plans_everything_is_allowed(
        self, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        PlanFactory.create()
        unhook(monkeypatch, "entitlements")
        assert entitlements_of(shop.pk) == EVERYTHING

    def test_without_a_plan_nothing_is(self, shop: Widget, rival: Rival) -> None:
        plan_bought(rival.widget)
        assert entitlements_of(shop.pk) == NOTHING

    def test_a_package_alone_is_no_paid_plan(self, shop: Widget) -> None:
        plan_bought(shop, kind="package", ad_slots=3)
        assert entitlements_of(shop.pk) == Entitlements(paid=False, ad_slots=3)

    def test_the_slots_of_all_plans_together_count(self, shop: Widget, told: list[str]) -> None:
        plan_bought(shop, ad_slots=2)
        plan_bought(shop, kind="package", ad_slots=5, days=None)
        assert entitlements_of(shop.pk) == Entitlements(paid=True, ad_slots=7)
        assert told == [shop.guid] * 2

    def test_a_plan_counts_until_its_end_whoever_notes_that(self, shop: Widget, told: list[str]) -> None:
        bought = plan_bought(shop)
        let_end(bought)
        told.clear()
        assert entitlements_of(shop.pk) == NOTHING
        end_plans()
        end_plans()
        bought.refresh_from_db()
        assert (bought.status, told) == ("expired", [shop.guid])
        assert entitlements_of(shop.pk) == NOTHING

    def test_a_cancelled_plan_ends_at_once(self, shop: Widget, told: list[str]) -> None:
        bought = plan_bought(shop)
        told.clear()
        for _ in range(2):
            plans.cancel_subscription(subscription=bought)
        assert (entitlements_of(shop.pk), told) == (NOTHING, [shop.guid])

    def test_a_renewed_product_goes_on_when_it_would_have_ended(self, shop: Widget) -> None:
        plan = PlanFactory.create(price_minor=10, days=30, ad_slots=2)
        topped_up(shop, 20)
        first, second = (plans.buy_plan(widget=shop, plan=plan, reference=reference) for reference in "ab")
        assert second.started_at == first.ends_at
        assert entitlements_of(shop.pk) == Entitlements(paid=True, ad_slots=2)
        PlanSubscription.objects.filter(pk=first.pk).update(ends_at=timezone.now())
        PlanSubscription.objects.filter(pk=second.pk).update(started_at=timezone.now())
        assert entitlements_of(shop.pk) == Entitlements(paid=True, ad_slots=2)

    def test_a_plan_for_good_is_bought_once(self, shop: Widget) -> None:
        plan = PlanFactory.create(price_minor=10, days=None)
        topped_up(shop, 20)
        plans.buy_plan(widget=shop, plan=plan, reference="a")
        with pytest.raises(MoneyRefused):
            plans.buy_plan(widget=shop, plan=plan, reference="b")
        assert PlanSubscription.objects.count() == 1

    def test_a_plan_that_is_not_on_sale_is_not_bought(self, shop: Widget) -> None:
        topped_up(shop)
        with pytest.raises(MoneyRefused):
            plans.buy_plan(widget=shop, plan=PlanFactory.create(is_on_sale=False), reference="a")

    def test_a_subscription_keeps_what_it_was_bought_as(self, shop: Widget) -> None:
        plan = PlanFactory.create(ad_slots=2)
        topped_up(shop)
        plans.buy_plan(widget=shop, plan=plan, reference="a")
        plan.ad_slots = 0
        plan.save()
        assert entitlements_of(shop.pk).ad_slots == 2


def partner(api: ApiClient) -> dict[str, Any]:
    data: dict[str, Any] = api.get("/partners").json()["data"]
    return data


class TestPartners:
    def test_who_recommended_nobody_has_a_code_and_no_money(self, api: ApiClient, account: Account) -> None:
        assert partner(api) == {
            "code": account.referral_code,
            "link": f"{settings.PUBLIC_URL}/?ref={account.referral_code}",
            "referred_accounts": 0,
            "earned_minor": 0,
            "paid_minor": 0,
            "available_minor": 0,
            "currency": "RUB",
            "minor_unit_scale": 2,
        }
        assert len(account.referral_code) == 10

    def test_no_two_accounts_have_one_code(self, api: ApiClient, rival_api: ApiClient) -> None:
        assert partner(api)["code"] != partner(rival_api)["code"]

    def test_earnings_are_facts_of_the_ledger(self, api: ApiClient, rival_api: ApiClient, account: Account) -> None:
        AccountFactory.create_batch(3, referred_by=account)
        partners.reward_partner(account=account, amount=10_000, reference="a")
        partners.reward_partner(account=account, amount=5_001, reference="b")
        partners.pay_partner(account=account, amount=7_000, reference="c")
        told = partner(api)
        assert told["referred_accounts"] == 3
        assert [told[name] for name in ("earned_minor", "paid_minor", "available_minor")] == [15_001, 7_000, 8_001]
        assert partner(rival_api)["earned_minor"] == 0

    def test_they_are_no_money_of_a_widget(self, api: ApiClient, account: Account) -> None:
        partners.reward_partner(account=account, amount=10_000, reference="a")
        assert api.get("/billing/balance").json()["data"]["balance_minor"] == 0
        assert api.get("/billing/transactions").json()["data"] == []

    def test_a_plan_of_thirty_days_lasts_thirty_days(self, shop: Widget) -> None:
        bought = plan_bought(shop, days=30)
        assert bought.ends_at == bought.started_at + timedelta(days=30)
