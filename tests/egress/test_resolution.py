"""Looking names up: within a time limit, beside slow look-ups, in forked workers; and the check when a URL is saved."""

import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from apps.egress import EgressRefused, InvalidUrl, resolution, vet
from apps.egress.resolution import MAX_LOOKUP_THREADS, system_lookup
from tests.egress.receivers import Resolver


def refused(url: str, lookup: Any = system_lookup, timeout: float = 5.0) -> EgressRefused:
    with pytest.raises(EgressRefused) as refusal:
        vet(url, lookup=lookup, timeout=timeout)
    return refusal.value


def test_the_system_knows_this_machine() -> None:
    assert set(system_lookup("localhost", 443)) <= {"127.0.0.1", "::1"}
    assert refused("https://localhost/").reason == "private_address"


def test_a_public_name_is_vetted_and_comes_back_canonical() -> None:
    lookup = Resolver(hooks_example_com=[["8.8.8.8", "2606:4700::1111"]])
    assert vet("HTTPS://Hooks.Example.COM:443/a", lookup=lookup).url == "https://hooks.example.com/a"


def test_a_public_address_needs_no_look_up() -> None:
    lookup = Resolver()
    assert vet("https://8.8.8.8/", lookup=lookup).is_literal
    assert lookup.asked == []


def test_blocked_and_unresolvable_are_told_apart_by_nobody_outside() -> None:
    lookup = Resolver(private_test=[["10.0.0.1"]])
    outcomes = [refused(f"https://{host}/", lookup) for host in ("private.test", "gone.test", "192.168.0.1")]
    assert [outcome.reason for outcome in outcomes] == ["private_address", "unresolvable", "private_address"]
    assert len({(type(outcome), str(outcome), repr(outcome)) for outcome in outcomes}) == 1


def test_a_malformed_url_is_explained_without_repeating_it() -> None:
    with pytest.raises(InvalidUrl) as invalid:
        vet("https://user:hunter2@example.com/")
    assert str(invalid.value) == "Must not contain a user name or password."


@pytest.mark.parametrize("error", [OSError("no"), UnicodeError("no"), TimeoutError("no")])
def test_a_resolver_that_fails_is_a_failure_that_may_pass(error: Exception) -> None:
    def fails(host: str, port: int) -> list[str]:
        raise error

    assert not refused("https://example.com/", fails).is_permanent


def test_slow_look_ups_delay_no_other() -> None:
    release = threading.Event()

    def hangs(host: str, port: int) -> list[str]:
        release.wait(30)
        return []

    started = time.monotonic()
    for _ in range(MAX_LOOKUP_THREADS - 1):
        assert refused("https://slow.test/", hangs, timeout=0.01).reason == "timeout"
    assert vet("https://quick.test/", lookup=Resolver(quick_test=[["8.8.8.8"]]), timeout=20).host == "quick.test"
    assert time.monotonic() - started < 20
    release.set()


def test_while_every_look_up_hangs_another_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolution, "_lookups", resolution._LookupThreads())
    monkeypatch.setattr(resolution, "LOOKUP_SECONDS", 0.05)
    release, asked = threading.Event(), threading.Semaphore(0)

    def hangs(host: str, port: int) -> list[str]:
        asked.release()
        release.wait(30)
        return []

    quick = Resolver(quick_test=[["8.8.8.8"]])
    for _ in range(MAX_LOOKUP_THREADS):
        assert refused("https://slow.test/", hangs, timeout=0.05).reason == "timeout"
        assert asked.acquire(timeout=20)
    threading.Event().wait(0.06)
    outcome = refused("https://quick.test/", quick, timeout=30)
    assert (outcome.reason, outcome.is_permanent, quick.asked) == ("resolver_hangs", False, [])
    assert str(outcome) == str(refused("https://10.0.0.1/")), "nobody outside can tell"
    assert vet("https://8.8.8.8/", lookup=quick).is_literal, "an address needs no look-up"
    release.set()
    deadline = time.monotonic() + 20
    while resolution._lookups._begun and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert vet("https://quick.test/", lookup=quick, timeout=20).host == "quick.test"


def test_a_burst_of_look_ups_is_no_silent_resolver() -> None:
    """More than there are threads, each in time: they wait for one another."""
    pause = threading.Event()

    def takes_a_while(host: str, port: int) -> list[str]:
        pause.wait(0.01)
        return ["8.8.8.8"]

    with ThreadPoolExecutor(3 * MAX_LOOKUP_THREADS) as callers:
        urls = [f"https://h{n}.test/" for n in range(3 * MAX_LOOKUP_THREADS)]
        found = list(callers.map(lambda url: vet(url, lookup=takes_a_while, timeout=20).url, urls))
    assert found == urls


def look_up_in_child(results: Any) -> None:
    results.put(vet("https://quick.test/", lookup=Resolver(quick_test=[["8.8.8.8"]]), timeout=20).host)


def test_a_forked_worker_looks_up_on_threads_of_its_own() -> None:
    vet("https://quick.test/", lookup=Resolver(quick_test=[["8.8.8.8"]]))
    forking = multiprocessing.get_context("fork")
    results = forking.SimpleQueue()
    child = forking.Process(target=look_up_in_child, args=(results,))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    assert results.get() == "quick.test"
