"""Everything that the service has to do at once: visitors with open sockets, posts, reads, and the webhooks' receiver.

`python -m bench.traffic FILE` reads a `Traffic` (JSON, one line) from standard input and says "measuring" when the
visitors are there and all has been warm; at the end it writes what it saw into the file (JSON). It is one process with
one loop, because it shares the machine with the servers, and both ends of a message are timed by its one clock.
"""

import asyncio
import gc
import hashlib
import hmac
import json
import sys
import time
import uuid
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

import orjson
import uvloop

from bench.connections import Callers, Tab, text_frame
from bench.receiver import Receiver

# As many as a proxy may keep open to two processes of four threads each.
POSTING, READING = 24, 16
# Visitors who come at once, before it is measured.
COMING = 8
# Every so-manieth visitor has two tabs open.
SECOND_TAB = 10
# Every so-manieth message goes to one of a few chats: several a second each, so that messages of one chat meet.
BUSY_EVERY, BUSY_CHATS = 10, 5
# As often as a page asks whether its socket is alive.
PING_S = 20.0
DRAIN_S = 15.0
QUIET_S = 1.0
TEXT = "Здравствуйте! Заказ собран, курьер будет у вас с 14 до 16 часов. Anything else?"
PING, SHOWN = text_frame(b'{"type":"ping"}'), b'{"type":"message.created"'


@dataclass(frozen=True, slots=True)
class Traffic:
    """The traffic of a run. Posts and reads are those of a second."""

    web_port: int
    realtime_port: int
    receiver_port: int
    guid: str
    token: str
    agent_id: int
    secret: str
    posts: float
    reads: float
    sockets: int
    warmup_seconds: float
    seconds: float


@dataclass(slots=True)
class Visitor:
    """A visitor with a chat, and what is sent for them: everything but what is new each time."""

    chat_id: int
    first_id: int
    asking: tuple[bytes, bytes]
    answering: tuple[bytes, bytes]
    reading: Sequence[bytes]


class Seen:
    """The times of the messages. Times are those of `time.perf_counter`."""

    def __init__(self) -> None:
        self.due: dict[int, float] = {}  # by the message's id, when it was to be sent
        self.posted: dict[int, list[int]] = {}  # by chat, the messages that were taken
        self.shown: list[tuple[int, array[int]]] = []  # by tab, in the order of coming
        self.shown_ids, self.shown_at = array("q"), array("d")
        self.heard_ids, self.heard_at = array("q"), array("d")
        self.heard: list[str] = []  # names of deliveries
        self.unsigned = 0
        self.refused: Counter[str] = Counter()
        self.posts, self.reads, self.late = array("d"), array("d"), array("d")


class Generator:
    """One run; `run` is all of it."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._writing, self._reading = Callers(traffic.web_port), Callers(traffic.web_port)
        self._seen = Seen()
        self._tabs: list[Tab] = []
        self._visitors: list[Visitor] = []
        self._measured_from = float("inf")

    async def run(self) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        receiver = await loop.create_server(lambda: _Hook(self), "127.0.0.1", self._traffic.receiver_port, backlog=1024)
        await self._writing.open(POSTING)
        await self._let_visitors_come()
        await self._reading.open(READING)
        # Nothing here is made in circles, and a collection of all of it would be seen in the figures.
        gc.disable()
        pinging = asyncio.create_task(self._ping())
        await self._put_load(self._traffic.warmup_seconds)
        print("measuring", flush=True)
        self._measured_from = time.perf_counter()
        await self._put_load(self._traffic.seconds)
        await self._drain()
        pinging.cancel()
        closed = sum(not tab.is_open for tab in self._tabs)
        receiver.close()
        for each in (*self._tabs, self._writing, self._reading):
            each.close()
        return self._found(closed)

    # Visitors.

    async def _let_visitors_come(self) -> None:
        coming = iter(range(max(1, self._traffic.sockets - self._traffic.sockets // SECOND_TAB)))

        async def one_after_the_other() -> None:
            for number in coming:
                await self._let_visitor_come(number)

        async with asyncio.TaskGroup() as group:
            for _ in range(COMING):
                group.create_task(one_after_the_other())

    async def _let_visitor_come(self, number: int) -> None:
        """A session, the tabs, and the first message, which begins the chat while the tabs are open."""
        traffic, home = self._traffic, f"/widget/{self._traffic.guid}"
        body = orjson.dumps({"name": f"Visitor {number}", "page_url": "https://shop.example/roses"})
        session = await self._ask(_request("POST", f"{home}/sessions", body))
        visitor = f"Visitor {session['visitor_token']}"
        auth = orjson.dumps({"type": "auth", "token": session["visitor_token"], "after_id": 0})
        tabs = [await self._open_tab(auth) for _ in range(2 if number % SECOND_TAB == 0 else 1)]
        asking = {"client_id": _NEW, "type": "text", "body": TEXT}
        asking_parts = _parts(_request("POST", f"{home}/messages", orjson.dumps(asking), visitor))
        first = await self._ask(str(uuid.uuid4()).encode().join(asking_parts))
        chat_id, message_id = first["chat_id"], first["id"]
        for tab in tabs:
            self._seen.shown.append((chat_id, tab.tag))
        self._seen.posted[chat_id] = [message_id]
        token, chat = f"Bearer {traffic.token}", f"/api/v1/chats/{chat_id}/messages"
        answering = orjson.dumps({"type": "text", "body": TEXT, "agent_id": traffic.agent_id})
        reading = (
            _request("GET", "/api/v1/chats?limit=20", None, token),
            _request("GET", f"{chat}?limit=20", None, token),
            _request("GET", "/api/v1/contacts?limit=20", None, token),
            _request("GET", f"{home}/messages?after_id={message_id}", None, visitor),
        )
        answering_parts = _parts(_request("POST", chat, answering, token, key=_NEW))
        self._visitors.append(Visitor(chat_id, message_id, asking_parts, answering_parts, reading))

    async def _open_tab(self, auth: bytes) -> Tab:
        path = f"/ws/visitor/{self._traffic.guid}"
        loop = asyncio.get_running_loop()
        _, tab = await loop.create_connection(
            lambda: Tab(path, auth, self._hear_frame, array("q")), "127.0.0.1", self._traffic.realtime_port
        )
        async with asyncio.timeout(DRAIN_S):
            await tab.ready
        self._tabs.append(tab)
        return tab

    async def _ask(self, request: bytes) -> Any:
        status, body = await self._writing.ask(request)
        if status != 201:
            raise RuntimeError(f"{request[:60]!r}… was answered {status}: {body[:300]!r}")
        return orjson.loads(body)["data"]

    # Load.

    async def _put_load(self, seconds: float) -> None:
        began = time.perf_counter()
        await asyncio.gather(
            keep_pace(self._traffic.posts, began, seconds, self._post),
            keep_pace(self._traffic.reads, began, seconds, self._read),
        )

    def _note_late(self, due: float) -> None:
        if due >= self._measured_from:
            self._seen.late.append(time.perf_counter() - due)

    def _post(self, number: int, due: float) -> None:
        """The visitor and the API in turn, in one chat after the other, and more often in a few of them."""
        self._note_late(due)
        visitors, seen = self._visitors, self._seen
        turn = number // BUSY_EVERY % BUSY_CHATS if number % BUSY_EVERY == 0 else number
        visitor = visitors[turn % len(visitors)]
        by_visitor = (number + number // len(visitors)) % 2 == 0
        before, after = visitor.asking if by_visitor else visitor.answering
        status, name = (201, "id") if by_visitor else (202, "message_id")

        def answered(found: int, body: bytes) -> None:
            now = time.perf_counter()
            if found != status:
                seen.refused[f"a post: {found} {body[:200].decode(errors='replace')}"] += 1
                return
            message_id = orjson.loads(body)["data"][name]
            seen.posted[visitor.chat_id].append(message_id)
            if due >= self._measured_from:
                seen.due[message_id] = due
                seen.posts.append(now - due)

        self._writing.call(before + str(uuid.uuid4()).encode() + after, answered)

    def _read(self, number: int, due: float) -> None:
        self._note_late(due)
        seen = self._seen
        reading = self._visitors[number % len(self._visitors)].reading

        def answered(status: int, body: bytes) -> None:
            if status != 200:
                seen.refused[f"a read: {status} {body[:200].decode(errors='replace')}"] += 1
            elif due >= self._measured_from:
                seen.reads.append(time.perf_counter() - due)

        self._reading.call(reading[number % len(reading)], answered)

    async def _ping(self) -> None:
        """Each tab asks as often as a page does, one after the other."""
        while True:
            for tab in self._tabs:
                tab.send(PING)
                await asyncio.sleep(PING_S / len(self._tabs))

    async def _drain(self) -> None:
        """Returns when all that was posted has come, and then nothing more for a while; or when long nothing comes."""
        seen, before, moved_at = self._seen, -1, time.perf_counter()
        while time.perf_counter() < moved_at + DRAIN_S:
            due = sum(len(seen.posted[chat_id]) for chat_id, _ in seen.shown)
            posted = sum(map(len, seen.posted.values()))
            is_whole = len(seen.shown_ids) >= due and len(seen.heard) >= posted
            under_way = self._writing.under_way + self._reading.under_way
            so_far = len(seen.shown_ids) + len(seen.heard) - under_way
            if so_far != before:
                before, moved_at = so_far, time.perf_counter()
            elif is_whole and not under_way:
                return
            await asyncio.sleep(QUIET_S)

    # What comes back.

    def _hear_frame(self, tab: Tab, content: bytes, now: float) -> None:
        if content.startswith(SHOWN):
            message_id = orjson.loads(content)["data"]["id"]
            tab.tag.append(message_id)
            self._seen.shown_ids.append(message_id)
            self._seen.shown_at.append(now)

    def hear_hook(self, head: bytes, body: bytes) -> None:
        """A webhook, which must be signed."""
        now, seen = time.perf_counter(), self._seen
        headers = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:])
        expected = b"sha256=v1:" + hmac.new(self._traffic.secret.encode(), body, hashlib.sha256).hexdigest().encode()
        seen.unsigned += headers.get(b"x-service-signature") != expected
        seen.heard.append(headers[b"x-service-delivery"].decode())
        seen.heard_ids.append(orjson.loads(body)["data"]["message_id"])
        seen.heard_at.append(now)

    def _found(self, closed: int) -> dict[str, Any]:
        seen = self._seen
        if len(seen.posts) < 2 or len(seen.reads) < 2:
            raise RuntimeError(f"nothing came of the load: {seen.refused}")
        return {
            "posts": spread(seen.posts),
            "reads": spread(seen.reads),
            "frames": spread(_since(seen.due, seen.shown_ids, seen.shown_at)),
            "deliveries": spread(_since(seen.due, seen.heard_ids, seen.heard_at)),
            "late": spread(seen.late),
            "refused": dict(seen.refused),
            "closed": closed,
            "unsigned": seen.unsigned,
            "posted": seen.posted,
            "shown": [(chat_id, list(ids)) for chat_id, ids in seen.shown],
            "heard": seen.heard,
            "heard_ids": list(seen.heard_ids),
        }


class _Hook(Receiver):
    """A connection of the product's deliverer."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    def take(self, head: bytes, body: bytes) -> None:
        self._generator.hear_hook(head, body)


