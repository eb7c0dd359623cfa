"""Callback addresses and what becomes of an update (design, "Inbound"): proved, stored, and one message of a chat."""

import gzip
import hashlib
import hmac
import json
import socket
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.agents.models import Agent
from apps.chats.actions import block_visitor, lift_block
from apps.chats.models import Block, Chat, Contact, File, Message
from apps.chats.rules.blocks import Blocked
from apps.core.observability import metrics
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.egress import resolution
from apps.leases import Queue, Sends, claims
from apps.messengers.actions import provider_calls
from apps.messengers.actions.provider_calls import IN_THREAD
from apps.messengers.actions.receipts import LINE as RECEIPTS
from apps.messengers.adapters import CONNECTED
from apps.messengers.adapters.client import answered
from apps.messengers.models import Connection, Inbound, InboundJob, Peer, VendorSettings
from apps.messengers.tasks import INBOUND_QUEUE
from tests.client import assert_problem, client
from tests.factories.messengers import CabinetFactory, CommunityFactory, ConnectionFactory
from tests.messengers.payloads import NOTHING, PICTURES, TEXTS
from tests.messengers.payloads.tg import _tg
from tests.uploads import png


class Canary:
    """A private host, that nobody may call."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self.port: int = listening.getsockname()[1]

    @property
    def was_called(self) -> bool:
        try:
            self._listening.accept()
        except BlockingIOError:
            return False
        return True


@pytest.fixture
def canary() -> Iterator[Canary]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield Canary(listening)


SECRET = "QUFBQUFBQUFBQUFBQUFBQQ=="
ACCOUNTS = {"wa": "100200300", "fb": "1"}  # of the recorded payloads


def work(queue: Queue[Any] = INBOUND_QUEUE) -> None:
    """What a worker does with all that is due."""
    if queue.sends is not None:
        send_all(queue.sends(queue))
        return
    while leases := claims.claim(queue, wanted=50):
        for lease in leases:
            lease.run()


def send_all(sends: Sends[Any, Any]) -> None:
    """What a worker's loop sends, one after the other in this thread."""
    items, ended = sends.exchange([], 50, {}, 50)
    while items or ended:
        ended = [*ended, *(answered(sends.send(IN_THREAD, item))[0] for item in items)]
        items, ended = sends.exchange(ended, 50, {}, 50)


def connected(shop: Widget, provider: str, **fields: Any) -> Connection:
    """A connection that takes the recorded payloads."""
    if provider == "vk":
        return CommunityFactory.create(widget=shop, account="99", secret="S", **fields)
    if provider == "av":
        return CabinetFactory.create(widget=shop, account="555", **fields)
    token = SECRET if provider == "apple" else f"4711:{'A' * 35}"
    about = {"sid": "100200300", "token": token}
    if account := ACCOUNTS.get(provider):
        about |= {"account_id": account, "route": digest(account)}
    return ConnectionFactory.create(widget=shop, provider=provider, **{**about, **fields})


def proof(connection: Connection, raw: bytes) -> dict[str, str]:
    """The headers by which the provider proves itself."""
    provider = connection.provider
    if provider == "tg":
        return {"X-Telegram-Bot-Api-Secret-Token": connection.secret}
    if provider == "mx":
        return {"X-Max-Bot-Api-Secret": connection.secret}
    if provider == "vb":
        signed = hmac.new(connection.token.encode(), raw, hashlib.sha256).hexdigest()
        return {"X-Viber-Content-Signature": signed}
    if provider in ("wa", "fb"):
        VendorSettings.objects.filter(pk=provider).update(app_secret="app-secret")
        return {"X-Hub-Signature-256": "sha256=" + hmac.new(b"app-secret", raw, hashlib.sha256).hexdigest()}
    if provider == "apple":
        from joserfc import jwt
        from joserfc.jwk import OctKey

        claims_ = {"aud": "100200300", "iat": int(timezone.now().timestamp())}
        return {"Authorization": f"Bearer {jwt.encode({'alg': 'HS256'}, claims_, OctKey.import_key(b'A' * 16))}"}
    return {}


def post(connection: Connection, document: Any, **more: Any) -> Any:
    raw = document if isinstance(document, bytes) else json.dumps(document).encode()
    headers = more.pop("headers", None)
    headers = proof(connection, raw) if headers is None else headers
    path = more.pop("path", None) or f"/hooks/{connection.provider}/{connection.hook_key}{more.pop('suffix', '')}"
    return client().post(path, data=raw, content_type="application/json", headers=headers, **more)


