"""What does not answer any longer is replaced, and nothing else; servers that do not answer are no reason."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import psutil
import pytest

from config.alive import answers
from config.heartbeat import STUCK_S, moments
from launcher.run import in_memory
from tests.conftest import RUNNING
from tests.faults.scale import SCALE
from tests.run.service import Service

pytestmark = [pytest.mark.faults, pytest.mark.e2e]

long_form = pytest.mark.skipif(not SCALE.is_long, reason="it takes minutes; `make faults` runs it")

SILENT_S = 3
ROLES = ("web", "realtime", "worker", "beat")


@pytest.fixture(scope="module")
def service(kept_service: Service) -> Iterator[Service]:
    """A service that replaces soon what gives no sign of life."""
    kept_service.end()
    kept_service.start(**{**RUNNING, "SILENT_SECONDS": str(SILENT_S)})
    try:
        yield kept_service
    finally:
        kept_service.end()


def everybody(service: Service) -> dict[str, set[int]]:
    """The processes of each kind that are there: the leader, and those that it has started to do the work."""
    found: dict[str, set[int]] = {name: set() for name in ROLES}
    for name, leader in service.leaders().items():
        if name in ROLES:
            with suppress(psutil.NoSuchProcess):  # it ended meanwhile
                work = [child for child in leader.children() if "resource_tracker" not in " ".join(child.cmdline())]
                found[name] = {leader.pid, *(child.pid for child in work)}
    return found


def children(service: Service, name: str) -> set[int]:
    return everybody(service)[name] - {service.leaders()[name].pid}


def is_gone(process: int) -> bool:
    return not psutil.pid_exists(process) or psutil.Process(process).status() == psutil.STATUS_ZOMBIE


def until_whole(service: Service) -> None:
    """All are there, and each (but web's parent) gives signs of life for so long that the supervisor has seen one.

    Before it has, nobody is judged.
    """
    pulses, first = in_memory(service.home, "pulses"), dict[int, int]()

    def is_whole() -> bool:
        there = {name: len(processes) for name, processes in everybody(service).items()}
        found = {name: moments(name, pulses) for name in ROLES}
        seconds = [
            (moment - first.setdefault(process, moment)) / 1e9
            for by_process in found.values()
            for process, moment in by_process.items()
        ]
        alive = {name: len(by_process) for name, by_process in found.items()}
        usual = {"web": 3, "realtime": 1, "worker": 5, "beat": 1}
        is_there = there == usual and alive == usual | {"web": 2}
        return is_there and min(seconds) > 2 * SILENT_S and serves(service)

    service.until(is_whole, "all processes, and answers", 60)


def serves(service: Service) -> bool:
    return service.get("/readyz")[0] == 200 and asyncio.run(answers("localhost", service.realtime_port, 5))


@contextmanager
def stopped(processes: Iterable[int]) -> Iterator[None]:
    processes = list(processes)
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@pytest.mark.slow
def test_each_process_that_is_stopped_is_replaced_and_none_beside_it(service: Service) -> None:
    until_whole(service)
    before = everybody(service)
    web, worker = min(children(service, "web")), min(children(service, "worker"))
    realtime, beat = service.leaders()["realtime"].pid, service.leaders()["beat"].pid
    frozen = {web, worker, realtime, beat}
    for process in frozen:
        os.kill(process, signal.SIGSTOP)
    service.until(lambda: all(map(is_gone, frozen)), "the end of what is stopped", 60)
    until_whole(service)
    after = everybody(service)
    assert {name: before[name] - after[name] for name in ROLES} == {
        "web": {web},
        "realtime": {realtime},
        "worker": {worker},
        "beat": {beat},
    }
    for process in (web, worker):
        assert f"process {process} has given no sign of life for {SILENT_S} s; replacing it" in service.output


@long_form
def test_a_process_that_is_stopped_with_all_it_started_is_replaced(service: Service) -> None:
    until_whole(service)
    before = everybody(service)
    leaders = {service.leaders()[name].pid for name in ("web", "worker")}
    for leader in leaders:
        os.killpg(leader, signal.SIGSTOP)
    service.until(lambda: all(map(is_gone, leaders)), "the end of what is stopped", 60)
    until_whole(service)
    after = everybody(service)
    assert before["web"] & after["web"] == before["worker"] & after["worker"] == set()
    assert (before["realtime"], before["beat"]) == (after["realtime"], after["beat"])


@long_form
def test_a_workers_main_process_that_is_stopped_is_replaced(service: Service) -> None:
    until_whole(service)
    leader = service.leaders()["worker"].pid
    os.kill(leader, signal.SIGSTOP)
    service.until(lambda: is_gone(leader), "the end of what is stopped", 60)
    until_whole(service)


@pytest.mark.slow
@pytest.mark.parametrize("server", ["postgres", "valkey"])
def test_a_server_that_does_not_answer_has_nobody_replaced(service: Service, server: str) -> None:
    until_whole(service)
    before, replaced = everybody(service), replacements(service)
    frozen = service.leaders()[server]
    with stopped([frozen.pid, *(child.pid for child in frozen.children(recursive=True))]):
        let_pass(STUCK_S + 30 if SCALE.is_long else 4 * SILENT_S)
        for port in (service.port, service.realtime_port):
            assert asyncio.run(answers("localhost", port, 5))
    assert replacements(service) == replaced
    until_whole(service)
    assert everybody(service) == before


@long_form
def test_a_machine_that_stood_still_has_nobody_replaced(service: Service) -> None:
    """As if it had slept: all stops at once, the supervisor too."""
    until_whole(service)
    before, replaced = everybody(service), replacements(service)
    assert service.process is not None
    for _ in range(2):
        with stopped([service.process.pid, *(process for processes in before.values() for process in processes)]):
            let_pass(2 * SILENT_S)
        let_pass(SILENT_S)
    with stopped([service.process.pid]):
        let_pass(2 * SILENT_S)
    let_pass(2 * SILENT_S)
    assert replacements(service) == replaced
    assert everybody(service) == before


def replacements(service: Service) -> list[str]:
    """What the supervisor said of them."""
    return [line for line in service.output.splitlines() if line.endswith("; replacing it")]


def let_pass(seconds: float) -> None:
    """So long the service has to endure it; there is nothing to wait for."""
    threading.Event().wait(seconds)
