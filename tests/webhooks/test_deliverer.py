"""Deliveries over real sockets (specification, "Delivery request", "Retry and redelivery", "Signature rotation")."""

import hashlib
import hmac
import json
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats import actions
from apps.chats.models import Contact
from apps.leases import turns
from apps.webhooks import dispatcher
from apps.webhooks.actions import deliveries
from apps.webhooks.actions.deliveries import Claimed
from apps.webhooks.actions.outbox import OutboxEvent
from apps.webhooks.actions.subscriptions import delete_subscription
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Attempt, Delivery, Event, Subscription
from tests.egress.receivers import closed_port
from tests.factories.webhooks import SECRET, DeliveryFactory, SubscriptionFactory, emit
from tests.webhooks.receivers import Heard, HookReceiver, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def subscribe(receiver: HookReceiver, **fields: Any) -> Subscription:
    return SubscriptionFactory.create(url=receiver.url, **fields)


def wait_until_none_is_pending() -> None:
    wait_until(lambda: not Delivery.objects.filter(status="pending").exists())


def wait_until_settled(delivery: Delivery, attempts: int) -> Delivery:
    """The row once that many attempts are written and nobody holds it."""

    def settled() -> bool:
        delivery.refresh_from_db()
        return delivery.attempts == attempts and delivery.claim_id is None

    wait_until(settled)
    return delivery


def make_due() -> None:
    Delivery.objects.filter(status="pending").update(due_at=timezone.now())


def test_a_delivery_is_a_signed_post(hook: HookReceiver, deliverer: Deliverer, shop: Widget, ivan: Contact) -> None:
    subscribe(hook, widget=shop)
    message = actions.post_client_message(contact=ivan, content={"type": "text", "body": "Hello"})
    began = int(time.time())
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    delivery = Delivery.objects.get()
    assert heard.path == "/hook"
    assert heard.headers["content-type"] == "application/json"
    assert heard.headers["x-service-event"] == heard.json["type"] == "message.created"
    assert heard.headers["x-service-idempotency-key"] == heard.json["id"] == str(delivery.event.guid)
    assert heard.headers["x-service-delivery"] == str(delivery.guid)
    assert began <= int(heard.headers["x-service-timestamp"]) <= int(time.time())
    assert "parley" in heard.headers["user-agent"].lower()
    assert heard.headers["x-service-signature"] == signed(heard, SECRET)
    assert heard.json["data"]["message_id"] == message.id
    wait_until_none_is_pending()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.response_status) == ("delivered", 1, 200)


def signed(heard: Heard, secret: str) -> str:
    return "sha256=v1:" + hmac.new(secret.encode(), heard.body, hashlib.sha256).hexdigest()


