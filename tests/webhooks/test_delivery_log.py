"""The delivery log over REST, and sending again (specification, "Retry and redelivery")."""

import uuid
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.webhooks.actions.outbox import OutboxEvent
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery, Subscription
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.webhooks import DeliveryFactory, EventFactory, SubscriptionFactory, emit
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
PATH = "/webhook-subscriptions"
FORM = {
    "chat_id": 7,
    "client_id": "0d9f2b7c4e6a48135f7089abcdef1234",
    "message_id": 42,
    "name": "Ольга, 8 (901) 123-45-67",
    "email": "olga@mail.test",
    "phone": "+7 901 123-45-67",
}


@pytest.fixture
def subscription(shop: Widget) -> Subscription:
    return SubscriptionFactory.create(widget=shop)


def log(api: ApiClient, subscription: Subscription, **query: Any) -> Any:
    return api.get(f"{PATH}/{subscription.pk}/deliveries", query=query).json()


def again(api: ApiClient, subscription: Subscription, delivery_id: Any) -> Any:
    return api.post(f"{PATH}/{subscription.pk}/redeliver", json={"delivery_id": str(delivery_id)})


class TestLog:
    def test_a_row_has_what_was_sent_and_what_came_of_it(self, api: ApiClient, subscription: Subscription) -> None:
        delivery = DeliveryFactory.create(
            subscription=subscription, status="failed", attempts=4, response_status=503, last_error="It answered 503."
        )
        (row,) = log(api, subscription)["data"]
        assert row.pop("created_at").endswith("Z")
        assert row == {
            "delivery_id": str(delivery.guid),
            "event_id": str(delivery.event.guid),
            "event_type": "message.created",
            "status": "failed",
            "payload": {
                "id": str(delivery.event.guid),
                "type": "message.created",
                "data": {
                    "chat_id": 1,
                    "message_id": 2,
                    "client_id": "0" * 32,
                    "author_type": "USER",
                    "source": "widget",
                    "button_guid": subscription.widget.guid,
                },
            },
            "is_redeliverable": True,
            "attempts": 4,
            "response_status": 503,
            "last_error": "It answered 503.",
            "delivered_at": None,
        }

    def test_personal_data_in_the_payload_is_hidden(self, api: ApiClient, shop: Widget) -> None:
        set_event_enabled(name="offline_message.created", enabled=True)
        subscription = SubscriptionFactory.create(widget=shop, events=["offline_message.created"])
        emit([OutboxEvent("offline_message.created", shop.pk, shop.guid, FORM)])
        (row,) = log(api, subscription)["data"]
        hidden = {"name": "Ольга, [скрыто]", "email": "[скрыто]", "phone": "[скрыто]"}
        assert row["payload"]["data"] == {**FORM, **hidden, "button_guid": shop.guid}

    def test_a_payload_whose_key_is_lost_is_empty_and_all_else_of_the_log_is_there(
        self, api: ApiClient, cabinet: Client, shop: Widget, settings: Any
    ) -> None:
        set_event_enabled(name="offline_message.created", enabled=True)
        subscription = SubscriptionFactory.create(widget=shop, events=["offline_message.created"])
        emit([OutboxEvent("offline_message.created", shop.pk, shop.guid, FORM)])
        settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
        (row,) = log(api, subscription)["data"]
        assert (row["payload"], row["event_type"], row["status"]) == ({}, "offline_message.created", "pending")
        page = f"/admin/webhooks/delivery/{Delivery.objects.get().pk}/change/"
        assert cabinet.get(page).status_code == 200

    def test_it_is_newest_first_and_pages_by_cursor(self, api: ApiClient, subscription: Subscription) -> None:
        names = [str(DeliveryFactory.create(subscription=subscription).guid) for _ in range(5)]
        DeliveryFactory.create(subscription__widget=subscription.widget)
        seen: list[str] = []
        query: dict[str, Any] = {"limit": 2}
        for _ in range(3):
            page = log(api, subscription, **query)
            seen += [row["delivery_id"] for row in page["data"]]
            query["cursor"] = page["next_cursor"]
        assert query["cursor"] is None
        assert seen == names[::-1]

    def test_it_costs_the_same_statements_whatever_its_length(self, api: ApiClient, subscription: Subscription) -> None:
        def statements(limit: int) -> int:
            with CaptureQueriesContext(connection) as made:
                log(api, subscription, limit=limit)
            # A token is looked up again now and then.
            return sum("webhooks_" in statement["sql"] for statement in made)

        DeliveryFactory.create(subscription=subscription)
        few = statements(1)
        DeliveryFactory.create_batch(60, subscription=subscription)
        assert len(log(api, subscription, limit=100)["data"]) == 61
        assert statements(100) == few <= 3

    def test_it_is_filtered_by_status_and_event_type(self, api: ApiClient, subscription: Subscription) -> None:
        for status in ("pending", "delivered", "failed", "skipped"):
            for event_type in ("message.created", "chat.closed"):
                DeliveryFactory.create(subscription=subscription, status=status, event_type=event_type)
        for status in ("pending", "delivered", "failed", "skipped"):
            assert [row["status"] for row in log(api, subscription, status=status)["data"]] == [status] * 2
        for name in ("chat.closed", "chat_finished"):
            rows = log(api, subscription, event_type=name)["data"]
            assert [row["event_type"] for row in rows] == ["chat.closed"] * 4
        assert len(log(api, subscription, status="failed", event_type="message.created")["data"]) == 1

    @pytest.mark.parametrize(
        "query",
        [
            *({"status": "lost"}, {"status": ""}, {"status": "DELIVERED"}, {"event_type": "chat.updated"}),
            *({"event_type": ""}, {"limit": 0}, {"limit": 101}, {"cursor": "x"}, {"is_redeliverable": "1"}),
        ],
    )
    def test_a_filter_that_is_wrong_is_refused(
        self, api: ApiClient, subscription: Subscription, query: dict[str, Any]
    ) -> None:
        answer = api.get(f"{PATH}/{subscription.pk}/deliveries", query=query)
        assert_problem(answer, 422, "invalid_input", errors=list(query))

    def test_of_a_foreign_a_deleted_and_no_subscription_it_is_404(
        self, api: ApiClient, subscription: Subscription, rival: Rival
    ) -> None:
        foreign = DeliveryFactory.create(subscription__widget=rival.widget).destination_id
        DeliveryFactory.create(subscription=subscription)
        deleted = subscription.pk
        subscription.delete()
        for id_ in (foreign, deleted, 999_999_999):
            assert_problem(api.get(f"{PATH}/{id_}/deliveries"), 404, "not_found")

    def test_of_the_legacy_envelope_it_has_final_failures_only(self, api: ApiClient, shop: Widget) -> None:
        subscription = SubscriptionFactory.create(widget=shop, events=["chat_finished"], is_legacy_compat=True)
        set_event_enabled(name="chat.closed", enabled=True)
        emit([OutboxEvent("chat.closed", shop.pk, shop.guid, {"chat_id": 7, "reason": "Звоните 89011234567"})])
        for status in ("pending", "delivered", "skipped"):
            Delivery.objects.update(status=status)
            assert log(api, subscription)["data"] == []
        Delivery.objects.update(status="failed")
        (row,) = log(api, subscription)["data"]
        assert row["payload"] == {
            "event_name": "chat_finished",
            "widget_id": shop.guid,
            "chat_id": 7,
            "reason": "Звоните [скрыто]",
        }
        assert (row["event_type"], row["is_redeliverable"]) == ("chat.closed", False)
        assert_problem(again(api, subscription, row["delivery_id"]), 422, "invalid_input", errors=["delivery_id"])

    @pytest.mark.parametrize(
        ("query", "index"),
        [
            ({}, "webhooks_delivery_log"),
            ({"event_type": "chat.closed"}, "webhooks_delivery_by_type"),
            ({"status": "failed"}, "webhooks_delivery_"),  # as few as there are here, either will do
        ],
    )
    def test_each_filter_has_its_index(self, subscription: Subscription, query: dict[str, str], index: str) -> None:
        event = EventFactory.create(widget=subscription.widget)
        for each, many in ((subscription, 60), (SubscriptionFactory.create(widget=subscription.widget), 2000)):
            of_each = {"subscription": each, "event": event, "event_type": "message.created", "status": "delivered"}
            Delivery.objects.bulk_create(DeliveryFactory.build_batch(many, **of_each))
        rows = Delivery.objects.for_widget(subscription.widget_id).logged(subscription.pk).filter(**query)[:21]
        with connection.cursor() as cursor:
            cursor.execute(
                "ANALYZE webhooks_delivery;"
                "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off"
            )
        assert index in rows.explain()


