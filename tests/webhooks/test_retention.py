"""How far back the delivery log reaches (DELIVERY_LOG_DAYS), and that forgetting is harmless."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.webhooks.actions import retention
from apps.webhooks.actions.retention import forget_old_deliveries
from apps.webhooks.models import Attempt, Delivery, Event
from tests.factories.webhooks import DeliveryFactory, EventFactory

pytestmark = pytest.mark.django_db


def delivery(days: int, status: str = "delivered", **fields: Any) -> Delivery:
    """One of so many days ago, with an attempt."""
    created_at = timezone.now() - timedelta(days=days)
    if "event" not in fields:
        fields["event__created_at"] = created_at
    row = DeliveryFactory.create(status=status, created_at=created_at, **fields)
    Attempt.objects.create(delivery=row, number=1, started_at=created_at, milliseconds=5, response_status=200)
    return row


def test_what_is_final_and_older_than_30_days_is_forgotten_with_its_attempts_and_event() -> None:
    for days, status in ((60, "delivered"), (31, "failed"), (31, "skipped")):
        delivery(days, status)
    recent = delivery(29)
    assert forget_old_deliveries() == 3
    assert list(Delivery.objects.all()) == [recent]
    assert list(Event.objects.all()) == [recent.event]
    assert [row.delivery_id for row in Attempt.objects.all()] == [recent.pk]


def test_the_setting_says_how_old(settings: Any) -> None:
    settings.DELIVERY_LOG_DAYS = 3
    recent = delivery(2)
    delivery(4)
    assert forget_old_deliveries() == 1
    assert list(Delivery.objects.all()) == [recent]


def test_what_is_not_final_stays_however_old() -> None:
    waiting = delivery(90, "pending")
    assert forget_old_deliveries() == 0
    assert list(Delivery.objects.all()) == [waiting]
    assert list(Event.objects.all()) == [waiting.event]


def test_an_event_stays_as_long_as_a_delivery_of_it() -> None:
    event = EventFactory.create(created_at=timezone.now() - timedelta(days=40))
    delivery(40, "failed", event=event)
    redelivered = DeliveryFactory.create(event=event)
    assert forget_old_deliveries() == 1
    assert list(Delivery.objects.all()) == [redelivered]
    assert list(Event.objects.all()) == [event]


def test_a_batch_of_what_must_stay_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    waiting = [delivery(90, "pending") for _ in range(3)]
    for _ in range(5):
        delivery(40)
    assert forget_old_deliveries() == 5
    assert set(Delivery.objects.all()) == set(waiting)
    assert set(Event.objects.all()) == {row.event for row in waiting}


def test_it_reads_no_further_than_what_is_old(monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    delivery(40)
    for _ in range(10):
        delivery(1)
    with django_assert_num_queries(4):  # two batches of deliveries, two of events
        assert forget_old_deliveries() == 1


def test_a_widget_takes_its_log_along() -> None:
    gone, stays = delivery(1), delivery(1)
    gone.event.widget.delete()
    assert list(Delivery.objects.all()) == [stays]
    assert list(Event.objects.all()) == [stays.event]
    assert [row.delivery_id for row in Attempt.objects.all()] == [stays.pk]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_forget_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 3)
    for _ in range(20):
        delivery(40)
    recent = delivery(1)
    forgotten: list[int] = []
    start = threading.Barrier(2)

    def work() -> None:
        start.wait()
        try:
            forgotten.append(forget_old_deliveries())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(forgotten) == 20
    assert list(Delivery.objects.all()) == [recent]
    assert Attempt.objects.count() == Event.objects.count() == 1