def test_a_post_that_could_outlast_its_claim_is_not_begun(
    hook: HookReceiver, deliverer: Deliverer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to the first claim comes when its lease may be over: it is given back, and claimed again."""
    delivery = DeliveryFactory.create(subscription=subscribe(hook))
    claims: list[list[Claimed]] = []
    take = deliveries.claim

    def claim(**how: Any) -> list[Claimed]:
        claimed = take(**how)
        if claimed:
            claims.append(claimed)
        monkeypatch.setattr(dispatcher, "START_AFTER_CLAIM_S", 15 if len(claims) > 1 else -1)
        return claimed

    monkeypatch.setattr(deliveries, "claim", claim)
    deliverer.wake()
    hook.wait_for(1)
    wait_until_settled(delivery, 1)
    assert [[one.id for one in claimed] for claimed in claims] == [[delivery.id], [delivery.id]]
    assert (len(hook.heard), delivery.status, delivery.claims) == (1, "delivered", 1)


def test_one_event_has_one_key_and_one_body_for_all_receivers(
    hook: HookReceiver, deliverer: Deliverer, shop: Widget
) -> None:
    for path in ("/a", "/b"):
        SubscriptionFactory.create(widget=shop, url=hook.url + path, secret=f"a-secret-for-{path}")
    emit([OutboxEvent("message.created", shop.pk, shop.guid, {"chat_id": 1})])
    deliverer.wake()
    one, other = hook.wait_for(2)
    assert one.body == other.body
    assert one.headers["x-service-idempotency-key"] == other.headers["x-service-idempotency-key"]
    assert one.headers["x-service-delivery"] != other.headers["x-service-delivery"]
    assert one.headers["x-service-signature"] != other.headers["x-service-signature"]


def test_there_are_four_attempts_with_the_same_bytes(settings: Any, deliverer: Deliverer) -> None:
    with HookReceiver(500, 404, 302, 503) as hook:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}"]
        delivery = DeliveryFactory.create(subscription=subscribe(hook))
        for attempt, (status, wait_s) in enumerate([(500, 10), (404, 20), (302, 40)], start=1):
            deliverer.wake()
            wait_until_settled(delivery, attempt)
            assert (delivery.status, delivery.response_status) == ("pending", status)
            assert wait_s - 3 < (delivery.due_at - timezone.now()).total_seconds() <= wait_s
            make_due()
        deliverer.wake()
        wait_until_settled(delivery, 4)
        assert (delivery.status, delivery.response_status) == ("failed", 503)
        assert delivery.last_error == "The receiver answered 503."
        heard = hook.wait_for(4)
    assert len({one.body for one in heard}) == 1
    for header in ("x-service-idempotency-key", "x-service-delivery", "x-service-signature"):
        assert len({one.headers[header] for one in heard}) == 1


def test_a_retry_starts_by_itself_within_two_seconds_of_its_time(hook: HookReceiver, deliverer: Deliverer) -> None:
    due_at = timezone.now() + timedelta(seconds=1.5)
    DeliveryFactory.create(subscription=subscribe(hook), attempts=1, due_at=due_at)
    deliverer.wake()
    hook.wait_for(1)
    assert 0 <= (timezone.now() - due_at).total_seconds() < 2


def test_a_redirect_is_a_failed_attempt_and_not_followed(settings: Any, deliverer: Deliverer) -> None:
    with HookReceiver() as elsewhere, HookReceiver(302, headers={"Location": elsewhere.url}) as hook:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}", f"127.0.0.1:{elsewhere.port}"]
        delivery = DeliveryFactory.create(subscription=subscribe(hook))
        deliverer.wake()
        wait_until_settled(delivery, 1)
        assert (delivery.status, delivery.response_status) == ("pending", 302)
        assert elsewhere.heard == []


def test_a_refused_connection_is_a_failed_attempt(settings: Any, deliverer: Deliverer) -> None:
    port = closed_port()
    settings.EGRESS_ALLOW = [f"127.0.0.1:{port}"]
    delivery = DeliveryFactory.create(subscription__url=f"http://127.0.0.1:{port}/")
    deliverer.wake()
    wait_until_settled(delivery, 1)
    assert (delivery.status, delivery.response_status) == ("pending", None)
    assert delivery.last_error == "The address could not be reached."


@pytest.mark.parametrize("url", ["https://10.0.0.1/", "https://localhost/", "http://127.0.0.1:9/", "https://[::1]/"])
def test_a_private_address_fails_for_good_at_once(deliverer: Deliverer, url: str) -> None:
    delivery = DeliveryFactory.create(subscription__url=url)
    deliverer.wake()
    wait_until_none_is_pending()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("failed", 0)
    assert delivery.last_error


def test_a_subscription_without_a_secret_fails_for_good_at_once(hook: HookReceiver, deliverer: Deliverer) -> None:
    delivery = DeliveryFactory.create(subscription=subscribe(hook, secret=""))
    deliverer.wake()
    wait_until_none_is_pending()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("failed", 0)
    assert delivery.last_error == "There is no signing secret."
    assert hook.heard == []


def test_a_secret_that_can_not_be_read_is_one_subscription_s_trouble(hook: HookReceiver, deliverer: Deliverer) -> None:
    broken = DeliveryFactory.create(subscription=subscribe(hook))
    fine = DeliveryFactory.create(subscription=SubscriptionFactory.create(url=hook.url + "/fine"))
    Subscription.objects.filter(pk=broken.destination_id).update(secret=RawSQL("'gAAAAA-no-token-of-ours'", ()))
    deliverer.wake()
    wait_until_settled(fine, 1)
    wait_until_settled(broken, 1)
    assert (fine.status, broken.status) == ("delivered", "pending")
    assert broken.last_error == "The delivery failed on our side."
    assert [heard.path for heard in hook.heard] == ["/hook/fine"]


def test_what_waits_is_signed_with_the_secret_of_the_moment(settings: Any, deliverer: Deliverer) -> None:
    with HookReceiver(500, 200) as hook:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{hook.port}"]
        subscription = subscribe(hook)
        delivery = DeliveryFactory.create(subscription=subscription)
        deliverer.wake()
        wait_until_settled(delivery, 1)
        subscription.secret = "another-secret-entirely"
        subscription.save()
        make_due()
        deliverer.wake()
        before, after = hook.wait_for(2)
    assert before.headers["x-service-signature"] == signed(before, SECRET)
    assert after.headers["x-service-signature"] == signed(after, "another-secret-entirely")


@pytest.mark.parametrize("how", ["deleted", "deactivated", "switched off"])
def test_what_nobody_wants_any_more_is_dropped_in_silence(hook: HookReceiver, deliverer: Deliverer, how: str) -> None:
    subscription = subscribe(hook)
    delivery = DeliveryFactory.create(subscription=subscription)
    if how == "deleted":
        delete_subscription(widget_id=subscription.widget_id, subscription_id=subscription.pk)
    elif how == "deactivated":
        Subscription.objects.update(is_active=False)
    else:
        set_event_enabled(name="message.created", enabled=False)
    deliverer.wake()
    wait_until_none_is_pending()
    row = Delivery.objects.get(pk=delivery.pk)
    assert (row.status, row.attempts, row.last_error) == ("skipped", 0, "")
    assert hook.heard == []


def test_a_legacy_subscription_gets_its_envelope(hook: HookReceiver, deliverer: Deliverer, shop: Widget) -> None:
    set_event_enabled(name="chat.closed", enabled=True)
    subscribe(hook, widget=shop, events=["chat_finished"], is_legacy_compat=True)
    emit([OutboxEvent("chat.closed", shop.pk, shop.guid, {"chat_id": 5, "reason": "expired"})])
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    assert heard.json == {"event_name": "chat_finished", "widget_id": shop.guid, "chat_id": 5, "reason": "expired"}
    assert heard.headers["x-service-event"] == "chat_finished"
    assert heard.headers["x-service-signature"] == signed(heard, SECRET)


def test_personal_data_arrives_in_the_clear(hook: HookReceiver, deliverer: Deliverer, shop: Widget) -> None:
    set_event_enabled(name="offline_message.created", enabled=True)
    subscribe(hook, widget=shop, events=["offline_message.created"])
    data = {"chat_id": 1, "name": "Иван", "email": "ivan@mail.test", "phone": "+7 901 123-45-67"}
    emit([OutboxEvent("offline_message.created", shop.pk, shop.guid, data)])
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    assert json.loads(heard.body)["data"] == {**data, "button_guid": shop.guid}


def test_a_delivery_that_was_interrupted_too_often_fails(hook: HookReceiver, deliverer: Deliverer) -> None:
    delivery = DeliveryFactory.create(subscription=subscribe(hook), claims=20)
    deliverer.wake()
    wait_until_none_is_pending()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.last_error) == ("failed", "The delivery was interrupted too often.")
    assert hook.heard == []


def test_a_delivery_whose_event_is_gone_fails_and_is_claimed_no_more(
    hook: HookReceiver, deliverer: Deliverer, caplog: pytest.LogCaptureFixture
) -> None:
    subscription = subscribe(hook)
    gone, other = DeliveryFactory.create_batch(2, subscription=subscription)
    Event.objects.filter(pk=gone.event_id)._raw_delete("default")
    deliverer.wake()
    hook.wait_for(1)
    wait_until_none_is_pending()
    gone.refresh_from_db()
    assert (gone.status, gone.attempts, gone.last_error) == ("failed", 0, "Its event is gone.")
    assert (gone.claims, gone.claim_id, gone.lease_until) == (1, None, None)
    assert [heard.headers["x-service-delivery"] for heard in hook.wait_for(1)] == [str(other.guid)]
    assert f"webhook delivery {gone.guid} has failed: its event is gone" in caplog.text


def test_two_deliverers_at_once_deliver_each_once(hook: HookReceiver, deliverer: Deliverer) -> None:
    subscriptions = [SubscriptionFactory.create(url=f"{hook.url}/{n}") for n in range(4)]
    for subscription in subscriptions:
        DeliveryFactory.create_batch(50, subscription=subscription)
    second = Deliverer()
    try:
        deliverer.wake()
        second.wake()
        wait_until_none_is_pending()
    finally:
        assert second.stop(5)
    assert len(hook.heard) == 200
    assert len({heard.headers["x-service-delivery"] for heard in hook.heard}) == 200
    assert set(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1)}


def test_a_hanging_receiver_starves_nobody(settings: Any, deliverer: Deliverer) -> None:
    with HookReceiver() as hanging, HookReceiver() as other:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{hanging.port}", f"127.0.0.1:{other.port}"]
        hanging.hold()
        DeliveryFactory.create_batch(100, subscription=subscribe(hanging))
        deliverer.wake()
        hanging.wait_for(turns.FIRST_ALLOWANCE)
        DeliveryFactory.create_batch(30, subscription=subscribe(other))
        began = time.monotonic()
        deliverer.wake()
        other.wait_for(30)
        assert time.monotonic() - began < 2
        # What waits behind the hanging posts goes back to the queue, for any worker to take.
        held = Delivery.objects.filter(claim_id__isnull=False, status="pending")
        wait_until(lambda: held.count() == turns.FIRST_ALLOWANCE)
        assert len(hanging.heard) == turns.FIRST_ALLOWANCE
        hanging.release()
        wait_until_none_is_pending()
    assert set(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1)}


def test_a_stop_ends_what_is_under_way_and_gives_back_the_rest(hook: HookReceiver, deliverer: Deliverer) -> None:
    hook.hold()
    DeliveryFactory.create_batch(50, subscription=subscribe(hook))
    deliverer.wake()
    hook.wait_for(turns.FIRST_ALLOWANCE)
    assert deliverer.stop(0.01) is False  # it begins to end, and waits for the answers
    hook.release()
    assert deliverer.stop(5)
    counts = {status: Delivery.objects.filter(status=status).count() for status in ("delivered", "pending")}
    assert counts["delivered"] == len(hook.heard) < 50
    assert counts["delivered"] + counts["pending"] == 50
    assert not Delivery.objects.filter(claim_id__isnull=False).exists()
    assert not Delivery.objects.filter(status="pending", claims__gt=0).exists()


def test_a_stopped_deliverer_starts_again(hook: HookReceiver, deliverer: Deliverer) -> None:
    subscription = subscribe(hook)
    for count in (1, 2):
        DeliveryFactory.create(subscription=subscription)
        deliverer.wake()
        hook.wait_for(count)
        assert deliverer.stop(5)
    wait_until_none_is_pending()


def test_what_ends_while_the_database_is_away_is_written_once_it_is_back(
    hook: HookReceiver, deliverer: Deliverer
) -> None:
    hook.hold()
    DeliveryFactory.create_batch(3, subscription=subscribe(hook))
    deliverer.wake()
    hook.wait_for(3)
    cut_its_connection()
    hook.release()
    wait_until_none_is_pending()
    assert set(Delivery.objects.values_list("status", "attempts", "claims")) == {("delivered", 1, 1)}
    assert Attempt.objects.count() == len(hook.heard) == 3


def cut_its_connection() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE %s",
            ["%webhooks_%"],
        )
        assert cursor.fetchall()


def test_it_goes_on_when_its_database_connection_is_cut(hook: HookReceiver, deliverer: Deliverer) -> None:
    subscription = subscribe(hook)
    DeliveryFactory.create(subscription=subscription)
    deliverer.wake()
    hook.wait_for(1)
    wait_until_none_is_pending()
    cut_its_connection()
    DeliveryFactory.create(subscription=subscription)
    deliverer.wake()
    hook.wait_for(2)
    wait_until_none_is_pending()
