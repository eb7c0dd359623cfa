"""The one HTTP server that everything played on this machine is: it reads a request whole and writes one answer."""

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

WITHOUT_A_BODY = (204, 304)
WITH_A_LENGTH = ("POST", "PUT")


@dataclass(frozen=True, slots=True)
class PlayedRequest:
    """One request as the server got it; the names of `headers` are in small letters."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


@dataclass(slots=True)
class Says:
    """One answer: a JSON document, bytes as they are, or an iterator of pieces that go out one by one; once `wait` is
    set."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None


class PlayedServer:
    """Answers each request of `methods` with what `hear` says, each in a thread of its own.

    Other methods are 501; a POST or PUT without a length is 411, one of more than `max_body_bytes` is 413. A connection
    is closed after `idle_seconds` without a request. As a context manager it answers until the block ends; `serve`
    answers until Ctrl-C.
    """

    methods: ClassVar[tuple[str, ...]] = ("GET", "POST", "PUT", "DELETE")
    max_body_bytes: ClassVar[int | None] = None
    idle_seconds: ClassVar[float | None] = None

    def __init__(self, port: int = 0, *, address: str = "127.0.0.1") -> None:
        """`port` 0 is any free one. Raises OSError where nothing can listen."""
        self._server = _Server((address, port), _handler_of(self))
        self.port = self._server.server_port
        self.host = f"{address}:{self.port}"
        self.url = f"http://{self.host}"

    def hear(self, request: PlayedRequest) -> Says:
        """The answer to a request; several are asked for at once."""
        raise NotImplementedError

    def serve(self, announce: Callable[[], object]) -> None:
        """Answers until Ctrl-C; for the main thread of a command. `announce` is called once Ctrl-C ends it in order."""
        # A flag, for an exception could be lost: Python drops one that is raised while an object is finalized.
        ended = threading.Event()
        earlier = signal.signal(signal.SIGINT, lambda *_: ended.set())
        try:
            with self._server:
                announce()
                while not ended.is_set():
                    self._server.handle_request()
        finally:
            signal.signal(signal.SIGINT, earlier)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    """Ends without waiting for callers that keep a connection."""

    daemon_threads = True
    request_queue_size = 128
    timeout = 0.1  # of a look for the next caller, in seconds

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Shows what failed, but for a caller that hung up."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _write_pieces(handler: BaseHTTPRequestHandler, says: Says) -> None:
    """An answer in chunks, each as soon as it is there."""
    handler.send_response(says.status)
    for name, value in {"Content-Type": "text/event-stream", **says.headers}.items():
        handler.send_header(name, value)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for piece in says.body:
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.wfile.flush()
    handler.wfile.write(b"0\r\n\r\n")


def _handler_of(played: PlayedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = played.idle_seconds

        def answer(self) -> None:
            length = self.headers.get("Content-Length", "" if self.command in WITH_A_LENGTH else "0")
            if not (length.isascii() and length.isdigit()):
                self.refuse(411)
            elif played.max_body_bytes is not None and int(length) > played.max_body_bytes:
                self.refuse(413)
            else:
                raw = self.rfile.read(int(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.write(played.hear(PlayedRequest(self.command, self.path, headers, raw)))

        def refuse(self, status: int) -> None:
            """Answers, and hangs up: the rest of the request is not read."""
            self.close_connection = True
            self.write(Says(b"", status))

        def write(self, says: Says) -> None:
            if says.wait is not None:
                says.wait.wait(60)
            if isinstance(says.body, Iterator):
                _write_pieces(self, says)
                return
            body = says.body if isinstance(says.body, bytes) else json.dumps(says.body).encode()
            self.send_response(says.status)
            if says.status not in WITHOUT_A_BODY:
                for name, value in {"Content-Type": "application/json", **says.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if says.status not in WITHOUT_A_BODY:
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    answer: Callable[[Any], None] = Handler.answer
    for method in played.methods:
        setattr(Handler, f"do_{method}", answer)
    return Handler
