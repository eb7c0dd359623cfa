"""A WSGI application behind slow and odd clients, over real sockets: `config.serving`."""

import io
import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import uvicorn

from apps.core import hashing
from apps.core.endpoints.bodies import AT_MOST, AWAITED
from config import realtime_http
from config.environment import PROJECT_ROOT
from config.serving import bodies, connections
from config.serving.answers import FileToSend
from config.serving.environs import environ_of
from config.serving.threaded import Application, ThreadedWSGI
from launcher.processes import wait_until
from tests.waits import AT_MOST_S

JSON = [("Content-Type", "application/json")]
LONG = 300_000


def echo(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """The body's length, as it was read and as it was told."""
    if AWAITED in environ:
        if environ["PATH_INFO"] == "/refused":
            return answered(start_response, "404 Not Found", b"no")
        environ["test.asked"] = "asked "
        start_response("100 Continue", [(AT_MOST, "1000000")])
        return []
    size = len(environ["wsgi.input"].read())
    return answered(
        start_response, "200 OK", f"{environ.get('test.asked', '')}{size} {environ['CONTENT_LENGTH']}".encode()
    )


def answered(start_response: Any, status: str, body: bytes) -> list[bytes]:
    start_response(status, [*JSON, ("Content-Length", str(len(body)))])
    return [body]


Serve = Callable[..., "Client"]


class Client:
    """One connection; closed at the test's end."""

    def __init__(self, port: int, *, window: int | None = None) -> None:
        self.socket = socket.socket()
        if window is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.socket.settimeout(10)
        self.socket.connect(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def send(self, text: str | bytes) -> None:
        self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def head(self) -> tuple[int, dict[str, str]]:
        status = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name] = value
        return status, headers

    def answer(self) -> tuple[int, bytes]:
        status, headers = self.head()
        return status, self.file.read(int(headers["content-length"]))

    def rest(self) -> bytes:
        """All that comes until the connection ends."""
        return self.file.read()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves an application on the loop of a thread; each call is a new connection to it."""
    servers: list[tuple[uvicorn.Server, threading.Thread]] = []
    clients: list[Client] = []
    ports: dict[Any, int] = {}

    def connect(
        application: Application = echo, *, threads: int = 1, served: list[Any] | None = None, **options: Any
    ) -> Client:
        if application not in ports:
            threaded = ThreadedWSGI(application, threads)
            if served is not None:
                served.append(threaded)
            config = uvicorn.Config(threaded, http=connections.HttpProtocol, ws="none", log_level="critical")
            server, listener = uvicorn.Server(config), socket.create_server(("127.0.0.1", 0))
            thread = threading.Thread(target=server.run, args=([listener],))
            thread.start()
            servers.append((server, thread))
            ports[application] = listener.getsockname()[1]
        clients.append(Client(ports[application], **options))
        return clients[-1]

    yield connect
    for client in clients:
        client.file.close()
        client.socket.close()
    for server, thread in servers:
        server.should_exit = True
        thread.join()


def post(size: int, path: str = "/", *headers: str) -> str:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {size}", *headers, "", ""])


@pytest.mark.parametrize(("size", "asked"), [(0, ""), (5, ""), (65_536, ""), (65_537, "asked "), (LONG, "asked ")])
def test_a_body_is_read_whole_and_a_long_one_is_asked_for(serve: Serve, size: int, asked: str) -> None:
    client = serve()
    client.send(post(size).encode() + bytes(size))
    assert client.answer() == (200, f"{asked}{size} {size}".encode())


@pytest.mark.parametrize(("size", "asked"), [(5, ""), (LONG, "asked ")])
def test_chunks_are_a_body_of_their_length(serve: Serve, size: int, asked: str) -> None:
    client = serve()
    client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for start in range(0, size, 1000):
        piece = bytes(min(1000, size - start))
        client.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    client.send("0\r\n\r\n")
    assert client.answer() == (200, f"{asked}{size} {size}".encode())


def test_of_chunks_no_more_is_taken_than_the_application_takes(serve: Serve) -> None:
    client = serve()
    client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(20):
        client.send(b"%x\r\n%s\r\n" % (65_536, bytes(65_536)))
    status, text = client.answer()
    assert status == 200
    # Beyond what is taken: what is gathered before anybody is asked, and what one more read of the loop brings.
    assert 1_000_000 < int(text.split()[1]) <= 1_000_000 + 65_536 + 262_144


def test_a_longer_body_than_the_application_takes_is_refused_unread(serve: Serve) -> None:
    client = serve()
    client.send(post(1_000_001))
    assert client.answer() == (413, b"The body is too long.\n")


@pytest.mark.parametrize("header", ["Accept: */*", "Connection: close"])
def test_a_refusal_of_a_long_body_reaches_a_client_that_sends_all_of_it_first(serve: Serve, header: str) -> None:
    client = serve()
    client.send(post(4_000_000, "/refused", header).encode() + bytes(4_000_000))
    assert client.answer() == (404, b"no")
    if header == "Connection: close":
        assert client.rest() == b""
    else:
        client.send(post(5).encode() + b"again")
        assert client.answer() == (200, b"5 5")


def test_a_refused_client_that_waits_to_be_asked_is_closed_and_never_asked(serve: Serve) -> None:
    client = serve()
    client.send(post(LONG, "/refused", "Expect: 100-continue"))
    assert client.answer() == (404, b"no")
    assert client.rest() == b""


def test_a_welcome_client_that_waits_to_be_asked_is_asked(serve: Serve) -> None:
    client = serve()
    client.send(post(LONG, "/", "Expect: 100-continue"))
    assert client.head() == (100, {})
    client.send(bytes(LONG))
    assert client.answer() == (200, f"asked {LONG} {LONG}".encode())


def test_what_is_left_of_a_refused_body_is_not_awaited_for_long(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LINGER_S", 0.1)
    client = serve()
    client.send(post(LONG, "/refused"))
    assert client.answer() == (404, b"no")
    assert ended(client)


def test_nor_more_of_it_than_anybody_sends(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LINGER_BYTES", 100_000)
    client = serve()
    client.send(post(100_000_000, "/refused"))
    assert client.answer() == (404, b"no")
    with pytest.raises(OSError):  # noqa: PT011 - broken or reset, as it comes
        client.send(bytes(50_000_000))


def test_a_length_that_nobody_takes_ends_the_connection_at_once(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of its body is not waited for."""
    monkeypatch.setattr(connections, "LINGER_S", 3600.0)
    client = serve()
    client.send(post(connections.LINGER_BYTES + 1, "/refused"))
    assert client.answer() == (404, b"no")
    assert ended(client)


@pytest.mark.parametrize(("name", "of"), [("IDLE_S", "is silent"), ("GRACE_S", "is slow")])
@pytest.mark.parametrize("framing", ["Content-Length: 60000", "Transfer-Encoding: chunked"])
def test_a_stalled_body_ends_at_its_deadline(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, name: str, of: str, framing: str
) -> None:
    monkeypatch.setattr(bodies, name, 0.1)
    client = serve()
    client.send(f"POST / HTTP/1.1\r\nHost: x\r\n{framing}\r\n\r\n")
    assert client.answer() == (408, b"The body came too slowly.\n")
    assert ended(client)


def test_a_slow_body_is_taken_if_it_keeps_the_least_rate(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """The grace alone would not be enough for it: what has come earns the time for what comes."""
    monkeypatch.setattr(bodies, "GRACE_S", 0.2)
    monkeypatch.setattr(bodies, "LEAST_RATE", 100_000)
    client = serve()
    client.send(post(LONG))
    paced = threading.Event()
    for _ in range(30):
        paced.wait(0.02)
        client.send(bytes(LONG // 30))
    assert client.answer() == (200, f"asked {LONG} {LONG}".encode())


@pytest.mark.parametrize("begun", ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n"])
@pytest.mark.parametrize("earlier", [False, True])
def test_a_head_that_does_not_come_ends_the_connection(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, begun: str, earlier: bool
) -> None:
    monkeypatch.setattr(connections, "REQUEST_WITHIN_S", 0.2)
    monkeypatch.setattr("config.realtime_http.REQUEST_WITHIN_S", 0.2)
    client = serve()
    if earlier:
        client.send(post(1) + "x")
        assert client.answer()[0] == 200
    client.send(begun)
    assert ended(client)


def test_a_head_without_end_ends_the_connection(serve: Serve) -> None:
    client = serve()
    with pytest.raises(OSError):  # noqa: PT011 - broken or reset, as it comes
        client.send("GET / HTTP/1.1\r\nX: " + 50_000_000 * "x")


CHUNKED = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"


@pytest.mark.parametrize(
    ("begun", "piece"),
    [
        ("1;", "x" * 1000),
        ("1;a=", "x" * 1000),
        ("0\r\n", "x: y\r\n" * 200),
        ("0\r\nx: ", "y" * 1000),
    ],
    ids=["extension", "its value", "trailers", "a trailer"],
)
def test_what_has_no_end_around_a_body_ends_the_connection(serve: Serve, begun: str, piece: str) -> None:
    client = serve()
    with pytest.raises(OSError):  # noqa: PT011 - broken or reset, as it comes
        client.send(CHUNKED + begun + 50_000 * piece)


@pytest.mark.parametrize(
    "head",
    [
        'Content-Type: multipart/form-data; a="' + 2000 * ";",
        'Accept: a/b; a="' + 2000 * ";",
        "\r\n".join(10 * ["Accept: text/html;" + 100 * "q"]),
        f"Cookie: {70_000 * 'a'}",
        "\r\n".join(f"X-{number}: {1000 * 'a'}" for number in range(70)),
    ],
    ids=["a type", "what is accepted", "in many lines", "a cookie", "many headers"],
)
def test_a_head_that_takes_long_to_read_is_refused(serve: Serve, head: str) -> None:
    client = serve()
    client.send(f"GET / HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n")
    assert client.head()[0] in (400, 431)
    client.rest()
    assert ended(client)


@pytest.mark.parametrize("head", [f"Cookie: {60_000 * 'a'}", f'Accept: a/b; a="{1000 * ";"}"'])
def test_one_that_does_not_is_taken(serve: Serve, head: str) -> None:
    client = serve()
    for _ in range(2):
        client.send(f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n{head}\r\n\r\nx")
        assert client.answer() == (200, b"1 1")


def test_trailers_are_passed_over(serve: Serve) -> None:
    def headers(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        return answered(start_response, "200 OK", " ".join(key for key in environ if key[:5] == "HTTP_").encode())

    client = serve(headers)
    for _ in range(2):
        client.send(f"{CHUNKED}0\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n")
        assert client.answer() == (200, b"HTTP_HOST")


def test_of_requests_that_are_sent_ahead_of_their_answers_few_are_kept(serve: Serve) -> None:
    begun, go_on, runs = threading.Event(), threading.Event(), list[int]()

    def waits(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        runs.append(1)
        begun.set()
        assert go_on.wait(10)
        return answered(start_response, "200 OK", b"hello")

    client = serve(waits)
    client.send(HELLO)
    assert begun.wait(10)
    with pytest.raises(OSError):  # noqa: PT011 - broken or reset, as it comes
        client.send(1_000_000 * HELLO)
    go_on.set()
    other = serve(waits)
    other.send((connections.MAX_PIPELINED + 1) * HELLO)
    assert [other.answer() for _ in range(connections.MAX_PIPELINED + 1)] == [(200, b"hello")] * (
        connections.MAX_PIPELINED + 1
    )
    assert len(runs) == 1 + connections.MAX_PIPELINED + 1


def test_a_new_connection_takes_the_place_of_one_that_asks_for_nothing(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as the process may have files are open; one of them is being answered."""
    monkeypatch.setattr("config.realtime_http.most_connections", lambda: 4)
    begun, go_on = threading.Event(), threading.Event()

    def waits(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/slow":
            begun.set()
            assert go_on.wait(10)
        return answered(start_response, "200 OK", b"hello")

    busy = serve(waits, threads=2)
    busy.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    assert begun.wait(10)
    for number in range(20):
        client = serve(waits)
        if number % 2:
            client.send(HELLO)
            assert client.answer() == (200, b"hello")
    go_on.set()
    assert busy.answer() == (200, b"hello")


def test_most_of_the_files_that_may_be_open_are_for_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, connected in ((64, 32), (256, 156), (20_000, 19_900)):
        monkeypatch.setattr("config.realtime_http.resource.getrlimit", lambda _, files=files: (files, files))
        assert realtime_http.most_connections() == connected


def test_what_waits_for_its_turn_to_hash_holds_no_thread_and_is_run_again(serve: Serve) -> None:
    """The one thread answers another client meanwhile. The second run has the body anew, and a place."""
    runs: list[Any] = []

    def hashes(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] != "/hash":
            return answered(start_response, "200 OK", b"hello")
        runs.append((environ["wsgi.input"].read(), environ.get(hashing.HAS_PLACE), hashing.CAN_WAIT in environ))
        try:
            hashing.Hasher().encode("a", "b", 1)
        except hashing.Busy:
            start_response("100 Continue", [(hashing.TURN_OF, environ["REMOTE_ADDR"])])
            return []
        return answered(start_response, "200 OK", b"hashed")

    waiting, other = serve(hashes), serve(hashes)
    with hashing.places().place():
        waiting.send(post(3, "/hash") + "abc")
        other.send(HELLO)
        assert other.answer() == (200, b"hello")
        assert wait_until(lambda: len(runs) == 1, seconds=AT_MOST_S)
    assert waiting.answer() == (200, b"hashed")
    assert runs == [(b"abc", None, True), (b"abc", True, False)]
    with hashing.places().place():
        pass  # it was given back


def ended(client: Client) -> bool:
    """Whether the connection has ended, in order or not, before the client's patience has."""
    try:
        return client.rest() == b""
    except ConnectionError:
        return True


class Pieces:
    """A stream of so many pieces, which knows how many were asked for and whether it was closed."""

    def __init__(self, count: int, *, size: int = 1000, fails: bool = False) -> None:
        self.count, self.size, self.fails = count, size, fails
        self.given, self.closed = 0, threading.Event()

    def __iter__(self) -> Iterator[bytes]:
        while self.given < self.count:
            self.given += 1
            yield bytes([self.given % 256]) * self.size
        if self.fails:
            raise ValueError("no more")

    def close(self) -> None:
        self.closed.set()

    def application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/stream":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return self
        return answered(start_response, "200 OK", b"hello")


def dechunked(client: Client) -> bytes:
    body = io.BytesIO()
    while size := int(client.file.readline(), 16):
        body.write(client.file.read(size))
        client.file.readline()
    client.file.readline()
    return body.getvalue()


STREAM = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"
HELLO = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_a_stream_comes_whole_and_in_order_and_is_closed(serve: Serve) -> None:
    pieces = Pieces(3000)
    client = serve(pieces.application)
    client.send(STREAM)
    status, headers = client.head()
    assert (status, headers["transfer-encoding"]) == (200, "chunked")
    assert dechunked(client) == b"".join(bytes([n % 256]) * 1000 for n in range(1, 3001))
    assert pieces.closed.wait(5)


def test_a_stream_for_who_knows_no_chunks_has_a_length(serve: Serve) -> None:
    client = serve(Pieces(500).application)
    client.send("GET /stream HTTP/1.0\r\n\r\n")
    status, headers = client.head()
    assert (status, headers["content-length"], "transfer-encoding" in headers) == (200, "500000", False)
    assert len(client.rest()) == 500_000


def test_a_stream_that_breaks_off_has_no_end(serve: Serve) -> None:
    client = serve(Pieces(3, fails=True).application)
    client.send(STREAM)
    client.head()
    rest = client.rest()
    assert len(rest) > 3000
    assert not rest.endswith(b"0\r\n\r\n")


def test_a_reader_that_does_not_read_holds_no_thread(serve: Serve) -> None:
    """The one thread has made all of the stream, far more than the sockets hold, and answers another."""
    pieces = Pieces(400, size=100_000)
    stalled, other = serve(pieces.application, window=4096), serve(pieces.application)
    stalled.send(STREAM)
    stalled.head()
    assert pieces.closed.wait(10)
    other.send(HELLO)
    assert other.answer() == (200, b"hello")
    assert len(dechunked(stalled)) == 40_000_000


def test_a_reader_that_does_not_read_is_not_awaited_for_ever(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_WITHIN_S", 0.2)
    pieces = Pieces(400, size=100_000)
    client = serve(pieces.application, window=4096)
    client.send(STREAM)
    client.head()
    assert pieces.closed.wait(10)
    threading.Event().wait(0.5)
    with pytest.raises((OSError, ValueError)):  # reset, or an end in the middle
        dechunked(client)


def test_a_stream_whose_reader_has_gone_is_closed(serve: Serve) -> None:
    pieces = Pieces(10**9, size=100_000)
    client = serve(pieces.application)
    client.send(STREAM)
    client.head()
    client.file.close()
    client.socket.close()
    assert pieces.closed.wait(10)
    assert pieces.given < 10**9


def test_a_stream_that_is_written_at_full_speed_holds_up_nobody(serve: Serve) -> None:
    pieces = Pieces(10**9, size=100_000)
    reader = serve(pieces.application, threads=2)
    reader.send(STREAM)

    def read() -> None:
        with suppress(ConnectionResetError):  # if there was more to read when it was shut down
            reader.rest()

    reads = threading.Thread(target=read)
    reads.start()
    for _ in range(10):
        other = serve(pieces.application)
        other.send(HELLO)
        assert other.answer() == (200, b"hello")
    reader.socket.shutdown(socket.SHUT_RDWR)
    reads.join()
    assert pieces.closed.wait(10)


def test_the_work_of_a_client_that_has_gone_is_done(serve: Serve) -> None:
    begun, go_on, done = (threading.Event() for _ in range(3))

    def writes(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        begun.set()
        assert go_on.wait(5)
        done.set()
        return answered(start_response, "200 OK", b"done")

    client = serve(writes)
    client.send(post(1) + "x")
    assert begun.wait(5)
    client.file.close()
    client.socket.close()
    go_on.set()
    assert done.wait(5)


@pytest.mark.parametrize("is_local", [True, False])
def test_a_file_is_sent_without_a_thread_and_closed(serve: Serve, is_local: bool) -> None:
    content = bytes(range(256)) * 100_000
    file: Any = tempfile.TemporaryFile() if is_local else io.BytesIO()  # noqa: SIM115 - closed by the server
    file.write(content)
    file.seek(0)

    def sends(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/stream":
            return answered(start_response, "200 OK", b"hello")
        start_response("200 OK", [("Content-Length", "25600000")])
        sent: FileToSend = environ["wsgi.file_wrapper"](file)
        return sent

    stalled, other = serve(sends, window=4096), serve(sends)
    stalled.send(STREAM)
    stalled.head()
    other.send(HELLO)
    assert other.answer() == (200, b"hello")
    assert stalled.file.read(25_600_000) == content
    other.send(HELLO)
    assert other.answer() == (200, b"hello")
    assert file.closed


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_an_answer_without_a_body_has_none(serve: Serve, status: str) -> None:
    def answers(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response(status, [])
        return []

    client = serve(answers)
    client.send(2 * HELLO)
    for _ in range(2):
        code, headers = client.head()
        assert f"{code} " == status[:4]
        assert not {"transfer-encoding", "content-length"} & set(headers)


def test_head_is_answered_without_the_body(serve: Serve) -> None:
    client = serve(Pieces(3).application)
    for path in ("/", "/stream"):
        client.send(f"HEAD {path} HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.head()[0] == 200
    client.send(HELLO)
    assert client.answer() == (200, b"hello")


def test_requests_that_are_sent_at_once_are_answered_in_turn(serve: Serve) -> None:
    client = serve()
    client.send("".join(post(size) + size * "x" for size in (1, 2, 3)))
    assert [client.answer() for _ in range(3)] == [(200, f"{size} {size}".encode()) for size in (1, 2, 3)]


@pytest.mark.parametrize(
    "odd",
    [
        "Content-Length: 3\r\nContent-Length: 4",
        "Content-Length: 3\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, gzip",
        "Content-Length: +3",
        "Content-Length: 3 3",
        "Content-Length : 3",
    ],
)
def test_a_request_whose_end_is_in_doubt_is_refused(serve: Serve, odd: str) -> None:
    client = serve()
    client.send(f"POST / HTTP/1.1\r\nHost: x\r\n{odd}\r\n\r\nabc")
    assert client.head()[0] == 400
    client.rest()


@pytest.mark.parametrize("hosts", ["", "Host: x\r\nHost: x\r\n", "Host: x\r\nHost: y\r\n"])
def test_a_request_that_does_not_name_one_host_is_refused(serve: Serve, hosts: str) -> None:
    client = serve()
    client.send(f"GET / HTTP/1.1\r\n{hosts}\r\n")
    assert client.head()[0] == 400
    client.rest()


def target(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return answered(start_response, "200 OK", f"{environ['PATH_INFO']} {environ['QUERY_STRING']}".encode("latin-1"))


@pytest.mark.parametrize(
    ("sent", "understood"),
    [
        ("/contacts?query=Мария", "/contacts query=%D0%9C%D0%B0%D1%80%D0%B8%D1%8F"),
        ("/теги?a=1", "/теги a=1"),
        ("/%D1%82?a=ü%20", "/т a=%C3%BC%20"),
    ],
)
def test_what_is_no_ascii_in_a_target_is_understood(serve: Serve, sent: str, understood: str) -> None:
    client = serve(target)
    for _ in range(2):
        client.send(f"GET {sent} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert client.answer() == (200, understood.encode())


def test_a_body_is_never_escaped(serve: Serve) -> None:
    client, text = serve(), "Мария".encode()
    head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {2 * len(text)}\r\n\r\n".encode()
    client.send(head + text)
    client.send(text)
    assert client.answer() == (200, b"20 20")


@pytest.mark.parametrize("sent", ["GET /\x00 HTTP/1.1", "NONSENSE", "GET / HTTP/1.1\r\nHost"])
def test_what_is_no_http_is_answered_with_a_problem(serve: Serve, sent: str) -> None:
    client = serve()
    client.send(f"{sent}\r\n\r\n")
    status, headers = client.head()
    assert status == 400
    assert headers["content-type"] == "application/problem+json"
    problem = json.loads(client.rest())
    assert (problem["code"], problem["status"]) == ("malformed_request", 400)
    assert problem["type"].startswith("http")


def test_in_http_1_0_a_host_need_not_be_named(serve: Serve) -> None:
    client = serve(Pieces(0).application)
    client.send("GET / HTTP/1.0\r\n\r\n")
    assert client.answer() == (200, b"hello")


def test_a_connection_is_never_upgraded(serve: Serve) -> None:
    for protocol in ("websocket", "h2c"):
        client = serve(Pieces(0).application)
        client.send(f"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: {protocol}\r\n\r\n")
        assert client.answer() == (200, b"hello")
        assert client.rest() == b""


def test_http_2_is_refused(serve: Serve) -> None:
    client = serve()
    client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    assert client.head()[0] == 400


def test_an_application_that_fails_is_an_error_of_the_server(serve: Serve) -> None:
    def fails(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        raise ValueError("by mistake")

    client = serve(fails)
    client.send(HELLO)
    assert client.answer() == (500, b"Internal server error\n")


class TestTheEnviron:
    SCOPE: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "raw_path": b"/caf%C3%A9/a%2Fb",
        "query_string": b"q=%20&x=\xe9",
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 8000),
        "client": ("10.0.0.7", 4711),
        "headers": [],
    }

    def of(self, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
        return environ_of({**self.SCOPE, "headers": list(headers)})

    def test_paths_are_decoded_into_latin_1_and_queries_are_not(self) -> None:
        environ = self.of()
        assert environ["PATH_INFO"] == "/café/a/b".encode().decode("latin-1")
        assert environ["QUERY_STRING"] == "q=%20&x=\xe9"
        assert environ["SCRIPT_NAME"] == ""

    def test_addresses_are_those_of_the_connection(self) -> None:
        environ = self.of((b"x-forwarded-for", b"1.2.3.4"))
        names = ("REMOTE_ADDR", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme", "SERVER_PROTOCOL")
        assert [environ[name] for name in names] == ["10.0.0.7", "127.0.0.1", "8000", "http", "HTTP/1.1"]

    def test_headers_of_one_name_are_joined(self) -> None:
        environ = self.of((b"accept", b"a/b"), (b"cookie", b"a=1"), (b"accept", b"c/d"), (b"cookie", b"b=2"))
        assert (environ["HTTP_ACCEPT"], environ["HTTP_COOKIE"]) == ("a/b,c/d", "a=1;b=2")

    def test_a_name_cannot_pass_for_another(self) -> None:
        environ = self.of((b"x_forwarded_for", b"9.9.9.9"), (b"content_length", b"5"))
        assert not {"HTTP_X_FORWARDED_FOR", "CONTENT_LENGTH"} & set(environ)

    def test_a_body_is_described_without_the_prefix(self) -> None:
        environ = self.of((b"content-type", b"text/plain"), (b"content-length", b"5"), (b"host", b"x"))
        assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"], environ["HTTP_HOST"]) == ("text/plain", "5", "x")


def test_a_request_without_a_host_names_none() -> None:
    assert environ_of(TestTheEnviron.SCOPE)["HTTP_HOST"] == ""


def test_a_thread_that_waits_outside_lets_another_work(serve: Serve) -> None:
    """One thread works; however many wait, it is there, and more than one never work beside them."""
    may_end, served, at_work, most = threading.Event(), [], 0, 0

    def application(environ: Any, start_response: Any) -> list[bytes]:
        nonlocal at_work, most
        if environ["PATH_INFO"] == "/waits":
            served[0].let_another_work()
            served[0].let_another_work()  # a second wait of one request gives away no second turn
            may_end.wait(AT_MOST_S)
        else:
            at_work += 1
            most = max(most, at_work)
            threading.Event().wait(0.01)
            at_work -= 1
        start_response("200 OK", [("Content-Length", "0")])
        return []

    waiting = [serve(application, served=served) for _ in range(3)]
    for client in waiting:
        client.send("GET /waits HTTP/1.1\r\nHost: x\r\n\r\n")
    working = [serve(application) for _ in range(6)]
    for _ in range(2):
        for client in working:
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert {client.answer()[0] for client in working} == {200}
    assert most == 1
    may_end.set()
    assert {client.answer()[0] for client in waiting} == {200}
    for client in working:
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert {client.answer()[0] for client in working} == {200}
    assert most == 1


@pytest.mark.parametrize("module", ["config.serving.connections", "config.realtime_http", "config.realtime_websockets"])
def test_a_server_reads_its_protocol_before_there_are_settings(module: str) -> None:
    """uvicorn imports the protocol first, then the application, which brings Django's settings."""
    subprocess.run([sys.executable, "-c", f"import {module}"], cwd=PROJECT_ROOT, env={}, check=True)
