"""Push messages to operators whose console is closed (RFC 8030, 8291, 8292; docs/guides/operator-side.md)."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.db.models.functions import Now
from joserfc import jwk, jwt
from pytest_django import Settings

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat
from apps.console.actions import pushes
from apps.console.models import PushKey, PushSubscription
from apps.console.rules.push_keys import MAX_BROWSERS
from apps.console.tasks import QUEUE
from apps.leases import claims
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.rows import snapshot
from tests.webhooks.receivers import Heard, HookReceiver

pytestmark = pytest.mark.django_db
AUTH = b"sixteen bytes ok"


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Phone:
    """A browser with a subscription: it alone can read what is sent to it."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.keys = {"p256dh": base64url(point), "auth": base64url(AUTH)}

    def read(self, heard: Heard) -> dict[str, Any]:
        assert heard.headers["content-encoding"] == "aes128gcm"
        found: dict[str, Any] = json.loads(
            http_ece.decrypt(heard.body, private_key=self.key, auth_secret=AUTH, version="aes128gcm")
        )
        return found


@pytest.fixture
def phone() -> Phone:
    return Phone()


@pytest.fixture
def push_service(settings: Settings) -> Iterator[HookReceiver]:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    with HookReceiver(201) as service:
        yield service


@pytest.fixture
def alices_phone(alice: Agent, alices_console: Console, phone: Phone, push_service: HookReceiver) -> PushSubscription:
    """Alice has allowed it on her phone, and closed the console."""
    session_key = alices_console.headers["Cookie"].partition("sessionid=")[2].partition(";")[0]
    pushes.add_browser(agent=alice, session_key=session_key, endpoint=push_service.url, **phone.keys)
    return PushSubscription.objects.get()


def write(chat: Chat, text: str = "Сколько стоят розы?") -> None:
    """The visitor writes."""
    actions.post_client_message(contact=chat.contact, content={"type": "text", "text": text})


def beat() -> int:
    """What happens within ten seconds; returns how many were sent to."""
    pushes.queue_pushes()
    leases = claims.claim(QUEUE, wanted=9)
    for lease in leases:
        lease.run()
    return len(leases)


class TestTelling:
    def test_an_operator_with_the_console_closed_is_told_that_somebody_waits(
        self, alices_phone: PushSubscription, alice: Agent, chat: Chat, phone: Phone, push_service: HookReceiver
    ) -> None:
        write(chat)
        assert beat() == 1
        (heard,) = push_service.heard
        assert phone.read(heard) == {
            "title": alice.widget.name,
            "body": "1 visitor waits for an answer",
            "url": f"/console/?widget={alice.widget.guid}",
            "tag": f"parley-{alice.widget.guid}",
        }
        assert {name: heard.headers[name] for name in ("ttl", "urgency", "topic")} == {
            "ttl": "3600",
            "urgency": "high",
            "topic": "waiting",
        }

    def test_it_is_signed_by_the_installations_key(
        self, alices_phone: PushSubscription, alices_console: Console, chat: Chat, push_service: HookReceiver
    ) -> None:
        write(chat)
        beat()
        scheme, _, given = push_service.heard[0].headers["authorization"].partition(" ")
        parts = dict(part.split("=", 1) for part in given.split(","))
        key = alices_console.data("GET", "/push")["subscribe_with"]
        assert (scheme, parts["k"]) == ("vapid", key)
        point = base64.urlsafe_b64decode(key + "==")
        numbers = {"kty": "EC", "crv": "P-256", "x": base64url(point[1:33]), "y": base64url(point[33:])}
        claims_ = jwt.decode(parts["t"], jwk.ECKey.import_key(numbers), algorithms=["ES256"]).claims
        assert claims_["aud"] == f"http://127.0.0.1:{push_service.port}"
        assert claims_["sub"].startswith("mailto:")

    def test_each_wait_is_told_once(
        self, alices_phone: PushSubscription, chat: Chat, push_service: HookReceiver
    ) -> None:
        write(chat)
        assert (beat(), beat()) == (1, 0)
        write(chat, "И тюльпаны?")
        assert (beat(), len(push_service.heard)) == (1, 2)

    def test_nothing_of_the_visitor_is_in_it(
        self, alices_phone: PushSubscription, chat: Chat, phone: Phone, push_service: HookReceiver
    ) -> None:
        write(chat, "secret-words")
        beat()
        said = json.dumps(phone.read(push_service.heard[0]), ensure_ascii=False)
        assert "secret-words" not in said
        assert chat.contact.name not in said

    def test_in_the_operators_language(
        self, alices_phone: PushSubscription, alice: Agent, chat: Chat, phone: Phone, push_service: HookReceiver
    ) -> None:
        type(alice.user).objects.filter(pk=alice.user_id).update(language="ru")
        write(chat)
        beat()
        assert phone.read(push_service.heard[0])["body"] == "1 посетитель ждёт ответа"

    def test_who_has_the_console_open_or_takes_a_break_is_not_told(
        self, alices_phone: PushSubscription, chat: Chat
    ) -> None:
        write(chat)
        for changes in ({"online_since": Now()}, {"online_since": None, "status": "relaxation"}):
            Agent.objects.filter(pk=alices_phone.agent_id).update(**changes)
            assert beat() == 0
        Agent.objects.filter(pk=alices_phone.agent_id).update(status="active")
        assert beat() == 1

    def test_a_colleagues_chat_and_what_waited_before_are_not_told(
        self, alice: Agent, boris: Agent, alices_console: Console, chat: Chat, phone: Phone, push_service: HookReceiver
    ) -> None:
        write(chat)
        session_key = alices_console.headers["Cookie"].partition("sessionid=")[2].partition(";")[0]
        pushes.add_browser(agent=alice, session_key=session_key, endpoint=push_service.url, **phone.keys)
        assert beat() == 0
        Chat.objects.filter(pk=chat.pk).update(agent=boris)
        write(chat, "Алло?")
        assert beat() == 0


