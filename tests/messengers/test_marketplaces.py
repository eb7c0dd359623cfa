"""Cian and Avito as their APIs are; AliExpress, of which no document says how it is."""

import importlib
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection as database
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact, Message
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.cabinets import remove_cabinet
from apps.messengers.actions.maintenance import queue_left
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.cian.adapter import WANTED
from apps.messengers.adapters.client import ProviderClient, ProviderResponse
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.providers import WebhookStatus
from apps.messengers.tasks import CHECK_QUEUE
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.factories.messengers import ConnectionFactory
from tests.messengers.payloads.av import KINDS as AVITO_KINDS
from tests.messengers.payloads.av import _av
from tests.messengers.payloads.cian import BOT, OFFER, _cian, _said
from tests.messengers.test_adapters import line
from tests.messengers.test_health import an_hour_later, check_health
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import png

ADDRESS = "https://chat.example.com/hooks/x/1"


def client(provider: str, vendors: Vendors) -> ProviderClient:
    return ProviderClient(line(provider, vendors), ADAPTERS[provider].judge)


class TestCian:
    def test_every_message_of_a_call_is_stored_under_its_buyer_and_advertisement(
        self, shop: Widget, vendors: Vendors
    ) -> None:
        document = _cian(_said("Первое"), _said("Второе", messageId="8"), _said("ours", messageId="9", direction="out"))
        another = _cian(_said("Третье", userId=43, messageId="10"))["chats"][0] | {"chatId": 4343, "offerId": 457}
        document["chats"].append(another)
        document["users"].append({"userId": 43, "name": "Борис"})
        document["offers"] = [{**OFFER, "offerId": 456}, {"offerId": 457, "title": "Студия"}]
        post(connected(shop, "cian"), document)
        work()
        assert sorted(message.body for message in Message.objects.all()) == ["Второе", "Первое", "Третье"]
        anna, boris = Contact.objects.order_by("name")
        assert anna.attributes == {
            "cian_user_id": "42",
            "ad_title": "3-комнатная квартира",
            "ad_address": "Москва, ул. Ленина, 1",
            "ad_url": "https://cian.ru/sale/flat/456/",
        }
        assert (boris.name, boris.attributes["ad_title"]) == ("Борис", "Студия")

    def test_cians_own_bot_is_no_customer(self, shop: Widget, vendors: Vendors) -> None:
        """What it writes stands under the buyer's name as Cian's words."""
        post(connected(shop, "cian"), BOT)
        work()
        contact = Contact.objects.get()
        assert (contact.name, contact.attributes["cian_user_id"]) == ("Анна Иванова", "42")
        assert Message.objects.get().body == "↪ Циан:\nПокупатель интересуется объектом"
        assert vendors.asked_of("cian", "/v1/get-chat")[0].query == {"chatId": "4242"}

    def test_an_answer_names_the_chat_by_its_number(
        self, api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
    ) -> None:
        wrote(shop, "cian", vendors)
        message = say(api, alice)
        send()
        assert delivery(message)["state"] == "sent"
        asked = vendors.asked_of("cian", "/v1/send-message")[0]
        assert asked.body == {"chatId": 4242, "content": {"text": "Здравствуйте!"}}

    def test_health_asks_for_the_subscriptions_and_registers_again(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "cian")
        check_health()
        hooks = vendors.hooks["cian", connection.token]["by_url"]
        assert hooks == {callback_address(connection): list(WANTED)}
        an_hour_later()
        check_health()
        assert len(vendors.asked_of("cian", "/v3/subscribe-webhooks")) == 1
        assert Connection.objects.get().problem_code == ""

    @pytest.mark.parametrize(
        ("status", "body", "code"),
        [
            (200, {"result": {"errors": [{"code": "x", "key": "chatId", "message": "no"}]}}, FailureCode.REJECTED),
            (400, {"result": {"errors": [{"code": "x", "key": "chatId", "message": "no"}]}}, FailureCode.REJECTED),
            (401, {"message": "no"}, FailureCode.CREDENTIAL_REJECTED),
            (404, {"result": {"message": "no"}}, FailureCode.NO_RECIPIENT),
        ],
    )
    def test_errors_by_their_meaning(self, status: int, body: dict[str, object], code: FailureCode) -> None:
        failure = ADAPTERS["cian"].judge(ProviderResponse(status, {}, json.dumps(body).encode()))
        assert failure is not None
        assert (failure.code, failure.detail) == (code, "no")

    def test_connections_of_before_are_registered_at_the_real_address(self, shop: Widget, vendors: Vendors) -> None:
        row = connected(shop, "cian", webhook_status=WebhookStatus.FAILED, webhook_detail="Not Found")
        telegram = ConnectionFactory.create(widget=shop)
        moved = importlib.import_module("apps.messengers.migrations.0011_cian_by_its_api")
        with database.cursor() as cursor:
            cursor.execute(moved._SQL)
        telegram.refresh_from_db()
        assert telegram.webhook_status == WebhookStatus.REGISTERED
        assert queue_left() == 0, "processes of the release before may still be there"
        Connection.objects.filter(pk=row.pk).update(pending_since=timezone.now() - timedelta(minutes=2))
        assert queue_left() == 1
        work(CHECK_QUEUE)
        row.refresh_from_db()
        assert (row.webhook_status, row.webhook_detail) == (WebhookStatus.REGISTERED, "")
        assert callback_address(row) in vendors.hooks["cian", row.token]["by_url"]


