"""Strangers flood a realtime process with sockets and frames; a visitor's messages are acknowledged meanwhile (R22)."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import psutil
import pytest

from apps.accounts.models import Widget
from apps.chats.models import Contact, Message
from config.environment import PROJECT_ROOT
from tests.factories import ContactFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.faults import strangers
from tests.faults.conftest import Figures
from tests.faults.fleet import p95
from tests.faults.scale import SCALE
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import Tab
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

SILENT, SOCKETS_PER_ADDRESS = 200, 20
# How the sockets of each kind end, by the code of the close frame.
ENDINGS = {
    "tiny frames": "1008",
    "brackets": "1008",
    "huge frames": "1009",
    "wrong tokens": "1008",
    "pings": "1008",
    "parts": "1008",
    "after sign-in": "1013",
    "drips": "1008",
}
# Or: the address has no more to spend, for a handshake or for frames; it is cut, as the stranger went on sending.
ELSE = {"403", "1013", "cut"}


def connections_of_strangers(process: RealtimeProcess) -> int:
    """As many as the process holds."""
    held = psutil.Process(process.pid).net_connections("tcp")
    return sum(one.status == psutil.CONN_ESTABLISHED and one.raddr.ip in strangers.ADDRESSES for one in held)


def acknowledged_in(tab: Tab, body: str) -> float:
    """Seconds from a message to its acknowledgement."""
    began = time.monotonic()
    client_id = tab.say(body)

    def is_ours(shown: dict[str, Any]) -> bool:
        return bool(shown["type"] == "ack" and shown["data"]["client_id"] == client_id)

    tab.until(is_ours, seconds=60)
    return time.monotonic() - began


@pytest.mark.slow
def test_a_visitors_messages_are_acknowledged_while_strangers_flood(
    start_realtime: Callable[..., RealtimeProcess], shop: Widget, ivan: Contact, figures: Figures
) -> None:
    """R22: 40 flooding sockets and 200 silent connections; every message acknowledged, p95 at most 250 ms."""
    process = start_realtime(SOCKETS_PER_ADDRESS=str(SOCKETS_PER_ADDRESS), VISITOR_RATE_LIMIT="300")
    token = visitor_token(VisitorSessionFactory.create(contact=ivan))
    theirs = visitor_token(VisitorSessionFactory.create(contact=ContactFactory.create(widget=shop)))
    took: list[float] = []
    with ExitStack() as stack:
        stack.callback(process.stop)
        tab = stack.enter_context(Tab(process.url, shop.guid))
        tab.auth(token)
        before = [acknowledged_in(tab, "Good morning") for _ in range(20)]
        with ExitStack() as silence:
            for n in range(SILENT):
                source = (strangers.ADDRESSES[n % len(strangers.ADDRESSES)], 0)
                silence.enter_context(socket.create_connection(("127.0.0.1", process.port), source_address=source))
            arguments = [str(process.port), shop.guid, theirs, str(SCALE.flood_s)]
            command = [sys.executable, "-m", "tests.faults.strangers", *arguments]
            flooding = subprocess.Popen(command, cwd=PROJECT_ROOT, stdout=subprocess.PIPE)
            stack.callback(flooding.kill)
            wait_until(lambda: connections_of_strangers(process) > SILENT)
            until = time.monotonic() + SCALE.flood_s
            while time.monotonic() < until:
                took.append(acknowledged_in(tab, "Is it open on Sunday?"))
                threading.Event().wait(0.1)
            endings = json.loads(flooding.communicate(timeout=120)[0])
        wait_until(lambda: connections_of_strangers(process) == 0, seconds=AT_MOST_S)
        took.append(acknowledged_in(tab, "And on Monday?"))
        fill_an_address(process, stack, shop)
    sockets = sum(sum(found.values()) for found in endings.values())
    took_ms, before_ms = p95(took) * 1000, p95(before) * 1000
    figures.add("R22, sockets", f"p95 {took_ms:.0f} ms ({before_ms:.0f} before), strangers opened {sockets:,} sockets")
    assert Message.objects.filter(chat__contact=ivan).count() == len(before) + len(took)
    assert [(kind, endings[kind]) for kind, code in ENDINGS.items() if endings[kind].keys() - {code, *ELSE}] == []
    assert [(kind, endings[kind]) for kind, code in ENDINGS.items() if code not in endings[kind]] == []
    if SCALE.is_long:
        assert p95(took) <= 0.25


def fill_an_address(process: RealtimeProcess, stack: ExitStack, shop: Widget) -> None:
    """None of the strangers' sockets counts any more: their address may open as many as any other."""
    source = strangers.ADDRESSES[0]
    statuses: list[str] = []

    def opens() -> bool:
        connection, status, _ = strangers.shake_hands(source, process.port, shop.guid)
        stack.enter_context(connection)
        statuses.append(status)
        return status == "101"

    for _ in range(SOCKETS_PER_ADDRESS):
        wait_until(opens, seconds=AT_MOST_S)  # the address gets back bit by bit what it has spent
    assert opens() is False