@pytest.mark.parametrize("provider", CONNECTED)
class TestEveryProvider:
    def test_a_text_becomes_contact_chat_and_message(self, shop: Widget, vendors: Vendors, provider: str) -> None:
        connection, (document, conversation, _) = connected(shop, provider), TEXTS[provider]
        answer = post(connection, document)
        assert answer.status_code == 200, answer.content
        assert answer.content == (b"ok" if provider == "vk" else b'{"ok": true}')
        work()
        message = Message.objects.get()
        assert (message.body, message.sender_kind, message.type) == ("Привет", "client", "text")
        assert Chat.objects.get().channel == connection.channel
        peer = Peer.objects.get()
        assert (peer.conversation, peer.account) == (conversation, connection.account)
        contact = Contact.objects.get()
        assert contact.attributes[f"{provider}_user_id"]
        assert contact.name == ("" if provider == "apple" else "Анна" if provider == "av" else "Анна Иванова")
        assert contact.phone == ("+79991234567" if provider == "wa" else "")
        assert Connection.objects.get().last_inbound_at is not None

    def test_an_update_that_comes_again_is_one_message(self, shop: Widget, vendors: Vendors, provider: str) -> None:
        connection, (document, _, _) = connected(shop, provider), TEXTS[provider]
        for _ in range(2):
            assert post(connection, document).status_code == 200
        work()
        assert post(connection, document).status_code == 200
        Inbound.objects.all().delete()  # weeks later
        assert post(connection, document).status_code == 200
        work()
        assert (Message.objects.count(), Chat.objects.count(), Contact.objects.count()) == (1, 1, 1)

    def test_without_proof_it_is_403_and_nothing_is_stored(self, shop: Widget, vendors: Vendors, provider: str) -> None:
        connection, (document, _, _) = connected(shop, provider), TEXTS[provider]
        if provider in ("ok", "cian", "ali", "av"):
            assert post(connection, {}, path=f"/hooks/{provider}/{'x' * 43}").status_code == 404
            return
        document = {**document, "secret": "wrong"} if provider == "vk" else document
        wrong = {name: value[:-1] + "é" for name, value in proof(connection, b"{}").items()}
        for headers in ({}, wrong):
            assert_problem(post(connection, document, headers=headers), 403, "hook_not_proven")
        assert not Inbound.objects.exists()

    def test_another_providers_address_is_404(self, shop: Widget, vendors: Vendors, provider: str) -> None:
        connection = connected(shop, provider)
        other = "tg" if provider != "tg" else "vb"
        answer = client().post(f"/hooks/{other}/{connection.hook_key}", data=b"{}", content_type="application/json")
        assert_problem(answer, 404, "not_found")
        assert connection.hook_key not in answer.content.decode()


@pytest.mark.parametrize(("provider", "document"), NOTHING)
def test_what_is_no_message_is_answered_and_dropped(
    shop: Widget, vendors: Vendors, provider: str, document: dict[str, Any]
) -> None:
    connection = connected(shop, provider)
    document = {**document, "secret": "S"} if provider == "vk" else document
    assert post(connection, document).status_code == 200
    assert not Inbound.objects.exclude(conversation=RECEIPTS).exists()
    work()
    assert not Message.objects.exists()


