"""The queue: claims under a lease, fences, turns."""

import json
import re
import threading
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone
from psycopg.sql import Literal

from apps.core.destinations import Destination
from apps.webhooks import rules
from apps.webhooks.actions import deliveries
from apps.webhooks.actions.deliveries import LEASE_S, Claimed, Ended, Place
from apps.webhooks.models import Attempt, Delivery, Subscription
from apps.webhooks.rules import SUBSCRIPTIONS
from tests.factories.webhooks import SECRET, DeliveryFactory, SubscriptionFactory

pytestmark = pytest.mark.django_db

DELIVERED = rules.after_answer(200, attempts_before=0)


def claim(wanted: int = 100, **more: Any) -> list[Claimed]:
    return deliveries.claim(**{"wanted": wanted, "room": {}, "default_room": 100, **more})


def ids(claimed: Sequence[Claimed]) -> list[int]:
    return [one.id for one in claimed]


def place(subscription: Subscription) -> Place:
    return subscription.pk, SUBSCRIPTIONS


def let_leases_run_out() -> None:
    Delivery.objects.filter(lease_until__isnull=False).update(lease_until=timezone.now())


def test_a_claim_takes_what_is_due_oldest_first() -> None:
    subscription = SubscriptionFactory.create()
    now = timezone.now()
    late, early = (
        DeliveryFactory.create(subscription=subscription, due_at=now - timedelta(seconds=s)) for s in (10, 60)
    )
    DeliveryFactory.create(subscription=subscription, due_at=now + timedelta(seconds=30))
    assert ids(claim()) == [early.pk, late.pk]


def test_a_claim_knows_all_that_a_call_needs() -> None:
    delivery = DeliveryFactory.create()
    (claimed,) = claim()
    subscription = Subscription.objects.get()
    assert (claimed.guid, claimed.event_id) == (str(delivery.guid), str(delivery.event.guid))
    assert (claimed.body, claimed.event_type) == (delivery.event.body, "message.created")
    assert (claimed.attempt, claimed.claims) == (1, 1)
    ((_, to),) = deliveries.addressed([claimed])
    assert isinstance(to, Destination)
    assert (to.url, to.secrets) == (subscription.url, (SECRET,))


@pytest.mark.parametrize("status", ["delivered", "failed", "skipped"])
def test_what_is_final_is_never_claimed(status: str) -> None:
    DeliveryFactory.create(status=status)
    assert claim() == []


def test_what_is_held_is_not_claimed_again_until_its_lease_runs_out() -> None:
    delivery = DeliveryFactory.create()
    (first,) = claim()
    assert claim() == []
    delivery.refresh_from_db()
    held_for = (delivery.lease_until - timezone.now()).total_seconds()
    assert LEASE_S - 5 < held_for <= LEASE_S
    let_leases_run_out()
    (second,) = claim()
    assert (second.id, second.claims, second.attempt) == (first.id, 2, 1)
    assert second.claim_id != first.claim_id


def test_the_lease_is_longer_than_a_call_may_take() -> None:
    assert LEASE_S > 15


def test_an_outcome_that_comes_after_the_lease_is_void() -> None:
    delivery = DeliveryFactory.create()
    (first,) = claim()
    let_leases_run_out()
    (second,) = claim()
    assert deliveries.finish([Ended(first, rules.after_answer(500, attempts_before=0))]) == 0
    delivery.refresh_from_db()
    assert (delivery.attempts, delivery.claim_id) == (0, second.claim_id)
    assert deliveries.finish([Ended(second, DELIVERED)]) == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("delivered", 1)


def test_an_outcome_counts_once() -> None:
    DeliveryFactory.create()
    claimed = claim()
    outcomes = [Ended(claimed[0], rules.after_answer(500, attempts_before=0))]
    assert [deliveries.finish(outcomes), deliveries.finish(outcomes)] == [1, 0]
    assert Delivery.objects.get().attempts == 1


def test_a_delivered_row_says_when_and_how() -> None:
    DeliveryFactory.create()
    deliveries.finish([Ended(one, rules.after_answer(204, attempts_before=0)) for one in claim()])
    row = Delivery.objects.get()
    assert (row.status, row.attempts, row.response_status, row.last_error) == ("delivered", 1, 204, "")
    assert (row.lease_until, row.claim_id) == (None, None)
    assert abs((row.delivered_at - timezone.now()).total_seconds()) < 5