class TestAvito:
    def test_a_voice_message_is_fetched(self, shop: Widget, vendors: Vendors) -> None:
        vendors.files["v-1"] = b"\x00\x00\x00\x18ftypmp42"
        post(connected(shop, "av"), AVITO_KINDS["voice message"][0].document)  # type: ignore[index]
        work()
        message = Message.objects.get()
        assert (message.type, message.details["file"]["name"]) == ("file", "voice.mp4")
        (asked,) = vendors.asked_of("av", "getVoiceFiles")
        assert (asked.method, asked.query) == ("GET", {"voice_ids": "v-1"})

    def test_the_advertisement_is_known_of_the_contact(self, shop: Widget, vendors: Vendors) -> None:
        post(connected(shop, "av"), _av(type="text", content={"text": "Привет"}))
        work()
        assert Contact.objects.get().attributes == {
            "av_user_id": "9",
            "ad_title": "Диван угловой",
            "ad_url": "https://avito.ru/1",
            "ad_price": "15 000 ₽",
        }

    def test_a_deletion_is_shown_at_the_message(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "av")
        post(connection, _av(type="text", content={"text": "Привет"}))
        post(connection, AVITO_KINDS["deletion"][0].document)  # type: ignore[index]
        work()
        message = Message.objects.get()
        assert (message.body, set(message.details)) == ("Привет", {"deleted_at"})

    def test_health_asks_for_the_subscriptions_and_registers_again(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "av")
        for _ in range(2):
            check_health()
            an_hour_later()
        assert vendors.hooks["av", "urls"]["urls"] == [callback_address(connection)]
        assert len(vendors.asked_of("av", "/messenger/v3/webhook")) == 1

    def test_avito_is_told_when_a_cabinet_goes(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "av")
        remove_cabinet(cabinet=connection, outbound=ExternalCall(shop.pk))
        assert [one.body["url"] for one in vendors.asked_of("av", "unsubscribe")] == [callback_address(connection)]
        assert not Connection.objects.exists()

    @pytest.mark.parametrize(
        ("content", "content_type", "sent_as"),
        [
            (png(), "image/png", None),
            (b"\x89PNG\r\n\x1a\n broken", "image/png", "link"),
            (b"RIFF", "image/webp", "link"),
        ],
    )
    def test_a_picture_goes_as_what_avito_takes(
        self,
        api: ApiClient,
        shop: Widget,
        alice: Agent,
        vendors: Vendors,
        content: bytes,
        content_type: str,
        sent_as: str | None,
    ) -> None:
        wrote(shop, "av", vendors)
        file = FileFactory.create(widget=shop, content=content, name="a.png", content_type=content_type)
        message = say(api, alice, "Роза", type="image", file={"id": file.pk})
        send()
        assert (delivery(message)["state"], delivery(message)["sent_as"]) == ("sent", sent_as)
        said = [
            asked.body["message"]["text"] for asked in vendors.asked_of("av", "/messages") if "message" in asked.body
        ]
        assert said[-1].startswith("Роза")

    @pytest.mark.parametrize(
        ("status", "body", "code", "detail"),
        [
            (402, {"error": {"code": 402, "message": "Payment required"}}, "subscription_needed", "Payment required"),
            (403, {"error": {"code": 403, "message": "Forbidden"}}, "blocked_by_user", "Forbidden"),
            (403, {"result": {"status": False, "message": "invalid access token"}}, "credential_rejected", "invalid"),
            (400, {"error": {"code": 400, "message": "Validation error"}}, "rejected_by_provider", "Validation error"),
            (404, {"error": {"code": 404, "message": "Not found"}}, "recipient_unavailable", "Not found"),
        ],
    )
    def test_a_refusal_is_told_by_its_meaning(
        self,
        api: ApiClient,
        shop: Widget,
        alice: Agent,
        vendors: Vendors,
        status: int,
        body: dict[str, object],
        code: str,
        detail: str,
    ) -> None:
        """The models of errors in Avito's OpenAPI document of the messenger."""
        wrote(shop, "av", vendors)
        vendors.will("av", "/messages", PlayedFault(status, body))
        message = say(api, alice)
        send()
        failed = delivery(message)
        assert (failed["state"], failed["code"], failed["attempts"]) == ("failed", code, 0)
        assert failed["detail"].startswith(detail)
        problem = code if code in ("credential_rejected", "subscription_needed") else ""
        assert Connection.objects.get().problem_code == problem

    def test_a_missing_subscription_is_a_problem_in_words_until_a_message_goes_out(
        self, cabinet: Client, api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
    ) -> None:
        """Nothing goes out and nothing comes in: the owner reads on the connection's page which of the two to do."""
        wrote(shop, "av", vendors)
        vendors.will("av", "/messages", PlayedFault(402, {"error": {"code": 402, "message": "Payment required"}}))
        say(api, alice)
        send()
        connection = Connection.objects.get()
        assert (connection.problem_code, connection.problem_detail) == ("subscription_needed", "Payment required")
        page = cabinet.get(f"/admin/messengers/adcabinet/{connection.pk}/change/").content.decode()
        assert "no subscription for its API. Take one there" in page
        assert "Subscription needed" in cabinet.get("/admin/messengers/adcabinet/").content.decode()
        shown = api.get("/messengers/av/cabinets").json()
        assert "subscription_needed" in str(shown)

        say(api, alice)
        send()
        assert Connection.objects.get().problem_code == ""

    def test_the_console_has_words_for_every_refusal(self) -> None:
        formats = Path("apps/console/static/console/base/formats.js").read_text()
        shown = set(FailureCode) - {FailureCode.SLOW_DOWN, FailureCode.WRONG_KIND}
        assert [code for code in shown if f'  {code}: "' not in formats] == []


