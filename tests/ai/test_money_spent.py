"""Money beside tokens: by prices that an owner has entered on a key, and never guessed."""

from decimal import Decimal
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.actions.money import MoneySpent, money_spent
from apps.ai.actions.usage import price_columns
from apps.ai.models import Credential, Usage
from apps.ai.rules.prices import Price
from apps.demo.servers.language_models import Says, Vendor, chat
from apps.kb.questions import ModelFailed
from tests.ai.test_money import completes
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.ai import CredentialFactory

pytestmark = pytest.mark.django_db
PRICES = {"prompt_price": Decimal(60), "completion_price": Decimal(240), "price_currency": "RUB"}


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


def key_of(widget: Widget, **fields: Any) -> Credential:
    return Credential.objects.create(widget=widget, provider="openai", api_key="sk-x", model="m-1", **fields)


def used(widget: Widget, key: Credential | None, prompt: int, completion: int, purpose: str = "reply") -> None:
    """A call of before now, with the price that stood on its key then."""
    price = key.price if key and purpose != "embedding" else None
    Usage.objects.create(
        widget=widget,
        credential=key,
        purpose=purpose,
        model="m-1",
        prompt_tokens=prompt,
        completion_tokens=completion,
        latency_ms=1,
        outcome="ok",
        **price_columns(price),
    )
    Usage.objects.filter(cost=0).update(cost=price.of(prompt, completion) if price else None)


def panel(browser: Client, widget: Widget) -> str:
    return browser.get(f"/admin/ai/aisettings/{widget.pk}/change/").content.decode()


def test_a_price_is_of_a_million_tokens() -> None:
    assert Price(Decimal(60), Decimal(240), "RUB").of(250_000, 50_000) == Decimal(27)


def test_each_key_counts_by_its_own_prices_and_currency(shop: Widget, rival: Rival) -> None:
    rubles, dollars = key_of(shop, **PRICES), key_of(shop, **{**PRICES, "price_currency": "USD"})
    used(shop, rubles, 250_000, 50_000)
    used(shop, rubles, 1_000_000, 0, purpose="embedding")  # of another model
    used(shop, dollars, 1_000_000, 0)
    used(shop, gone := key_of(shop, **PRICES), 0, 250_000)
    gone.delete()
    used(rival.widget, key_of(rival.widget, **PRICES), 1_000_000, 0)
    found = money_spent(shop.pk, days=14)
    assert found.total == {"RUB": Decimal(27 + 60), "USD": Decimal(60)}
    assert [*found.by_day] == [timezone.now().date()]
    assert found.unpriced == []


def test_the_page_shows_money_beside_tokens(owner: Client, shop: Widget) -> None:
    used(shop, key_of(shop, **PRICES), 250_000, 50_000)
    page = panel(owner, shop)
    assert "27.00\u00a0RUB" in page
    assert "prices of a million tokens stand on the key" not in page


def test_without_prices_the_page_says_where_they_are_entered(owner: Client, shop: Widget) -> None:
    key = key_of(shop)
    used(shop, key, 250_000, 50_000)
    page = panel(owner, shop)
    assert "RUB" not in page
    assert f'href="/admin/ai/credential/{key.pk}/change/#id_prompt_price"' in page


def test_without_a_price_the_money_is_not_known_and_the_key_is_named(shop: Widget) -> None:
    key = key_of(shop)
    used(shop, key, 1_000, 0)
    used(shop, key, 1_000, 0, purpose="embedding")
    found = money_spent(shop.pk, days=14)
    assert (found.total, found.unpriced) == ({}, [key])
    Credential.objects.update(**PRICES)
    assert money_spent(shop.pk, days=14) == MoneySpent({}, []), "a price that came later is of later calls"


