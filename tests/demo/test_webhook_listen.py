"""`manage.py webhook_listen`, as a developer runs it: a process (see `listening`), real deliveries, Ctrl-C."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from apps.webhooks import rules
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery, Subscription
from config.environment import PROJECT_ROOT
from tests.demo.listening import start
from tests.factories.webhooks import SECRET, DeliveryFactory, SubscriptionFactory
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until


class Listener:
    """A running `webhook_listen` on a port of its own."""

    def __init__(self, *options: str) -> None:
        self._output = tempfile.NamedTemporaryFile(prefix="parley-listen-")  # noqa: SIM115 - as long as the listener
        self.process = start(options, self._output.name)

    @property
    def output(self) -> str:
        return Path(self._output.name).read_text()

    def wait_for(self, text: str) -> str:
        """All that was said, once this was."""
        wait_until(lambda: text in self.output or self.process.exitcode is not None, seconds=AT_MOST_S)
        assert text in self.output, self.output
        return self.output

    @property
    def port(self) -> int:
        found = re.match(r"webhooks are received at http://127\.0\.0\.1:(\d+)/, ", self.wait_for("signatures are"))
        assert found is not None, self.output
        return int(found[1])

    def post(self, body: bytes, headers: dict[str, str], path: str = "/") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.putrequest("POST", path)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            return connection.getresponse().status
        finally:
            connection.close()

    def ended(self) -> int | None:
        """The exit status; None of one that has not ended by itself."""
        self.process.join(20)
        return self.process.exitcode

    def stop(self) -> int | None:
        """Ctrl-C; the exit status."""
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGINT)
        return self.ended()


Listen = Callable[..., Listener]


@pytest.fixture
def listen() -> Iterator[Listen]:
    """Starts listeners with options; none outlives the test."""
    started: list[Listener] = []

    def start(*options: str) -> Listener:
        started.append(Listener("--port", "0", *options))
        return started[-1]

    yield start
    for listener in started:
        listener.process.kill()
        listener.process.join()


def deliver(listener: Listener, settings: Any) -> Delivery:
    """A delivery that the listener has answered."""
    settings.EGRESS_ALLOW = [f"127.0.0.1:{listener.port}"]
    url = f"http://127.0.0.1:{listener.port}/hook"
    return delivered(DeliveryFactory.create(subscription=SubscriptionFactory.create(url=url)))


def deliver_again(delivery: Delivery) -> Delivery:
    """Another delivery of the same event, to the same subscription."""
    return delivered(DeliveryFactory.create(event=delivery.event, subscription=Subscription.objects.get()))


def delivered(delivery: Delivery) -> Delivery:
    deliverer = Deliverer()
    deliverer.wake()
    wait_until(lambda: Delivery.objects.filter(pk=delivery.pk, attempts=1).exists())
    assert deliverer.stop(5)
    delivery.refresh_from_db()
    return delivery


def signed(body: bytes, secret: str = SECRET, **headers: str) -> dict[str, str]:
    """The headers of a genuine delivery."""
    return {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-Service-Event": "message.created",
        "X-Service-Signature": rules.signature(secret.encode(), body),
        "X-Service-Idempotency-Key": "7f3a9a52-1f3c-4f4e-9d6c-0a4c5e0f1b2d",
        **headers,
    }


@pytest.mark.django_db(transaction=True)
class TestDeliveries:
    def test_a_delivery_is_checked_and_shown(self, listen: Listen, settings: Any) -> None:
        listener = listen("--secret", SECRET)
        delivery = deliver(listener, settings)
        assert (delivery.status, delivery.attempts, delivery.response_status) == ("delivered", 1, 200)
        first, title, rest = listener.wait_for("answered 200").split("\n", 2)
        assert first == f"webhooks are received at http://127.0.0.1:{listener.port}/, signatures are checked"
        assert title == f"message.created {delivery.event.guid}: signature good, answered 200"
        assert rest == json.dumps(json.loads(delivery.event.body), indent=2) + "\n\n"

    def test_the_same_event_again_is_told(self, listen: Listen, settings: Any) -> None:
        listener = listen("--secret", SECRET)
        delivery = deliver(listener, settings)
        deliver_again(delivery)
        title = f"message.created {delivery.event.guid}: signature good"
        said = listener.wait_for("seen before")
        assert [line for line in said.split("\n") if line.startswith("message.created")] == [
            f"{title}, answered 200",
            f"{title}, seen before, answered 200",
        ]

    def test_another_secret_is_told_and_the_attempt_fails(self, listen: Listen, settings: Any) -> None:
        listener = listen("--secret", "whsec_of-another-subscription", "--compact")
        delivery = deliver(listener, settings)
        assert (delivery.status, delivery.attempts, delivery.response_status) == ("pending", 1, 401)
        assert f"{delivery.event.guid}: signature BAD, answered 401 {{" in listener.wait_for("answered")

    def test_without_a_secret_it_says_that_nothing_was_checked(self, listen: Listen, settings: Any) -> None:
        listener = listen()
        delivery = deliver(listener, settings)
        assert delivery.status == "delivered"
        said = listener.wait_for("answered 200")
        assert "signatures are not checked (see --secret)\n" in said
        assert f"{delivery.event.guid}: signature not checked, answered 200\n" in said

    def test_a_failing_receiver_can_be_rehearsed(self, listen: Listen, settings: Any) -> None:
        listener = listen("--secret", SECRET, "--answer", "503")
        delivery = deliver(listener, settings)
        assert (delivery.status, delivery.attempts, delivery.response_status) == ("pending", 1, 503)
        assert f"{delivery.event.guid}: signature good, answered 503\n" in listener.wait_for("answered")
        deliver_again(delivery)
        wait_until(lambda: listener.output.count("answered 503") == 2)
        assert "seen before" not in listener.output, "it was not taken the first time"


class TestAnythingElse:
    def test_what_is_not_signed_is_refused_and_shown(self, listen: Listen) -> None:
        listener = listen("--secret", SECRET)
        body = b'{"id": 1}'
        headers = signed(body)
        assert listener.post(body + b" ", headers | {"Content-Length": "10"}) == 401
        del headers["X-Service-Signature"]
        assert listener.post(body, headers) == 401
        said = listener.wait_for("MISSING")
        assert "2d: signature BAD, answered 401\n" in said
        assert "2d: signature MISSING, answered 401\n" in said

    @pytest.mark.parametrize(
        ("body", "shown"),
        [
            (b"", "b''"),
            (b"\xff\x1b[2J", r"b'\xff\x1b[2J'"),
            (b"[" * 100_000, "b'" + "[" * 2_000 + "' and 98000 bytes"),
            ('{"name": "Ольга \\u001b[31m\\u202e\\u009b"}'.encode(), '"name": "Ольга \\u001b[31m\\u202e\\x9b"'),
        ],
    )
    def test_no_body_upsets_it_or_the_terminal(self, listen: Listen, body: bytes, shown: str) -> None:
        listener = listen("--secret", SECRET)
        event = "chat\x1b]0;mine\x07"
        assert listener.post(body, signed(body, **{"X-Service-Event": event})) == 200
        said = listener.wait_for("answered 200")
        assert r"chat\x1b]0;mine\x07 7f3a9a52" in said
        assert shown in said
        assert all(letter == "\n" or letter.isprintable() for letter in said)

    def test_what_has_no_length_or_too_much_of_it_is_not_read(self, listen: Listen) -> None:
        listener = listen("--secret", SECRET)
        for length, status in (("", 411), ("-1", 411), ("1048577", 413)):
            headers = {"Content-Length": length} if length else {}
            assert listener.post(b"", headers) == status
        body = b"{}"
        assert listener.post(body, signed(body)) == 200, "and it goes on"
        assert listener.output.count("answered") == 1

    def test_a_get_is_refused(self, listen: Listen) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", listen().port, timeout=10)
        connection.request("GET", "/")
        assert connection.getresponse().status == 501


class TestTheCommand:
    def test_ctrl_c_ends_it_at_once_whoever_is_still_connected(self, listen: Listen) -> None:
        listener = listen("--secret", SECRET)
        with socket.create_connection(("127.0.0.1", listener.port)):
            assert listener.stop() == 0, listener.output
        assert listener.output.splitlines()[1:] == ["stopped"]

    def test_it_listens_on_this_machine_alone(self, listen: Listen) -> None:
        listener = listen()
        address = ("127.0.0.1", listener.port)
        listening = psutil.Process(listener.process.pid).net_connections("tcp")
        assert [(each.laddr, each.status) for each in listening] == [(address, "LISTEN")]

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["--port", "70000"], "argument --port: a port is a whole number from 0 to 65535"),
            (["--port", "-1"], "argument --port: a port is a whole number from 0 to 65535"),
            (["--answer", "100"], "argument --answer: a status is a number from 200 to 599"),
            (["--bind", "nowhere.invalid"], "CommandError: port 8099 of nowhere.invalid: "),
        ],
    )
    def test_what_it_cannot_do_is_one_line(self, options: list[str], says: str) -> None:
        listener = Listener(*options)
        assert listener.ended()
        assert says in listener.output.splitlines()[-1]
        assert "Traceback" not in listener.output

    def test_a_taken_port_is_named(self) -> None:
        """By the real process: exit status and all."""
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            done = subprocess.run(
                [sys.executable, "manage.py", "webhook_listen", "--port", port],
                cwd=PROJECT_ROOT,
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
        assert done.returncode == 1
        assert done.stderr == f"CommandError: port {port} of 127.0.0.1: Address already in use; see --port\n"
        assert done.stdout == ""
