"""Whether the processes of a kind still work: each has to give a sign of life while it is watched.

    python -m config.alive web              exit status 0: they do; 1: not, and a line says which
    python -m config.alive web --replace    the same, and what gave no sign is killed: who started it starts another

A sign is a pulse that moves (`config/heartbeat.py`). A process of `web` and `realtime` also has to answer at
`/healthz`: several processes may stand behind one port, so an answer tells that it is served, and the pulses which of
them is not well. These checks do not wait for PostgreSQL or Redis: a server that is away or slow is no silence. No two
clocks are compared: on a machine that slept, or for a watcher that was stopped, everybody is alive.

This loads no Django: it takes 0.1 s of CPU.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from config import heartbeat
from config.environment import Environment, InvalidSetting, stop_with

SILENT_SECONDS = 15
QUESTIONS, LOOKS = 3, 15
# Between the signal upon which a process writes down where it is, and the one that it can't refuse.
LAST_WORDS_S = 1.0


@dataclass(frozen=True, slots=True)
class Watched:
    """The processes of one kind during a watch.

    `silent` were there all the time and gave no sign, `present` were there at the end. `answered`: whether one answered
    over HTTP; None where nobody is asked. `has_pulses` is false where no pulse can be given.
    """

    silent: frozenset[int]
    present: frozenset[int]
    answered: bool | None
    has_pulses: bool = True

    def is_well(self, leader: int | None = None) -> bool:
        """Whether all gave a sign, the leader among them: the process that started the others, if there are any."""
        return not self.silent and not self._is_gone(leader)

    def dead(self, leader: int | None = None) -> frozenset[int]:
        """The processes to be replaced. With the leader among them, all of them are."""
        return self.silent | {leader} if leader is not None and self._is_gone(leader) else self.silent

    def _is_gone(self, leader: int | None) -> bool:
        if self.answered is not None:
            return not self.answered
        return self.has_pulses and (not self.present if leader is None else leader not in self.present)


def silent(before: Mapping[int, int], after: Mapping[int, int]) -> frozenset[int]:
    """The processes whose pulse has not moved. A process that came or went in between is left out."""
    return frozenset(process for process, moment in after.items() if before.get(process) == moment)


class Watch:
    """Looks at the processes of one kind for `seconds`; where there is a `port`, an answer is asked for, three times.

    It looks so many times, not so long: when the whole machine stood still, there is still time for a sign.
    """

    def __init__(self, role: str, *, folder: str, seconds: float, address: str = "", port: int | None = None) -> None:
        self.role, self.seconds = role, seconds
        self._folder = Path(folder) if folder else None
        self._where = None if port is None else (address, port)

    @property
    def patience(self) -> float:
        """Seconds until an answer is given up, and from one question to the next."""
        return self.seconds / QUESTIONS

    async def look(self, leader: int | None = None) -> Watched:
        """Returns as soon as all gave a sign."""
        before = self._pulses()
        asking = asyncio.create_task(self._is_answered())
        try:
            for _ in range(LOOKS):
                await asyncio.sleep(self.seconds / LOOKS)
                watched = self._seen(before, asking.result() if asking.done() else False)
                if watched.is_well(leader):
                    return watched
            return self._seen(before, await asking)
        finally:
            asking.cancel()

    def _seen(self, before: Mapping[int, int], answered: bool | None) -> Watched:
        if self._folder is None or not heartbeat.can_be_given(self._folder):
            return Watched(frozenset(), frozenset(), answered, has_pulses=False)
        after = self._pulses()
        return Watched(silent(before, after), frozenset(after), answered)

    def pulses(self) -> Collection[int]:
        """The living processes that have one."""
        return self._pulses().keys()

    def _pulses(self) -> dict[int, int]:
        return {} if self._folder is None else heartbeat.moments(self.role, self._folder)

    async def _is_answered(self) -> bool | None:
        """Whether a process answers; None if none is to be asked."""
        if self._where is None:
            return None
        clock = asyncio.get_running_loop().time
        for _ in range(QUESTIONS):
            asked_at = clock()
            if await answers(*self._where, self.patience):
                return True
            await asyncio.sleep(max(0.0, asked_at + self.patience - clock()))
        return False


async def answers(address: str, port: int, seconds: float) -> bool:
    """Whether a new connection is answered 200 at `/healthz` within that time."""
    with suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(address, port)
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return (await reader.readline()).split()[1:2] == [b"200"]
            finally:
                writer.transport.abort()
    return False


async def kill(watch: Watch, processes: Collection[int], leader: int | None = None) -> None:
    """Has each write down where it is (`PYTHONFAULTHANDLER`), and kills it; with the leader its whole group."""
    if leader is not None and leader in processes:
        send(signal.SIGABRT, [-leader])
        await asyncio.sleep(LAST_WORDS_S)
        send(signal.SIGKILL, [-leader])
    else:
        send(signal.SIGABRT, processes)
        await asyncio.sleep(LAST_WORDS_S)
        send(signal.SIGKILL, [process for process in watch.pulses() if process in processes])


def send(number: signal.Signals, processes: Iterable[int]) -> None:
    """Sends a signal to each process, or to the group of one whose number is negative."""
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def to_reach(bound_to: str) -> str:
    """The address at which this machine reaches who listens on `bound_to`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bound_to, bound_to)  # noqa: S104 - compared, not bound


def watches(env: Environment, seconds: float) -> dict[str, Watch]:
    """The watch of each kind of process. Raises InvalidSetting."""
    folder, address = env.text("PULSE_DIR", ""), to_reach(env.text("BIND", "127.0.0.1"))
    ports = {
        "web": env.integer("PORT", 8000, minimum=1, maximum=65535),
        "realtime": env.integer("REALTIME_PORT", 8001, minimum=1, maximum=65535),
        "worker": None,
        "beat": None,
    }
    return {
        role: Watch(role, folder=folder, seconds=seconds, address=address, port=port) for role, port in ports.items()
    }


async def check(watch: Watch, *, replace: bool) -> str | None:
    """The fault of the processes, in a line; None if nothing is."""
    watched = await watch.look()
    if watched.is_well():
        return None
    if replace:
        await kill(watch, watched.dead())
    if watched.silent:
        who = ", ".join(map(str, sorted(watched.silent)))
        return f"no sign of life in {watch.seconds:.0f} s of process {who}{': killed' if replace else ''}"
    return "nobody answers" if watched.answered is False else "there is no process that has a pulse"


def main() -> None:
    try:
        env = Environment(os.environ)
        known = watches(env, env.integer("SILENT_SECONDS", SILENT_SECONDS, minimum=3, maximum=3600))
    except InvalidSetting as error:
        stop_with(error)
    parser = argparse.ArgumentParser(prog="python -m config.alive", description="Whether processes still work.")
    parser.add_argument("role", choices=known)
    parser.add_argument("--replace", action="store_true", help="kill those that do not")
    given = parser.parse_args()
    if wrong := asyncio.run(check(known[given.role], replace=given.replace)):
        sys.exit(f"{given.role}: {wrong}")


if __name__ == "__main__":
    main()
