"""Webhooks in the cabinet: the platform's switches, and each account's own subscriptions and log."""

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.webhooks.models import EventSwitch
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.webhooks import SECRET, DeliveryFactory, SubscriptionFactory

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
    delivery.subscription.delete()
    assert str(delivery.guid) in staff.get(f"{PAGES}delivery/").content.decode()
    assert staff.get(f"{PAGES}delivery/{delivery.pk}/change/").status_code == 200


def test_no_page_shows_a_secret(ops: Client, shop: Widget) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    for path in ("subscription/", f"subscription/{subscription.pk}/change/"):
        answer = ops.get(PAGES + path)
        assert answer.status_code == 200
        assert SECRET not in answer.content.decode()


def test_subscriptions_and_deliveries_are_read_only(ops: Client, shop: Widget) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop)
    for path in (f"subscription/{delivery.subscription_id}/", f"delivery/{delivery.pk}/"):
        assert ops.post(f"{PAGES}{path}change/", {"is_active": "", "status": "failed"}).status_code == 403
        assert ops.post(f"{PAGES}{path}delete/", {"post": "yes"}).status_code == 403
    for model in ("subscription", "delivery", "eventswitch"):
        assert ops.get(f"{PAGES}{model}/add/").status_code == 403
