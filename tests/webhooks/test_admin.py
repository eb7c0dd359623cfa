"""Webhooks in the cabinet: the platform's switches, and each account's own subscriptions and log."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.webhooks.actions.outbox import OutboxEvent
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Attempt, Delivery, Event, EventSwitch, Subscription
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.webhooks import SECRET, DeliveryFactory, SubscriptionFactory, emit

pytestmark = pytest.mark.django_db
PAGES = "/admin/webhooks/"


@pytest.fixture
def ops() -> Client:
    """The browser of somebody who runs the installation."""
    return signed_in(SuperuserFactory.create())


@pytest.fixture
def staff(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account))


def test_who_runs_the_installation_flips_a_switch(ops: Client) -> None:
    page = ops.get(f"{PAGES}eventswitch/")
    assert page.status_code == 200
    assert all(name in page.content.decode() for name in ("message.created", "chat.closed", "chat_finished"))
    answer = ops.post(f"{PAGES}eventswitch/chat.closed/change/", {"enabled": "on"})
    assert answer.status_code == 302
    enabled = EventSwitch.objects.filter(enabled=True).values_list("name", flat=True)
    assert set(enabled) == {"message.created", "chat.closed"}


def test_an_account_s_staff_flips_no_switch(staff: Client) -> None:
    answer = staff.post(f"{PAGES}eventswitch/chat.closed/change/", {"enabled": "on"})
    assert answer.status_code in (403, 404)
    assert not EventSwitch.objects.get(name="chat.closed").enabled


def test_staff_see_the_subscriptions_of_their_account_alone(staff: Client, shop: Widget, rival: Rival) -> None:
    own, foreign = (SubscriptionFactory.create(widget=widget) for widget in (shop, rival.widget))
    page = staff.get(f"{PAGES}subscription/").content.decode()
    assert own.url in page
    assert foreign.url not in page
    assert staff.get(f"{PAGES}subscription/{own.pk}/change/").status_code == 200
    assert staff.get(f"{PAGES}subscription/{foreign.pk}/change/").status_code == 404


def test_staff_see_the_deliveries_of_their_account_alone(staff: Client, shop: Widget, rival: Rival) -> None:
    own, foreign = (DeliveryFactory.create(subscription__widget=widget) for widget in (shop, rival.widget))
    page = staff.get(f"{PAGES}delivery/").content.decode()
    assert str(own.guid) in page
    assert str(foreign.guid) not in page
    assert staff.get(f"{PAGES}delivery/{own.pk}/change/").status_code == 200
    assert staff.get(f"{PAGES}delivery/{foreign.pk}/change/").status_code == 404


def test_the_log_of_a_deleted_subscription_is_shown(staff: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop)
    Subscription.objects.filter(pk=delivery.destination_id).delete()
    assert str(delivery.guid) in staff.get(f"{PAGES}delivery/").content.decode()
    assert staff.get(f"{PAGES}delivery/{delivery.pk}/change/").status_code == 200


def test_the_page_of_a_delivery_shows_every_attempt(staff: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status="delivered", attempts=2)
    for number, status, error in ((1, None, "No <answer>."), (2, 200, "")):
        Attempt.objects.create(
            delivery=delivery,
            number=number,
            started_at=timezone.now(),
            milliseconds=1200 * number,
            response_status=status,
            error=error,
        )
    page = staff.get(f"{PAGES}delivery/{delivery.pk}/change/").content.decode()
    assert "No &lt;answer&gt;. · 1200 ms" in page
    assert "200 · 2400 ms" in page


def test_a_delivery_of_another_kind_is_shown_without_its_address_and_not_sent_again(
    staff: Client, shop: Widget
) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    delivery = DeliveryFactory.create(subscription=subscription, kind="toy", status="failed")
    page = staff.get(f"{PAGES}delivery/{delivery.pk}/change/").content.decode()
    assert f"toy {subscription.pk}" in page
    assert subscription.url not in page
    assert "redeliver" not in page
    again(staff, delivery)
    assert Delivery.objects.count() == 1


def test_a_delivery_whose_event_is_gone_is_shown_and_not_sent_again(ops: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status="failed", last_error="Its event is gone.")
    Event.objects.filter(pk=delivery.event_id)._raw_delete("default")
    assert "Its event is gone." in ops.get(f"{PAGES}delivery/").content.decode()
    page = ops.get(f"{PAGES}delivery/{delivery.pk}/change/")
    assert page.status_code == 200
    assert "Its event is gone." in page.content.decode()
    assert "redeliver" not in page.content.decode()
    assert again(ops, delivery).status_code == 404
    assert Delivery.objects.count() == 1


def test_no_page_shows_a_secret(ops: Client, shop: Widget) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    for path in ("subscription/", f"subscription/{subscription.pk}/change/"):
        answer = ops.get(PAGES + path)
        assert answer.status_code == 200
        assert SECRET not in answer.content.decode()


def test_deliveries_are_read_only(ops: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop)
    assert ops.post(f"{PAGES}delivery/{delivery.pk}/change/", {"status": "failed"}).status_code == 403
    assert ops.post(f"{PAGES}delivery/{delivery.pk}/delete/", {"post": "yes"}).status_code == 403
    for model in ("delivery", "eventswitch"):
        assert ops.get(f"{PAGES}{model}/add/").status_code == 403


def again(browser: Client, delivery: Delivery) -> Any:
    return browser.post(f"{PAGES}delivery/{delivery.pk}/redeliver/")


@pytest.mark.parametrize("status", ["failed", "delivered", "skipped"])
def test_a_delivery_that_is_over_is_sent_again_under_a_new_id(staff: Client, shop: Widget, status: str) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status=status, attempts=4)
    page = f"{PAGES}delivery/{delivery.pk}/redeliver/"
    assert page in staff.get(f"{PAGES}delivery/{delivery.pk}/change/").content.decode()
    assert delivery.event_type in staff.get(page).content.decode()
    assert Delivery.objects.count() == 1
    answer = again(staff, delivery)
    new = Delivery.objects.exclude(pk=delivery.pk).get()
    assert answer.headers["Location"] == f"{PAGES}delivery/{new.pk}/change/"
    assert (new.event, new.destination_id, new.event_type) == (
        *(delivery.event, delivery.destination_id),
        delivery.event_type,
    )
    assert (new.status, new.attempts, new.is_legacy) == ("pending", 0, False)
    assert new.guid != delivery.guid
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == (status, 4)


def test_the_envelope_is_the_one_that_the_subscription_uses_now(staff: Client, shop: Widget) -> None:
    set_event_enabled(name="chat.closed", enabled=True)
    delivery = DeliveryFactory.create(subscription__widget=shop, status="failed", event_type="chat.closed")
    Subscription.objects.update(is_legacy_compat=True)
    again(staff, delivery)
    assert Delivery.objects.exclude(pk=delivery.pk).get().is_legacy


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"is_active": False}, "Its subscription is not active."),
        ({"is_legacy_compat": True}, "has no name for this event."),
        (None, "Its subscription is deleted."),
    ],
)
def test_what_cannot_be_sent_again_is_refused(
    staff: Client, shop: Widget, change: dict[str, bool] | None, refusal: str
) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status="failed", event_type="message.created")
    if change is None:
        Subscription.objects.all().delete()
    else:
        Subscription.objects.update(**change)
    page = staff.post(f"{PAGES}delivery/{delivery.pk}/redeliver/", follow=True)
    assert refusal in page.content.decode()
    assert Delivery.objects.count() == 1


def test_one_under_way_is_not_sent_twice(staff: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status="pending")
    assert "/redeliver/" not in staff.get(f"{PAGES}delivery/{delivery.pk}/change/").content.decode()
    again(staff, delivery)
    assert Delivery.objects.count() == 1


def test_another_accounts_delivery_cannot_be_sent_again(staff: Client, rival: Rival) -> None:
    delivery = DeliveryFactory.create(subscription__widget=rival.widget, status="failed")
    assert staff.get(f"{PAGES}delivery/{delivery.pk}/redeliver/").status_code == 404
    assert again(staff, delivery).status_code == 404
    assert Delivery.objects.count() == 1


def test_the_log_is_filtered_by_status_and_event(staff: Client, shop: Widget) -> None:
    failed = DeliveryFactory.create(subscription__widget=shop, status="failed", event_type="chat.closed")
    other = DeliveryFactory.create(subscription__widget=shop, status="delivered", event_type="message.created")
    for query in ({"status__exact": "failed"}, {"event_type": "chat.closed"}):
        page = staff.get(f"{PAGES}delivery/", query).content.decode()
        assert (str(failed.guid) in page, str(other.guid) in page) == (True, False)
    assert staff.get(f"{PAGES}delivery/", {"event__body__contains": "a"}).status_code == 400


def test_the_log_asks_no_more_for_more_rows(staff: Client, shop: Widget) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            staff.get(f"{PAGES}delivery/")
        return len(queries)

    DeliveryFactory.create(subscription__widget=shop)
    before = asked()
    DeliveryFactory.create_batch(4, subscription__widget=shop)
    assert asked() == before


class TestWhoGetsWhat:
    """A type that is switched off looks as good as any other, unless somebody says it."""

    def test_a_switch_says_who_wants_its_event(self, ops: Client, shop: Widget, rival: Rival) -> None:
        for widget in (shop, shop, rival.widget):
            SubscriptionFactory.create(widget=widget, events=["message.created", "chat.closed"])
        SubscriptionFactory.create(widget=shop, events=["chat_finished"], is_legacy_compat=True)
        SubscriptionFactory.create(widget=shop, events=["chat.closed"], is_active=False)
        page = ops.get(f"{PAGES}eventswitch/chat.closed/change/").content.decode()
        assert "4 active subscriptions of 2 widgets" in page
        pages = ops.get(f"{PAGES}eventswitch/").content.decode()
        assert pages.count("4 active subscriptions of 2 widgets") == 1
        assert pages.count("3 active subscriptions of 2 widgets") == 1
        assert pages.count("nobody") - pages.count("a chat that nobody had answered") == 19

    def test_the_switches_ask_no_more_for_more_subscriptions(self, ops: Client, shop: Widget) -> None:
        def asked() -> int:
            with CaptureQueriesContext(connection) as queries:
                ops.get(f"{PAGES}eventswitch/")
            return len(queries)

        before = asked()
        SubscriptionFactory.create_batch(4, widget=shop)
        assert asked() == before

    @pytest.mark.parametrize(
        ("events", "is_legacy", "said"),
        [
            (["message.created", "chat.closed", "chat.created"], False, "chat.closed, chat.created: switched off"),
            (["chat_finished"], True, "chat_finished: switched off for the whole installation"),
            (["message.created"], False, None),
        ],
    )
    def test_a_subscription_says_which_of_its_events_are_not_delivered(
        self, staff: Client, shop: Widget, events: list[str], is_legacy: bool, said: str | None
    ) -> None:
        subscription = SubscriptionFactory.create(widget=shop, events=events, is_legacy_compat=is_legacy)
        for path in ("subscription/", f"subscription/{subscription.pk}/change/"):
            page = staff.get(PAGES + path).content.decode()
            assert (said in page) if said else (": switched off for the whole" not in page)


def test_the_log_shows_why_a_delivery_failed_and_a_button_to_send_it_again(staff: Client, shop: Widget) -> None:
    error = "The receiver answered 503."
    delivery = DeliveryFactory.create(subscription__widget=shop, status="failed", attempts=4, last_error=error)
    for path in ("delivery/", f"delivery/{delivery.pk}/change/"):
        page = staff.get(PAGES + path).content.decode()
        assert error in page
        assert f"{PAGES}delivery/{delivery.pk}/redeliver/" in page


def test_a_delivery_shows_what_was_sent_with_personal_data_hidden(staff: Client, shop: Widget) -> None:
    set_event_enabled(name="offline_message.created", enabled=True)
    SubscriptionFactory.create(widget=shop, events=["offline_message.created"])
    data = {"chat_id": 7, "name": "<Olga>", "email": "olga@mail.test", "phone": "+7 901 123-45-67"}
    emit([OutboxEvent("offline_message.created", shop.pk, shop.guid, data)])
    page = staff.get(f"{PAGES}delivery/{Delivery.objects.get().pk}/change/").content.decode()
    assert shop.guid in page
    assert "&lt;Olga&gt;" in page
    assert page.count("[скрыто]") == 2
    assert "olga@mail.test" not in page
    assert "123-45-67" not in page


def test_what_was_sent_in_the_legacy_envelope_is_not_sent_again(staff: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status="failed", is_legacy=True)
    page = staff.post(f"{PAGES}delivery/{delivery.pk}/redeliver/", follow=True)
    assert "What was sent in the legacy envelope is not sent again." in page.content.decode()
    assert Delivery.objects.count() == 1
