"""Money beside tokens: by prices that an owner has entered on a key, and never guessed."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.actions.money import money_spent
from apps.ai.models import Credential, Usage
from apps.ai.rules.prices import cost
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db
PRICES = {"prompt_price": Decimal(60), "completion_price": Decimal(240), "price_currency": "RUB"}


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


def key_of(widget: Widget, **fields: Any) -> Credential:
    return Credential.objects.create(widget=widget, provider="openai", api_key="sk-x", model="m-1", **fields)


def used(widget: Widget, key: Credential | None, prompt: int, completion: int, purpose: str = "reply") -> None:
    Usage.objects.create(
        widget=widget,
        credential=key,
        purpose=purpose,
        model="m-1",
        prompt_tokens=prompt,
        completion_tokens=completion,
        latency_ms=1,
        outcome="ok",
    )


def panel(browser: Client, widget: Widget) -> str:
    return browser.get(f"/admin/ai/aisettings/{widget.pk}/change/").content.decode()


def test_a_price_is_of_a_million_tokens() -> None:
    money = cost(
        prompt_tokens=250_000, completion_tokens=50_000, prompt_price=Decimal(60), completion_price=Decimal(240)
    )
    assert money == Decimal(27)


def test_each_key_counts_by_its_own_prices_and_currency(shop: Widget, rival: Rival) -> None:
    rubles, dollars = key_of(shop, **PRICES), key_of(shop, **{**PRICES, "price_currency": "USD"})
    used(shop, rubles, 250_000, 50_000)
    used(shop, rubles, 1_000_000, 0, purpose="embedding")  # of another model
    used(shop, dollars, 1_000_000, 0)
    used(shop, None, 1_000_000, 0)  # of a key that is deleted
    used(rival.widget, key_of(rival.widget, **PRICES), 1_000_000, 0)
    found = money_spent(shop.pk, days=14)
    assert found.total == {"RUB": Decimal(27), "USD": Decimal(60)}
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
