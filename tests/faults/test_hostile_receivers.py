"""Receivers that misbehave: each delivery ends in its state within its deadline, and its place is free again.

What such answers do to the connection and to memory is shown in tests/egress/test_batch.py; here they meet all at
once in one deliverer, beside a receiver that behaves.
"""

import socket
import struct
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from apps.egress.batch import TOTAL_SECONDS, GuardedSession
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery
from apps.webhooks.rules import MAX_ATTEMPTS
from tests.egress.receivers import (
    Conversation,
    Receiver,
    answer,
    certificate_for,
    drips,
    floods,
    read_request,
    says,
)
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.faults.scale import SCALE
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

# The short form's deadline; the long form waits for the real one.
DEADLINE_S = TOTAL_SECONDS if SCALE.is_long else 1.5
SILENT = "No answer within 15 seconds."
UNREACHABLE = "The address could not be reached."
BAD_TLS = "The TLS handshake failed."
GIGABYTE = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
# Deliveries to each: more than may be under way to a receiver at first.
EACH = 6


def resets(connection: socket.socket) -> None:
    """Takes a request and hangs up with a reset."""
    read_request(connection)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def answers_in_the_clear(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def hostile(stopped: threading.Event) -> dict[str, tuple[str, Conversation, tuple[str, int | None, str]]]:
    """By name: the scheme, what the receiver does, and the state that a last attempt ends in: status, answer, error."""

    def hangs(connection: socket.socket) -> None:
        read_request(connection)
        stopped.wait(60)

    def hangs_in_the_handshake(connection: socket.socket) -> None:
        stopped.wait(60)

    return {
        "hangs": ("http", hangs, ("failed", None, SILENT)),
        "drips its head": ("http", drips(b"HTTP/1.1 200 OK\r\nX: ", stopped=stopped), ("failed", None, SILENT)),
        "drips its body": ("http", drips(GIGABYTE, stopped=stopped), ("delivered", 200, "")),
        "answers a gigabyte": ("http", floods(GIGABYTE, bytes(65536)), ("delivered", 200, "")),
        "resets": ("http", resets, ("failed", None, UNREACHABLE)),
        "redirects": (
            "http",
            says(answer(status="302 Found", headers=("Location: http://127.0.0.1:1/",))),
            ("failed", 302, "The receiver answered 302."),
        ),
        "speaks no TLS": ("https", answers_in_the_clear, ("failed", None, BAD_TLS)),
        "has a certificate of its own": ("tls", says(answer()), ("failed", None, BAD_TLS)),
        "hangs in the handshake": ("https", hangs_in_the_handshake, ("failed", None, SILENT)),
    }


def test_every_attempt_ends_in_its_state_within_its_deadline_and_frees_its_place(
    deliverer: Deliverer, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shorten_deadline(monkeypatch)
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    stopped = threading.Event()
    expected: dict[int, tuple[str, int | None, str]] = {}
    with ExitStack() as stack:
        for scheme, talk, outcome in hostile(stopped).values():
            tls = certificate_for("127.0.0.1", tmp_path)[0] if scheme == "tls" else None
            receiver = stack.enter_context(Receiver(talk, tls=tls))
            url = f"{'http' if scheme == 'http' else 'https'}://127.0.0.1:{receiver.port}/"
            subscription = SubscriptionFactory.create(url=url)
            deliveries = DeliveryFactory.create_batch(EACH, subscription=subscription, attempts=MAX_ATTEMPTS - 1)
            expected |= {delivery.pk: outcome for delivery in deliveries}
        prompt = stack.enter_context(HookReceiver())
        stack.callback(stopped.set)
        began = time.monotonic()
        deliverer.wake()
        prompt_ones = DeliveryFactory.create_batch(30, subscription=SubscriptionFactory.create(url=prompt.url))
        prompt.wait_for(30)
        # Four at a time to a receiver that hangs: two turns.
        wait_until(lambda: not unsettled(expected), seconds=3 * DEADLINE_S + 10)
        assert time.monotonic() - began < 3 * DEADLINE_S + 5
        stopped.set()
        assert deliverer.stop(5), "no place is held"
    found = {
        row.pk: (row.status, row.response_status, row.last_error) for row in Delivery.objects.filter(pk__in=expected)
    }
    assert found == expected
    tried = Delivery.objects.filter(pk__in=expected)
    assert set(tried.values_list("attempts", "claim_id")) == {(MAX_ATTEMPTS, None)}
    in_order = Delivery.objects.filter(pk__in=[one.pk for one in prompt_ones])
    assert set(in_order.values_list("status", "attempts", "claim_id")) == {("delivered", 1, None)}


def unsettled(expected: dict[int, Any]) -> bool:
    return Delivery.objects.filter(pk__in=expected, status="pending").exists()


def shorten_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The calls' own deadline is shorter in the short form; nothing else about them changes."""
    post = GuardedSession.post

    async def post_in_short(*args: Any, **options: Any) -> Any:
        return await post(*args, **{"connect_timeout": DEADLINE_S, "total_timeout": DEADLINE_S, **options})

    if not SCALE.is_long:
        monkeypatch.setattr(GuardedSession, "post", post_in_short)
