"""The seam between apps that have events delivered and the app that delivers them, by a kind of these tests alone."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Account, Widget
from apps.core import destinations
from apps.core.bus import Write, write_and_publish
from apps.core.destinations import (
    DeliveryOutcome,
    Destination,
    DestinationType,
    NoDeliveryEngine,
    OutgoingEvent,
    PendingDelivery,
)
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Attempt, Delivery, Event
from tests.factories.webhooks import SECRET, DeliveryFactory, SubscriptionFactory
from tests.hooks import unhook
from tests.webhooks.receivers import Heard, HookReceiver, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


class Toys:
    """A kind whose destinations are in a dictionary: `known[id]`. It keeps what it was asked and told."""

    def __init__(self) -> None:
        self.known: dict[int, Destination] = {}
        self.asked: list[list[PendingDelivery]] = []
        self.told: list[list[DeliveryOutcome]] = []
        self.unreadable: set[int] = set()
        self.unwelcome: set[int] = set()
        self.kind = DestinationType(name="toy", read=self.read, outcome=self.outcome, attempts=2)

    def read(self, due: Sequence[PendingDelivery]) -> Mapping[int, Destination]:
        self.asked.append(list(due))
        if any(one.destination_id in self.unreadable for one in due):
            raise LookupError("of this test")
        return {one.id: self.known[one.destination_id] for one in due if one.destination_id in self.known}

    def outcome(self, outcomes: Sequence[DeliveryOutcome]) -> None:
        assert connection.in_atomic_block
        self.told.append(list(outcomes))
        for one in outcomes:
            code = uuid.uuid4().hex[:16]
            Account.objects.create(email=f"{code}@{one.destination_id}.outcome.test", referral_code=code)
        if any(one.destination_id in self.unwelcome for one in outcomes):
            raise LookupError("of this test")

    @property
    def outcomes(self) -> list[tuple[int, str, int]]:
        return [(one.destination_id, one.status, one.attempts) for batch in self.told for one in batch]


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Toys:
    toys = Toys()
    monkeypatch.setitem(destinations._kinds, "toy", toys.kind)
    return toys


def outgoing(shop: Widget, *ids: int, **changes: Any) -> OutgoingEvent:
    event_id = uuid.uuid4()
    body = json.dumps({"id": str(event_id), "type": "toy.moved", "data": {"text": "Привет"}}, ensure_ascii=False)
    fields: dict[str, Any] = {
        "widget_id": shop.pk,
        "destination_ids": ids,
        "event_id": event_id,
        "event_type": "toy.moved",
        "body": body,
    }
    return OutgoingEvent(**{**fields, **changes})


def queue(toys: Toys, *events: OutgoingEvent) -> None:
    with transaction.atomic():
        destinations.queue(toys.kind, events)


def wait_until_none_is_pending() -> None:
    wait_until(lambda: not Delivery.objects.filter(status="pending").exists())


def signed(heard: Heard, secret: str) -> str:
    return "sha256=v1:" + hmac.new(secret.encode(), heard.body, hashlib.sha256).hexdigest()


def make_due() -> None:
    Delivery.objects.filter(status="pending").update(due_at=timezone.now(), lease_until=None)


class TestQueueing:
    def test_makes_an_event_and_a_delivery_for_each_destination(self, toys: Toys, shop: Widget) -> None:
        one, other = outgoing(shop, 1, 2), outgoing(shop, 3, is_personal=False)
        with transaction.atomic(), CaptureQueriesContext(connection) as statements:
            destinations.queue(toys.kind, [one, other])
        assert len(statements) == 1
        told = Delivery.objects.order_by("id").values_list("kind", "destination_id", "event__guid", "event_type")
        assert list(told) == [
            ("toy", 1, one.event_id, "toy.moved"),
            ("toy", 2, one.event_id, "toy.moved"),
            ("toy", 3, other.event_id, "toy.moved"),
        ]
        assert set(Event.objects.values_list("widget_id", flat=True)) == {shop.pk}

    def test_seals_what_may_be_personal_unless_told_otherwise(self, toys: Toys, shop: Widget) -> None:
        sealed, clear = outgoing(shop, 1), outgoing(shop, 1, is_personal=False)
        queue(toys, sealed, clear)
        rows = {event.guid: event for event in Event.objects.all()}
        assert "Привет" not in rows[sealed.event_id].body
        assert (rows[clear.event_id].body, rows[clear.event_id].is_sealed) == (clear.body, False)

    def test_is_undone_with_its_transaction(self, toys: Toys, shop: Widget) -> None:
        with transaction.atomic():
            destinations.queue(toys.kind, [outgoing(shop, 1)])
            assert Delivery.objects.count() == 1
            transaction.set_rollback(True)
        assert not Delivery.objects.exists()
        assert not Event.objects.exists()

    def test_takes_place_in_a_transaction_only(self, toys: Toys, shop: Widget) -> None:
        with pytest.raises(RuntimeError, match="outside a transaction"):
            destinations.queue(toys.kind, [outgoing(shop, 1)])
        assert not Event.objects.exists()

    @pytest.mark.parametrize("done", [True, False])
    def test_can_be_part_of_an_actions_statement(
        self, toys: Toys, shop: Widget, monkeypatch: pytest.MonkeyPatch, done: bool
    ) -> None:
        from tests.core.test_bus import AccountOpened, bus

        event = outgoing(shop, 1)
        registered = bus.RegisteredHandler(
            lambda _: destinations.queue_cte(toys.kind, [event]), (AccountOpened,), bus.When.IN_STATEMENT
        )
        monkeypatch.setitem(bus._by_type, AccountOpened, [registered])
        write = Write("written AS (SELECT 7 AS number WHERE %(done)s::bool)", columns="written.number")
        with CaptureQueriesContext(connection) as statements:
            row = write_and_publish(write, {"done": done}, AccountOpened())
        assert (row, len(statements)) == ((7,) if done else None, 1)
        assert Delivery.objects.count() == Event.objects.count() == int(done)

    def test_without_an_app_that_delivers_is_refused(
        self, toys: Toys, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert destinations.is_available()
        unhook(monkeypatch, "delivery_engine")
        assert not destinations.is_available()
        with pytest.raises(NoDeliveryEngine), transaction.atomic():
            destinations.queue(toys.kind, [outgoing(shop, 1)])
        with pytest.raises(NoDeliveryEngine):
            destinations.queue_cte(toys.kind, [outgoing(shop, 1)])
        assert not Event.objects.exists()


class TestDelivery:
    def test_is_a_signed_post_of_the_queued_bytes(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        toys.known[1] = Destination(hook.url, ("a-secret",))
        event = outgoing(shop, 1)
        queue(toys, event)
        deliverer.wake()
        (heard,) = hook.wait_for(1)
        wait_until_none_is_pending()
        delivery = Delivery.objects.get()
        assert heard.body == event.body.encode()
        assert heard.headers["x-service-event"] == "toy.moved"
        assert heard.headers["x-service-idempotency-key"] == str(event.event_id)
        assert heard.headers["x-service-delivery"] == str(delivery.guid)
        assert heard.headers["x-service-signature"] == signed(heard, "a-secret")
        assert heard.headers["content-type"] == "application/json"
        assert not {"authorization", "x-service-signature-next"} & set(heard.headers)
        assert (delivery.status, delivery.attempts, delivery.response_status) == ("delivered", 1, 200)
        assert [(row.number, row.response_status) for row in Attempt.objects.all()] == [(1, 200)]

    def test_has_what_else_its_kind_gives(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        toys.known[1] = Destination(
            hook.url,
            ("old-secret", "new-secret"),
            bearer="ticket",
            headers={"X-Service-Operator": "seven", "X-Service-Event": "never"},
            event_name="toy_moved",
            rewrite=str.upper,
        )
        event = outgoing(shop, 1)
        queue(toys, event)
        deliverer.wake()
        (heard,) = hook.wait_for(1)
        assert heard.body == event.body.upper().encode()
        assert heard.headers["x-service-event"] == "toy_moved"
        assert heard.headers["x-service-operator"] == "seven"
        assert heard.headers["authorization"] == "Bearer ticket"
        assert heard.headers["x-service-signature"] == signed(heard, "old-secret")
        assert heard.headers["x-service-signature-next"] == signed(heard, "new-secret")

    def test_is_dropped_when_its_kind_names_no_destination(
        self, toys: Toys, shop: Widget, deliverer: Deliverer
    ) -> None:
        queue(toys, outgoing(shop, 1))
        deliverer.wake()
        wait_until_none_is_pending()
        assert Delivery.objects.values_list("status", "attempts", "last_error").get() == ("skipped", 0, "")
        assert toys.outcomes == [(1, "skipped", 0)]
        assert not Attempt.objects.exists()

    def test_fails_for_good_without_a_secret(self, toys: Toys, shop: Widget, hook: HookReceiver) -> None:
        toys.known |= {1: Destination(hook.url, ()), 2: Destination(hook.url, ("",))}
        queue(toys, outgoing(shop, 1, 2))
        deliverer = Deliverer()
        deliverer.wake()
        wait_until_none_is_pending()
        assert deliverer.stop(5)
        assert set(Delivery.objects.values_list("status", "last_error")) == {("failed", "There is no signing secret.")}
        assert hook.heard == []

    def test_has_as_many_attempts_as_its_kind_says_and_tells_of_each(
        self, toys: Toys, shop: Widget, settings: Any, deliverer: Deliverer
    ) -> None:
        with HookReceiver(500, 503) as hook:
            settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}"]
            toys.known[1] = Destination(hook.url, ("a-secret",))
            queue(toys, outgoing(shop, 1))
            deliverer.wake()
            wait_until(lambda: bool(toys.told))
            wait_until(lambda: Delivery.objects.get().claim_id is None)
            make_due()
            deliverer.wake()
            wait_until_none_is_pending()
        assert toys.outcomes == [(1, "pending", 1), (1, "failed", 2)]
        assert [one.attempt for batch in toys.asked for one in batch] == [1, 2]
        (last,) = toys.told[-1]
        assert (last.status, last.response_status, last.error) == ("failed", 503, "The receiver answered 503.")
        assert [one.reason for batch in toys.told for one in batch] == ["bad_status", "bad_status"]

    def test_an_outcome_has_a_reason_that_a_program_can_read(
        self, toys: Toys, shop: Widget, settings: Any, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}", "127.0.0.1:1"]
        in_plain = hook.url.replace("http://", "https://")
        addresses = {1: hook.url, 2: "https://127.0.0.1:1/", 3: "https://10.0.0.1/", 4: in_plain}
        toys.known |= {id_: Destination(url, ("a-secret",)) for id_, url in addresses.items()}
        toys.known[5] = Destination(hook.url, ())
        queue(toys, outgoing(shop, *toys.known))
        deliverer.wake()
        wait_until(lambda: len(toys.outcomes) == len(toys.known))
        assert {one.destination_id: one.reason for batch in toys.told for one in batch} == {
            1: None,
            2: "unreachable",
            3: "unreachable",
            4: "tls_failed",
            5: "unsigned",
        }

    def test_goes_where_its_kind_says_at_that_moment(
        self, toys: Toys, shop: Widget, settings: Any, deliverer: Deliverer
    ) -> None:
        with HookReceiver(500, 200) as hook:
            settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}"]
            toys.known[1] = Destination(hook.url, ("a-secret",))
            queue(toys, outgoing(shop, 1))
            deliverer.wake()
            wait_until(lambda: bool(toys.told))
            wait_until(lambda: Delivery.objects.get().claim_id is None)
            toys.known[1] = Destination(hook.url + "/moved", ("another-secret",))
            make_due()
            deliverer.wake()
            before, after = hook.wait_for(2)
        assert (before.path, after.path) == ("/hook", "/hook/moved")
        assert before.headers["x-service-signature"] == signed(before, "a-secret")
        assert after.headers["x-service-signature"] == signed(after, "another-secret")

    def test_asks_a_kind_once_for_all_of_a_claim(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        toys.known |= {id_: Destination(hook.url, ("a-secret",)) for id_ in range(1, 9)}
        queue(toys, outgoing(shop, *range(1, 9)))
        deliverer.wake()
        wait_until_none_is_pending()
        assert [len(batch) for batch in toys.asked] == [8]

    def test_leaves_alone_what_no_installed_app_knows(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        queue(toys, outgoing(shop, 1))
        monkeypatch.delitem(destinations._kinds, "toy")
        DeliveryFactory.create(subscription=SubscriptionFactory.create(url=hook.url))
        deliverer.wake()
        wait_until(lambda: Delivery.objects.filter(status="delivered").count() == 1)
        assert Delivery.objects.values_list("status", "claims").get(kind="toy") == ("pending", 0)


class TestKindsSideBySide:
    def test_do_not_mix_up_equal_ids(self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer) -> None:
        subscription = SubscriptionFactory.create(widget=shop, url=hook.url + "/subscription")
        toys.known[subscription.pk] = Destination(hook.url + "/toy", ("a-secret",))
        DeliveryFactory.create(subscription=subscription)
        queue(toys, outgoing(shop, subscription.pk))
        deliverer.wake()
        heard = {one.path: one for one in hook.wait_for(2)}
        assert heard["/hook/subscription"].headers["x-service-signature"] == signed(heard["/hook/subscription"], SECRET)
        assert heard["/hook/toy"].headers["x-service-signature"] == signed(heard["/hook/toy"], "a-secret")
        wait_until_none_is_pending()
        assert [one.kind for one in Delivery.objects.for_widget(shop.pk).to_subscription(subscription.pk)] == [
            "subscription"
        ]

    def test_a_destination_that_can_not_be_read_holds_up_no_other(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        toys.known |= {1: Destination(hook.url, ("a-secret",))}
        toys.unreadable = {2}
        queue(toys, outgoing(shop, 1), outgoing(shop, 2))
        DeliveryFactory.create(subscription=SubscriptionFactory.create(url=hook.url))
        deliverer.wake()
        wait_until(lambda: Delivery.objects.filter(attempts=1, claim_id=None).count() == 3)
        assert len(hook.heard) == 2
        row = Delivery.objects.get(kind="toy", destination_id=2)
        assert (row.status, row.attempts, row.last_error) == ("pending", 1, "The delivery failed on our side.")

    def test_an_outcome_that_its_kind_can_not_take_is_left_to_its_lease(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        toys.known |= {id_: Destination(hook.url, ("a-secret",)) for id_ in (1, 2)}
        toys.unwelcome = {2}
        queue(toys, outgoing(shop, 1), outgoing(shop, 2))
        subscription = SubscriptionFactory.create(url=hook.url)
        DeliveryFactory.create(subscription=subscription)
        deliverer.wake()
        wait_until(lambda: Delivery.objects.filter(status="delivered").count() == 2)
        wait_until(lambda: any(one.destination_id == 2 for batch in toys.told for one in batch))
        assert deliverer.stop(5)
        held = Delivery.objects.get(status="pending")
        assert (held.destination_id, held.attempts, held.claims) == (2, 0, 1)
        assert held.claim_id is not None
        # What it wrote itself went the same way.
        (email,) = Account.objects.filter(email__endswith=".outcome.test").values_list("email", flat=True)
        assert email.endswith("@1.outcome.test")

    def test_nobody_is_told_of_a_delivery_whose_event_is_gone(
        self, toys: Toys, shop: Widget, deliverer: Deliverer
    ) -> None:
        toys.unwelcome = {2}
        queue(toys, outgoing(shop, 2))
        Event.objects.all()._raw_delete("default")
        deliverer.wake()
        wait_until_none_is_pending()
        row = Delivery.objects.get()
        assert (row.status, row.last_error, row.claims, row.claim_id) == ("failed", "Its event is gone.", 1, None)
        assert toys.told == []

    def test_and_is_written_without_it_once_the_delivery_was_claimed_too_often(
        self, toys: Toys, shop: Widget, hook: HookReceiver, deliverer: Deliverer
    ) -> None:
        toys.known[2] = Destination(hook.url, ("a-secret",))
        toys.unwelcome = {2}
        queue(toys, outgoing(shop, 2))
        Delivery.objects.update(claims=20)
        deliverer.wake()
        wait_until_none_is_pending()
        told = Delivery.objects.values_list("status", "last_error").get()
        assert told == ("failed", "The delivery was interrupted too often.")
        assert not Account.objects.filter(email__endswith=".outcome.test").exists()
        assert hook.heard == []


@pytest.mark.parametrize("name", ["", "Toy", "toy-2", "t" * 33, "_toy", "toy'"])
def test_a_kind_has_a_plain_name(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a kind"):
        DestinationType(name=name, read=lambda _: {})


@pytest.mark.parametrize("attempts", [0, 5])
def test_a_kind_has_one_to_four_attempts(attempts: int) -> None:
    with pytest.raises(ValueError, match="attempts"):
        DestinationType(name="toy", read=lambda _: {}, attempts=attempts)


def test_a_name_is_taken_once() -> None:
    assert "subscription" in destinations.kinds()
    with pytest.raises(ValueError, match="already"):
        destinations.register(DestinationType(name="subscription", read=lambda _: {}))


def test_no_secret_is_in_a_repr() -> None:
    text = repr(Destination("https://x.test", ("s3cret",), bearer="b3arer", headers={"X-Key": "k3y"}))
    assert not any(secret in text for secret in ("s3cret", "b3arer", "k3y"))
