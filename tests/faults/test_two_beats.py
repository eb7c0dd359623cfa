"""Two beats and a worker, for real, on one database and Valkey: what is due happens once (goal R12)."""

import json
from collections import Counter
from contextlib import ExitStack
from datetime import timedelta
from tempfile import TemporaryFile

import pytest
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery, Event
from tests.factories import ChatFactory, MessageFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.faults.conftest import Figures
from tests.faults.odd_valkey import OddValkey, odd_valkey
from tests.faults.processes import running
from tests.faults.scale import SCALE
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]

SWEEP = "apps.chats.tasks.sweep_chats"
SECONDS = 60.0


def waiting(valkey: OddValkey, task: str = "") -> Counter[str]:
    """How many tasks (of this name) await a worker, by the process that sent them, as Celery names it."""
    heads = [json.loads(message)["headers"] for message in valkey.operator.lrange("celery", 0, -1)]
    return Counter(head["origin"] for head in heads if task in head["task"])


def sweep_every_second() -> None:
    """By the row that a staff member would change in the cabinet; beats look for changes every 5 seconds."""
    task = PeriodicTask.objects.get(task=SWEEP)
    task.interval, _ = IntervalSchedule.objects.get_or_create(every=1, period=IntervalSchedule.SECONDS)
    task.save()


def idle_chats(shop: Widget, count: int) -> set[int]:
    """Chats in which nobody has written for 8 minutes: due."""
    chats = [ChatFactory.create(contact__widget=shop) for _ in range(count)]
    for chat in chats:
        MessageFactory.create(chat=chat, created_at=timezone.now() - timedelta(minutes=8))
    return {chat.pk for chat in chats}


@pytest.mark.slow
def test_two_beats_close_each_chat_once(shop: Widget, hook: HookReceiver, figures: Figures) -> None:
    """R12: two real beats, each of which sends the sweep; each transition emits `chat.closed` once, delivered once."""
    set_event_enabled(name="chat.closed", enabled=True)
    SubscriptionFactory.create(widget=shop, events=["chat.closed"], url=hook.url)
    with ExitStack() as stack:
        valkey = stack.enter_context(odd_valkey())
        output = stack.enter_context(TemporaryFile())
        beats = [stack.enter_context(running("beat", output, REDIS_URL=valkey.url)) for _ in range(2)]
        wait_until(lambda: len(waiting(valkey)) == 2, SECONDS)  # one that starts brings the usual schedule along
        sweep_every_second()
        due = idle_chats(shop, SCALE.due_chats)
        wait_until(lambda: sorted(min(n, 2) for n in waiting(valkey, SWEEP).values()) == [2, 2], SECONDS)
        sweeps = waiting(valkey, SWEEP)  # four at least await the worker, which has four processes
        environ = {"REDIS_URL": valkey.url, "EGRESS_ALLOW": f"127.0.0.1:{hook.port}", "WORKER_CONCURRENCY": "4"}
        stack.enter_context(running("worker", output, **environ))
        hook.wait_for(len(due), seconds=SECONDS)
        for _ in range(SCALE.rounds_of_due_chats):  # and while the beats go on
            due |= idle_chats(shop, SCALE.due_chats // 10)
            hook.wait_for(len(due), seconds=SECONDS)
        wait_until(lambda: valkey.operator.llen("celery") == 0 and valkey.operator.hlen("unacked") == 0, SECONDS)
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists(), SECONDS)
        assert [beat.poll() for beat in beats] == [None, None]
    once = dict.fromkeys(due, 1)
    assert set(Chat.objects.filter(pk__in=due).values_list("status", flat=True)) == {"expired"}
    assert Counter(json.loads(body)["data"]["chat_id"] for body in Event.objects.values_list("body", flat=True)) == once
    assert Counter(one.json["data"]["chat_id"] for one in hook.heard) == once
    assert Counter(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1): len(due)}
    sent = " and ".join(str(count) for count in sweeps.values())
    figures.add("R12, two beats", f"{len(due):,} chats, {sent} sweeps at once, then more: {len(hook.heard):,} events")