class TestRedelivery:
    @pytest.mark.parametrize("status", ["failed", "delivered", "skipped"])
    def test_it_is_queued_under_a_new_name_with_the_same_event(
        self, api: ApiClient, subscription: Subscription, status: str
    ) -> None:
        delivery = DeliveryFactory.create(subscription=subscription, status=status, attempts=4)
        answer = again(api, subscription, delivery.guid)
        assert answer.status_code == 202
        new = Delivery.objects.exclude(pk=delivery.pk).get()
        assert answer.json() == {"data": {"delivery_id": str(new.guid), "envelope": "native"}}
        assert new.guid != delivery.guid
        assert (new.event, new.destination_id) == (delivery.event, subscription.pk)
        assert (new.status, new.attempts) == ("pending", 0)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempts) == (status, 4)

    def test_the_envelope_is_the_one_that_the_subscription_uses_now(
        self, api: ApiClient, subscription: Subscription
    ) -> None:
        set_event_enabled(name="chat.closed", enabled=True)
        delivery = DeliveryFactory.create(subscription=subscription, status="failed", event_type="chat.closed")
        changes = {"is_legacy_compat": True, "events": ["chat_finished"]}
        assert api.patch(f"{PATH}/{subscription.pk}", json=changes).status_code == 200
        assert log(api, subscription)["data"][0]["is_redeliverable"] is True
        answer = again(api, subscription, delivery.guid).json()["data"]
        assert answer["envelope"] == "legacy"
        assert Delivery.objects.get(guid=answer["delivery_id"]).is_legacy

    @pytest.mark.parametrize(
        ("row", "now"),
        [
            ({"status": "pending"}, {}),
            ({"status": "failed"}, {"is_active": False}),
            ({"status": "failed"}, {"is_legacy_compat": True}),
            ({"status": "failed", "is_legacy": True}, {}),
            ({"status": "failed", "event_type": "chat.created"}, {}),
        ],
        ids=["under way", "inactive", "no legacy name", "sent as legacy", "switched off"],
    )
    def test_what_the_log_calls_irredeliverable_is_422_and_nothing_is_queued(
        self, api: ApiClient, subscription: Subscription, row: dict[str, Any], now: dict[str, bool]
    ) -> None:
        delivery = DeliveryFactory.create(subscription=subscription, **row)
        Subscription.objects.update(**now)
        assert log(api, subscription)["data"][0]["is_redeliverable"] is False
        rows = snapshot()
        assert_problem(again(api, subscription, delivery.guid), 422, "invalid_input", errors=["delivery_id"])
        assert snapshot() == rows

    def test_a_delivery_of_another_subscription_or_none_is_404_and_nothing_is_queued(
        self, api: ApiClient, subscription: Subscription, rival: Rival
    ) -> None:
        others = [
            DeliveryFactory.create(subscription__widget=widget, status="failed").guid
            for widget in (subscription.widget, rival.widget)
        ]
        rows = snapshot()
        problems = [assert_problem(again(api, subscription, id_), 404, "not_found") for id_ in (*others, uuid.uuid4())]
        assert problems[0] == problems[1] == problems[2]
        assert snapshot() == rows

    def test_of_a_deleted_subscription_it_is_404(self, api: ApiClient, subscription: Subscription) -> None:
        delivery = DeliveryFactory.create(subscription=subscription, status="failed")
        gone = Subscription(pk=subscription.pk)
        subscription.delete()
        assert_problem(again(api, gone, delivery.guid), 404, "not_found")
        assert Delivery.objects.count() == 1

    @pytest.mark.parametrize("body", [{"delivery_id": "7"}, {"delivery_id": 7}, {"delivery_id": None}])
    def test_what_is_no_name_of_a_delivery_is_422(
        self, api: ApiClient, subscription: Subscription, body: dict[str, Any]
    ) -> None:
        answer = api.post(f"{PATH}/{subscription.pk}/redeliver", json=body)
        assert_problem(answer, 422, "invalid_input", errors=["delivery_id"])
