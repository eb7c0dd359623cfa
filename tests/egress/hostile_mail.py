"""Mail servers on loopback that mean harm: each speaks its lines and then does what its name says, until it is left."""

import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

DRIP_S = 0.02
STARTTLS = object()


@dataclass
class HostileServer:
    """`talk` yields what is sent next, and is told nothing; None waits for a line of the client.

    With `tls` it speaks TLS from the first byte, or from where the talk yields STARTTLS. `left` is set once the client
    has hung up. `heard` are the client's lines.
    """

    talk: Callable[[], Iterator[Any]]
    tls: ssl.SSLContext | None = None
    starts_tls: bool = False
    heard: list[bytes] = field(default_factory=list)
    sent: int = 0
    connections: int = 0

    def __enter__(self) -> Self:
        self.left, self._ended = threading.Event(), threading.Event()
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def drip(self, line: bytes) -> Iterator[bytes]:
        """A byte, and after a while the next; without end."""
        while not self._ended.wait(DRIP_S):
            yield line[self.sent % len(line) :][:1]

    def _handler(self) -> type[socketserver.StreamRequestHandler]:
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def setup(self) -> None:
                if server.tls is not None and not server.starts_tls:
                    self.request = server.tls.wrap_socket(self.request, server_side=True)
                super().setup()

            def secure(self) -> None:
                assert server.tls is not None
                self.request = server.tls.wrap_socket(self.request, server_side=True)
                super().setup()

            def handle(self) -> None:
                server.connections += 1
                try:
                    for piece in server.talk():
                        if server._ended.is_set():
                            return
                        if piece is None:
                            line: Any = self.rfile.readline()
                            if not line:
                                break
                            server.heard.append(line)
                        elif piece is STARTTLS:
                            self.secure()
                        else:
                            self.wfile.write(piece)
                            server.sent += len(piece)
                    while self.rfile.readline():
                        pass
                except OSError:
                    pass
                server.left.set()

        return Handler
