"""HTTP as the web process speaks it: uvicorn's, with a deadline for every wait and a bound for what is kept."""

import asyncio
from typing import Any

from config.realtime_http import HEAD_BYTES, REQUEST_WITHIN_S
from config.realtime_http import HttpProtocol as FirstRequestInTime
from config.serving.ending import KEPT_S, Ending

# How many requests may wait for the answers to those before them.
MAX_PIPELINED = 16
# How long a piece of an answer may wait for its reader.
READ_WITHIN_S = 30.0
# Of a body that comes after its answer (a refusal), so much is dropped for so long: so its client, who does not look
# while it sends, finds the answer and no broken connection.
LINGER_S, LINGER_BYTES = 10.0, 32 * 1024 * 1024


class OneWrite:
    """The transport of one answer, whose head waits for the first piece of its body: both are one packet.

    A head whose body takes longer than this turn of the loop leaves alone. Answers to HEAD need none of this.
    """

    def __init__(self, cycle: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._cycle, self._transport, self._loop = cycle, cycle.transport, loop
        self._head: bytes | None = None
        self._is_joined = False

    def write(self, data: bytes) -> None:
        if self._head is not None:
            data, self._head = self._head + data, None
        elif not self._is_joined and self._cycle.response_started:  # else it says `100 Continue`
            self._head, self._is_joined = data, True
            self._loop.call_soon(self._write_head)
            return
        self._transport.write(data)

    def _write_head(self) -> None:
        if self._head is not None:
            self.write(b"")

    def close(self) -> None:
        self._write_head()
        self._transport.close()

    def is_closing(self) -> bool:
        return bool(self._transport.is_closing())


class HttpProtocol(FirstRequestInTime):
    """The head of every request comes in time, and answers are read in time; the rest of a refused body is dropped.

    Bytes that are neither head nor body (extensions of chunks, trailers, requests sent ahead) are bounded, too.
    """

    _in_body = _is_last = False
    _running: Any = None
    _dropped = 0
    _announced = 0  # bytes of the body, as its length says
    _around = 0  # bytes since the last piece of a body
    _unread: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._ending: Ending = self.app_state.setdefault("ending", Ending())

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if self._ending.has_begun:
            self._not_kept_for_long()

    def data_received(self, data: bytes) -> None:
        self._around += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._in_body and not self.cycle.response_complete and self._around > HEAD_BYTES:
            self.transport.abort()
        elif self._in_head:
            if self._silent is None:
                self._within(REQUEST_WITHIN_S)
        elif self._in_body and self.cycle.response_complete:
            self._dropped += len(data)
            if self._dropped > LINGER_BYTES:
                self.transport.abort()

    def _begins_request(self) -> bool:
        return not self._in_body and super()._begins_request()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:  # a trailer, which nobody reads
            return
        super().on_header(name, value)
        if name.lower() == b"content-length" and value.isdigit():
            self._announced = int(value)

    def on_message_begin(self) -> None:
        self._announced = 0
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        self._around = 0
        super().on_body(body)

    def on_headers_complete(self) -> None:
        self._in_body, self._dropped, self._around = True, 0, 0
        super().on_headers_complete()
        if len(self.pipeline) > MAX_PIPELINED:
            raise ValueError("too many requests ahead of their answers")
        # A refused body has to be dropped before the connection is closed, even if the request asks for that.
        self._is_last = self.parser.should_upgrade() or not self.cycle.keep_alive or self._ending.has_begun
        self.cycle.keep_alive = True

    def on_message_complete(self) -> None:
        self._in_body = False
        if not self.cycle.response_started:
            self.cycle.keep_alive = not self._is_last
        elif self.cycle.response_complete:  # all of a refused body has come
            self._heard()
            self._wait_for_another()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self.loop.call_later(READ_WITHIN_S, self.transport.abort)
        elif self.cycle.response_complete:  # nothing was sent after it
            self._unset_keepalive_if_required()
            if self._in_body and self._announced > LINGER_BYTES:
                self.transport.close()  # nobody takes as much, and it would not be dropped to its end
            elif self._in_body:
                self._within(LINGER_S)
            else:
                self._wait_for_another()

    def shutdown(self) -> None:
        """The process takes no new connections. This one is answered what is under way, or one more request.

        The client may be sending it just now, knowing nothing of the end; and many do not try again what was a POST.
        """
        self._ending.has_begun = True
        if getattr(self.cycle, "response_complete", True):  # or None, before the first request
            if not self._in_body:
                self._not_kept_for_long()
        elif not self.cycle.response_started:
            self._is_last = True
            self.cycle.keep_alive = self._in_body  # of which what is refused is dropped first

    def _unsupported_upgrade_warning(self) -> None:
        """Nothing is upgraded: the request is answered, and the connection closed."""

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(READ_WITHIN_S, self.transport.abort)

    def resume_writing(self) -> None:
        self._read()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        if self.transport.get_write_buffer_size():  # closing waits for the reader
            self.loop.call_later(READ_WITHIN_S, self.transport.abort)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        if cycle.scope["method"] != "HEAD":
            cycle.transport = OneWrite(cycle, self.loop)
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        self._read()
        self.pipeline.clear()
        if self._running is not None:  # uvicorn tells the last request alone
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _within(self, seconds: float) -> None:
        self._heard()
        self._silent = self.loop.call_later(seconds, self.transport.abort)

    def _not_kept_for_long(self) -> None:
        self._heard()
        self._silent = self.loop.call_later(KEPT_S, self.timeout_keep_alive_handler)

    def _wait_for_another(self) -> None:
        if self._is_last:
            self.transport.close()
        elif self._ending.has_begun:
            self._not_kept_for_long()
        else:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )
