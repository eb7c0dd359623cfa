"""The queue: what a decision of the router takes, how soon all places are filled, and how soon an offer is in its
operator's socket once a visitor begins to wait. And what posting costs with it, on and off.

The router alone is measured by `bench.router`, in a process of its own. For the offers the product's worker and
realtime processes run, fifty operators have a tab each, and visitors begin to wait at an even rate.
"""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bench.console import People, Spread
from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers
from bench.operators import OPERATORS
from bench.replies import worker_ready
from bench.router import WAITING
from bench.tabs import SECONDS, Tabs
from bench.web import WebServer
from config.environment import PROJECT_ROOT

REALTIME = "config.asgi:application"
DECISION_GOAL_MS, FILLING_GOAL_S, OFFER_GOAL_MS = 20.0, 20.0, 1000.0
OPENING_GOAL_MS, NOW_GOAL_MS, YEAR_GOAL_MS = 50.0, 1.0, 5.0
ON_GOAL, OFF_GOAL = 1.05, 1.00
WAITS, A_SECOND, WARMING, OPENED = 100, 5.0, 10, 20


@dataclass(frozen=True, slots=True)
class Routing:
    """Medians in milliseconds; `bare_ms` is one statement that reads what a decision must at least know."""

    waiting: int
    operators: int
    decision_ms: float
    decision_cpu_ms: float
    bare_ms: float
    filled: int
    filling_s: float
    offers: int
    offer: Spread
    opening_ms: float
    now_ms: float
    year_ms: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be."""
        decision = f"one decision, {self.waiting:,} waiting, {self.operators:,} operators, ms"
        return [
            (decision, self.decision_ms, DECISION_GOAL_MS),
            (f"{self.filled:,} places filled, s", self.filling_s, FILLING_GOAL_S),
            ("a visitor waits to the offer in the socket, p95, ms", self.offer.p95, OFFER_GOAL_MS),
            ("opening a chat that waits, ms", self.opening_ms, OPENING_GOAL_MS),
            ("hours: open now, ms", self.now_ms, NOW_GOAL_MS),
            ("hours: open time of a year, ms", self.year_ms, YEAR_GOAL_MS),
        ]

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_routing(waiting: int = WAITING) -> Routing:
    """Raises RuntimeError when a process ends, or a chat that waits is offered to nobody."""
    with own_servers() as (_, environ), Foreign() as foreign:
        alone = {**_ask(environ, "hours"), **_ask(environ, "decide", waiting)}
    with own_servers() as (servers, environ), Foreign() as offering:
        environ |= {"WORKER_CONCURRENCY": "1"}
        environ["PYTHONWARNINGS"] = "ignore:You're running the worker with superuser privileges"
        log = servers.home / "log" / "worker.log"
        realtime_log = servers.home / "log" / "realtime.log"
        with (
            worker_ready(environ, log),
            WebServer(REALTIME, environ, realtime_log, process="realtime") as realtime,
            People(environ) as people,
        ):
            offers, opening_ms = asyncio.run(_offers(f"ws://127.0.0.1:{realtime.port}/ws/operator", people))
    cores = max(foreign.cores, offering.cores)
    return Routing(**alone, offers=len(offers), offer=Spread.of(offers), opening_ms=opening_ms, foreign_cores=cores)


@dataclass(frozen=True, slots=True)
class RoutedPosts:
    """CPU in milliseconds a message, round by round: the ways took turns."""

    on: list[float]
    off: list[float]
    without: list[float]
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be."""
        return [
            (f"CPU of posting with routing {way}, to without it", self._ratio(rounds), goal)
            for way, rounds, goal in (("on", self.on, ON_GOAL), ("off", self.off, OFF_GOAL))
        ]

    def _ratio(self, rounds: list[float]) -> float:
        return median(ours / theirs for ours, theirs in zip(rounds, self.without, strict=True))

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_routed_posts(rounds: int) -> RoutedPosts:
    """So many rounds of each way."""
    with own_servers() as (_, environ), Foreign() as foreign:
        posted = _ask(environ, "post", rounds)
    return RoutedPosts(**posted, foreign_cores=foreign.cores)


def _ask(environ: dict[str, str], what: str, *options: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.router", what, *map(str, options)]
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the router failed: {done.stderr[-2000:]}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


async def _offers(address: str, people: People) -> tuple[list[float], float]:
    """Milliseconds from a visitor's word, which is stored, to the frame with the offer, of each chat the first; and the
    median from an operator's asking for a chat to the frame with all of it.
    """
    count = WAITS + WARMING
    chat_ids = people.ask("fill", chats=count, open=count)["open"]
    people.ask("route")
    async with Tabs(address) as tabs:
        await tabs.open_operators(people.ask("tickets", count=OPERATORS)["tickets"])
        await tabs.settle()
        for some in (chat_ids[:WARMING], chat_ids[WARMING:]):
            tabs.delays.clear()
            seconds = len(some) / A_SECOND
            await asyncio.to_thread(people.ask, "write", chat_ids=some, rate=A_SECOND, seconds=seconds)
            await tabs.settle(offered=len(some))
        times = []
        for number, chat_id in enumerate(chat_ids[:OPENED], start=1):
            asked_at = time.perf_counter()
            await tabs.say(0, "chat.open", chat_id=chat_id)
            async with asyncio.timeout(SECONDS):
                while tabs.delays.opened < number:
                    await asyncio.sleep(0.001)
            times.append((time.perf_counter() - asked_at) * 1000)
        return list(tabs.delays.offers.values()), median(times)