class TestAliExpress:
    def test_what_is_not_confirmed_says_so(self, api: ApiClient, paid: Widget, vendors: Vendors) -> None:
        answer = api.put("/messengers/ali", json={"url": None, "token": "t-1"})
        webhook = answer.json()["data"]["webhook"]
        assert webhook["status"] == "unconfirmed_provider_api"
        assert webhook["detail"].startswith("Not confirmed: ")
        assert "Not confirmed" in (importlib.import_module("apps.messengers.adapters.ali.adapter").__doc__ or "")


@pytest.mark.parametrize("provider", ["ok", "mx", "cian"])
class TestOldAddresses:
    """A vendor that calls every address that it was told of is told of those that are gone."""

    def subscribed(self, provider: str, vendors: Vendors, token: str) -> list[str]:
        hooks = vendors.hooks.get((provider, token), {})
        return list(hooks.get("urls") or hooks.get("by_url") or ())

    def test_a_new_key_leaves_no_address_behind(
        self, api: ApiClient, paid: Widget, vendors: Vendors, provider: str
    ) -> None:
        for token in ("one", "one", "two"):
            answer = api.put(f"/messengers/{provider}", json={"url": None, "token": token})
            assert answer.json()["data"]["webhook"]["status"] == "registered", answer.content
        assert self.subscribed(provider, vendors, "one") == []
        assert self.subscribed(provider, vendors, "two") == [callback_address(Connection.objects.get())]

    def test_one_that_is_removed_leaves_none(
        self, api: ApiClient, paid: Widget, vendors: Vendors, provider: str
    ) -> None:
        api.put(f"/messengers/{provider}", json={"url": None, "token": "one"})
        assert api.delete(f"/messengers/{provider}").status_code == 204
        assert self.subscribed(provider, vendors, "one") == []

    def test_a_vendor_that_is_away_keeps_nothing(
        self, api: ApiClient, paid: Widget, vendors: Vendors, provider: str
    ) -> None:
        api.put(f"/messengers/{provider}", json={"url": None, "token": "one"})
        vendors.will(provider, "unsubscribe" if provider != "mx" else "subscriptions", PlayedFault(503, {}, times=9))
        assert api.delete(f"/messengers/{provider}").status_code == 204
        assert not Connection.objects.exists()


def test_another_bot_of_telegram_replaces_the_one_before_there(api: ApiClient, paid: Widget, vendors: Vendors) -> None:
    first, second = f"4711:{'A' * 35}", f"4712:{'A' * 35}"
    for token in (first, first, second):
        api.put("/messengers/tg", json={"url": None, "token": token})
    assert ("tg", first) not in vendors.hooks
    assert vendors.hooks["tg", second]["url"] == callback_address(Connection.objects.get())
