"""The one played server, and what is played on it: answers, refusals, a bot that takes turns."""

import hmac
import http.client
import json
import threading
from hashlib import sha256
from typing import Any

import pytest

from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.operator import PlayedOperator
from apps.demo.servers.played import PlayedRequest, PlayedServer, Says
from tests.webhooks.receivers import HookReceiver


class Echo(PlayedServer):
    """Answers with what it was asked; `/empty` with 204, `/gone` not at all."""

    methods = ("GET", "POST")
    max_body_bytes = 10

    def hear(self, request: PlayedRequest) -> Says:
        if request.path == "/empty":
            return Says(status=204)
        if request.path == "/plain":
            return Says(b"text", headers={"Content-Type": "text/plain"})
        return Says({"method": request.method, "path": request.path, "said": request.raw.decode()}, 201)


def call(
    server: PlayedServer, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, bytes, str | None]:
    """Status, body and content type of an answer. A body brings its length along; `headers` may say another."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.putrequest(method, path)
        lengths = {} if body is None else {"Content-Length": str(len(body))}
        for name, value in {**lengths, **(headers or {})}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers["Content-Type"]
    finally:
        connection.close()


class TestServer:
    def test_an_answer_is_json_or_bytes_or_nothing(self) -> None:
        with Echo() as echo:
            status, body, content_type = call(echo, "POST", "/said?a=1", b"hello")
            assert (status, content_type) == (201, "application/json")
            assert json.loads(body) == {"method": "POST", "path": "/said?a=1", "said": "hello"}
            assert call(echo, "GET", "/plain") == (200, b"text", "text/plain")
            assert call(echo, "GET", "/empty") == (204, b"", None)

    @pytest.mark.parametrize(
        ("method", "headers", "status"),
        [
            ("DELETE", {}, 501),
            ("POST", {}, 411),
            ("POST", {"Content-Length": "ten"}, 411),
            ("POST", {"Content-Length": "11"}, 413),
        ],
    )
    def test_what_it_does_not_take_is_refused_unheard(self, method: str, headers: dict[str, str], status: int) -> None:
        with Echo() as echo:
            assert call(echo, method, "/", headers=headers)[0] == status
            assert call(echo, "GET", "/")[0] == 201, "and it goes on"

    def test_requests_do_not_wait_for_one_another(self) -> None:
        may_answer = threading.Event()

        class Slow(PlayedServer):
            def hear(self, request: PlayedRequest) -> Says:
                return Says("slow", wait=may_answer) if request.path == "/slow" else Says("fast")

        with Slow() as server:
            answers: list[Any] = []
            slow = threading.Thread(target=lambda: answers.append(call(server, "GET", "/slow")[1]))
            slow.start()
            assert call(server, "GET", "/fast")[1] == b'"fast"'
            assert answers == []
            may_answer.set()
            slow.join(20)
            assert answers == [b'"slow"']

    def test_a_taken_port_is_an_error_of_the_system(self) -> None:
        with Echo() as echo, pytest.raises(OSError, match="Address already in use"):
            Echo(echo.port)


def test_a_messenger_vendor_is_found_below_its_code() -> None:
    with Vendors() as vendors:
        status, body, _ = call(vendors, "GET", "/tg/bot7:x/getMe")
        assert (status, json.loads(body)["result"]["username"]) == (200, "bot7_bot")
        assert call(vendors, "GET", "/nobody/getMe")[0] == 404
        assert [(one.vendor, one.path) for one in vendors.asked] == [("tg", "/bot7:x/getMe"), ("nobody", "/getMe")]


SECRET = "whsec_played"
ASKED = "How much are roses?"


def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    return {"X-Service-Signature": f"sha256=v1:{hmac.new(secret.encode(), body, sha256).hexdigest()}"}


class TestOperator:
    @pytest.mark.parametrize(
        ("behaviour", "content", "escalate"),
        [
            ("echo", "You said: How much are roses?", False),
            ("faq", None, False),
            ("escalate", "You said: How much are roses?", True),
        ],
    )
    def test_a_turn_is_answered_by_a_signed_call(self, behaviour: str, content: str | None, escalate: bool) -> None:
        with (
            HookReceiver() as service,
            PlayedOperator(0, secret=SECRET, token="pt_x", behaviour=behaviour, says=print) as played,
        ):
            turn = {
                "room_id": 7,
                "causation_id": "c1",
                "operator_public_id": "op",
                "button_guid": "guid",
                "reply_url": service.url,
                "messages": [{"body": ASKED}],
            }
            event = json.dumps({"id": "e1", "type": "turn.created", "data": turn}).encode()
            assert call(played, "POST", "/", event, signed(event))[0] == 200
            assert call(played, "POST", "/", event, signed(event))[0] == 200, "and a second time does nothing"
            (reply,) = service.wait_for(1)
            said = reply.json
            assert said == {"room_id": 7, "causation_id": "c1", "content": content, "escalate": escalate}
            assert reply.headers["authorization"] == "Bearer pt_x"
            frame = b"reply\nop\nguid\n" + reply.body
            assert reply.headers["x-service-signature"] == signed(frame)["X-Service-Signature"]
        assert len(service.heard) == 1

    def test_a_test_is_proved_and_another_secret_refused(self) -> None:
        says: list[object] = []
        with PlayedOperator(0, secret=SECRET, token="pt_x", behaviour="silent", says=says.append) as played:
            event = json.dumps({"id": "e1", "type": "delivery.test", "data": {"challenge": "abc"}}).encode()
            assert json.loads(call(played, "POST", "/", event, signed(event))[1]) == {
                "challenge": "abc",
                "proof": signed(b"abc")["X-Service-Signature"],
            }
            assert call(played, "POST", "/", event, signed(event, "another"))[0] == 401
            assert call(played, "GET", "/")[0] == 501
        assert says == ["test: proved", "refused: the signature is not by this secret"]
