"""The operators' console beside a bare server of websockets: what a tab waits for, live frames, memory a socket.

Fifty operators of one widget have a tab each, with three chats open, while fifty messages a second come in, half of
them into open chats. The reference sends as many texts of that size to as many sockets.
"""

import asyncio
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import orjson

from bench.cpu import FOREIGN_LIMIT, Foreign, memory
from bench.databases import own_servers
from bench.operators import OPERATORS
from bench.tabs import QUIET_S, Tabs
from bench.web import PRODUCT, WebServer
from config.environment import PROJECT_ROOT

REALTIME, BARE = "config.asgi:application", "bench.echo:application"
GOAL_MS = 100.0
RATE = 50.0  # messages a second
OPEN_CHATS = 3
FEWEST_OPEN = OPERATORS * OPEN_CHATS
# What the reference sends: as long as a row of the inbox.
FRAME = "x" * 900
# Sockets whose memory is measured, over those that warm the process up.
MORE_SOCKETS = 200


@dataclass(frozen=True, slots=True)
class Inbox:
    """How many chats the widget has, and how many of them are open."""

    chats: int
    open: int

    def __str__(self) -> str:
        return f"{self.chats:,} chats, {self.open:,} open"


INBOXES = (Inbox(1_000, 1_000), Inbox(100_000, 1_000), Inbox(100_000, 10_000))


@dataclass(frozen=True, slots=True)
class Spread:
    """How some milliseconds are spread."""

    p50: float
    p95: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Raises RuntimeError when nothing was measured."""
        if len(values) < 2:
            raise RuntimeError("no frame came")
        return cls(median(values), quantiles(values, n=20)[-1], max(values))


@dataclass(frozen=True, slots=True)
class Crowd:
    """The times of live frames.

    `rows` are those of the inbox, `messages` those of open chats, `posting` the visitors' own waits; `cores` is the
    realtime process's CPU.
    """

    frames: int
    rows: Spread
    messages: Spread | None
    posting: Spread | None
    cores: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT


@dataclass(frozen=True, slots=True)
class Console:
    """The figures of one inbox: single answers in milliseconds by request, and the live frames."""

    inbox: Inbox
    answers: dict[str, float]
    crowd: Crowd


@dataclass(frozen=True, slots=True)
class Consoles:
    """All inboxes; the reference; KiB a socket of each, over `OPERATORS` sockets that were there before."""

    inboxes: list[Console]
    reference: Crowd
    socket_kib: float
    bare_socket_kib: float

    def document(self) -> dict[str, Any]:
        return asdict(self)


def measure_consoles(inboxes: Sequence[Inbox], rounds: int, seconds: float) -> Consoles:
    """With each inbox, the larger after the smaller: single answers, so many of each, and so many seconds of frames."""
    with own_servers() as (servers, environ):
        log = servers.home / "log" / "web.log"
        with (
            WebServer(PRODUCT, environ, log) as web,
            WebServer(REALTIME, environ, log, process="realtime") as realtime,
            WebServer(BARE, environ, log, process="realtime") as bare,
            People(environ) as people,
        ):
            bench = _Bench(web, realtime, bare, people)
            people.ask("fill", chats=inboxes[0].chats, open=inboxes[0].open)
            # First: what a process has had and given back, it would not need to ask for again.
            socket_kib = asyncio.run(bench.socket_kib())
            bare_socket_kib = asyncio.run(bench.bare_socket_kib())
            measured = [bench.measure(inbox, rounds, seconds) for inbox in inboxes]
            return Consoles(measured, asyncio.run(bench.bare_crowd(seconds)), socket_kib, bare_socket_kib)


class People:
    """The process with the widget's operators and visitors, `bench.operators`, as a context manager."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.operators"],
            cwd=PROJECT_ROOT,
            env=dict(self._environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._said() != "ready\n":
            raise RuntimeError("the process of operators and visitors did not start")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def ask(self, do: str, **told: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **told}) + "\n")
        self._process.stdin.flush()
        if not (line := self._said()):
            raise RuntimeError(f"{do}: the process of operators and visitors failed")
        return json.loads(line)

    def _said(self) -> str:
        assert self._process.stdout is not None
        line: str = self._process.stdout.readline()
        return line