@pytest.mark.parametrize(("attempts", "wait_s"), [(0, 10), (1, 20), (2, 40)])
def test_a_failed_attempt_is_due_again_after_its_wait(attempts: int, wait_s: int) -> None:
    DeliveryFactory.create(attempts=attempts)
    (claimed,) = claim()
    deliveries.finish([Ended(claimed, rules.after_answer(503, attempts_before=claimed.attempts_before))])
    row = Delivery.objects.get()
    assert (row.status, row.attempts, row.response_status) == ("pending", attempts + 1, 503)
    assert wait_s - 5 < (row.due_at - timezone.now()).total_seconds() <= wait_s
    assert claim() == []


def test_what_is_given_back_is_as_it_was() -> None:
    delivery = DeliveryFactory.create(attempts=1, last_error="The receiver answered 500.", response_status=500)
    before = Delivery.objects.values().get()
    deliveries.finish([Ended(one, rules.GIVEN_BACK) for one in claim()])
    assert Delivery.objects.values().get() == before
    assert ids(claim()) == [delivery.pk]


def test_no_more_is_claimed_than_wanted_nor_of_one_subscription_than_it_has_room() -> None:
    busy, other = SubscriptionFactory.create_batch(2)
    DeliveryFactory.create_batch(6, subscription=busy)
    DeliveryFactory.create_batch(6, subscription=other)
    taken = Counter(one.destination_id for one in claim(room={place(busy): 2}, default_room=3))
    assert taken == {busy.pk: 2, other.pk: 3}
    assert claim(room={place(busy): 0, place(other): 0}) == []
    assert len(claim(wanted=2)) == 2


def test_claims_go_on_behind_the_subscription_served_last() -> None:
    first, second, third = SubscriptionFactory.create_batch(3)
    for subscription in (first, second, third):
        DeliveryFactory.create(subscription=subscription)
    assert [one.destination_id for one in claim(after=place(first), until=place(second))] == [second.pk]
    assert [one.destination_id for one in claim(after=place(first))] == [third.pk]
    assert [one.destination_id for one in claim(until=place(first))] == [first.pk]


def test_deliveries_of_a_deleted_subscription_are_claimed_to_be_dropped() -> None:
    delivery = DeliveryFactory.create()
    Subscription.objects.all().delete()
    (claimed,) = claim()
    assert claimed.id == delivery.pk
    assert deliveries.addressed([claimed]) == [(claimed, rules.SKIPPED)]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_never_claim_the_same() -> None:
    for subscription in SubscriptionFactory.create_batch(4):
        DeliveryFactory.create_batch(25, subscription=subscription)
    claimed: list[int] = []
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        try:
            while batch := claim(wanted=7, default_room=5):
                claimed.extend(ids(batch))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) > 90
    claimed += ids(claim())  # what two of them had looked at while it was held
    assert len(claimed) == len(set(claimed)) == 100


CLAIMING: dict[str, Any] = {
    "wanted": 10,
    "after_id": 0,
    "after_kind": "",
    "until_id": deliveries.MAX_ID,
    "until_kind": "",
    "kinds": [SUBSCRIPTIONS],
    "most_claims": deliveries.MOST_CLAIMS,
    "room": "{}",
    "default_room": 4,
    "lease_s": LEASE_S,
    "claim_id": uuid4(),
}


