"""The last requests of a token: noted in memory, written to the real server in one pipeline, best effort."""

import time
from itertools import count
from typing import Any

import pytest

from apps.core.redis import connection as redis
from apps.core.redis import last_requests
from apps.core.redis.last_requests import KEPT, KEPT_FOR_S, LastRequest, Notes

_TOKENS = count(10**15)


@pytest.fixture
def token_id() -> int:
    """A token's id that no row has, and no other test."""
    token_id = next(_TOKENS)
    redis.ask(lambda client: client.delete(f"requests:{token_id}"))
    return token_id


def request(n: int, **more: Any) -> LastRequest:
    made = LastRequest(1_795_257_900.0 + n, "GET", "/api/v1/chats/{chat_id}", 200, f"{n:032x}")
    return made._replace(**more)


def test_what_is_read_is_what_was_written_the_newest_first(token_id: int) -> None:
    notes, other = Notes(), next(_TOKENS)
    asked = [request(1), request(2, method="POST", status=422), request(3, route=None, status=404)]
    for each in asked:
        notes.add(token_id, each)
    notes.add(other, request(4))
    assert last_requests.of(token_id) == []
    notes.write()
    assert last_requests.of(token_id) == asked[::-1]
    assert last_requests.of(other) == [request(4)]


def test_a_hundred_are_kept_whoever_wrote_them(token_id: int) -> None:
    first, second = Notes(), Notes()
    for n in range(KEPT + 20):
        first.add(token_id, request(n))
    first.write()
    assert last_requests.of(token_id) == [request(n) for n in range(KEPT + 19, 19, -1)]
    second.add(token_id, request(1_000))
    second.write()
    assert last_requests.of(token_id) == [request(1_000), *(request(n) for n in range(KEPT + 19, 20, -1))]


def test_what_processes_write_in_turns_is_in_the_order_of_time(token_id: int) -> None:
    early, late = Notes(), Notes()
    early.add(token_id, request(1))
    late.add(token_id, request(2))
    early.add(token_id, request(3))
    late.write()
    early.write()
    assert last_requests.of(token_id) == [request(3), request(2), request(1)]


def test_nothing_is_written_twice_and_nothing_of_nothing(token_id: int) -> None:
    notes = Notes()
    notes.write()
    notes.add(token_id, request(1))
    notes.write()
    notes.write()
    assert last_requests.of(token_id) == [request(1)]


def test_they_are_gone_a_day_after_the_last_one(token_id: int) -> None:
    notes = Notes()
    notes.add(token_id, request(1))
    notes.write()
    left: Any = redis.ask(lambda client: client.ttl(f"requests:{token_id}"))
    assert 0 < left <= KEPT_FOR_S


def test_without_redis_they_are_dropped_and_nobody_waits(token_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes()
    notes.add(token_id, request(1))
    with monkeypatch.context() as away:
        away.setattr(redis, "_away_until", time.monotonic() + 3600)
        notes.write()
        with pytest.raises(redis.RedisAway):
            last_requests.of(token_id)
    notes.write()
    assert last_requests.of(token_id) == []


def test_a_process_remembers_so_many_and_no_more(token_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_requests, "MAX_TOKENS", 2)
    notes, others = Notes(), [next(_TOKENS), next(_TOKENS)]
    for each in (*others, token_id):
        for n in range(KEPT + 1):
            notes.add(each, request(n))
    assert {each: len(noted) for each, noted in notes._noted.items()} == dict.fromkeys(others, KEPT)
    notes.write()
    assert last_requests.of(token_id) == []


def test_a_process_that_has_not_begun_notes_nothing(token_id: int) -> None:
    assert last_requests._notes is None, "only config/web.py begins"
    last_requests.note(token_id, request(1))
