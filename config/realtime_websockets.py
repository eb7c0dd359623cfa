"""Websockets as the realtime process speaks them: what one peer sends takes no more of the loop than its turn.

uvicorn takes in all that has come at once, 256 KiB, which can be 40,000 frames: half a second in which no other peer is
served. And the application only hears of whole messages; pings, parts of messages and what comes after the end of a
socket cost as much, and are counted here.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from apps.chats.realtime.allowances import FrameLimit
from apps.core.problems import Problem

PIECE = 1024  # bytes that are taken in at a turn: 170 frames at most
MAX_PARTS = 64  # of a message; of 64 KiB, each is a KiB or more
# Frames that the application is not told of. Browsers send a pong every 20 seconds.
UNTOLD_A_MINUTE = 120
FLOOD = 1008


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, which takes a piece at a turn, waits while the application has something to read, and ends floods."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._held = memoryview(b"")
        self._is_due = False
        self._untold = FrameLimit(UNTOLD_A_MINUTE)

    def data_received(self, data: bytes) -> None:
        self._held = memoryview(bytes(self._held) + data if self._held else data)
        if not self._is_due:
            self._take_in()

    def _take_in(self) -> None:
        """Takes a piece in, and leaves the rest to the next turn; reading goes on when all of it is taken."""
        self._is_due = False
        if self.disconnected or self.transport.is_closing():
            self._held = memoryview(b"")
        elif self._held and not self.read_paused:
            piece, self._held = self._held[:PIECE], self._held[PIECE:]
            super().data_received(bytes(piece))
            self._go_on()
            if not self._held and not self.read_paused:
                self.transport.resume_reading()

    def _go_on(self) -> None:
        """Comes back for what is held, unless the application is to read first. Reading may have been resumed."""
        if self._held:
            self.transport.pause_reading()
            if not self.read_paused and not self._is_due:
                self._is_due = True
                self.loop.call_soon(self._take_in)

    async def receive(self) -> Any:
        message = await super().receive()
        self._go_on()
        return message

    async def send(self, message: Any) -> None:
        await super().send(message)
        self._go_on()

    # What the application is not told of.

    def handle_ping(self) -> None:
        if self._is_within_limit():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._is_within_limit():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MAX_PARTS:
            super().handle_cont(event)
        else:
            self._give_up()

    def send_receive_event_to_app(self) -> None:
        if not self.close_sent or self._is_within_limit():
            super().send_receive_event_to_app()

    def _is_within_limit(self) -> bool:
        """Counts a frame; the one that is too many ends the connection."""
        try:
            self._untold.spend()
        except Problem:
            self._give_up()
        return not self.transport.is_closing()

    def _give_up(self) -> None:
        """Ends the connection at once, whatever the peer reads or sends."""
        if self.transport.is_closing():
            return
        if not self.close_sent:
            self.conn.fail(FLOOD)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.abort()