class TestBodies:
    def test_vk_is_told_its_confirmation_code_without_a_secret(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "vk")
        assert post(connection, {"type": "confirmation", "group_id": 99}).content == b"c0de"
        assert_problem(post(connection, {"type": "confirmation", "group_id": 98}), 403, "hook_not_proven")

    @pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'"x"', b"\xff", b"null"])
    def test_what_is_no_object_is_400(self, shop: Widget, vendors: Vendors, raw: bytes) -> None:
        assert_problem(post(connected(shop, "tg"), raw), 400, "invalid_json")

    @pytest.mark.parametrize("levels", [100, 1_000, 5_000])
    def test_one_that_is_nested_without_end_is_stored_or_400(self, shop: Widget, vendors: Vendors, levels: int) -> None:
        deep = b"[" * levels + b"]" * levels
        raw = json.dumps(TEXTS["tg"][0]).encode().replace(b'"text":', b'"odd": ' + deep + b', "text":')
        answer = post(connected(shop, "tg"), raw)
        work()
        bodies = [message.body for message in Message.objects.all()]
        assert (answer.status_code, bodies) == ((200, ["Привет"]) if levels <= 1_000 else (400, []))

    def test_over_a_mebibyte_is_413(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "tg")
        assert_problem(post(connection, b" " * (1024 * 1024 + 1)), 413, "body_too_large")

    def test_nul_and_lone_surrogates_are_left_out(self, shop: Widget, vendors: Vendors) -> None:
        connection, (document, _, _) = connected(shop, "tg"), TEXTS["tg"]
        raw = json.dumps(document).replace(json.dumps("Привет")[1:-1], "a\\u0000b\\ud83dc\\ud83d\\ude00").encode()
        assert post(connection, raw).status_code == 200
        work()
        assert Message.objects.get().body == "ab\ufffdc😀"

    def test_apple_sends_gzip_to_the_suffix_and_a_bomb_is_413(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "apple")
        raw = gzip.compress(json.dumps(TEXTS["apple"][0]).encode())
        headers = {**proof(connection, b""), "Content-Encoding": "gzip"}
        assert post(connection, raw, headers=headers, suffix="/message").status_code == 200
        bomb = gzip.compress(b" " * (5 * 1024 * 1024))
        assert_problem(post(connection, bomb, headers=headers), 413, "body_too_large")

    @pytest.mark.parametrize("provider", ["wa", "fb"])
    def test_meta_asks_whose_address_it_is(self, shop: Widget, vendors: Vendors, provider: str) -> None:
        connection = connected(shop, provider)
        path = f"/hooks/{provider}/{connection.hook_key}"
        asked = {"hub.mode": "subscribe", "hub.challenge": "c<1>", "hub.verify_token": connection.verify_token}
        answer = client().get(path, data=asked)
        assert (answer.status_code, answer.content) == (200, b"c<1>")
        assert answer.headers["Content-Type"].startswith("text/plain")
        assert_problem(client().get(path, data={**asked, "hub.verify_token": "x"}), 403, "hook_not_proven")

    def test_get_elsewhere_is_405(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "tg")
        assert_problem(client().get(f"/hooks/tg/{connection.hook_key}"), 405, "method_not_allowed")

    def test_wa_without_an_app_secret_takes_nothing(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "wa")
        signed = {"X-Hub-Signature-256": "sha256=" + hmac.new(b"", b"{}", hashlib.sha256).hexdigest()}
        assert_problem(post(connection, b"{}", headers=signed), 403, "hook_not_proven")

    def test_a_cabinet_that_is_not_enabled_drops_what_comes(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "av", status="suspended_by_billing")
        assert post(connection, TEXTS["av"][0]).status_code == 200
        assert not Inbound.objects.exists()

    def test_what_was_removed_is_404(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "tg")
        Connection.objects.all().delete()
        assert_problem(post(connection, TEXTS["tg"][0]), 404, "not_found")


