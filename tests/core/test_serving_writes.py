"""What the web process writes of an answer at once: `config.serving.connections.OneWrite`."""

import threading
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from config.serving import connections
from tests.core.test_serving import Serve, answered, serve  # noqa: F401 - a fixture
from tests.waits import AT_MOST_S


class Recording:
    """A connection's transport that keeps what is written to it."""

    def __init__(self, transport: Any, writes: list[bytes]) -> None:
        self._transport, self._writes = transport, writes

    def write(self, data: bytes) -> None:
        self._writes.append(bytes(data))
        self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every piece that the kernel is given of answers, in order."""
    written: list[bytes] = []

    class Recorded(connections.OneWrite):
        def __init__(self, cycle: Any, loop: Any) -> None:
            cycle.transport = Recording(cycle.transport, written)
            super().__init__(cycle, loop)

    monkeypatch.setattr(connections, "OneWrite", Recorded)
    return written


def hello(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    statuses = {"/none": "204 No Content", "/same": "304 Not Modified"}
    if status := statuses.get(environ["PATH_INFO"]):
        start_response(status, [("ETag", '"a"')])
        return []
    return answered(start_response, "200 OK", b"hello")


@pytest.mark.parametrize("closes", [False, True])
@pytest.mark.parametrize(
    ("path", "status", "body"), [("/", b"200 OK", b"hello"), ("/none", b"204 No Content", b""), ("/same", b"304 ", b"")]
)
def test_the_head_and_the_body_are_one_write(
    serve: Serve,  # noqa: F811
    writes: list[bytes],
    path: str,
    status: bytes,
    body: bytes,
    closes: bool,
) -> None:
    client = serve(hello)
    client.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n{'Connection: close' if closes else 'A: b'}\r\n\r\n")
    client.head()
    assert client.file.read(len(body)) == body
    (written,) = writes
    assert written.startswith(b"HTTP/1.1 " + status)
    assert written.endswith(b"\r\n\r\n" + body)
    if closes:
        assert client.rest() == b""


def test_a_head_without_a_body_comes_too(serve: Serve, writes: list[bytes]) -> None:  # noqa: F811
    client = serve(hello)
    client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert client.head()[0] == 200
    assert client.answer() == (200, b"hello")


def test_a_head_does_not_wait_for_a_body_that_is_made_later(serve: Serve, writes: list[bytes]) -> None:  # noqa: F811
    head_has_come = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b""
        assert head_has_come.wait(AT_MOST_S)
        yield b"later"

    def slow(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", "5")])
        return pieces()

    client = serve(slow)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    status, _ = client.head()
    head_has_come.set()
    assert (status, client.file.read(5)) == (200, b"later")
    assert writes[0].endswith(b"\r\n\r\n")


def test_an_interim_answer_is_a_write_of_its_own(serve: Serve, writes: list[bytes]) -> None:  # noqa: F811
    client = serve()
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    assert client.file.readline() == b"HTTP/1.1 100 Continue\r\n"
    assert client.file.readline() == b"\r\n"
    client.send("abc")
    assert client.answer() == (200, b"3 3")
    assert [written.split(b"\r\n")[0] for written in writes] == [b"HTTP/1.1 100 Continue", b"HTTP/1.1 200 OK"]
