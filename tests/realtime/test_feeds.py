"""The pieces of a realtime process that its sockets rest on: slow clients, allowances, many tabs."""

import asyncio
import json
import socket
import struct
import uuid
from base64 import b64encode
from collections.abc import Callable, Iterator

import psutil
import pytest

from apps.agents.models import Agent
from apps.chats.models import Chat, Message
from apps.chats.realtime.allowances import FrameLimit
from apps.chats.realtime.sockets import MAX_UNREAD, Socket
from apps.core.problems import Problem
from tests.factories import MessageFactory
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import Tab
from tests.waits import AT_MOST_S

OpenTab = Callable[..., Tab]


def test_an_allowance_is_spent_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("apps.chats.realtime.allowances.time.monotonic", lambda: now)
    allowance = FrameLimit(3)
    for _ in range(3):
        allowance.spend()
    with pytest.raises(Problem) as refused:
        allowance.spend()
    assert refused.value.type.code == "rate_limited"
    assert refused.value.members == {"retry_after": 20.0}
    now += 20.0
    allowance.spend()
    with pytest.raises(Problem):
        allowance.spend()


class Reader(Socket):
    """A socket whose client reads all that it is sent, and that counts how often it asked for more."""

    def __init__(self) -> None:
        super().__init__()
        self.is_open, self.asked = True, 0
        self.base_send = self._send

    async def _send(self, message: object) -> None:
        await asyncio.sleep(0)

    def has_read(self) -> None:
        self.asked += 1

    async def show(self, frame: str) -> None:
        self.push(frame)
        while self._writer is not None:
            await asyncio.sleep(0)


def test_only_a_client_from_whom_something_was_kept_is_read_for_again() -> None:
    """Else each frame costs a statement for the next: 0.78 cores instead of 0.29 at 50 operators and 50 messages/s."""

    async def asked_after(*frames: str) -> list[int]:
        reader = Reader()
        asked = []
        for frame in frames:
            await reader.show(frame)
            asked.append(reader.asked)
        return asked

    assert asyncio.run(asked_after("short", "short", "x" * MAX_UNREAD, "short")) == [0, 0, 1, 1]


class SlowTab:
    """A client that says who it is, and reads when it is told to."""

    def __init__(self, port: int, guid: str, token: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.connect(("127.0.0.1", port))
        self._socket.settimeout(20)
        key = b64encode(uuid.uuid4().bytes).decode()
        self._socket.sendall(
            f"GET /ws/visitor/{guid} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._stream = self._socket.makefile("rb")
        assert b"101" in self._stream.readline()
        while self._stream.readline() != b"\r\n":
            pass
        frame = json.dumps({"type": "auth", "token": token, "after_id": 0}).encode()
        self._socket.sendall(bytes([0x81, 0x80 | len(frame)]) + bytes(4) + frame)  # masked with zeros

    def frames(self) -> Iterator[dict[str, object]]:
        while True:
            kind, length = self._stream.read(2)
            if length == 126:
                (length,) = struct.unpack("!H", self._stream.read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._stream.read(8))
            payload = self._stream.read(length)
            if kind == 0x81:
                yield json.loads(payload)

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


@pytest.mark.slow
def test_a_client_that_does_not_read_costs_little_delays_nobody_and_misses_nothing(
    realtime: RealtimeProcess, open_tab: OpenTab, token_of_ivan: str, chat: Chat, olga: Agent
) -> None:
    process = psutil.Process(realtime.pid)
    open_tab().auth(token_of_ivan)
    before = process.memory_info().rss
    # 30 MB for the index of words: in one statement it would need more time than a statement has.
    texts = (f"{n} " + "x" * 30_000 for n in range(999))
    told = (
        MessageFactory.build(chat=chat, widget=chat.widget, agent=olga, body=text, sender_kind="agent")
        for text in texts
    )
    Message.objects.bulk_create(told, batch_size=100)
    MessageFactory.create(chat=chat, agent=olga)
    ids = list(Message.objects.order_by("id").values_list("id", flat=True))

    slow = SlowTab(realtime.port, chat.widget.guid, token_of_ivan)
    quick = open_tab()
    quick.auth(token_of_ivan, 0)
    quick.until(lambda frame: frame["data"].get("id") == ids[-1], seconds=AT_MOST_S)
    assert [message["id"] for message in quick.messages()] == ids
    assert process.memory_info().rss - before < 24 * 2**20, "30 MB wait for a client that does not read"

    shown: list[object] = []
    for frame in slow.frames():
        if frame["type"] == "message.created":
            shown.append(frame["data"]["id"])  # type: ignore[index]
            if shown[-1] == ids[-1]:
                break
    slow.close()
    assert shown == ids
