"""A receiver of webhooks that costs little: answers every POST with 200 after so many milliseconds, and counts.

`python -m bench.receiver 50` prints its port; a text behind it is what it answers, as JSON. A GET answers how many
POSTs came in so far.
"""

import asyncio
import sys
from typing import Any

import uvloop

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class Receiver(asyncio.Protocol):
    """One connection, on which requests come one after the other."""

    heard = 0
    delay_s = 0.0
    answer = ANSWER

    def connection_made(self, transport: Any) -> None:
        self._transport, self._received = transport, b""

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head = self._received[:end]
            if head.startswith(b"GET"):
                text = str(Receiver.heard).encode()
                self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
                self._received = self._received[end + 4 :]
                continue
            start = head.lower().index(b"content-length:") + 15
            length = int(head[start:].split(b"\r\n", 1)[0])
            if len(self._received) < end + 4 + length:
                return
            self.take(head, self._received[end + 4 : end + 4 + length])
            self._received = self._received[end + 4 + length :]
            if self.delay_s:
                asyncio.get_running_loop().call_later(self.delay_s, self._answer)
            else:
                self._answer()

    def take(self, head: bytes, body: bytes) -> None:
        """A POST has come in whole; it is answered next."""
        Receiver.heard += 1

    def _answer(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(self.answer)


async def main(delay_ms: int, answer: bytes = b"") -> None:
    Receiver.delay_s = delay_ms / 1000
    if answer:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        Receiver.answer = head % len(answer) + answer
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), "".join(sys.argv[2:3]).encode()))
