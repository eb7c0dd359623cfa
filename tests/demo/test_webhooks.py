"""The demo's webhook subscriptions: to nobody, or to the receiver that `make run` starts."""

from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.demo import seeding
from apps.webhooks.models import Subscription

pytestmark = pytest.mark.django_db

NOWHERE = [
    "https://hooks.blog.example/parley",
    "https://hooks.rival.example/parley",
    "https://hooks.shop.example/legacy",
    "https://hooks.shop.example/parley",
]


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path


def addresses() -> list[str]:
    """Where the subscriptions lead."""
    rows = Subscription.objects.order_by("target").values_list("url", "target")
    assert all(url == target for url, target in rows)
    return [url for url, _ in rows]


def receiver(port: int) -> list[str]:
    return [f"http://127.0.0.1:{port}/{path}" for path in ("blog/parley", "rival/parley", "shop/legacy", "shop/parley")]


def test_without_a_receiver_they_lead_nowhere() -> None:
    assert "webhook_receiver" not in seeding.seed()
    assert addresses() == NOWHERE


def test_with_a_receiver_they_lead_there_wherever_it_listens(settings: Any) -> None:
    settings.DEMO_RECEIVER_PORT = 8002
    document = seeding.seed()
    assert document["webhook_receiver"] == {"port": 8002, "secret": "whsec_parley-demo-secret"}
    assert {subscription.secret for subscription in Subscription.objects.all()} == {"whsec_parley-demo-secret"}
    assert addresses() == receiver(8002)
    ids = [widget["webhook_subscription_ids"] for account in document["accounts"] for widget in account["widgets"]]

    settings.DEMO_RECEIVER_PORT = 9123
    again = seeding.seed(keep_tokens=True)
    assert addresses() == receiver(9123)
    assert ids == [widget["webhook_subscription_ids"] for account in again["accounts"] for widget in account["widgets"]]

    settings.DEMO_RECEIVER_PORT = 0
    seeding.seed()
    assert addresses() == receiver(9123), "it may come back"


def test_those_that_led_nowhere_lead_to_the_receiver(settings: Any) -> None:
    seeding.seed()
    settings.DEMO_RECEIVER_PORT = 8002
    seeding.seed()
    assert addresses() == receiver(8002)


def test_what_somebody_else_subscribed_stays(settings: Any) -> None:
    seeding.seed()
    shop = Widget.objects.order_by("pk")[0]
    Subscription.objects.for_widget(shop.pk).delete()
    own = ["https://example.com/shop/parley", "http://127.0.0.1:9000/parley", "https://hooks.shop.example/parley/2"]
    for url in own:
        Subscription.objects.create(widget=shop, url=url, target=url, events=["message.created"])
    settings.DEMO_RECEIVER_PORT = 8002
    seeding.seed()
    assert sorted(addresses()) == sorted([*own, *receiver(8002)])
