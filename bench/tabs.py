"""Tabs of operators' consoles, as far as their sockets go; and when each frame came."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect

SECONDS = 60.0
# After so long without a frame, what was under way has come.
QUIET_S = 1.0


@dataclass(slots=True)
class Delays:
    """Milliseconds from a message's being stored to each frame that shows it, since they were last cleared; `offers`
    are the first frames that show the chats as offered.
    """

    rows: list[float] = field(default_factory=list)
    messages: list[float] = field(default_factory=list)
    offers: dict[int, float] = field(default_factory=dict)
    opened: int = 0
    frames: int = 0

    def clear(self) -> None:
        self.rows.clear()
        self.messages.clear()
        self.offers.clear()
        self.opened = self.frames = 0


class Tabs:
    """Sockets of one address, as an async context manager: `open` adds some, each with a reader of its own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.delays = Delays()
        self.sockets: list[ClientConnection] = []
        self._readers: list[asyncio.Task[None]] = []
        self._closing = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for reader in self._readers:
            reader.cancel()
        await self._closing.aclose()

    async def open_operators(self, tickets: Sequence[str]) -> list[float]:
        """Opens a socket with each ticket, one after the other; milliseconds from the first frame to `ready`."""
        times = []
        for ticket in tickets:
            socket = await self._connect()
            asked_at = time.perf_counter()
            await socket.send(orjson.dumps({"type": "auth", "ticket": ticket}).decode())
            frame = orjson.loads(await asyncio.wait_for(socket.recv(), SECONDS))
            if frame["type"] != "ready":
                raise RuntimeError(f"an operator's socket was answered {frame}")
            times.append((time.perf_counter() - asked_at) * 1000)
            self._readers.append(asyncio.create_task(self._read(socket)))
        return times

    async def open_bare(self, count: int) -> None:
        """Opens so many sockets of the reference."""
        for _ in range(count):
            socket = await self._connect()
            self._readers.append(asyncio.create_task(self._read_bare(socket)))

    async def say(self, number: int, kind: str, **data: Any) -> None:
        """Sends a frame from the socket that was opened as that one."""
        await self.sockets[number].send(orjson.dumps({"type": kind, "data": data}).decode())

    async def settle(self, *, opened: int = 0, offered: int = 0) -> None:
        """Waits until so many chats have been opened, and offered, and then no frame has come for a while."""
        async with asyncio.timeout(SECONDS):
            while self.delays.opened < opened or len(self.delays.offers) < offered:
                await asyncio.sleep(0.05)
            frames = -1
            while frames != (frames := self.delays.frames):
                await asyncio.sleep(QUIET_S)

    async def _connect(self) -> ClientConnection:
        opening = connect(
            self._address, compression=None, proxy=None, max_queue=None, close_timeout=2, ping_interval=None
        )
        socket = await self._closing.enter_async_context(opening)
        self.sockets.append(socket)
        return socket

    async def _read(self, socket: ClientConnection) -> None:
        delays = self.delays
        async for text in socket:
            now = time.time()
            frame = orjson.loads(text)
            delays.frames += 1
            if frame["type"] == "chat.updated":
                chat = frame["data"]["chat"]
                delays.rows.append(_since(chat["last_message"], now))
                if chat["offer"]:
                    delays.offers.setdefault(chat["id"], delays.rows[-1])
            elif frame["type"] == "message.created":
                delays.messages.append(_since(frame["data"], now))
            elif frame["type"] == "chat.opened":
                delays.opened += 1

    async def _read_bare(self, socket: ClientConnection) -> None:
        async for text in socket:
            now = time.time()
            self.delays.frames += 1
            self.delays.rows.append((now - orjson.loads(text)["at"]) * 1000)


def _since(message: dict[str, Any], now: float) -> float:
    return (now - datetime.fromisoformat(message["created_at"]).timestamp()) * 1000