def _lengthen_log(subscription: Subscription, rows: int = 20_000) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH event AS (
                INSERT INTO webhooks_event (guid, widget_id, type, body, is_sealed)
                SELECT gen_random_uuid(), %s, 'message.created', '{}', false FROM generate_series(1, %s) RETURNING id
            )
            INSERT INTO webhooks_delivery (guid, event_id, kind, destination_id, event_type, status)
            SELECT gen_random_uuid(), id, 'subscription', %s, 'message.created', 'delivered' FROM event""",
            [subscription.widget_id, rows, subscription.pk],
        )


def _pages(explained: dict[str, Any]) -> int:
    return int(explained["Plan"]["Shared Hit Blocks"] + explained["Plan"]["Shared Read Blocks"])


def test_a_claim_reads_as_little_of_a_long_log_as_of_a_short_one() -> None:
    subscription = SubscriptionFactory.create()
    _lengthen_log(subscription)
    DeliveryFactory.create_batch(3, subscription=subscription)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE webhooks_delivery")
        cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + deliveries._CLAIM, CLAIMING)
        (plan,) = cursor.fetchone()[0]
    assert plan["Plan"]["Actual Rows"] == 3
    assert _pages(plan) < 150, "the log alone has over 200"


def test_plans_that_were_kept_while_the_log_was_short_read_no_more_of_a_long_one() -> None:
    """A process plans once what it asks again and again; statistics come minutes later."""
    subscription = SubscriptionFactory.create()
    DeliveryFactory.create_batch(3, subscription=subscription)
    ended = [{"id": one.pk, "claim_id": str(uuid4())} for one in Delivery.objects.all()]
    _lengthen_log(subscription, 200)
    statements = {"claim": (deliveries._CLAIM, CLAIMING), "finish": (deliveries._FINISH, {"ended": json.dumps(ended)})}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE webhooks_delivery, webhooks_event")
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        for name, (sql, parameters) in statements.items():
            cursor.execute(f"PREPARE {name} AS {_numbered(sql, list(parameters))}")
            _run(cursor, name, parameters)
        let_leases_run_out()
        _lengthen_log(subscription)
        read = {}
        for name, (_, parameters) in statements.items():
            _run(cursor, name, parameters, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ")
            (plan,) = cursor.fetchone()[0]
            read[name] = _pages(plan)
            cursor.execute(f"DEALLOCATE {name}")
    assert max(read.values()) < 100, read


def _numbered(sql: str, names: list[str]) -> str:
    return re.sub(r"%\((\w+)\)s", lambda found: f"${names.index(found[1]) + 1}", sql)


def _run(cursor: Any, prepared: str, parameters: dict[str, Any], how: str = "") -> None:
    given = ", ".join(Literal(value).as_string(connection.connection) for value in parameters.values())
    cursor.execute(f"{how}EXECUTE {prepared} ({given})")


class TestEveryAttemptIsARow:
    def attempts(self) -> list[tuple[Any, ...]]:
        return list(
            Attempt.objects.order_by("number").values_list("number", "response_status", "milliseconds", "error")
        )

    def test_with_its_number_time_status_and_error(self) -> None:
        delivery = DeliveryFactory.create(attempts=1)
        began = timezone.now() - timedelta(seconds=2)
        (claimed,) = claim()
        deliveries.finish([Ended(claimed, rules.after_answer(503, attempts_before=1), began, 1234)])
        Delivery.objects.update(due_at=timezone.now())
        (claimed,) = claim()
        deliveries.finish(
            [Ended(claimed, rules.after_no_answer("No answer.", "timeout", attempts_before=2), began, 15000)]
        )
        assert self.attempts() == [
            (2, 503, 1234, "The receiver answered 503."),
            (3, None, 15000, "No answer."),
        ]
        assert set(Attempt.objects.values_list("delivery_id", "started_at")) == {(delivery.pk, began)}
        delivery.refresh_from_db()
        assert (delivery.attempts, delivery.response_status, delivery.last_error) == (3, None, "No answer.")

    def test_and_a_good_one_too(self) -> None:
        DeliveryFactory.create()
        deliveries.finish([Ended(one, DELIVERED, timezone.now(), 7) for one in claim()])
        assert self.attempts() == [(1, 200, 7, "")]

    @pytest.mark.parametrize(
        "verdict", [rules.SKIPPED, rules.GIVEN_BACK, rules.failed_for_good("No secret.", "unsigned")]
    )
    def test_and_what_was_never_tried_is_none(self, verdict: rules.AttemptVerdict) -> None:
        DeliveryFactory.create()
        deliveries.finish([Ended(one, verdict) for one in claim()])
        assert self.attempts() == []

    def test_and_one_that_comes_after_the_lease_is_none(self) -> None:
        DeliveryFactory.create()
        (first,) = claim()
        let_leases_run_out()
        claim()
        deliveries.finish([Ended(first, DELIVERED, timezone.now(), 7)])
        assert self.attempts() == []

    def test_in_the_statement_of_the_outcome(self, django_assert_num_queries: Any) -> None:
        DeliveryFactory.create_batch(5)
        claimed = claim()
        with django_assert_num_queries(1):
            assert deliveries.finish([Ended(one, DELIVERED) for one in claimed]) == 5
        assert len(self.attempts()) == 5


def test_a_count_of_claims_never_outgrows_its_column() -> None:
    DeliveryFactory.create(claims=deliveries.MOST_CLAIMS)
    (claimed,) = claim()
    assert claimed.claims == deliveries.MOST_CLAIMS
    deliveries.finish([Ended(claimed, rules.GIVEN_BACK)])
    assert Delivery.objects.get().claims == deliveries.MOST_CLAIMS - 1


def test_a_delivery_whose_event_is_gone_has_failed() -> None:
    delivery = DeliveryFactory.create()
    delivery.event._meta.model.objects.filter(pk=delivery.event_id)._raw_delete("default")
    ((claimed, verdict),) = deliveries.addressed(claim())
    assert isinstance(verdict, rules.AttemptVerdict)
    deliveries.finish([Ended(claimed, verdict)])
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.last_error) == ("failed", 0, "Its event is gone.")
    assert claim() == []
