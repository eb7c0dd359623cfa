"""Keeps a set of commands running: one joint log, restarts with a back-off, an orderly and bounded end."""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from honcho.colour import get_colours
from honcho.printer import Message, Printer

from config.alive import Watch, kill
from launcher.processes import (
    SUPERVISED_HOME,
    dying_with_me,
    end_processes,
    kill_group,
    processor_seconds,
    supervised_processes,
)
from launcher.waiting import Starting

FIRST_DELAY = 0.2
LONGEST_DELAY = 5.0
LONGEST_DELAY_AFTER_KILL = 1.0
STEADY_SECONDS = 10.0
MAX_FAILED_STARTS = 5
MAX_LINE_BYTES = 64 * 1024
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Somebody ended the process; it did not fail.
SENT_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT)


class ProcessFailed(Exception):
    """A process fails over and over at its start; the text is one line that says which and how."""


class JointLog:
    """Lines of several processes on standard output, each with its time and its process's name, coloured on a terminal.

    `on_closed` is called once when the stream's reader has gone.
    """

    def __init__(self, names: list[str], on_closed: Callable[[], None]) -> None:
        self._printer = Printer(sys.stdout, width=max(map(len, names)), colour="NO_COLOR" not in os.environ)
        self._colours = dict(zip(names, get_colours(), strict=False))
        self._on_closed = on_closed
        self._closed = False

    def line(self, name: str, text: str) -> None:
        message = Message("line", text, datetime.now().astimezone(), name, self._colours.get(name))
        self._write(lambda: self._printer.write(message))

    def plain(self, text: str) -> None:
        """Text that people copy from: without time and name."""
        self._write(lambda: sys.stdout.write(text))

    async def forward(self, name: str, stream: asyncio.StreamReader, *, hold_last: bool = False) -> str:
        """Prints the stream's lines as they come, until it ends; a line over 64 KiB is broken up.

        With `hold_last` the last line that is not blank is returned instead of printed.
        """
        pending, held = b"", ""
        while chunk := await stream.read(MAX_LINE_BYTES):
            *lines, pending = (pending + chunk).split(b"\n")
            if len(pending) >= MAX_LINE_BYTES:
                lines, pending = [*lines, pending], b""
            held = self._lines(name, held, lines, hold_last)
        return self._lines(name, held, [pending], hold_last)

    def _lines(self, name: str, held: str, lines: list[bytes], hold_last: bool) -> str:
        """Prints what was held and all the lines, or all but the last, which is held on."""
        texts = [text for text in (held, *(line.decode(errors="replace") for line in lines)) if text.strip()]
        last = texts.pop() if hold_last and texts else ""
        for text in texts:
            self.line(name, text)
        return last

    def _write(self, write: Callable[[], object]) -> None:
        if self._closed:
            return
        try:
            write()
            sys.stdout.flush()
        except OSError as error:
            if error.errno in NO_ROOM:  # of a file that the log is redirected to: the service goes on without
                return
            self._closed = True
            self._on_closed()


