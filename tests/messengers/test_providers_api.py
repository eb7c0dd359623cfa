"""Providers over REST (specification, Endpoints, "Messengers, communities and ad cabinets")."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.maintenance import queue_left
from apps.messengers.adapters.tg.adapter import WANTED
from apps.messengers.models import Channel, Connection, VendorSettings
from apps.messengers.tasks import CHECK_QUEUE
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.messengers import ChannelFactory, CommunityFactory, ConnectionFactory
from tests.messengers.test_hooks import work
from tests.rows import snapshot

TOKEN = f"4711:{'A' * 35}"
BOT = {"url": None, "token": TOKEN}


def put(api: ApiClient, provider: str, **fields: Any) -> Any:
    return api.put(f"/messengers/{provider}", json=fields)


class TestReading:
    def test_lists_all_eleven_in_order(self, api: ApiClient, shop: Widget) -> None:
        document = api.get("/messengers").json()
        codes = ["tg", "vk", "wa", "vb", "fb", "ok", "mx", "cian", "ali", "apple", "custom"]
        assert [one["provider"] for one in document["data"]] == codes
        assert document["next_cursor"] is None
        assert [one["provider"] for one in document["data"] if "has_sid" in one] == ["wa", "apple"]
        assert [one["provider"] for one in document["data"] if not one["writable"]] == ["vk", "custom"]

    def test_costs_the_same_however_many_are_connected(
        self, api: ApiClient, shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        api.get("/messengers")
        for provider in ("tg", "wa", "vb", "fb"):
            ConnectionFactory.create(widget=shop, provider=provider)
        with django_assert_num_queries(4):
            api.get("/messengers")

    def test_a_connection_shows_no_secret(self, api: ApiClient, shop: Widget) -> None:
        row = ConnectionFactory.create(widget=shop, provider="wa", sid="100200300")
        answer = api.get("/messengers/wa").content.decode()
        for secret in (row.token, row.hook_key, row.secret, row.verify_token, "100200300"):
            assert secret not in answer

    @pytest.mark.parametrize("provider", ["av", "widget", "TG", "tgg"])
    def test_an_unknown_provider_is_404(self, api: ApiClient, shop: Widget, provider: str) -> None:
        assert_problem(api.get(f"/messengers/{provider}"), 404, "not_found")
        assert_problem(put(api, provider, **BOT), 404, "not_found")

    def test_a_rivals_connection_is_none_of_ours(self, api: ApiClient, rival: Rival, shop: Widget) -> None:
        ConnectionFactory.create(widget=rival.widget)
        assert api.get("/messengers/tg").json()["data"]["connected"] is False

    def test_vk_shows_the_primary_community(self, api: ApiClient, shop: Widget) -> None:
        CommunityFactory.create(widget=shop, account="1")
        CommunityFactory.create(widget=shop, account="2", is_primary=True)
        data = api.get("/messengers/vk").json()["data"]
        assert (data["connected"], data["account"]["id"], data["link"]) == (True, "2", "https://vk.me/club2")

    def test_custom_is_connected_with_a_channel(self, api: ApiClient, shop: Widget) -> None:
        assert api.get("/messengers/custom").json()["data"]["connected"] is False
        ChannelFactory.create(widget=shop)
        data = api.get("/messengers/custom").json()["data"]
        assert (data["connected"], data["webhook"]) == (True, None)


class TestConnectingTelegram:
    def test_probes_stores_and_registers(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        answer = put(api, "tg", **BOT)
        assert answer.status_code == 200, answer.content
        data = answer.json()["data"]
        assert data["account"] == {"id": "4711", "name": "Bot 4711"}
        assert data["link"] == "https://t.me/bot4711_bot"
        assert data["webhook"] | {"at": None} == {
            "attempted": True,
            "status": "registered",
            "detail": None,
            "at": None,
        }
        row = Connection.objects.get()
        assert [one.path.rpartition("/")[2] for one in vendors.asked] == ["getMe", "setWebhook"]
        assert vendors.hooks["tg", TOKEN] == {
            "url": f"https://chat.example.com/hooks/tg/{row.hook_key}",
            "secret_token": row.secret,
            "allowed_updates": WANTED,
        }

    def test_encrypts_what_is_secret(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        put(api, "tg", **BOT)
        row = Connection.objects.get()
        with connection.cursor() as cursor:
            cursor.execute("SELECT row_to_json(c)::text FROM messengers_connection c")
            (stored,) = cursor.fetchone()
        for secret in (TOKEN, row.hook_key, row.secret):
            assert secret not in stored

    def test_a_rejected_token_stores_nothing(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        vendors.rejected.add(TOKEN)
        assert_problem(put(api, "tg", **BOT), 422, "credential_rejected", errors=["token"])
        assert not Connection.objects.exists()

    @pytest.mark.parametrize("status", [429, 500, 502])
    def test_silence_at_the_probe_is_no_rejection(
        self, api: ApiClient, paid: Widget, vendors: Vendors, status: int
    ) -> None:
        vendors.will("tg", "getMe", PlayedFault(status, {"ok": False}))
        assert put(api, "tg", **BOT).json()["data"]["webhook"]["status"] == "registered"

    def test_a_failed_registration_keeps_the_credential(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        words = f"Bad Request: {TOKEN} is odd"
        vendors.will("tg", "setWebhook", PlayedFault(400, {"ok": False, "description": words}))
        data = put(api, "tg", **BOT).json()["data"]
        assert (data["connected"], data["webhook"]["status"]) == (True, "failed")
        assert data["webhook"]["detail"] == "Bad Request: [redacted] is odd"

    def test_each_put_makes_another_address(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        put(api, "tg", **BOT)
        before = Connection.objects.get()
        put(api, "tg", **BOT)
        after = Connection.objects.get()
        assert before.pk == after.pk
        assert before.hook_key != after.hook_key
        assert before.secret != after.secret

    def test_a_bot_of_another_widget_is_409(self, api: ApiClient, paid: Widget, rival: Rival, vendors: Vendors) -> None:
        ConnectionFactory.create(widget=rival.widget, account_id="4711")
        assert_problem(put(api, "tg", **BOT), 409, "messenger_account_in_use")
        assert vendors.asked == []

    def test_without_public_https_it_polls(self, api: ApiClient, paid: Widget, vendors: Vendors, settings: Any) -> None:
        settings.PUBLIC_URL = "http://localhost:8000"
        assert put(api, "tg", **BOT).json()["data"]["webhook"]["status"] == "long_poll"
        assert [one.path.rpartition("/")[2] for one in vendors.asked] == ["getMe", "deleteWebhook", "getMe"]

    def test_what_was_left_pending_is_registered_by_the_keeper(self, shop: Widget, vendors: Vendors) -> None:
        long_ago = timezone.now() - timedelta(seconds=61)
        ConnectionFactory.create(widget=shop, webhook_status="pending", pending_since=long_ago)
        assert queue_left() == 1
        assert not vendors.asked, "a job of Celery's waits for no vendor"
        work(CHECK_QUEUE)
        assert Connection.objects.get().webhook_status == "registered"
        assert queue_left() == 0

    def test_one_that_is_under_way_is_left_alone(self, shop: Widget, vendors: Vendors) -> None:
        ConnectionFactory.create(widget=shop, webhook_status="pending", pending_since=timezone.now())
        assert queue_left() == 0


class TestRefusals:
    @pytest.mark.parametrize(
        ("provider", "fields", "named"),
        [
            ("tg", {"token": TOKEN}, "url"),
            ("tg", {"url": None}, "token"),
            ("tg", {"url": None, "token": None}, "token"),
            ("tg", {"url": None, "token": "4711"}, "token"),
            ("tg", {"url": "http://t.me/x", "token": TOKEN}, "url"),
            ("tg", {"url": "https://u:p@t.me/x", "token": TOKEN}, "url"),
            ("tg", {"url": "javascript:alert(1)", "token": TOKEN}, "url"),
            ("tg", {**BOT, "sid": "100200"}, "sid"),
            ("tg", {**BOT, "other": 1}, "other"),
            ("wa", {"url": None, "token": "t", "sid": "12"}, "sid"),
            ("wa", {"url": None, "token": "t"}, "sid"),
            ("wa", {"url": None, "token": "т", "sid": "123456"}, "token"),
            ("vb", {"url": "ftp://x", "token": "t"}, "url"),
            ("apple", {"url": None, "token": "QUFBQUFBQUFBQUFBQUFBQQ==", "sid": "s"}, "url"),
            ("apple", {"url": "https://10.0.0.1/", "token": "QUFBQUFBQUFBQUFBQUFBQQ==", "sid": "s"}, "url"),
            ("apple", {"url": "https://127.0.0.1/", "token": "QUFB", "sid": "s"}, "token"),
        ],
    )
    def test_a_wrong_member_is_422_by_name_and_stores_nothing(
        self, api: ApiClient, paid: Widget, vendors: Vendors, provider: str, fields: dict[str, Any], named: str
    ) -> None:
        before = snapshot()
        assert_problem(put(api, provider, **fields), 422, "invalid_input", errors=[named])
        assert snapshot() == before
        assert vendors.asked == []

    @pytest.mark.parametrize("provider", ["vk", "custom"])
    def test_vk_and_custom_are_not_written_here(self, api: ApiClient, paid: Widget, provider: str) -> None:
        assert_problem(put(api, provider, nonsense=1), 422, "provider_not_writable")

    def test_connecting_needs_a_paid_plan_removing_does_not(
        self, api: ApiClient, unpaid: Widget, vendors: Vendors
    ) -> None:
        assert_problem(put(api, "tg", **BOT), 409, "paid_plan_required")
        ConnectionFactory.create(widget=unpaid)
        assert_problem(api.post("/messengers/tg/verify"), 409, "paid_plan_required")
        assert api.delete("/messengers/tg").status_code == 204

    def test_the_eleventh_call_in_a_minute_is_429(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        for _ in range(10):
            assert put(api, "cian", url=None, token="t").status_code == 200
        answer = put(api, "cian", url=None, token="t")
        assert_problem(answer, 429, "messenger_rate_limited")
        assert 0 < int(answer.headers["Retry-After"]) <= 60
        assert_problem(put(api, "cian", url=None), 422, "invalid_input")


class TestOthers:
    @pytest.mark.parametrize(
        ("provider", "status", "attempted"),
        [
            ("wa", "manual", True),
            ("vb", "registered", True),
            ("fb", "manual", True),
            ("ok", "registered", True),
            ("mx", "registered", True),
            ("cian", "registered", True),
            ("ali", "unconfirmed_provider_api", True),
            ("apple", "manual", False),
        ],
    )
    def test_each_is_registered_in_its_way(
        self, api: ApiClient, paid: Widget, vendors: Vendors, provider: str, status: str, attempted: bool
    ) -> None:
        fields: dict[str, Any] = {"url": "https://shop.example/chat", "token": "t-1"}
        if provider in ("wa", "apple"):
            fields["sid"] = "100200300"
        if provider == "apple":
            fields |= {"url": vendors.base("apple"), "token": "QUFBQUFBQUFBQUFBQUFBQQ=="}
        data = put(api, provider, **fields).json()["data"]
        assert (data["webhook"]["status"], data["webhook"]["attempted"]) == (status, attempted)
        assert data["link"] == (None if provider == "apple" else "https://shop.example/chat")
        assert data["problem"] is None

    def test_a_rejected_token_of_others_is_a_problem_until_it_is_repaired(
        self, api: ApiClient, paid: Widget, vendors: Vendors
    ) -> None:
        vendors.rejected.add("dead")
        data = put(api, "mx", url=None, token="dead").json()["data"]
        assert (data["webhook"]["status"], data["problem"]["code"]) == ("failed", "credential_rejected")
        assert put(api, "mx", url=None, token="alive").json()["data"]["problem"] is None

    @pytest.mark.parametrize("provider", ["tg", "wa", "vb", "fb", "mx"])
    def test_a_wrong_key_leaves_the_one_that_works(
        self, api: ApiClient, paid: Widget, vendors: Vendors, provider: str
    ) -> None:
        good, wrong = (BOT["token"], TOKEN.replace("A", "B")) if provider == "tg" else ("good", "wrong")
        fields: dict[str, Any] = {"url": None} | ({"sid": "100200300"} if provider == "wa" else {})
        put(api, provider, **fields, token=good)
        before = Connection.objects.get()
        vendors.rejected.add(wrong)
        assert_problem(put(api, provider, **fields, token=wrong), 422, "credential_rejected", errors=["token"])
        after = Connection.objects.get()
        assert (after.token, after.hook_key, after.webhook_status) == (good, before.hook_key, before.webhook_status)
        assert after.problem_code == ""

    def test_one_that_works_is_not_given_up_for_one_that_could_not_be_tried(
        self, api: ApiClient, paid: Widget, vendors: Vendors
    ) -> None:
        put(api, "mx", url=None, token="good")
        vendors.will("mx", "/subscriptions", PlayedFault(503, {}))
        assert_problem(put(api, "mx", url=None, token="other"), 422, "invalid_input", errors=["token"])
        assert Connection.objects.get().token == "good"
        assert put(api, "mx", url=None, token="other").status_code == 200
        assert Connection.objects.get().token == "other"

    def test_wa_keeps_its_address_over_a_put(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        fields = {"url": None, "token": "t", "sid": "100200"}
        put(api, "wa", **fields)
        before = Connection.objects.get()
        put(api, "wa", **fields)
        after = Connection.objects.get()
        assert (before.hook_key, before.verify_token) == (after.hook_key, after.verify_token)


class TestVerifying:
    def test_registers_again_and_keeps_the_address(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        before = ConnectionFactory.create(widget=paid, webhook_status="failed", problem_code="webhook_lost")
        data = api.post("/messengers/tg/verify").json()["data"]
        after = Connection.objects.get()
        assert (data["webhook"]["status"], data["problem"]) == ("registered", None)
        assert (after.hook_key, after.token) == (before.hook_key, before.token)

    def test_a_rejection_stays_as_the_problem(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        row = ConnectionFactory.create(widget=paid)
        vendors.rejected.add(row.token)
        assert_problem(api.post("/messengers/tg/verify"), 422, "credential_rejected", errors=["token"])
        assert api.get("/messengers/tg").json()["data"]["problem"]["code"] == "credential_rejected"

    def test_without_a_credential_it_is_409(self, api: ApiClient, paid: Widget) -> None:
        assert_problem(api.post("/messengers/tg/verify"), 409, "messenger_not_connected")
        assert_problem(api.post("/messengers/custom/verify"), 422, "provider_not_verifiable")


class TestRemoving:
    def test_tells_who_can_be_told(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        for provider in ("tg", "vb", "ok", "mx", "cian", "ali"):
            ConnectionFactory.create(widget=shop, provider=provider)
            assert api.delete(f"/messengers/{provider}").status_code == 204
        told = [("tg", "POST"), ("vb", "POST"), ("ok", "POST"), ("mx", "DELETE"), ("cian", "POST")]
        assert [(one.vendor, one.method) for one in vendors.asked] == told
        assert not Connection.objects.exists()

    def test_is_never_blocked_by_the_provider(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        ConnectionFactory.create(widget=shop)
        vendors.will("tg", "deleteWebhook", PlayedFault(500, b"<html>"))
        assert api.delete("/messengers/tg").status_code == 204

    def test_a_second_disconnect_is_404(self, api: ApiClient, shop: Widget) -> None:
        for provider in ("tg", "vk", "custom"):
            assert_problem(api.delete(f"/messengers/{provider}"), 404, "not_found")

    def test_vk_and_custom_go_whole(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        CommunityFactory.create_batch(2, widget=shop)
        ChannelFactory.create_batch(2, widget=shop)
        assert api.delete("/messengers/vk").status_code == 204
        assert api.delete("/messengers/custom").status_code == 204
        assert vendors.asked == []
        assert (Connection.objects.count(), Channel.objects.count()) == (0, 0)


def test_a_hanging_vendor_holds_a_request_for_ten_seconds_at_most(
    api: ApiClient, paid: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.messengers.adapters import client

    monkeypatch.setattr(client, "CALL_S", 0.2)
    VendorSettings.objects.filter(pk="tg").update(base="http://127.0.0.1:1/tg")
    data = put(api, "tg", **BOT).json()["data"]
    assert (data["connected"], data["webhook"]["status"]) == (True, "failed")
