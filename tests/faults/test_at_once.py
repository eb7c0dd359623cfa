"""Callers and jobs that do the same thing at the same moment: it happens once (goals R8 and R12)."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions as chats
from apps.chats.actions import sweep
from apps.chats.models import Chat, Message
from apps.core.database import execute
from apps.core.endpoints import outbound_writes
from apps.core.models import IdempotencyKey
from apps.demo.servers.language_models import Vendor, vectors
from apps.egress.bulkhead import Bulkhead
from apps.kb.models import Rule
from apps.webhooks.models import Event, EventSwitch, Subscription
from tests.client import ApiClient
from tests.contract.samples import RECEIVER
from tests.factories import ChatFactory, MessageFactory
from tests.factories.ai import CredentialFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.faults.conftest import Figures
from tests.faults.failpoints import run_apart
from tests.faults.scale import SCALE
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]

CALLERS = 20


def test_of_twenty_writes_with_one_key_one_is_done(
    token: str, chat: Chat, alice: Agent, settings: Any, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R8: 300 rounds of 20 parallel same-key writes: one 2xx, nineteen 409, one effect, no 5xx.

    As in twenty processes: each finds a place to ask the resolver in.
    """
    monkeypatch.setattr(outbound_writes, "outbound_waits", Bulkhead(threads=4 * CALLERS))
    settings.EGRESS_ALLOW, settings.API_RATE_LIMIT = ["localhost:8443"], 1_000_000
    messages, departments, subscriptions = f"/chats/{chat.pk}/messages", "/departments", "/webhook-subscriptions"
    writes: list[tuple[str, Callable[[int], Any], int, Callable[[], int]]] = [
        (messages, lambda n: {"type": "text", "body": f"{n}", "agent_id": alice.pk}, 202, Message.objects.count),
        (departments, lambda n: {"name": f"Number {n}"}, 201, Department.objects.count),
        (
            subscriptions,
            lambda n: {"url": f"{RECEIVER}/{n}", "events": ["chat.closed"]},
            201,
            Subscription.objects.count,
        ),
    ]
    barrier = Barrier(CALLERS)
    clients = [ApiClient(token) for _ in range(CALLERS)]

    def write(client: ApiClient, path: str, body: Any, key: str) -> int:
        barrier.wait(timeout=60)
        return int(client.post(path, json=body, idempotency_key=key).status_code)

    with ThreadPoolExecutor(CALLERS) as callers:
        for n in range(SCALE.same_key_rounds):
            path, body, success, count = writes[n % len(writes)]
            before = count()
            answers = [callers.submit(write, client, path, body(n), f"key-{n}") for client in clients]
            assert Counter(answer.result() for answer in answers) == {success: 1, 409: CALLERS - 1}, (
                f"round {n}, {path}"
            )
            assert (count(), IdempotencyKey.objects.count()) == (before + 1, n + 1)
        for _ in range(CALLERS):
            callers.submit(lambda: (barrier.wait(timeout=60), connection.close()))
    figures.add("R8", f"{SCALE.same_key_rounds} rounds of {CALLERS}: one success each, no 5xx")


def test_of_twenty_rules_with_one_key_one_is_embedded(
    token: str, chat: Chat, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim is committed before the provider is called: nobody pays twice."""
    monkeypatch.setattr(outbound_writes, "outbound_waits", Bulkhead(threads=4 * CALLERS))
    settings.API_RATE_LIMIT = 1_000_000
    barrier = Barrier(CALLERS)
    clients = [ApiClient(token) for _ in range(CALLERS)]

    def write(client: ApiClient, key: str) -> int:
        barrier.wait(timeout=60)
        return int(client.post("/kb/rules", json={"content": key}, idempotency_key=key).status_code)

    with Vendor() as vendor, ThreadPoolExecutor(CALLERS) as callers:
        settings.EGRESS_ALLOW, vendor.answer = [vendor.host], vectors
        url = f"{vendor.url}/v1"
        CredentialFactory.create(
            widget=chat.widget, provider="openai_compatible", base_url=url, target=url, embedding_model="e-1"
        )
        for n in range(5):
            answers = Counter(answer.result() for answer in [callers.submit(write, one, f"k-{n}") for one in clients])
            assert answers == {201: 1, 409: CALLERS - 1}
            assert (len(vendor.asked), Rule.objects.count()) == (n + 1, n + 1)
        for _ in range(CALLERS):
            callers.submit(lambda: (barrier.wait(timeout=60), connection.close()))


def test_two_sweeps_at_once_close_each_chat_once(
    shop: Widget, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    """R12, the sweeps: in processes of their own, each transition emits `chat.closed` once."""
    EventSwitch.objects.update(enabled=True)
    SubscriptionFactory.create(widget=shop, events=["chat.closed"])
    idle = [ChatFactory.create(contact__widget=shop) for _ in range(SCALE.due_chats)]
    for chat in idle:
        MessageFactory.create(chat=chat, created_at=timezone.now() - timedelta(minutes=8))
    monkeypatch.setattr(sweep, "BATCH", 10)
    now = timezone.now()

    def sweep_when_let() -> int:
        execute("SELECT pg_advisory_lock_shared(12)", {})
        return chats.sweep_chats(as_of=now).expired

    def sweep_apart(_: int) -> int:
        swept: int = run_apart(sweep_when_let).result
        return swept

    with ThreadPoolExecutor(2) as processes:
        execute("SELECT pg_advisory_lock(12)", {})
        sweeping = [processes.submit(sweep_apart, n) for n in range(2)]
        wait_until(lambda: execute("SELECT FROM pg_locks WHERE NOT granted", {}) == 2, seconds=AT_MOST_S)
        execute("SELECT pg_advisory_unlock(12)", {})
        swept = [one.result() for one in sweeping]
    swept.append(chats.sweep_chats(as_of=now).expired)  # what each left to the other
    assert sum(swept) == len(idle)
    told = Counter(json.loads(body)["data"]["chat_id"] for body in Event.objects.values_list("body", flat=True))
    assert told == {chat.pk: 1 for chat in idle}
    figures.add("R12", f"{len(idle)} chats swept by two ({swept[0]} and {swept[1]}): {told.total()} events")