class Supervisor:
    """Runs commands for one PARLEY_HOME, each in a session of its own.

    A process that one of the `watches` names, and that gives no sign of life any more, is killed and started again. On
    Linux each is asked to end when this process does, even by SIGKILL. A process that still survives is found and ended
    by the next start (`end_leftovers`).
    """

    def __init__(
        self,
        home: Path,
        *,
        environ: Mapping[str, str],
        folder: Path,
        log: JointLog,
        watches: Mapping[str, Watch] = MappingProxyType({}),
    ) -> None:
        self._home = home
        self._environ = {
            **environ,
            SUPERVISED_HOME: str(home),
            "PYTHONUNBUFFERED": "1",
            "PYTHONFAULTHANDLER": "1",  # what is killed because it does not answer says where it was
        }
        self._watches = watches
        self._folder = folder
        self._log = log
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._keepers: set[asyncio.Task[None]] = set()
        self._well: set[str] = set()  # of those that run now, the ones that gave a sign of life
        self._stopping = asyncio.Event()

    async def output_of(self, name: str, *command: str) -> tuple[int, str, str]:
        """Runs a command to its end, its standard error in the joint log: exit status, output, last line of error.

        The last line is not logged when the command fails; it is the reason.
        """
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, **self._surroundings()
        )
        self._running[name] = process
        errors, output = await asyncio.gather(
            self._log.forward(name, cast(asyncio.StreamReader, process.stderr), hold_last=True),
            cast(asyncio.StreamReader, process.stdout).read(),
        )
        status = await process.wait()
        self._running.pop(name, None)
        if status == 0 and errors:
            self._log.line(name, errors)
        return status, output.decode(), errors or "it said nothing"

    async def keep_running(self, commands: Mapping[str, str]) -> None:
        """Runs the shell commands, and each again whenever it ends, until stopped.

        May be called for more at the same time.

        Raises ProcessFailed when one fails five times in a row without ever having been steady. A command that was is
        started again for as long as it takes: a database that is away must not end the service. Steady is one that ran
        for ten seconds, and gave a sign of life where it is watched: a slow start that fails is none.
        """
        keepers = {asyncio.create_task(self._keep(name, command)) for name, command in commands.items()}
        self._keepers |= keepers
        done, _ = await asyncio.wait(keepers, return_when=asyncio.FIRST_EXCEPTION)
        for keeper in done:
            keeper.result()

    async def stop(self, grace: float) -> None:
        """Asks every process to end, waits up to `grace` seconds, and kills what is left, grandchildren too."""
        self._stopping.set()
        for process in self._running.values():
            if process.returncode is None:
                process.terminate()
        waits = [asyncio.create_task(process.wait()) for process in self._running.values()]
        if waits:
            await asyncio.wait(waits, timeout=grace)
        self.kill()
        if self._keepers:
            await asyncio.wait(self._keepers, timeout=5)
        end_leftovers(self._home, ask=signal.SIGKILL)

    def kill(self) -> None:
        """Kills every process at once."""
        for process in self._running.values():
            kill_group(process.pid)

    async def _keep(self, name: str, command: str) -> None:
        clock = asyncio.get_running_loop().time
        delay, failures, was_steady = FIRST_DELAY, 0, False
        while not self._stopping.is_set():
            started = clock()
            status = await self._run(name, command)
            if self._stopping.is_set():
                return
            if clock() - started >= STEADY_SECONDS and (name in self._well or name not in self._watches):
                delay, was_steady = FIRST_DELAY, True
            was_killed = status in SENT_FROM_OUTSIDE
            failures += not was_killed
            if failures >= MAX_FAILED_STARTS and not was_steady:
                raise ProcessFailed(f"{name} failed {failures} times in a row ({ending(status)}); see its lines above")
            self._log.line(name, f"ended ({ending(status)}); starting it again in {delay:.1f} s")
            await self._pause(delay)
            delay = min(2 * delay, LONGEST_DELAY_AFTER_KILL if was_killed else LONGEST_DELAY)

    async def _run(self, name: str, command: str) -> int:
        # A pipe of our own: asyncio would take its process for alive while an orphan of it still holds its pipe.
        read_end, write_end = os.pipe()
        try:
            process = await asyncio.create_subprocess_shell(
                command, stdout=write_end, stderr=asyncio.subprocess.STDOUT, **self._surroundings()
            )
        finally:
            os.close(write_end)
        self._running[name] = process
        self._well.discard(name)
        lines = asyncio.StreamReader()
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(read_end, "rb")
        )
        forwarding = asyncio.create_task(self._log.forward(name, lines))
        watching = asyncio.create_task(self._watch(name, process.pid))
        status = await process.wait()
        watching.cancel()
        await asyncio.wait({watching})
        kill_group(process.pid)  # children of a killed process would keep its port
        await asyncio.wait({forwarding}, timeout=1)
        forwarding.cancel()
        pipe.close()
        return status

    async def _watch(self, name: str, leader: int) -> None:
        """Replaces processes without a sign of life: one that the leader has started, or all of them.

        A start may be slow: before the first sign a process counts as dead only when it no longer works, or without end
        (`Starting`).
        """
        if name not in self._watches:
            return
        watch, clock = self._watches[name], asyncio.get_running_loop().time
        starting = Starting(clock())
        while not self._stopping.is_set():
            watched = await watch.look(leader)
            if watched.is_well(leader):
                self._well.add(name)
            dead = watched.dead(leader)
            is_starting = name not in self._well and starting.goes_on(now=clock(), worked_s=processor_seconds(leader))
            if dead and not self._stopping.is_set() and not is_starting:
                who = "it" if leader in dead else f"process {', '.join(map(str, sorted(dead)))}"
                self._log.line(name, f"{who} has given no sign of life for {watch.seconds:.0f} s; replacing it")
                await kill(watch, dead, leader)
            await self._pause(watch.patience)

    def _surroundings(self) -> dict[str, Any]:
        return {
            "env": self._environ,
            "cwd": self._folder,
            "stdin": asyncio.subprocess.DEVNULL,
            "start_new_session": True,
            "preexec_fn": dying_with_me(signal.SIGTERM),
        }

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return


def end_leftovers(home: Path, *, ask: signal.Signals = signal.SIGTERM) -> None:
    """Ends every process that this or an earlier supervisor of `home` started, directly or not, and left running."""
    end_processes(supervised_processes(home), ask=ask)


def ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