class TestTheMomentOfACall:
    """proof.md 7: a new price changes no past, a deleted key keeps its cost."""

    @pytest.fixture
    def key(self, shop: Widget, vendor: Vendor) -> Credential:
        vendor.will_say(
            {**chat("Yes."), "usage": {"prompt_tokens": 700, "completion_tokens": 30, "total_tokens": 730}},
        )
        return CredentialFactory.create(
            widget=shop, provider="openai", base_url="", target=f"{vendor.url}/v1", model="m-1", **PRICES
        )

    def test_a_call_keeps_price_and_cost(self, shop: Widget, key: Credential) -> None:
        completes(shop)
        call = Usage.objects.get()
        assert (call.prompt_price, call.completion_price, call.currency) == (Decimal(60), Decimal(240), "RUB")
        assert call.cost == Decimal("0.0492"), "700 * 60 + 30 * 240, a millionth"

    def test_a_new_price_changes_no_past(self, shop: Widget, key: Credential) -> None:
        completes(shop)
        Credential.objects.update(prompt_price=Decimal(6000), price_currency="USD")
        assert money_spent(shop.pk, days=1).total == {"RUB": Decimal("0.0492")}
        completes(shop)
        assert money_spent(shop.pk, days=1).total == {"RUB": Decimal("0.0492"), "USD": Decimal("4.2072")}

    def test_a_deleted_key_keeps_its_cost(self, shop: Widget, key: Credential) -> None:
        completes(shop)
        key.delete()
        assert Usage.objects.get().credential is None
        assert money_spent(shop.pk, days=1).total == {"RUB": Decimal("0.0492")}

    def test_a_price_of_six_places_isprice_columns_to_the_last(self, shop: Widget, key: Credential) -> None:
        Credential.objects.update(prompt_price=Decimal("0.000001"), completion_price=Decimal("0.123457"))
        completes(shop)
        assert Usage.objects.get().cost == Decimal("0.00000370441"), "700 * 0.000001 + 30 * 0.123457, a millionth"

    @pytest.mark.parametrize("prices", [{"prompt_price": None}, {"price_currency": ""}])
    def test_without_a_whole_price_a_call_has_no_cost(
        self, shop: Widget, key: Credential, prices: dict[str, Any]
    ) -> None:
        Credential.objects.update(**prices)
        completes(shop)
        call = Usage.objects.get()
        assert (call.prompt_price, call.completion_price, call.currency, call.cost) == (None, None, "", None)

    def test_a_call_that_failed_costs_nothing(self, shop: Widget, key: Credential, vendor: Vendor) -> None:
        vendor.will_say(Says({}, status=500))
        with pytest.raises(ModelFailed):
            completes(shop)
        call = Usage.objects.get()
        assert (call.outcome, call.cost, call.currency) == ("server_error", Decimal(0), "RUB")


def test_calls_of_before_keep_the_price_that_stands_on_their_key(shop: Widget) -> None:
    """The migration gives them what pages reckoned until then; they are priced once."""
    key, bare = key_of(shop, **PRICES), key_of(shop)
    for credential, purpose in ((key, "reply"), (key, "embedding"), (bare, "reply"), (None, "reply")):
        used(shop, credential, 250_000, 50_000, purpose)
    Usage.objects.update(**dict.fromkeys(("prompt_price", "completion_price", "cost")), currency="")
    migration = import_module("apps.ai.migrations.0019_costs_of_before")
    migration.keep_costs(None, SimpleNamespace(connection=connection))
    Credential.objects.update(prompt_price=1)
    migration.keep_costs(None, SimpleNamespace(connection=connection))
    kept = Usage.objects.order_by("pk").values_list("purpose", "cost", "currency")
    assert [*kept] == [("reply", 27, "RUB"), ("embedding", None, ""), ("reply", None, ""), ("reply", None, "")]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"prompt_price": "60"}, ["completion_price", "price_currency"]),
        ({"prompt_price": "-1", "completion_price": "1", "price_currency": "RUB"}, ["prompt_price"]),
        ({"prompt_price": "many", "completion_price": "1", "price_currency": "RUB"}, ["prompt_price"]),
        ({"prompt_price": "1", "completion_price": "1", "price_currency": "XXX"}, ["price_currency"]),
    ],
)
def test_half_a_price_is_refused(owner: Client, shop: Widget, fields: dict[str, str], wrong: list[str]) -> None:
    key = key_of(shop)
    answer = owner.post(f"/admin/ai/credential/{key.pk}/change/", {"model": "m-1", "is_active": "on", **fields})
    assert answer.status_code == 200
    assert sorted(answer.context["adminform"].form.errors) == wrong
    key.refresh_from_db()
    assert (key.prompt_price, key.completion_price, key.price_currency) == (None, None, "")


def test_prices_are_written_with_a_comma_too(owner: Client, shop: Widget) -> None:
    key = key_of(shop)
    form = {"model": "m-1", "is_active": "on", "prompt_price": "60,5", "completion_price": "0", "price_currency": "RUB"}
    page = f"/admin/ai/credential/{key.pk}/change/"
    assert owner.post(page, form, headers={"accept-language": "ru"}).status_code == 302
    key.refresh_from_db()
    assert (key.prompt_price, key.completion_price, key.price_currency) == (Decimal("60.5"), Decimal(0), "RUB")
