"""An owner makes, tests, switches and deletes webhooks in the cabinet."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery, Subscription
from apps.webhooks.rules import NATIVE_NAMES, signature
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.rows import snapshot
from tests.webhooks.receivers import HookReceiver

pytestmark = pytest.mark.django_db(transaction=True)
PAGE, SWITCHES = "/admin/webhooks/subscription/", "/admin/webhooks/eventswitch/"


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


def add(browser: Client, widget: Widget, url: str, **fields: Any) -> Any:
    form = {"widget": widget.pk, "url": url, "events": ["message.created"], **fields}
    return browser.post(f"{PAGE}add/", form, follow=True)


def test_it_is_made_with_a_secret_that_is_shown_once(owner: Client, shop: Widget, settings: Settings) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    page = add(owner, shop, "http://127.0.0.1:9/hook")
    assert page.status_code == 200
    made = Subscription.objects.get()
    found = re.search(r"whsec_[A-Za-z0-9_-]+", page.content.decode())
    assert found is not None
    assert (found[0], made.url, made.events) == (made.secret, "http://127.0.0.1:9/hook", ["message.created"])
    shown = owner.get(f"{PAGE}{made.pk}/change/").content.decode()
    assert "whsec_" not in shown


def test_an_event_that_is_switched_off_says_so(owner: Client) -> None:
    set_event_enabled(name="chat.closed", enabled=False)
    page = owner.get(f"{PAGE}add/").content.decode()
    assert re.search(r"chat\.closed:[^<]*not sent now", page)
    assert not re.search(r"(?<!_)message\.created:[^<]*not sent now", page)


def test_it_is_said_whom_to_ask_for_an_event_that_is_switched_off(owner: Client, shop: Widget) -> None:
    subscription = SubscriptionFactory.create(widget=shop)
    ops = signed_in(SuperuserFactory.create())
    for name in NATIVE_NAMES:
        set_event_enabled(name=name, enabled=True)
    set_event_enabled(name="chat.closed", enabled=False)
    for page in (f"{PAGE}add/", f"{PAGE}{subscription.pk}/change/"):
        own, clerks = owner.get(page).content.decode(), ops.get(page).content.decode()
        assert "ask the administrator of the service to switch them on" in own
        assert SWITCHES not in own, "a link that leads to a refusal"
        assert f'href="{SWITCHES}">Switch them on</a>' in clerks
    assert ops.get(SWITCHES).status_code == 200
    set_event_enabled(name="chat.closed", enabled=True)
    for browser in (owner, ops):
        assert "switched off" not in browser.get(f"{PAGE}add/").content.decode()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:9/hook", "EGRESS_ALLOW, here 127.0.0.1:9"),
        ("https://10.0.0.1/hook", "public host"),
        ("https://nobody.invalid/hook", "public host"),
        ("hook", "public host"),
        ("", "This field is required"),
    ],
)
def test_an_address_that_can_t_be_called_is_refused_and_says_why(
    owner: Client, shop: Widget, url: str, said: str
) -> None:
    rows = snapshot()
    page = add(owner, shop, url)
    assert (page.status_code, said in page.content.decode()) == (200, True)
    assert snapshot() == rows


def test_one_address_has_one_webhook_of_a_widget(owner: Client, shop: Widget, settings: Settings) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    add(owner, shop, "http://127.0.0.1:9/hook")
    page = add(owner, shop, "http://127.0.0.1:9/hook")
    assert "already" in page.content.decode()
    assert Subscription.objects.count() == 1


def test_it_is_switched_changed_and_deleted(owner: Client, shop: Widget) -> None:
    made = SubscriptionFactory.create(widget=shop)
    form = {"url": made.url, "events": ["chat.closed", "message.created"]}
    assert owner.post(f"{PAGE}{made.pk}/change/", form).status_code == 302
    made.refresh_from_db()
    assert (made.is_active, sorted(made.events)) == (False, ["chat.closed", "message.created"])
    assert owner.post(f"{PAGE}{made.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Subscription.objects.exists()


def test_a_test_is_signed_like_a_delivery_and_shows_what_came_back(
    owner: Client, shop: Widget, settings: Settings
) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with HookReceiver(200, 500) as hook:
        made = SubscriptionFactory.create(widget=shop, url=hook.url, target=hook.url)
        rows = snapshot()
        asked = owner.get(f"{PAGE}{made.pk}/test/")
        assert (asked.status_code, hook.heard) == (200, [])
        page = owner.post(f"{PAGE}{made.pk}/test/").content.decode()
        assert "The receiver answered 200" in page
        (heard,) = hook.heard
        assert heard.headers["x-service-event"] == "webhook.test"
        assert heard.headers["x-service-signature"] == signature(made.secret.encode(), heard.body)
        assert json.loads(heard.body)["data"] == {"button_guid": shop.guid}
        assert "Only 200 to 299" in owner.post(f"{PAGE}{made.pk}/test/").content.decode()
    assert "There was no answer." in owner.post(f"{PAGE}{made.pk}/test/").content.decode()
    assert snapshot() == rows


def test_what_failed_is_sent_again_once(owner: Client, shop: Widget) -> None:
    made = SubscriptionFactory.create(widget=shop)
    DeliveryFactory.create(subscription=made, status="failed", created_at=timezone.now() - timedelta(hours=2))
    DeliveryFactory.create(subscription=made, status="delivered")
    rows = snapshot()
    assert owner.get(f"{PAGE}{made.pk}/failed/").status_code == 200
    assert owner.post(f"{PAGE}{made.pk}/failed/", {"hours": "5"}).context["form"].errors
    assert snapshot() == rows
    owner.post(f"{PAGE}{made.pk}/failed/", {"hours": "1"})
    assert not Delivery.objects.filter(status="pending").exists()
    shown = owner.post(f"{PAGE}{made.pk}/failed/", {"hours": "24"}, follow=True).content.decode()
    assert "1 delivery is sent again." in shown
    owner.post(f"{PAGE}{made.pk}/failed/", {"hours": "24"})
    assert Delivery.objects.filter(status="pending").count() == 1


def test_nothing_is_sent_again_by_a_subscription_that_is_off(owner: Client, shop: Widget) -> None:
    made = SubscriptionFactory.create(widget=shop, is_active=False)
    DeliveryFactory.create(subscription=made, status="failed")
    rows = snapshot()
    page = owner.post(f"{PAGE}{made.pk}/failed/", {"hours": "24"}, headers={"Accept-Language": "en"})
    assert "Its subscription is not active." in page.content.decode()
    assert snapshot() == rows


def test_a_viewer_and_another_account_make_change_and_test_nothing(shop: Widget, rival: Rival) -> None:
    made = SubscriptionFactory.create(widget=shop)
    viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    stranger = signed_in(StaffFactory.create(account=rival.account, role="owner"))
    rows = snapshot()
    for browser in (viewer, stranger):
        for page in (
            f"{made.pk}/test/",
            f"{made.pk}/failed/",
            f"{made.pk}/secret/",
            f"{made.pk}/change/",
            f"{made.pk}/delete/",
        ):
            assert browser.post(f"{PAGE}{page}", {"post": "yes"}).status_code in (403, 404)
    assert add(viewer, shop, "https://shop.test/hook").status_code == 403
    assert add(stranger, shop, "https://shop.test/hook").status_code == 200
    assert snapshot() == rows


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("The address could not be reached.", "Не удалось связаться с адресом"),
        ("No answer within 15 seconds.", "15 секунд"),
        ("The receiver answered 503.", "Получатель ответил 503"),
        ("The TLS handshake failed.", "TLS"),
        ("There is no signing secret.", "секрет"),
        ("The delivery failed on our side.", "на нашей стороне"),
    ],
)
def test_a_stored_error_is_shown_in_the_readers_language(owner: Client, shop: Widget, stored: str, shown: str) -> None:
    delivery = DeliveryFactory.create(subscription__widget=shop, status="failed", last_error=stored)
    for page in ("/admin/webhooks/delivery/", f"/admin/webhooks/delivery/{delivery.pk}/change/"):
        text = owner.get(page, headers={"accept-language": "ru"}).content.decode()
        assert stored not in text
        assert shown in text
