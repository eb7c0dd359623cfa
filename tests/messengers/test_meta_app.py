"""Meta's one callback for an app: what is for which number or page; what is nobody's; and what is done at Meta."""

import hashlib
import hmac
import json
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.dialects.meta import ACCOUNT
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.accounts import app_callback, app_with_key, ensure_app
from apps.messengers.actions.maintenance import queue_due
from apps.messengers.models import Connection, Inbound, VendorSettings
from apps.messengers.tasks import CHECK_QUEUE
from tests.client import ApiClient, assert_problem, client
from tests.factories.accounts import WidgetFactory
from tests.factories.messengers import ConnectionFactory
from tests.messengers.payloads.fb import event
from tests.messengers.payloads.wa import message
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_providers_api import put

SECRET = "app-secret"


@pytest.fixture
def secrets(vendors: Vendors) -> None:
    VendorSettings.objects.filter(pk__in=["wa", "fb"]).update(app_secret=SECRET)


def app_path(provider: str) -> str:
    row = ensure_app(provider)
    assert row is not None
    return str(app_callback(row)).removeprefix("https://chat.example.com")


def deliver(path: str, document: Any, key: str = SECRET) -> Any:
    raw = json.dumps(document).encode()
    signed = {"X-Hub-Signature-256": "sha256=" + hmac.new(key.encode(), raw, hashlib.sha256).hexdigest()}
    return client().post(path, data=raw, content_type="application/json", headers=signed)


def text(page: str, body: str, mid: str) -> dict[str, Any]:
    return event(page=page, message={"mid": mid, "text": body})


def of(widget: Widget) -> list[str]:
    return [one.body for one in Message.objects.for_widget(widget.pk).order_by("id")]


@pytest.fixture
def pages(shop: Widget, secrets: None, vendors: Vendors) -> tuple[Connection, Connection]:
    """Two widgets' pages, connected by tokens of their own."""
    other = WidgetFactory.create()
    vendors.pages["token-b"] = "2"
    return (
        ConnectionFactory.create(widget=shop, provider="fb", token="token-a", account_id=""),
        ConnectionFactory.create(widget=other, provider="fb", token="token-b", account_id=""),
    )


def learn() -> None:
    queue_due()
    work(CHECK_QUEUE)


def test_an_update_goes_to_each_page_that_it_is_for(pages: tuple[Connection, Connection]) -> None:
    learn()
    both = text("1", "to A", "m_1")
    both["entry"] += text("2", "to B", "m_2")["entry"]
    assert deliver(app_path("fb"), both).status_code == 200
    work()
    assert (of(pages[0].widget), of(pages[1].widget)) == (["to A"], ["to B"])


def test_a_page_that_is_not_the_connections_is_refused_at_its_own_address(
    pages: tuple[Connection, Connection],
) -> None:
    learn()
    mine = Connection.objects.get(pk=pages[0].pk)
    assert post(mine, text("2", "to B", "m_2")).status_code == 200
    assert post(mine, text("1", "to A", "m_1")).status_code == 200
    work()
    assert [one.body for one in Message.objects.all()] == ["to A"]


def test_a_page_whose_id_was_not_known_is_asked_for_before_anything_is_stored(
    pages: tuple[Connection, Connection],
) -> None:
    """A connection of a release before this one: what came by its own address waits until its page is known."""
    assert post(pages[0], text("2", "to B", "m_2")).status_code == 200
    work()
    assert not Message.objects.exists()
    assert not Inbound.objects.filter(part__isnull=False).exists(), "what was said is kept nowhere"
    row = Connection.objects.get(pk=pages[0].pk)
    assert (row.account_id, row.account_name) == ("1", "Shop")


def test_meta_is_to_come_again_while_a_connections_page_is_not_known(pages: tuple[Connection, Connection]) -> None:
    answer = deliver(app_path("fb"), text("1", "to A", "m_1"))
    assert_problem(answer, 503, "try_again")
    learn()
    assert deliver(app_path("fb"), text("1", "to A", "m_1")).status_code == 200
    work()
    assert of(pages[0].widget) == ["to A"]


def test_a_page_that_is_not_known_yet_holds_up_no_other(pages: tuple[Connection, Connection]) -> None:
    """Meta puts updates of several pages into one call, and sends the whole of it again."""
    learn()
    Connection.objects.filter(pk=pages[1].pk).update(route=None, account_id="")
    both = text("1", "to A", "m_1")
    both["entry"] += text("2", "to B", "m_2")["entry"]
    assert_problem(deliver(app_path("fb"), both), 503, "try_again")
    work()
    assert (of(pages[0].widget), of(pages[1].widget)) == (["to A"], [])
    learn()
    assert deliver(app_path("fb"), both).status_code == 200
    work()
    assert (of(pages[0].widget), of(pages[1].widget)) == (["to A"], ["to B"])


def test_an_account_that_moves_holds_up_no_other(pages: tuple[Connection, Connection]) -> None:
    learn()
    Widget.objects.filter(pk=pages[1].widget.pk).update(moving_since=timezone.now())
    both = text("1", "to A", "m_1")
    both["entry"] += text("2", "to B", "m_2")["entry"]
    assert deliver(app_path("fb"), both).status_code == 503
    work()
    assert of(pages[0].widget) == ["to A"]
    assert not Inbound.objects.filter(connection=pages[1]).exists()


def test_a_page_that_is_connected_nowhere_is_taken_and_left_out(
    pages: tuple[Connection, Connection], caplog: pytest.LogCaptureFixture
) -> None:
    learn()
    assert deliver(app_path("fb"), text("3", "x", "m_3")).status_code == 200
    assert not Inbound.objects.exists()
    assert "the account 3, which is not connected" in caplog.text


