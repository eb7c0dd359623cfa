"""The rival's load: people with open sockets, and messages from one to the next at an even rate.

`python -m bench.rival_traffic FILE` reads a `RivalTraffic` (JSON, one line) from standard input and says "measuring"
when all are there and all has been warm; at the end it writes what it saw into the file (JSON). One process with one
loop, as `bench/traffic.py` is. It speaks XMPP's minimum: SASL PLAIN (RFC 4616), binding a resource and presence
(RFC 6120, 6121).
"""

import asyncio
import base64
import gc
import json
import re
import sys
import time
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import uvloop

from bench.traffic import DRAIN_S, QUIET_S, TEXT, keep_pace, spread

HOST, PASSWORD = "localhost", "of-the-benchmark-only"
COMING = 16
_OPEN = (
    f"<stream:stream to='{HOST}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
).encode()
_BIND = b"<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>"
_MESSAGE = re.compile(rb"<message [^>]*?\bid='m(\d+)'")


@dataclass(frozen=True, slots=True)
class RivalTraffic:
    """Messages a second between so many people, each with one open socket."""

    port: int
    messages: float
    sockets: int
    warmup_seconds: float
    seconds: float


def name_of(number: int) -> str:
    return f"person{number}"


class Person(asyncio.Protocol):
    """One session. Messages that come are counted by the number in their id."""

    def __init__(self, seen: "Seen") -> None:
        self._seen = seen
        self._text = b""
        self._wanted: tuple[bytes, asyncio.Future[None]] | None = None
        self.is_open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's is of a class of its own

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._text += data
        if self._wanted is not None:
            mark, found = self._wanted
            if mark in self._text:
                self._text, self._wanted = b"", None
                found.set_result(None)
            return
        end = 0
        for match in _MESSAGE.finditer(self._text):
            self._seen.came(int(match[1]), now)
            end = match.end()
        self._text = self._text[max(end, len(self._text) - 2_000) :]

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False

    async def say(self, sent: bytes, *, until: bytes) -> None:
        """Sends, and returns when the answer has that in it."""
        found = asyncio.get_running_loop().create_future()
        self._wanted = (until, found)
        self.transport.write(sent)
        async with asyncio.timeout(DRAIN_S):
            await found

    async def sign_in(self, name: str) -> None:
        secret = base64.b64encode(f"\0{name}\0{PASSWORD}".encode())
        await self.say(_OPEN, until=b"</stream:features>")
        plain = b"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
        await self.say(plain + secret + b"</auth>", until=b"<success")
        await self.say(_OPEN, until=b"</stream:features>")
        await self.say(_BIND, until=b"</bind></iq>")
        await self.say(b"<presence/>", until=b"<presence")


class Seen:
    """When each message was to be sent, and when it came."""

    def __init__(self) -> None:
        self.due: list[float] = []
        self.times, self.late = array("d"), array("d")
        self.count = 0
        self.twice = 0
        self._came = bytearray()
        self.measured_from = float("inf")

    def came(self, number: int, now: float) -> None:
        if number >= len(self._came):
            self._came.extend(bytes(number + 1 - len(self._came)))
        self.twice += self._came[number]
        if not self._came[number]:
            self._came[number] = 1
            self.count += 1
            if self.due[number] >= self.measured_from:
                self.times.append(now - self.due[number])


async def run(traffic: RivalTraffic) -> dict[str, Any]:
    seen = Seen()
    people = await _let_people_come(traffic, seen)
    gc.disable()

    def send(_: int, due: float) -> None:
        number = len(seen.due)
        seen.due.append(due)
        if due >= seen.measured_from:
            seen.late.append(time.perf_counter() - due)
        sender, receiver = number % len(people), (number + 1) % len(people)
        to = f"{name_of(receiver)}@{HOST}"
        people[sender].transport.write(
            f"<message to='{to}' type='chat' id='m{number}'><body>{TEXT}</body></message>".encode()
        )

    await keep_pace(traffic.messages, time.perf_counter(), traffic.warmup_seconds, send)
    print("measuring", flush=True)
    seen.measured_from = time.perf_counter()
    await keep_pace(traffic.messages, seen.measured_from, traffic.seconds, send)
    before, moved_at = -1, time.perf_counter()
    while seen.count < len(seen.due) and time.perf_counter() < moved_at + DRAIN_S:
        if seen.count != before:
            before, moved_at = seen.count, time.perf_counter()
        await asyncio.sleep(QUIET_S)
    closed = sum(not person.is_open for person in people)
    for person in people:
        person.transport.close()
    return {
        "frames": spread(seen.times),
        "late": spread(seen.late),
        "sent": len(seen.due),
        "lost": len(seen.due) - seen.count,
        "twice": seen.twice,
        "closed": closed,
    }


async def _let_people_come(traffic: RivalTraffic, seen: Seen) -> list[Person]:
    loop, numbers = asyncio.get_running_loop(), iter(range(traffic.sockets))
    people: list[Person] = []

    async def one_after_the_other() -> None:
        for number in numbers:
            _, person = await loop.create_connection(lambda: Person(seen), "127.0.0.1", traffic.port)
            await person.sign_in(name_of(number))
            people.append(person)

    async with asyncio.TaskGroup() as group:
        for _ in range(COMING):
            group.create_task(one_after_the_other())
    return people


def main() -> None:
    traffic = RivalTraffic(**json.loads(sys.stdin.readline()))
    found = uvloop.run(run(traffic))
    Path(sys.argv[1]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
