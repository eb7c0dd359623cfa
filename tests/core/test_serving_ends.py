"""How a web process ends: what its clients see who are connected by then (`config.serving.ending`)."""

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import uvicorn

from apps.core.endpoints.bodies import AWAITED
from config.serving import connections
from config.serving.threaded import ThreadedWSGI
from tests.core.test_serving import HELLO, LONG, STREAM, Client, answered, dechunked, ended, post

SLOW = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"


class Served:
    """A server on the loop of a thread. `/slow` and `/stream` are answered to their end once `may_answer` is set."""

    def __init__(self) -> None:
        self.begun, self.may_answer = threading.Event(), threading.Event()
        config = uvicorn.Config(
            ThreadedWSGI(self._application, 2),
            http=connections.HttpProtocol,
            ws="none",
            log_level="critical",
            timeout_graceful_shutdown=10,
        )
        self._server, self._listener = uvicorn.Server(config), socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],))
        self._thread.start()
        self.clients: list[Client] = []

    def _application(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if AWAITED in environ:
            return answered(start_response, "404 Not Found", b"no")
        if environ["PATH_INFO"] == "/stream":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return self._pieces()
        if environ["PATH_INFO"] == "/slow":
            self.begun.set()
            assert self.may_answer.wait(10)
        return answered(start_response, "200 OK", b"hello")

    def _pieces(self) -> Iterator[bytes]:
        yield b"first"
        self.begun.set()
        assert self.may_answer.wait(10)
        yield b"last"

    def connect(self) -> Client:
        self.clients.append(Client(self.port))
        return self.clients[-1]

    def end(self) -> None:
        """Begins the end; returns when nobody is taken any more."""
        self._server.should_exit = True
        deadline = time.monotonic() + 10
        with suppress(ConnectionRefusedError, ConnectionResetError):  # reset if it was waiting to be taken
            while time.monotonic() < deadline:
                socket.create_connection(("127.0.0.1", self.port)).close()
            raise AssertionError("it still listens")

    def close(self) -> None:
        self.may_answer.set()
        for client in self.clients:
            client.file.close()
            client.socket.close()
        self._server.should_exit = True
        self._thread.join()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def wait(self) -> None:
        self._thread.join(15)


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.close()


def hello(client: Client) -> dict[str, str]:
    """Is answered; the headers."""
    client.send(HELLO)
    status, headers = client.head()
    assert (status, client.file.read(5)) == (200, b"hello")
    return headers


def test_a_kept_connection_is_answered_once_more_and_told_that_it_ends(served: Served) -> None:
    client = served.connect()
    assert "connection" not in hello(client)
    served.end()
    assert hello(client)["connection"] == "close"
    assert client.rest() == b""


def test_so_is_one_that_has_sent_nothing_yet_or_half_a_request(served: Served) -> None:
    silent, half = served.connect(), served.connect()
    half.send(HELLO[:10])
    hello(served.connect())  # by now the others are taken
    served.end()
    assert hello(silent)["connection"] == "close"
    half.send(HELLO[10:])
    assert half.head()[1]["connection"] == "close"


def test_so_is_one_whose_body_is_on_its_way(served: Served) -> None:
    client = served.connect()
    client.send(post(10) + "12345")
    hello(served.connect())
    served.end()
    client.send("67890")
    status, headers = client.head()
    assert (status, headers["connection"], client.rest()) == (200, "close", b"hello")


def test_a_request_under_way_is_answered_and_is_the_last(served: Served) -> None:
    client = served.connect()
    client.send(SLOW)
    assert served.begun.wait(5)
    served.end()
    served.may_answer.set()
    status, headers = client.head()
    assert (status, headers["connection"], client.rest()) == (200, "close", b"hello")


def test_after_an_answer_that_had_begun_there_is_one_more(served: Served) -> None:
    """Its head had said that the connection is kept."""
    client = served.connect()
    client.send(STREAM)
    assert "connection" not in client.head()[1]
    assert served.begun.wait(5)
    served.end()
    served.may_answer.set()
    assert dechunked(client) == b"firstlast"
    assert hello(client)["connection"] == "close"
    assert client.rest() == b""


def test_a_refused_body_that_is_still_coming_is_taken_to_its_end(served: Served) -> None:
    client = served.connect()
    client.send(post(LONG, "/refused"))
    assert client.answer() == (404, b"no")
    served.end()
    client.send(bytes(LONG))
    assert hello(client)["connection"] == "close"


@pytest.mark.parametrize("talk", [hello, lambda client: client.send(HELLO[:10]), lambda client: None])
def test_nobody_is_awaited_for_long(
    served: Served, monkeypatch: pytest.MonkeyPatch, talk: Callable[[Client], object]
) -> None:
    monkeypatch.setattr(connections, "KEPT_S", 0.2)
    client = served.connect()
    talk(client)
    hello(served.connect())
    served.end()
    assert ended(client)
    served.wait()
    assert not served.is_running


def test_without_anybody_it_ends_at_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "KEPT_S", 60.0)
    client = served.connect()
    hello(client)
    client.file.close()
    client.socket.close()
    served.end()
    served.wait()
    assert not served.is_running
