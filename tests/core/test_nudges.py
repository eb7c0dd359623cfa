"""Broadcasts: frozen data, never in the way, at most once (docs/adr/0006)."""

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import orjson
import pytest
import redis
from django.conf import settings
from pytest_django import Settings

from apps.chats.rules.typing import Typing
from apps.core.observability import metrics
from apps.core.redis import broadcasts
from apps.core.redis import connection as core_redis
from apps.core.redis.broadcasts import Broadcast
from config.environment import PROJECT_ROOT
from launcher.servers import free_port


@dataclass(frozen=True, slots=True)
class Counted(Broadcast):
    """A broadcast of these tests alone."""

    topic: ClassVar = "tests"
    n: int


@dataclass(frozen=True, slots=True)
class Said(Broadcast):
    """Another one, of the same topic."""

    topic: ClassVar = "tests"
    by: str
    state: Typing = Typing.START


class Ear:
    """Hears the topic of these tests; `next` waits for the next broadcast."""

    def __init__(self) -> None:
        self._subscription = redis.Redis.from_url(settings.REDIS_URL).pubsub()
        self._subscription.subscribe(broadcasts.channel("tests"))
        assert self._subscription.get_message(timeout=20) is not None
        self._heard: deque[object] = deque()

    def next(self, seconds: float = 20.0) -> object:
        deadline = time.monotonic() + seconds
        while not self._heard and (left := deadline - time.monotonic()) > 0:
            message = self._subscription.get_message(ignore_subscribe_messages=True, timeout=left)
            self._heard.extend(broadcasts.read(message["data"], (Counted, Said)) if message else ())
        return self._heard.popleft() if self._heard else None

    def close(self) -> None:
        self._subscription.close()


@pytest.fixture
def ear() -> Iterator[Ear]:
    ear = Ear()
    yield ear
    ear.close()


def test_what_is_heard_is_what_was_sent(ear: Ear) -> None:
    sent = [Counted(1), Said("Ivan"), Said("Olga", Typing.STOP), Counted(2)]
    for broadcast in sent:
        broadcasts.send(broadcast)
    assert [ear.next() for _ in sent] == sent


def test_many_nudges_arrive_in_order(ear: Ear) -> None:
    for n in range(2_000):
        broadcasts.send(Counted(n))
    assert [ear.next() for _ in range(2_000)] == [Counted(n) for n in range(2_000)]


def test_what_is_no_nudge_is_none() -> None:
    assert broadcasts.read(b"[", (Counted,)) == []


def test_a_nudge_of_another_kind_or_release_does_not_silence_the_others() -> None:
    name = f"{__name__}.Counted"
    message = orjson.dumps([["another", {}], [name, {"n": 1}], [name, {"m": 2}], [name, {"n": 3}]])
    assert broadcasts.read(message, (Counted,)) == [Counted(1), Counted(3)]


def test_a_forked_child_sends_its_own(ear: Ear) -> None:
    broadcasts.send(Said("parent"))
    assert ear.next() == Said("parent")
    child = os.fork()
    if child == 0:
        broadcasts.send(Said("child"))
        broadcasts._sender.finish()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert ear.next() == Said("child")
    broadcasts.send(Said("parent again"))
    assert ear.next() == Said("parent again")


def test_a_short_lived_process_gets_its_last_words_out(ear: Ear) -> None:
    source = (
        "import django; django.setup(); from apps.core.redis import broadcasts;"
        "from tests.core.test_nudges import Said; broadcasts.send(Said('command'))"
    )
    environ = {**os.environ, "REDIS_URL": settings.REDIS_URL, "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, "-c", source], cwd=PROJECT_ROOT, env=environ, check=True, timeout=30)
    assert ear.next() == Said("command")


@pytest.fixture
def redis_away(settings: Settings) -> Iterator[None]:
    """A REDIS_URL where nobody listens."""
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    core_redis.forget_clients()
    yield
    core_redis.forget_clients()
    core_redis._away_until = 0.0


@pytest.mark.usefixtures("redis_away")
def test_without_redis_nudges_are_dropped_and_counted_and_nobody_waits() -> None:
    dropped = metrics.NUDGES_DROPPED._value.get()
    began = time.monotonic()
    for n in range(1_000):
        broadcasts.send(Counted(n))
    assert time.monotonic() - began < 5  # a thousand that wait for a connection take longer
    deadline = time.monotonic() + 10
    while metrics.NUDGES_DROPPED._value.get() < dropped + 1_000:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcasts._Sender, "_start", lambda sender: None)
    monkeypatch.setattr(broadcasts, "MAX_PENDING", 3)
    sender = broadcasts._Sender()
    dropped = metrics.NUDGES_DROPPED._value.get()
    for _ in range(5):
        sender.put(Counted(1))
    assert sender._pending.qsize() == 3
    assert metrics.NUDGES_DROPPED._value.get() == dropped + 2