class TestEnding:
    def test_pushes_end_with_the_session(
        self, alices_phone: PushSubscription, alices_console: Console, chat: Chat
    ) -> None:
        assert alices_console.post("/logout/").status_code == 302
        write(chat)
        assert beat() == 1
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize("status", [404, 410])
    def test_when_the_browser_is_gone(
        self, alices_phone: PushSubscription, chat: Chat, push_service: HookReceiver, status: int
    ) -> None:
        push_service._answers = [status]
        write(chat)
        beat()
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize("status", [429, 500])
    def test_a_push_service_that_is_away_is_asked_again(
        self, alices_phone: PushSubscription, chat: Chat, push_service: HookReceiver, status: int
    ) -> None:
        push_service._answers = [status]
        write(chat)
        beat()
        browser = PushSubscription.objects.get()
        assert (browser.attempts, browser.told_up_to, browser.due_at is None) == (1, 0, False)

    @pytest.mark.parametrize("status", [400, 413])
    def test_a_refusal_is_not_repeated_and_is_told(
        self,
        alices_phone: PushSubscription,
        chat: Chat,
        push_service: HookReceiver,
        caplog: pytest.LogCaptureFixture,
        status: int,
    ) -> None:
        push_service._answers = [status]
        write(chat)
        assert (beat(), beat()) == (1, 0)
        assert f"the push service 127.0.0.1 refuses a message: {status}" in caplog.text

    @pytest.mark.parametrize("status", [401, 403])
    def test_a_browser_that_is_subscribed_for_another_key_is_forgotten(
        self, alices_phone: PushSubscription, chat: Chat, push_service: HookReceiver, status: int
    ) -> None:
        push_service._answers = [status]
        write(chat)
        beat()
        assert not PushSubscription.objects.exists()

    def test_an_address_inside_is_never_called(
        self, alices_phone: PushSubscription, chat: Chat, push_service: HookReceiver, settings: Settings
    ) -> None:
        settings.EGRESS_ALLOW = []
        write(chat)
        beat()
        assert push_service.heard == []


class TestSubscribing:
    def body(self, phone: Phone, **changes: Any) -> dict[str, Any]:
        return {"endpoint": "https://push.example/send/1", **phone.keys, **changes}

    def test_a_browser_is_known_once(self, alices_console: Console, phone: Phone) -> None:
        for _ in range(2):
            assert alices_console.put("/push", json=self.body(phone)).status_code == 204
        assert PushSubscription.objects.count() == 1

    def test_at_most_twenty_the_newest(self, alices_console: Console, phone: Phone) -> None:
        for number in range(MAX_BROWSERS + 1):
            alices_console.put("/push", json=self.body(phone, endpoint=f"https://push.example/{number}"))
        kept = {browser.endpoint for browser in PushSubscription.objects.all()}
        assert kept == {f"https://push.example/{number}" for number in range(1, MAX_BROWSERS + 1)}

    def test_the_caller_ends_their_own_alone(self, alices_console: Console, phone: Phone, rival: Rival) -> None:
        alices_console.put("/push", json=self.body(phone))
        others = Console(rival.agent)
        ended = {"endpoint": "https://push.example/send/1"}
        assert others.post("/push", json=ended).status_code == 204
        assert PushSubscription.objects.count() == 1
        assert alices_console.post("/push", json=ended).status_code == 204
        assert not PushSubscription.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"endpoint": "http://push.example/"}, "endpoint"),
            ({"endpoint": "https://push.example/" + "x" * 1000}, "endpoint"),
            ({"endpoint": "https://пуш.example/"}, "endpoint"),
            ({"p256dh": "AAAA"}, "p256dh"),
            ({"p256dh": "!" * 87}, "p256dh"),
            ({"auth": base64url(b"fifteen bytes !")}, "auth"),
            ({"auth": None}, "auth"),
        ],
    )
    def test_bad_input_is_422(self, alices_console: Console, phone: Phone, changes: dict[str, Any], field: str) -> None:
        before = snapshot()
        assert_problem(
            alices_console.put("/push", json=self.body(phone, **changes)), 422, "invalid_input", errors=[field]
        )
        assert snapshot() == before

    def test_the_key_is_made_once_and_its_private_half_is_encrypted(self, alices_console: Console) -> None:
        key = alices_console.data("GET", "/push")["subscribe_with"]
        assert alices_console.data("GET", "/push")["subscribe_with"] == key
        assert len(base64.urlsafe_b64decode(key + "==")) == 65
        assert PushKey.objects.count() == 1
        assert str(PushKey.objects.get().private) not in str(snapshot())


class TestApplication:
    def test_the_page_names_a_manifest_and_its_worker_stands_beneath_it(self, alices_console: Console) -> None:
        page = alices_console.get("/").content.decode()
        assert '<link rel="manifest" href="/console/manifest.webmanifest">' in page
        manifest = alices_console.get("/manifest.webmanifest")
        assert manifest["Content-Type"] == "application/manifest+json"
        assert (manifest.json()["start_url"], manifest.json()["scope"]) == ("/console/", "/console/")
        worker = alices_console.get("/worker.js")
        assert worker["Content-Type"].startswith("text/javascript")
        assert b"showNotification" in worker.getvalue()
