"""The per-key rate limit: on the real server, with its clock."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
import redis as redis_library
from django.http import HttpResponse
from pytest_django import Settings

from apps.core.observability import metrics
from apps.core.redis import connection as redis
from apps.core.redis.rate_limits import RateLimitState, begin_new_epoch, spend
from launcher.servers import free_port


@pytest.fixture
def key() -> str:
    return uuid4().hex


@pytest.fixture
def without_redis(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
    """Redis is where nobody listens."""
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    monkeypatch.setattr(redis, "_away_until", 0.0)
    redis.forget_clients()
    yield
    redis.forget_clients()


def test_the_whole_budget_at_once_and_then_no_more(key: str) -> None:
    budgets = [spend(key, 5) for _ in range(7)]
    assert [budget.allowed for budget in budgets] == [True] * 5 + [False] * 2
    assert [budget.remaining for budget in budgets] == [4, 3, 2, 1, 0, 0, 0]
    assert {budget.limit for budget in budgets} == {5}
    assert all(1 <= budget.retry_after_s <= 12 for budget in budgets[5:]), "one request each 60/5 seconds"
    assert 58 < budgets[4].full_again_in_s <= 60


def test_keys_have_budgets_of_their_own(key: str) -> None:
    assert spend(key, 1).allowed
    assert not spend(key, 1).allowed
    assert spend(key + "another", 1).allowed


def test_the_budget_comes_back_one_by_one(key: str) -> None:
    limit = 600  # one each 100 ms
    while spend(key, limit).allowed:
        pass
    refused_at = time.monotonic()
    while not spend(key, limit).allowed:
        assert time.monotonic() - refused_at < 5
    assert time.monotonic() - refused_at < 1
    assert not spend(key, limit).allowed, "one came back, not all"


def test_a_refusal_costs_nothing(key: str) -> None:
    spend(key, 1)
    first = spend(key, 1)
    for _ in range(20):
        spend(key, 1)
    assert spend(key, 1).full_again_in_s <= first.full_again_in_s


def test_forty_callers_at_once_get_exactly_the_budget(key: str) -> None:
    barrier = Barrier(40)

    def call(_: int) -> bool:
        barrier.wait(timeout=30)
        return spend(key, 10).allowed

    with ThreadPoolExecutor(40) as callers:
        assert Counter(callers.map(call, range(40))) == {True: 10, False: 30}


def test_the_default_is_the_settings_limit(key: str, settings: Settings) -> None:
    settings.API_RATE_LIMIT = 3
    assert spend(key).limit == 3


def test_the_headers_tell_limit_rest_and_the_unix_time_of_the_whole_budget() -> None:
    response = HttpResponse()
    RateLimitState(
        allowed=True, limit=600, remaining=7, full_again_in_s=30.2, retry_after_s=0, epoch=b"1"
    ).write_headers(response)
    assert response.headers["X-RateLimit-Limit"] == "600"
    assert response.headers["X-RateLimit-Remaining"] == "7"
    assert 29 <= int(response.headers["X-RateLimit-Reset"]) - time.time() <= 32


def test_a_new_epoch_is_seen_by_the_next_request(key: str) -> None:
    before = spend(key, 100).epoch
    assert spend(key, 100).epoch == before
    assert begin_new_epoch()
    after = spend(key, 100).epoch
    assert after not in (None, before)


def test_a_connection_that_was_cut_is_made_anew(key: str, settings: Settings) -> None:
    assert spend(key, 5).remaining == 4
    mine = redis.client().client_id()
    with redis_library.Redis.from_url(settings.REDIS_URL) as other:
        other.client_kill_filter(_id=mine)
    assert spend(key, 5).remaining == 3
    assert redis.client().client_id() != mine


def test_without_redis_every_request_passes_and_is_counted(key: str, without_redis: None) -> None:
    counter = metrics.RATE_LIMIT_FAILED_OPEN._value
    before = counter.get()
    budgets = [spend(key, 1) for _ in range(3)]
    assert [(budget.allowed, budget.remaining, budget.epoch) for budget in budgets] == [(True, 1, None)] * 3
    assert counter.get() == before + 3
    assert not begin_new_epoch()


def test_a_server_that_failed_is_not_asked_again_for_a_second(key: str, without_redis: None) -> None:
    spend(key, 1)
    asked = []

    def question(client: object) -> None:
        asked.append(client)

    with pytest.raises(redis.RedisAway):
        redis.ask(question)
    assert asked == []
    assert redis._away_until - time.monotonic() <= redis.RETRY_AFTER_S
