"""Many replies at once in one process: they wait on a loop for slow vendors, with few threads and connections."""

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.ai.models import ReplyJob
from apps.ai.tasks import QUEUE
from apps.chats import actions
from apps.chats.models import Message
from apps.demo.servers.language_models import Vendor, chat
from apps.demo.servers.played import Says
from apps.leases import runner as leases_runner
from apps.leases.runner import Runner
from tests.ai.desk import Desk, desk_of
from tests.factories import AiAgentFactory, ChatFactory, ContactFactory
from tests.webhooks.receivers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "По 90 рублей."


@pytest.fixture
def slow() -> Iterator[threading.Event]:
    """Set once a slow vendor answers."""
    slow = threading.Event()
    yield slow
    slow.set()


@pytest.fixture
def runner() -> Iterator[Runner]:
    runner = Runner([QUEUE])
    yield runner
    assert runner.stop(20)


def shop(vendor: Vendor) -> Desk:
    """A shop of its own with an AI operator."""
    first = ChatFactory.create()
    return desk_of(chat=first, operator=AiAgentFactory.create(widget=first.widget, name="Flora"), vendor=vendor)


def ask(desk: Desk, visitors: int) -> None:
    """So many visitors of the shop have asked, and are quiet."""
    for contact in ContactFactory.create_batch(visitors, widget=desk.widget):
        actions.post_client_message(contact=contact, content={"type": "text", "body": "Сколько стоят розы?"})
    ReplyJob.objects.update(due_at=timezone.now())


def backends() -> int:
    """How many others are connected to the tests' database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def answers() -> Counter[int]:
    """How many answers each chat has."""
    return Counter(Message.objects.filter(sender_kind="ai", body=ANSWER).values_list("chat_id", flat=True))


def test_64_replies_wait_in_one_process(
    vendor: Vendor, slow: threading.Event, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases_runner, "IDLE_S", 0.2)
    vendor.will_say(Says(chat(ANSWER), wait=slow))
    for _ in range(2):
        ask(shop(vendor), visitors=33)
    before, others = threading.active_count(), backends()
    runner.wake()
    wait_until(lambda: len(vendor.asked) == 64, seconds=60)
    names = Counter(thread.name.partition(" ")[0] for thread in threading.enumerate())
    assert names["leased"] == 0
    own = threading.active_count() - before - len(vendor.asked)  # the played vendor has one for each
    assert own <= QUEUE.loops + 1 + 1 + 1 + 32, "its loops, the runner, typing, kept connections, and look-ups"
    wait_until(lambda: backends() <= others + 1)  # the runner's
    slow.set()
    wait_until(lambda: len(answers()) == 66, seconds=60)
    assert set(answers().values()) == {1}


def test_a_widget_with_a_slow_vendor_holds_half_of_the_places(
    vendor: Vendor, slow: threading.Event, runner: Runner, settings: Any
) -> None:
    vendor.will_say(Says(chat(ANSWER), wait=slow))
    with Vendor() as quick:
        settings.EGRESS_ALLOW = [vendor.host, quick.host]
        quick.will_say(chat(ANSWER))
        ask(shop(vendor), visitors=QUEUE.in_flight_each + 8)
        runner.wake()
        wait_until(lambda: len(vendor.asked) == QUEUE.in_flight_each, seconds=60)
        ask(shop(quick), visitors=4)
        runner.wake()
        wait_until(lambda: len(answers()) == 4, seconds=60)
        assert len(vendor.asked) == QUEUE.in_flight_each == QUEUE.in_flight / 2
        slow.set()
        wait_until(lambda: len(answers()) == QUEUE.in_flight_each + 8 + 4, seconds=60)
        assert set(answers().values()) == {1}
