"""The base of every websocket consumer: its first frame, and its frames in and out.

Every frame is a JSON object `{"type": …, "data": {…}}`, save the first one of a client, `{"type": "auth", …}`. A frame
that can't be read, or is refused, is answered with `error` `{code, detail, errors?, client_id?}`, and the socket stays;
but a stranger has one frame, a short one: a first frame that is not as it must be ends the socket (1008).
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from apps.chats.realtime.allowances import FrameLimit, callers
from apps.chats.realtime.database import DatabaseAway
from apps.core.endpoints import addresses
from apps.core.endpoints.answers import dump_json
from apps.core.errors import INTERNAL_ERROR, INVALID_INPUT, RATE_LIMITED, TRY_AGAIN
from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem

logger = logging.getLogger(__name__)

AUTH_WITHIN_S = 10.0
MAX_FRAME_BYTES = 64 * 1024  # bytes; 10,000 characters in any script or escape fit in
MAX_FIRST_FRAME_BYTES = 4 * 1024  # bytes; an operator's, with the 20 chats that it may name, has some 700
MAX_UNREAD = 256 * 1024  # characters that wait for a client that does not read

BAD_TOKEN, TOO_BIG, AGAIN_LATER = 1008, 1009, 1013


class Socket(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One websocket. A subclass names its frames in `handlers`, and checks in `admit` and `authenticate` who connects.

    An idle socket costs one suspended coroutine: no task of its own, no timer, no thread. Outgoing frames wait in a
    bounded queue with a writer that lives while there is something to write; a client that does not read is given no
    further messages until it has, and misses none.
    """

    handlers: ClassVar[Mapping[str, Callable[[Any, dict[str, Any]], Awaitable[None]]]]

    def __init__(self) -> None:
        super().__init__()
        self.is_open = False
        self.is_ready = False
        self._unread: deque[str] = deque()
        self._unread_size = 0
        self._was_full = False
        self._writer: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._is_counted = False
        self._frame_limit = FrameLimit(self.frames_a_minute)

    @property
    def frames_a_minute(self) -> int:
        """How many frames the socket may send."""
        return settings.VISITOR_RATE_LIMIT

    @cached_property
    def headers(self) -> Mapping[str, str]:
        """The headers of the handshake, by their names in lower case; several of a name are one (RFC 9110, 5.3)."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, value in self.scope["headers"]:
            found[name.decode("latin-1").lower()].append(value.decode("latin-1"))
        return {name: ",".join(values) for name, values in found.items()}

    @cached_property
    def address(self) -> str:
        """The key of the client's address in rate limits."""
        peer = (self.scope.get("client") or ("", 0))[0]
        return addresses.key_for(peer, self.headers.get("x-forwarded-for", ""))

    async def admit(self) -> None:
        """Raises Problem for a handshake that is refused, DatabaseAway when that can't be said."""
        raise NotImplementedError

    async def authenticate(self, frame: dict[str, Any]) -> None:
        """Reads the first frame, answers it with `ready` and joins the feeds, or closes the socket."""
        raise NotImplementedError

    def has_read(self) -> None:
        """The client, who had too much unread, has read all of it: there is room for what waited."""
        raise NotImplementedError

    @property
    def has_room(self) -> bool:
        """Whether the client is given messages: one that does not read is not, and misses none."""
        return self.is_open and self._unread_size < MAX_UNREAD

    # Frames in.

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Channels' own loop makes two tasks and a thread's round trip of every frame, which without a channel layer and
        # without database calls in here is not needed: 216 µs of CPU for a ping and its answer instead of 53.
        self.scope, self.base_send = scope, send
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            return
        finally:
            await self._end()

    async def dispatch(self, message: Any) -> None:
        kind = message["type"]
        if kind == "websocket.connect":
            await self.connect()
        elif kind == "websocket.receive":
            await self.receive(message.get("text"), message.get("bytes"))
        else:
            raise StopConsumer

    async def connect(self) -> None:
        try:
            callers.spend(self.address, limit=self.frames_a_minute)
            self._is_counted = callers.enter(self.address, at_most=settings.SOCKETS_PER_ADDRESS)
            if not self._is_counted:
                raise RATE_LIMITED()
            await self.admit()
        except Problem:
            await self.close()  # before `accept`: the handshake is answered 403
            return
        except DatabaseAway:
            await self.accept()
            await self.close(AGAIN_LATER)
            return
        await self.accept()
        self.is_open = True
        self._deadline = asyncio.get_running_loop().call_later(AUTH_WITHIN_S, self.drop, BAD_TOKEN)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.is_open:
            return
        size = len(text_data or bytes_data or "")
        if size > MAX_FRAME_BYTES:
            self.drop(TOO_BIG)
            return
        try:
            callers.spend(self.address, limit=self.frames_a_minute, size=size)
        except Problem:
            self.drop(AGAIN_LATER)
            return
        if self.is_ready:
            await self._receive_next(text_data)
        else:
            await self._receive_first(text_data)

    async def _receive_first(self, text: str | None) -> None:
        try:
            frame = read_frame(text, at_most=MAX_FIRST_FRAME_BYTES)
            if frame["type"] != "auth":
                raise INVALID_INPUT('The first frame must be {"type": "auth", …}.')
            await self.authenticate(frame)
        except Problem as problem:
            logger.debug("a first frame that is none: %s", problem.detail)
            self.drop(BAD_TOKEN)
        except DatabaseAway:
            self.drop(AGAIN_LATER)
        except Exception:
            logger.exception("a first frame could not be handled")
            self.drop(AGAIN_LATER)
        if self.is_ready and self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    async def _receive_next(self, text: str | None) -> None:
        client_id = None
        try:
            self._frame_limit.spend()
            frame = read_frame(text)
            data = frame.get("data", {})
            client_id = data.get("client_id") if isinstance(data, dict) else None
            await self._handle(frame, data)
        except Problem as problem:
            self.refuse(problem, client_id)
        except DatabaseAway:
            self.refuse(TRY_AGAIN(), client_id)
        except Exception:
            logger.exception("a frame could not be handled")
            self.refuse(INTERNAL_ERROR(), client_id)

    async def _handle(self, frame: dict[str, Any], data: Any) -> None:
        handler = self.handlers.get(frame["type"])
        if handler is None:
            raise INVALID_INPUT(errors={"type": ["There is no such frame."]})
        if unknown := frame.keys() - {"type", "data"}:
            raise INVALID_INPUT(errors={name: ["There is no such member."] for name in sorted(unknown)})
        if not isinstance(data, dict):
            raise INVALID_INPUT(errors={"data": ["This must be an object."]})
        await handler(self, data)

    # Frames out.

    def push(self, text: str) -> None:
        """Queues a frame for the client."""
        if not self.is_open:
            return
        self._unread.append(text)
        self._unread_size += len(text)
        self._was_full |= self._unread_size >= MAX_UNREAD
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    def push_if_read(self, text: str) -> bool:
        """Queues a frame that is not worth keeping for a client that does not read; whether it was queued."""
        if self._unread_size >= MAX_UNREAD:
            return False
        self.push(text)
        return True

    def refuse(self, problem: Problem, client_id: Any = None, **about: Any) -> None:
        """Answers a frame with `error`; `about` are further members that say which."""
        data: dict[str, Any] = {"code": problem.type.code, "detail": problem.detail, **about}
        if problem.errors:
            data["errors"] = problem.errors
        if isinstance(client_id, str):
            data["client_id"] = client_id
        self.push_if_read(frame_of("error", {**data, **problem.members}))

    def drop(self, code: int) -> None:
        """Closes the socket from any callback of the loop; what is queued is not sent."""
        if self.is_open:
            self.is_open = False
            self._unread.clear()
            self._closing = asyncio.get_running_loop().create_task(self._close(code))

    async def _close(self, code: int) -> None:
        try:
            await self.close(code)
        except Exception as error:  # the client may have gone first
            logger.debug("closing a socket: %r", error)

    async def _write(self) -> None:
        try:
            while self._unread:
                text = self._unread.popleft()
                await self.send(text)
                self._unread_size -= len(text)
        except Exception as error:  # the client has gone; `receive` hears of it, too
            logger.debug("writing to a socket: %r", error)
            self.is_open = False
        finally:
            self._writer = None
        if self._was_full:
            self._was_full = False
            self.has_read()

    async def _end(self) -> None:
        self.is_open = False
        if self._is_counted:
            self._is_counted = False
            callers.leave(self.address)
        if self._deadline is not None:
            self._deadline.cancel()
        if self._writer is not None:
            self._writer.cancel()
        await self.leave()

    async def leave(self) -> None:
        """Leaves all that the socket has joined. The process waits for it when it ends, for a while."""
        raise NotImplementedError


def read_frame(text: str | None, *, at_most: int = MAX_FRAME_BYTES) -> dict[str, Any]:
    """The frame as an object with a `type`. Raises INVALID_JSON, DUPLICATE_MEMBER or INVALID_INPUT.

    A frame of more than `at_most` bytes is refused unread.
    """
    if text is None:
        raise INVALID_INPUT("Frames are text.")
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded) > at_most:
        raise INVALID_INPUT(f"The frame is longer than {at_most} bytes.")
    frame = parse_object(encoded)
    if not isinstance(frame.get("type"), str):
        raise INVALID_INPUT(errors={"type": ["This member is required, as a string."]})
    return frame


def frame_of(kind: str, data: Mapping[str, Any] | None = None) -> str:
    """An outgoing frame."""
    return dump_json({"type": kind} if data is None else {"type": kind, "data": data}).decode()