async def keep_pace(rate: float, began: float, seconds: float, do: Callable[[int, float], None]) -> None:
    """Does something at an even rate, whatever became of what was done before; it is told when it was due."""
    for number in range(round(rate * seconds)):
        due = began + number / rate
        await _until(due)
        do(number, due)
    await _until(began + seconds)


async def _until(moment: float) -> None:
    if (wait := moment - time.perf_counter()) > 0:
        await asyncio.sleep(wait)


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Milliseconds."""
    hundredths = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else [float("inf")] * 99
    found = {
        "p50": hundredths[49],
        "p95": hundredths[94],
        "p99": hundredths[98],
        "most": max(seconds, default=float("inf")),
    }
    return {name: value * 1000 for name, value in found.items()} | {"count": len(seconds)}


def _since(due: dict[int, float], ids: Sequence[int], at: Sequence[float]) -> list[float]:
    return [came - due[id_] for id_, came in zip(ids, at, strict=True) if id_ in due]


# Stands where each sending has 36 characters of its own.
_NEW = "{new-for-each-sending-thirty-six-ch}"


def _request(
    method: str, path: str, body: bytes | None = None, authorization: str | None = None, key: str | None = None
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: */*"]
    if authorization:
        lines.append(f"Authorization: {authorization}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    if key:
        lines.append(f"X-Service-Idempotency-Key: {key}")
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def _parts(request: bytes) -> tuple[bytes, bytes]:
    """The bytes before the part that is new each time, and after it."""
    before, found, after = request.partition(_NEW.encode())
    assert found
    return before, after


def main() -> None:
    traffic = Traffic(**json.loads(sys.stdin.readline()))
    found = uvloop.run(Generator(traffic).run())
    Path(sys.argv[1]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