class _Bench:
    def __init__(self, web: WebServer, realtime: WebServer, bare: WebServer, people: People) -> None:
        self._web, self._realtime, self._bare, self._people = web, realtime, bare, people

    def measure(self, inbox: Inbox, rounds: int, seconds: float) -> Console:
        chat_ids = self._people.ask("fill", chats=inbox.chats, open=inbox.open)["open"]
        answers = asyncio.run(self._ready(rounds)) | self._pages(rounds)
        return Console(inbox, answers, asyncio.run(self._crowd(chat_ids, seconds)))

    # What a tab waits for.

    async def _ready(self, rounds: int) -> dict[str, float]:
        """Also of a widget's first tab, for which a process reads the inbox."""
        first, other = [], []
        for _ in range(rounds):
            tickets = self._people.ask("tickets", count=2)["tickets"]
            async with self._tabs() as tabs:
                first += await tabs.open_operators(tickets[:1])
                other += await tabs.open_operators(tickets[1:])
            await asyncio.sleep(0.1)
        return {"ready, the widget's first tab": median(first), "ready, any other": median(other)}

    def _pages(self, rounds: int) -> dict[str, float]:
        cookie = self._people.ask("cookie")["cookie"]

        def ask(path: str) -> tuple[float, Any]:
            began = time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", self._web.port, timeout=60)
            try:
                connection.request("GET", f"/console/{path}", headers={"Cookie": cookie})
                answer = connection.getresponse()
                body = answer.read()
            finally:
                connection.close()
            if answer.status != 200:
                raise RuntimeError(f"/console/{path} was answered {answer.status}")
            return (time.perf_counter() - began) * 1000, json.loads(body)

        paths = {"page of open chats": "inbox?view=open", "page of closed chats": "inbox?view=closed"}
        for title, path in list(paths.items()):
            if cursor := ask(path)[1]["next_cursor"]:
                paths[title.replace("page", "next page")] = f"{path}&cursor={cursor}"
        paths["search, what every chat says"] = f"search?q={quote('заказ')}"
        paths["search, what one visitor's address says"] = "search?q=visitor777@"
        return {title: median(ask(path)[0] for _ in range(rounds + 1)) for title, path in paths.items()}

    # Live frames.

    async def _crowd(self, chat_ids: list[int], seconds: float) -> Crowd:
        async with self._tabs() as tabs:
            await tabs.open_operators(self._people.ask("tickets", count=OPERATORS)["tickets"])
            watched = chat_ids[:FEWEST_OPEN]
            for number, chat_id in enumerate(watched):
                await tabs.say(number % OPERATORS, "chat.open", chat_id=chat_id)
            writing = [each for pair in zip(_around(watched, chat_ids), chat_ids, strict=True) for each in pair]
            await tabs.settle(opened=len(watched))
            await self._write(writing, 1.0)
            await tabs.settle()
            tabs.delays.clear()
            before, began = self._realtime.cpu_seconds, time.monotonic()
            with Foreign() as foreign:
                took = await self._write(writing, seconds)
                await tabs.settle()
            cores = (self._realtime.cpu_seconds - before) / (time.monotonic() - began)
            rows, messages = Spread.of(tabs.delays.rows), Spread.of(tabs.delays.messages)
            return Crowd(tabs.delays.frames, rows, messages, Spread.of(took), cores, foreign.cores)

    async def _write(self, chat_ids: list[int], seconds: float) -> list[float]:
        ask = self._people.ask
        found = await asyncio.to_thread(ask, "write", chat_ids=chat_ids, rate=RATE, seconds=seconds)
        took: list[float] = found["took"]
        return took

    async def bare_crowd(self, seconds: float) -> Crowd:
        """As many texts to as many sockets."""
        async with self._bare_tabs() as tabs:
            await tabs.open_bare(OPERATORS)
            before, began = self._bare.cpu_seconds, time.monotonic()
            with Foreign() as foreign:
                for number in range(round(RATE * seconds)):
                    await asyncio.sleep(max(0.0, began + number / RATE - time.monotonic()))
                    await tabs.sockets[0].send(orjson.dumps({"at": time.time(), "text": FRAME}).decode())
                await tabs.settle()
            cores = (self._bare.cpu_seconds - before) / (time.monotonic() - began)
            return Crowd(tabs.delays.frames, Spread.of(tabs.delays.rows), None, None, cores, foreign.cores)

    # Memory.

    async def socket_kib(self) -> float:
        async with self._tabs() as tabs:
            await tabs.open_operators(self._people.ask("tickets", count=OPERATORS)["tickets"])
            before = await self._settled_kib(self._realtime)
            await tabs.open_operators(self._people.ask("tickets", count=MORE_SOCKETS)["tickets"])
            return (await self._settled_kib(self._realtime) - before) / MORE_SOCKETS

    async def bare_socket_kib(self) -> float:
        async with self._bare_tabs() as tabs:
            await tabs.open_bare(OPERATORS)
            before = await self._settled_kib(self._bare)
            await tabs.open_bare(MORE_SOCKETS)
            return (await self._settled_kib(self._bare) - before) / MORE_SOCKETS

    async def _settled_kib(self, server: WebServer) -> int:
        await asyncio.sleep(QUIET_S)
        return sum(memory(pid, "VmRSS") for pid in server.pids)

    def _tabs(self) -> Tabs:
        return Tabs(f"ws://127.0.0.1:{self._realtime.port}/ws/operator")

    def _bare_tabs(self) -> Tabs:
        return Tabs(f"ws://127.0.0.1:{self._bare.port}/")


def _around(few: Sequence[int], many: Sequence[int]) -> list[int]:
    """The few again and again, as long as the many."""
    return [few[number % len(few)] for number in range(len(many))]