def test_a_number_is_routed_by_its_id_and_only_as_meta_confirms_it(
    shop: Widget, secrets: None, vendors: Vendors
) -> None:
    """A number that somebody merely names, with a token that cannot see it, brings them nobody's messages."""
    connected(shop, "wa")
    thief = ConnectionFactory.create(widget=WidgetFactory.create(), provider="wa", token="dead", sid="100200300")
    vendors.rejected.add("dead")
    learn()
    assert deliver(app_path("wa"), message(type="text", text={"body": "Привет"})).status_code == 200
    work()
    assert (of(shop), of(thief.widget)) == (["Привет"], [])


@pytest.mark.parametrize("provider", ["wa", "fb"])
def test_what_meta_did_not_sign_is_refused(shop: Widget, secrets: None, vendors: Vendors, provider: str) -> None:
    connected(shop, provider)
    assert_problem(deliver(app_path(provider), {"entry": []}, "another"), 403, "hook_not_proven")
    VendorSettings.objects.update(app_secret=None)
    assert_problem(deliver(app_path(provider), {"entry": []}, ""), 403, "hook_not_proven")


@pytest.mark.parametrize("provider", ["wa", "fb"])
def test_meta_asks_whose_the_apps_address_is(secrets: None, vendors: Vendors, provider: str) -> None:
    path = app_path(provider)
    row = VendorSettings.objects.get(pk=provider)
    asked = {"hub.mode": "subscribe", "hub.challenge": "c", "hub.verify_token": row.app_verify_token}
    assert client().get(path, data=asked).content == b"c"
    assert_problem(client().get(path, data={**asked, "hub.verify_token": ""}), 403, "hook_not_proven")
    other = path.replace(provider, "vb")
    assert_problem(client().post(other, data=b"{}", content_type="application/json"), 404, "not_found")


def test_the_connections_answer_says_the_address(api: ApiClient, paid: Widget, secrets: None, vendors: Vendors) -> None:
    assert api.get("/messengers/fb").json()["data"]["callback_url"] is None
    data = put(api, "fb", url=None, token="token-a").json()["data"]
    assert data["callback_url"] == f"https://chat.example.com{app_path('fb')}"
    assert data["account"] == {"id": "1", "name": "Shop"}
    assert put(api, "vb", url=None, token="t").json()["data"]["callback_url"] is None
    assert put(api, "fb", url=None, token="token-a").json()["data"]["callback_url"] == data["callback_url"]


def test_the_page_is_subscribed_to_the_app(api: ApiClient, paid: Widget, secrets: None, vendors: Vendors) -> None:
    put(api, "fb", url=None, token="token-a")
    assert "messaging_postbacks" in vendors.subscribed["fb", "1"]
    vendors.subscribed.clear()  # somebody has removed it in Meta's dashboard
    Connection.objects.update(checked_at=None)
    learn()
    assert vendors.subscribed["fb", "1"]
    assert Connection.objects.get().problem_code == "webhook_lost"
    Connection.objects.update(checked_at=None)
    learn()
    assert Connection.objects.get().problem_code == ""


def test_the_business_account_is_subscribed_to_the_app(
    api: ApiClient, paid: Widget, secrets: None, vendors: Vendors
) -> None:
    data = put(api, "wa", url=None, token="t", sid="100200300").json()["data"]
    assert ("wa", ACCOUNT) in vendors.subscribed
    assert data["account"] == {"id": "+7 999 000-00-00", "name": "Shop"}
    assert data["webhook"]["status"] == "manual"


def test_a_refused_subscription_is_told(api: ApiClient, paid: Widget, secrets: None, vendors: Vendors) -> None:
    error = {"error": {"code": 200, "message": "(#200) Requires pages_manage_metadata"}}
    vendors.will("fb", "/subscribed_apps", PlayedFault(400, error))
    data = put(api, "fb", url=None, token="token-a").json()["data"]
    assert data["webhook"]["status"] == "manual"
    assert "Requires pages_manage_metadata" in data["webhook"]["detail"]


@pytest.mark.parametrize(("provider", "more"), [("fb", {}), ("wa", {"sid": "100200300"})])
def test_a_key_that_meta_rejects_replaces_none_that_works(
    api: ApiClient, paid: Widget, secrets: None, vendors: Vendors, provider: str, more: dict[str, Any]
) -> None:
    put(api, provider, url=None, token="good", **more)
    vendors.rejected.add("dead")
    assert_problem(put(api, provider, url=None, token="dead", **more), 422, "credential_rejected", errors=["token"])
    assert Connection.objects.get().token == "good"


def test_who_has_connected_something_of_metas_has_an_address_after_the_upgrade(shop: Widget, vendors: Vendors) -> None:
    connected(shop, "fb")
    VendorSettings.objects.all().delete()
    import_module("apps.messengers.migrations.0013_apps_of_meta").make_keys(apps, None)
    row = VendorSettings.objects.get()
    assert (row.provider, app_with_key("fb", str(row.app_key))) == ("fb", row)
    assert ensure_app("fb") == row
    assert len(str(row.app_verify_token)) == 43


def test_the_address_survives_a_reset_and_commands_show_it(shop: Widget, secrets: None, vendors: Vendors) -> None:
    path, shown = app_path("fb"), StringIO()
    call_command("messenger_vendor", "fb", "--reset", "--json", stdout=shown)
    told = json.loads(shown.getvalue())
    assert told["callback_url"] == f"https://chat.example.com{path}"
    assert (told["has_app_secret"], len(told["verify_token"])) == (False, 43)
    connected(shop, "fb")
    printed = StringIO()
    call_command("messenger_address", "fb", "--widget", str(shop.guid), "--json", stdout=printed)
    assert json.loads(printed.getvalue())[0]["app_callback_url"] == told["callback_url"]
