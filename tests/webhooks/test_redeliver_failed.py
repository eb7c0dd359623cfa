"""Sending again what has failed since a moment: one call, bounded, by the rules of sending one again."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.webhooks import rules
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery, Subscription
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, plain_text
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
OUTAGE = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
SINCE = OUTAGE.isoformat()


@pytest.fixture
def subscription(shop: Widget) -> Subscription:
    return SubscriptionFactory.create(widget=shop)


def failed(subscription: Subscription, minutes: float = 1, **more: Any) -> Delivery:
    made: Delivery = DeliveryFactory.create(
        subscription=subscription, **{"status": "failed", "created_at": OUTAGE + timedelta(minutes=minutes), **more}
    )
    return made


def send_again(api: ApiClient, subscription: Subscription, since: Any = SINCE, **more: Any) -> Any:
    return api.post(f"/webhook-subscriptions/{subscription.pk}/redeliver-failed", json={"since": since}, **more)


def queued(answer: Any) -> tuple[int, bool]:
    assert answer.status_code == 202, answer.content
    data = answer.json()["data"]
    assert set(data) == {"queued", "has_more"}
    return data["queued"], data["has_more"]


def waiting() -> list[Delivery]:
    return list(Delivery.objects.filter(status="pending").order_by("pk"))


def test_what_has_failed_since_then_is_queued_oldest_first(api: ApiClient, subscription: Subscription) -> None:
    first, second = failed(subscription, 0), failed(subscription, 5)
    failed(subscription, -1)
    for status in ("delivered", "skipped"):
        failed(subscription, status=status)
    assert queued(send_again(api, subscription)) == (2, False)
    assert [(each.event_id, each.destination_id, each.attempts) for each in waiting()] == [
        (first.event_id, subscription.pk, 0),
        (second.event_id, subscription.pk, 0),
    ]
    assert not {each.guid for each in waiting()} & {first.guid, second.guid}, "each has a name of its own"


def test_nothing_is_sent_twice(api: ApiClient, subscription: Subscription) -> None:
    failed(subscription)
    assert queued(send_again(api, subscription)) == (1, False)
    assert queued(send_again(api, subscription)) == (0, False)
    Delivery.objects.filter(status="pending").update(status="delivered")
    assert queued(send_again(api, subscription)) == (0, False)


def test_what_failed_once_more_is_sent_again_once(api: ApiClient, subscription: Subscription) -> None:
    failed(subscription)
    send_again(api, subscription)
    Delivery.objects.update(status="failed")
    assert queued(send_again(api, subscription)) == (1, False)


def test_it_is_bounded_and_goes_on(api: ApiClient, subscription: Subscription, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_AGAIN", 2)
    events = [failed(subscription, minute).event_id for minute in range(5)]
    answers = [queued(send_again(api, subscription)) for _ in range(4)]
    assert answers == [(2, True), (2, True), (1, False), (0, False)]
    assert [each.event_id for each in waiting()] == events


def test_the_rules_of_sending_one_again_hold(api: ApiClient, subscription: Subscription) -> None:
    failed(subscription, is_legacy=True)
    failed(subscription, event_type="chat.expired", event__type="chat.expired")
    sendable = failed(subscription)
    set_event_enabled(name="chat.expired", enabled=False)
    assert queued(send_again(api, subscription)) == (1, False)
    assert [each.event_id for each in waiting()] == [sendable.event_id]


def test_a_legacy_subscription_is_sent_what_has_a_legacy_name(api: ApiClient, subscription: Subscription) -> None:
    failed(subscription)
    named = failed(subscription, event_type="chat.closed", event__type="chat.closed")
    set_event_enabled(name="chat.closed", enabled=True)
    Subscription.objects.update(is_legacy_compat=True)
    assert queued(send_again(api, subscription)) == (1, False)
    assert [(each.event_id, each.is_legacy) for each in waiting()] == [(named.event_id, True)]


def test_an_inactive_subscription_is_422_and_nothing_is_queued(api: ApiClient, subscription: Subscription) -> None:
    failed(subscription)
    Subscription.objects.update(is_active=False)
    rows = snapshot()
    assert_problem(send_again(api, subscription), 422, "invalid_input", errors=["since"])
    assert snapshot() == rows


def test_of_others_nothing_is_sent(api: ApiClient, subscription: Subscription, rival: Rival, shop: Widget) -> None:
    theirs = failed(SubscriptionFactory.create(widget=rival.widget))
    failed(SubscriptionFactory.create(widget=shop))
    assert_problem(send_again(api, Subscription(pk=theirs.destination_id)), 404, "not_found")
    assert queued(send_again(api, subscription)) == (0, False)
    assert waiting() == []


@pytest.mark.parametrize("since", [None, 5, "", "yesterday", True, [], "2026-13-01", "a" * 10_000])
def test_a_moment_is_asked_for(api: ApiClient, subscription: Subscription, since: Any) -> None:
    assert_problem(send_again(api, subscription, since), 422, "invalid_input", errors=["since"])


def test_a_key_is_used_once(api: ApiClient, subscription: Subscription) -> None:
    failed(subscription)
    assert queued(send_again(api, subscription, idempotency_key="one")) == (1, False)
    problem = assert_problem(send_again(api, subscription, idempotency_key="one"), 409, "idempotency_key_reused")
    assert problem["previous"]["operation"] == "subscription_redeliver_failed"
    assert problem["previous"]["id"] == subscription.pk
    assert problem["same_request"] is True


def test_it_asks_for_the_scope_of_writes(shop: Widget, subscription: Subscription) -> None:
    reader = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["webhooks:read"])))
    assert_problem(send_again(reader, subscription), 403, "missing_scope")
