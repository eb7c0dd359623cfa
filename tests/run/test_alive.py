"""When a process counts as dead: rules with values, and a watch of real processes."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest

from config import heartbeat
from config.alive import Watch, Watched, kill, silent
from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, wait_until
from launcher.servers import free_port
from tests.waits import AT_MOST_S

NOBODY: frozenset[int] = frozenset()
LEADER = 1


def only(*processes: int) -> frozenset[int]:
    return frozenset(processes)


class TestRules:
    @pytest.mark.parametrize(
        ("before", "after", "expected"),
        [
            ({1: 10, 2: 10}, {1: 11, 2: 12}, NOBODY),
            ({1: 10, 2: 10}, {1: 11, 2: 10}, only(2)),
            ({1: 10}, {1: 9}, NOBODY),  # the clock was set back: it moved
            ({}, {1: 10}, NOBODY),  # it came
            ({1: 10}, {}, NOBODY),  # it went
        ],
    )
    def test_silent_is_who_was_there_and_did_not_move(
        self, before: dict[int, int], after: dict[int, int], expected: frozenset[int]
    ) -> None:
        assert silent(before, after) == expected

    @pytest.mark.parametrize(
        ("watched", "dead"),
        [
            # Served by children (web): the leader has no pulse, and stands for the port.
            (Watched(NOBODY, only(2, 3), answered=True), NOBODY),
            (Watched(only(3), only(2, 3), answered=True), only(3)),
            (Watched(NOBODY, only(2, 3), answered=False), only(LEADER)),
            (Watched(only(2, 3), only(2, 3), answered=False), only(LEADER, 2, 3)),
            # Serves by itself (realtime).
            (Watched(NOBODY, NOBODY, answered=True), NOBODY),
            (Watched(only(LEADER), only(LEADER), answered=False), only(LEADER)),
            # Asked by nobody (worker, beat).
            (Watched(NOBODY, only(LEADER, 2), answered=None), NOBODY),
            (Watched(only(2), only(LEADER, 2), answered=None), only(2)),
            (Watched(only(LEADER), only(LEADER, 2), answered=None), only(LEADER)),
            (Watched(NOBODY, NOBODY, answered=None), only(LEADER)),
            # No pulse can be given: that says nothing.
            (Watched(NOBODY, NOBODY, answered=None, has_pulses=False), NOBODY),
            (Watched(NOBODY, NOBODY, answered=True, has_pulses=False), NOBODY),
            (Watched(NOBODY, NOBODY, answered=False, has_pulses=False), only(LEADER)),
        ],
    )
    def test_silent_processes_are_replaced(self, watched: Watched, dead: frozenset[int]) -> None:
        assert watched.dead(LEADER) == dead
        assert watched.is_well(LEADER) == (not dead)
        assert watched.dead() == dead - {LEADER} | (watched.silent & {LEADER}), "without a leader, those alone"

    def test_a_main_loop_is_stuck_when_it_has_been_at_one_thing_for_two_minutes(self) -> None:
        clock = iter((1000.0, 1000.0, 1120.0, 1120.5, 1121.0, 1122.0))
        progress = heartbeat.Progress(clock=lambda: next(clock))
        assert not progress.is_overdue(), "it has not begun"
        progress.made()
        assert [progress.is_overdue() for _ in range(3)] == [False, False, True]
        progress.made()
        assert not progress.is_overdue()


@contextmanager
def living(role: str, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process with a pulse."""
    source = "import sys, threading; from config.heartbeat import Pulse; Pulse(*sys.argv[1:]).keep_beating()"
    command = [sys.executable, "-c", f"{source}; threading.Event().wait()", role, str(folder)]
    process = subprocess.Popen(command, cwd=PROJECT_ROOT, preexec_fn=dying_with_me(signal.SIGKILL))
    try:
        assert wait_until(lambda: process.pid in heartbeat.moments(role, folder), seconds=AT_MOST_S)
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def port(answer: bytes | None) -> Iterator[int]:
    """Something that listens, and answers so; or accepts nobody, like a process that was stopped."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while answer is not None:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(4096)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def look(
    role: str, folder: Path | str, leader: int | None = None, port: int | None = None, seconds: float = 3
) -> Watched:
    watch = Watch(role, folder=str(folder), seconds=seconds, address="127.0.0.1", port=port)
    return asyncio.run(watch.look(leader))


class TestAWatch:
    def test_of_those_who_live(self, tmp_path: Path) -> None:
        with living("worker", tmp_path) as first, living("worker", tmp_path) as second:
            watched = look("worker", tmp_path, leader=first.pid)
            assert watched == Watched(NOBODY, only(first.pid, second.pid), answered=None)

    def test_of_one_who_is_stopped(self, tmp_path: Path) -> None:
        with living("worker", tmp_path) as first, living("worker", tmp_path) as second:
            second.send_signal(signal.SIGSTOP)
            assert look("worker", tmp_path, leader=first.pid).dead(first.pid) == {second.pid}

    def test_what_the_dead_left_is_removed_and_their_numbers_are_free(self, tmp_path: Path) -> None:
        with living("beat", tmp_path) as gone:
            pass
        left = tmp_path / f"beat.{gone.pid}"
        assert left.exists()
        (tmp_path / f"beat.{os.getpid()}").touch()  # of another process that had the number of this one
        assert look("beat", tmp_path, seconds=0.3) == Watched(NOBODY, NOBODY, answered=None)
        assert list(tmp_path.glob("beat.*")) == []

    def test_a_port_is_alive_when_it_answers_200(self, tmp_path: Path) -> None:
        with port(b"HTTP/1.1 200 OK\r\n\r\n") as open_port:
            assert look("web", tmp_path, port=open_port).answered is True
        for answer in (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", b"nothing of HTTP", b"", None):
            with port(answer) as open_port:
                assert look("web", tmp_path, port=open_port, seconds=0.6).answered is False, answer

    def test_where_no_pulse_can_be_given_nobody_is_missed(self, tmp_path: Path) -> None:
        for folder in (tmp_path / "nowhere", ""):
            assert look("beat", folder, leader=LEADER, seconds=0.3).dead(LEADER) == NOBODY

    def test_on_a_full_disk_the_living_live_and_nobody_is_missed(self, tmp_path: Path) -> None:
        """A file system with room for few files, as root can make one."""
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=3", "tmpfs", str(tmp_path)]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("needs the right to mount")
        try:
            with living("worker", tmp_path) as one:
                before = heartbeat.moments("worker", tmp_path)
                (tmp_path / "the last").touch()
                with pytest.raises(OSError, match="No space left"):
                    (tmp_path / "one more").touch()
                heartbeat.Pulse("beat", str(tmp_path)).beat()
                assert wait_until(lambda: not silent(before, heartbeat.moments("worker", tmp_path)), seconds=AT_MOST_S)
                one.send_signal(signal.SIGSTOP)
                assert look("worker", tmp_path, leader=one.pid).dead(one.pid) == NOBODY
                assert look("beat", tmp_path, leader=LEADER, seconds=0.3).dead(LEADER) == NOBODY
        finally:
            subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)

    def test_nothing_fails_where_no_pulse_can_be_given(self, tmp_path: Path) -> None:
        for folder in (str(tmp_path / "nowhere"), ""):
            heartbeat.Pulse("beat", folder).beat()
        (tmp_path / "late").mkdir()
        late = heartbeat.Pulse("beat", str(tmp_path / "late"))
        for file in (tmp_path / "late").iterdir():
            file.unlink()
        late.beat()
        assert [file.name for file in (tmp_path / "late").iterdir()] == [f"beat.{os.getpid()}"], "it is made anew"


def command(role: str, folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    environ = {"PATH": os.defpath, "PARLEY_HOME": str(folder), "PULSE_DIR": str(folder), "SILENT_SECONDS": "3"}
    line = [sys.executable, "-m", "config.alive", role, *options]
    return subprocess.run(line, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_command_tells_by_its_exit_status_and_kills_who_is_silent_alone(tmp_path: Path) -> None:
    assert command("worker", tmp_path).returncode == 1
    with living("worker", tmp_path) as first, living("worker", tmp_path) as second:
        told = command("worker", tmp_path)
        assert (told.returncode, told.stderr) == (0, "")
        second.send_signal(signal.SIGSTOP)
        told = command("worker", tmp_path)
        assert (told.returncode, told.stderr) == (1, f"worker: no sign of life in 3 s of process {second.pid}\n")
        assert second.poll() is None
        told = command("worker", tmp_path, "--replace")
        assert (told.returncode, told.stderr) == (
            1,
            f"worker: no sign of life in 3 s of process {second.pid}: killed\n",
        )
        assert second.wait(timeout=10) == -signal.SIGKILL
        assert first.poll() is None
        assert command("worker", tmp_path).returncode == 0


@contextmanager
def server(folder: Path, output: IO[bytes]) -> Iterator[int]:
    """A server with two processes behind one port, which starts another in the place of one that has ended."""
    open_port = free_port()
    process = subprocess.Popen(
        [*(sys.executable, "-m", "uvicorn", "tests.run.spinning:application"), "--workers=2", f"--port={open_port}"],
        cwd=PROJECT_ROOT,
        env={"PATH": os.defpath, "PULSE_DIR": str(folder), "PYTHONFAULTHANDLER": "1"},
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=dying_with_me(signal.SIGTERM),
    )
    try:
        yield open_port
    finally:
        kill_group(process.pid)
        process.wait()


@pytest.mark.slow
def test_of_two_processes_behind_a_port_the_one_that_spins_is_replaced_and_says_where_it_was(tmp_path: Path) -> None:
    with tempfile.TemporaryFile() as output, server(tmp_path, output) as open_port:
        watch = Watch("web", folder=str(tmp_path), seconds=6, address="127.0.0.1", port=open_port)

        def ask(path: str) -> None:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{open_port}{path}", timeout=0.2):
                pass

        def are_two() -> bool:
            ask("/healthz")  # whoever is asked first begins
            return len(watch.pulses()) == 2

        assert wait_until(are_two, seconds=60)
        before = set(watch.pulses())
        ask("/spin")
        watched = asyncio.run(watch.look())
        assert (watched.answered, len(watched.silent)) == (True, 1)
        asyncio.run(kill(watch, watched.dead()))
        assert wait_until(are_two, seconds=60)
        assert before - set(watch.pulses()) == watched.silent
        said = os.pread(output.fileno(), 100_000, 0).decode()
        assert re.search(r'Fatal Python error: Aborted\n.*spinning.py", line \d+ in spin_for_ever\n', said, re.DOTALL)
