"""A start on a slow or busy machine: it goes on as long as the processes live, and says what it waits for."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from config.alive import Watch
from config.serving.starting import STARTS_WITHIN_S, Worker
from launcher import supervisor, waiting
from launcher.processes import processor_seconds
from launcher.servers import EmbeddedServers, Server
from launcher.supervisor import JointLog, ProcessFailed, Supervisor
from launcher.waiting import STARTING_SECONDS, Starting, told


def test_no_clock_ends_a_wait_and_each_line_says_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST_SAID_S", 0.01)
    monkeypatch.setattr(waiting, "SAID_AGAIN_S", 0.01)
    lines: list[str] = []

    async def wait() -> str:
        enough = asyncio.Event()

        def say(line: str) -> None:
            lines.append(line)
            if len(lines) == 3:
                enough.set()

        async def answer() -> str:
            await enough.wait()
            return "answered"

        return await told(answer(), "web to answer on port 8000", say)

    assert asyncio.run(wait()) == "answered"
    assert lines == ["still waiting for web to answer on port 8000 (0 s); the start goes on"] * 3


def test_what_fails_meanwhile_is_raised_at_once() -> None:
    async def fail() -> None:
        raise ProcessFailed("web failed")

    with pytest.raises(ProcessFailed, match="web failed"):
        asyncio.run(told(fail(), "web", lambda _: None))


def test_a_start_goes_on_while_it_works_however_slowly() -> None:
    starting = Starting(began_at=0.0)
    for minute in range(1, 60):  # a second of work a minute
        assert starting.goes_on(now=60.0 * minute, worked_s=float(minute))


def test_a_start_is_over_when_it_stands_still_or_works_without_end() -> None:
    still = Starting(began_at=0.0)
    assert still.goes_on(now=30.0, worked_s=2.0)
    assert still.goes_on(now=30.0 + STARTING_SECONDS, worked_s=2.0)
    assert not still.goes_on(now=31.0 + STARTING_SECONDS, worked_s=2.0)
    assert not Starting(began_at=0.0).goes_on(now=STARTING_SECONDS, worked_s=STARTING_SECONDS + 1)


def test_processor_time_is_that_of_the_children_too() -> None:
    spin = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ninput()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"

    async def run() -> float:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", parent), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        await process.stdout.readline()
        used = processor_seconds(process.pid)
        await process.communicate(b"\n")
        return used

    # The kernel tells whole ticks, of the program's own time and of the system's.
    assert asyncio.run(run()) >= 0.4 - 2 / os.sysconf("SC_CLK_TCK")


def keep(folder: Path, command: str, until: Callable[[], bool], **watches: Watch) -> None:
    """Keeps the command `web` running until the condition holds. Raises ProcessFailed."""
    kept = Supervisor(folder, environ={}, folder=folder, log=JointLog(["web"], on_closed=lambda: None), watches=watches)

    async def run() -> None:
        keeping = asyncio.create_task(kept.keep_running({"web": command}))
        try:
            while not until():
                done, _ = await asyncio.wait({keeping}, timeout=0.02)
                if done:
                    keeping.result()
        finally:
            await kept.stop(1)
            keeping.cancel()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_slow_start_that_fails_is_not_taken_for_a_steady_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("STEADY_SECONDS", 0.0), ("FIRST_DELAY", 0.0), ("LONGEST_DELAY", 0.0)):
        monkeypatch.setattr(supervisor, name, value)
    watch = Watch("web", folder=str(tmp_path), seconds=0.3)
    with pytest.raises(ProcessFailed, match="web failed 5 times in a row"):
        keep(tmp_path, "exit 3", lambda: False, web=watch)


def test_a_start_without_a_sign_of_life_is_replaced_only_when_it_stands_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = tmp_path / "starts"
    command = f"echo >> {starts}; exec sleep 600"
    watch = Watch("web", folder=str(tmp_path), seconds=0.15)
    monkeypatch.setattr("config.alive.LAST_WORDS_S", 0.01)
    looks = 0

    def works(_: int) -> float:
        nonlocal looks
        looks += 1
        return looks / 1000

    monkeypatch.setattr(waiting, "STARTING_SECONDS", 0.2)
    monkeypatch.setattr(supervisor, "processor_seconds", works)
    keep(tmp_path, command, lambda: looks >= 5, web=watch)
    assert starts.read_text() == "\n", "it works, and is left to it"

    monkeypatch.setattr(supervisor, "processor_seconds", lambda _: 1e-9)
    keep(tmp_path, command, lambda: len(starts.read_text()) >= 3, web=watch)


def test_an_embedded_server_is_waited_for_as_long_as_it_lives(tmp_path: Path) -> None:
    class Slow(Server):
        name = process_name = "slow"
        asked = 0

        @property
        def running(self) -> bool:
            return True

        def _answers(self) -> bool:
            self.asked += 1
            return self.asked == 40

    server = Slow(tmp_path)
    server.wait_ready()
    assert server.asked == 40
    assert "seconds" not in (EmbeddedServers.start.__doc__ or "")


class Hung:
    """Where a process of uvicorn's stands: alive, and without an answer."""

    def is_alive(self) -> bool:
        return True


def test_a_web_process_that_is_starting_is_not_killed_by_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    now, answers = 100.0, False
    monkeypatch.setattr("config.serving.starting.time.monotonic", lambda: now)
    monkeypatch.setattr(Worker, "ping", lambda self, timeout=5: answers)
    worker = Worker.__new__(Worker)
    worker.process, worker.started_at = Hung(), now  # type: ignore[assignment]

    now += STARTS_WITHIN_S - 1
    assert worker.is_alive(15), "it starts"
    answers = True
    assert worker.is_alive(15)
    answers = False
    assert not worker.is_alive(15), "it hangs, for it has answered before"

    worker.has_answered = False
    now += 1
    assert not worker.is_alive(15), "it never came"