class TestFiles:
    def test_a_picture_comes_with_its_caption(self, shop: Widget, vendors: Vendors) -> None:
        vendors.files["photos/big"] = png()
        connection = connected(shop, "tg")
        post(connection, PICTURES["tg"][0])
        work()
        message = Message.objects.get()
        assert (message.type, message.body) == ("image", "Роза")
        assert File.objects.get().is_sent

    @pytest.mark.parametrize("status", [404, 500])
    def test_one_that_cannot_be_had_is_a_line(self, shop: Widget, vendors: Vendors, status: int) -> None:
        vendors.will("tg", "/file/", PlayedFault(status, b"", times=9))
        post(connected(shop, "tg"), PICTURES["tg"][0])
        work()
        message = Message.objects.get()
        assert (message.type, message.body) == ("text", "Роза\n[вложение недоступно: photo.jpg]")

    def test_one_on_a_private_host_is_a_line(self, shop: Widget, vendors: Vendors) -> None:
        document = json.loads(json.dumps(PICTURES["vk"][0]).replace("files.example", "169.254.169.254"))
        post(connected(shop, "vk"), document)
        work()
        assert Message.objects.get().body == "Роза\n[вложение недоступно: photo.jpg]"

    def test_a_hundred_are_ten_files_and_a_message_of_the_others_names(self, shop: Widget, vendors: Vendors) -> None:
        vendors.files["1.png"] = png()
        document = json.loads(json.dumps(PICTURES["mx"][0]))
        address = f"{vendors.base('mx')}/files/1.png"
        document["message"]["body"]["attachments"] = [{"type": "image", "payload": {"url": address}}] * 100
        assert post(connected(shop, "mx"), document).status_code == 200
        work()
        messages = list(Message.objects.order_by("id"))
        assert [message.type for message in messages] == ["image", "text"]
        assert len(messages[0].details["files"]) == 10
        assert messages[0].body == "Роза"
        assert messages[-1].body.count("[вложение недоступно: ") == 90
        assert len(vendors.asked_of("mx", "/files/")) == 10

    def test_files_that_hang_take_a_bounded_time_together(
        self, shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from apps.messengers.actions import inbound_content

        monkeypatch.setattr(inbound_content, "ALL_S", 0.0)
        post(connected(shop, "vk"), PICTURES["vk"][0])
        work()
        assert Message.objects.get().body == "Роза\n[вложение недоступно: photo.jpg]"

    @pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["fe80::1"]])
    def test_a_name_that_leads_to_a_private_host_is_a_line(
        self, shop: Widget, vendors: Vendors, canary: Canary, monkeypatch: pytest.MonkeyPatch, addresses: list[str]
    ) -> None:
        """Rebinding: a name is looked up once for a call, and each address that it has is looked at."""

        system = socket.getaddrinfo

        def look_up(host: str, port: Any, *given: Any, **more: Any) -> list[Any]:
            if host != "files.example":
                return system(host, port, *given, **more)
            return [(0, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

        raw = json.dumps(PICTURES["vk"][0]).replace("files.example", f"files.example:{canary.port}")
        post(connected(shop, "vk"), raw.encode())
        with monkeypatch.context() as patched:
            patched.setattr(resolution.socket, "getaddrinfo", look_up)
            work()
        assert Message.objects.get().body == "Роза\n[вложение недоступно: photo.jpg]"
        assert not canary.was_called

    def test_a_redirect_to_a_private_host_is_a_line(self, shop: Widget, vendors: Vendors, canary: Canary) -> None:
        elsewhere = {"Location": f"http://127.0.0.1:{canary.port}/latest/meta-data"}
        vendors.will("tg", "/file/", PlayedFault(302, b"", headers=elsewhere, times=9))
        post(connected(shop, "tg"), PICTURES["tg"][0])
        work()
        assert Message.objects.get().body == "Роза\n[вложение недоступно: photo.jpg]"
        assert not canary.was_called


def test_a_conversations_messages_are_stored_in_order(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "tg")
    for number in range(5):
        document = json.loads(json.dumps(TEXTS["tg"][0]))
        document["message"] |= {"message_id": number, "text": str(number)}
        post(connection, document)
    work()
    assert list(Message.objects.order_by("id").values_list("body", flat=True)) == ["0", "1", "2", "3", "4"]
    assert InboundJob.objects.get().due_at is None


class TestItsCost:
    """What a further message asks PostgreSQL; a transaction begins and ends by two."""

    @pytest.fixture(autouse=True)
    def an_hour(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However slow the machine is, what was noted just now is not noted again."""
        monkeypatch.setattr(provider_calls, "TRAFFIC_EVERY", timedelta(hours=1))

    @pytest.mark.django_db(transaction=True)
    def test_the_call_and_the_worker(
        self, shop: Widget, vendors: Vendors, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        connection, (document, _, _) = connected(shop, "tg"), TEXTS["tg"]
        post(connection, document)
        work()
        with django_assert_num_queries(8):
            post(connection, _tg(message_id=9, text="Есть розы?"))
        place = {"latitude": 55.75, "longitude": 37.61}
        with django_assert_num_queries(5):
            post(connection, _tg(message_id=10, location=place))
        with django_assert_num_queries(21):  # four to look for more
            work()
        assert Message.objects.count() == 3

    def test_the_connections_row_is_not_written_for_each(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "tg")
        times = []
        for number, minutes in enumerate((0, 30, 61)):
            before = timezone.now() - timedelta(minutes=minutes)
            Connection.objects.filter(last_inbound_at__isnull=False).update(last_inbound_at=before)
            post(connection, _tg(message_id=number + 1, text="Есть розы?"))
            work()
            connection.refresh_from_db()
            times.append(connection.last_inbound_at == before)
        assert times == [False, True, False]

    def test_several_that_wait_are_stored_by_one_lease(self, shop: Widget, vendors: Vendors) -> None:
        connection = connected(shop, "tg")
        for number in range(1, 4):
            post(connection, _tg(message_id=number, text=str(number)))
        (lease,) = claims.claim(INBOUND_QUEUE, wanted=9)
        lease.run()
        assert [message.body for message in Message.objects.order_by("id")] == ["1", "2", "3"]
        assert claims.claim(INBOUND_QUEUE, wanted=9) == []


class TestBlocked:
    """Issue 40, point 3: a blocked contact writes nothing, by a messenger either."""

    def update(self, number: int, body: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(json.dumps(TEXTS["tg"][0]))
        document["message"] |= {"message_id": number, "text": body}
        return document

    def block(self, shop: Widget, alice: Agent, hours: int | None = 1) -> Block:
        return block_visitor(
            widget_id=shop.pk,
            chat_id=Chat.objects.get().pk,
            what=Blocked.CONTACT,
            reason="Спам",
            hours=hours,
            agent_id=alice.pk,
            address="",
        )

    def test_what_they_write_is_taken_and_dropped(
        self, shop: Widget, alice: Agent, vendors: Vendors, caplog: pytest.LogCaptureFixture
    ) -> None:
        connection = connected(shop, "tg")
        post(connection, self.update(1, "до"))
        work()
        self.block(shop, alice)
        chat, taken = Chat.objects.values().get(), len(vendors.asked)
        caplog.set_level("INFO", logger="apps.messengers")
        dropped = dropped_so_far("tg")
        answer = post(connection, self.update(2, "Купите крипту"))
        assert (answer.status_code, answer.content) == (200, b'{"ok": true}')
        post(connection, PICTURES["tg"][0])  # in the same conversation
        work()
        assert [message.body for message in Message.objects.all()] == ["до"]
        assert Chat.objects.values().get() == chat, "nothing is unread, and nothing comes up"
        assert len(vendors.asked) == taken, "no file is fetched"
        assert not Inbound.objects.filter(handled_at=None).exists()
        assert dropped_so_far("tg") == dropped + 2
        assert "is blocked" in caplog.text
        assert "крипту" not in caplog.text
        assert not Inbound.objects.filter(part__isnull=False, external_id__gt="4711:1").exists(), (
            "what was said is kept nowhere"
        )

    def test_other_senders_of_the_bot_stay_heard(self, shop: Widget, alice: Agent, vendors: Vendors) -> None:
        connection = connected(shop, "tg")
        post(connection, self.update(1, "до"))
        work()
        self.block(shop, alice, hours=None)
        other = self.update(1, "другой")
        other["message"]["chat"] |= {"id": 43}
        other["message"]["from"] |= {"id": 43}
        post(connection, other)
        work()
        assert [message.body for message in Message.objects.order_by("id")] == ["до", "другой"]

    @pytest.mark.parametrize("how", ["its time is over", "it is lifted"])
    def test_after_its_end_they_are_heard_again(self, shop: Widget, alice: Agent, vendors: Vendors, how: str) -> None:
        connection = connected(shop, "tg")
        post(connection, self.update(1, "до"))
        work()
        block = self.block(shop, alice)
        post(connection, self.update(2, "во время"))
        work()
        if how == "it is lifted":
            lift_block(widget_id=shop.pk, block_id=block.pk)
        else:
            Block.objects.filter(pk=block.pk).update(until=timezone.now() - timedelta(seconds=1))
        for number, body in ((3, "после"), (2, "во время")):  # the vendor repeats what was dropped
            post(connection, self.update(number, body))
        work()
        assert [message.body for message in Message.objects.order_by("id")] == ["до", "после"]


def dropped_so_far(provider: str) -> float:
    return metrics.MESSENGER_BLOCKED.labels(provider)._value.get()


def test_the_senders_own_number_fills_an_empty_phone(shop: Widget, vendors: Vendors) -> None:
    document = json.loads(json.dumps(TEXTS["tg"][0]))
    del document["message"]["text"]
    document["message"]["contact"] = {"phone_number": "+79990001122", "first_name": "Анна", "user_id": 42}
    post(connected(shop, "tg"), document)
    work()
    assert Contact.objects.get().phone == "+79990001122"
    assert Message.objects.get().body == "Анна: +79990001122"


def test_what_nobody_knows_says_so(shop: Widget, vendors: Vendors) -> None:
    document = json.loads(json.dumps(TEXTS["tg"][0]))
    del document["message"]["text"]
    document["message"]["hologram"] = {"value": 6}
    post(connected(shop, "tg"), document)
    work()
    stored = Message.objects.get()
    assert stored.body == "[A message of a kind that Parley does not know: hologram]"
    assert stored.details == {"unsupported": {"provider": "tg", "kind": "hologram"}}
