"""A cheap HTTP/1.1 load generator: keep-alive connections of one thread, each with one request in flight.

`python -m bench.load` reads a plan (JSON) from standard input and prints a `Load` (JSON). It is a process of its own,
so that its work is not the servers', and uses epoll by hand, because it shares the machine with them.
"""

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, cycle
from statistics import quantiles

# Stands in a request for so many characters, hexadecimal digits, that are new for each sending.
KEY_MARK, KEY_LENGTH = "{new-idempotency-key}", 32
DRAIN_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Load:
    """The figures of a run of the generator. Latencies in milliseconds."""

    requests: int
    seconds: float
    p50_ms: float
    p95_ms: float

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


class UnexpectedAnswer(Exception):
    """A server answered with another status than every request of the plan should have."""


def put_load(*, port: int, requests: Sequence[str], status: int, seconds: float, connections: int) -> Load:
    """Sends the requests (whole, as text; in turn, over and over) for so many seconds, from a process of its own.

    Raises UnexpectedAnswer when an answer has another status, or none comes.
    """
    plan = {
        "port": port,
        "requests": list(requests),
        "status": status,
        "seconds": seconds,
        "connections": connections,
    }
    done = subprocess.run(
        [sys.executable, "-m", "bench.load"], input=json.dumps(plan), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UnexpectedAnswer((done.stderr.strip().splitlines() or ["the load generator ended"])[-1])
    return Load(**json.loads(done.stdout))


class _Connection:
    """One keep-alive connection and the answer that is arriving on it."""

    __slots__ = ("answer", "length", "sent_at", "socket")

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=DRAIN_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answer = b""
        self.length = 0
        self.sent_at = 0.0

    def send(self, request: bytes) -> None:
        self.answer, self.length = b"", 0
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def receive(self, expected: bytes) -> bool:
        """Reads what is there; True when the answer is whole. `expected` is how it must begin."""
        part = self.socket.recv(1 << 18)
        if not part:
            raise UnexpectedAnswer("the server closed a connection")
        self.answer = self.answer + part if self.answer else part
        if not self.length:
            end = self.answer.find(b"\r\n\r\n")
            if end < 0:
                return False
            if not self.answer.startswith(expected):
                raise UnexpectedAnswer(f"got {self.answer[:600]!r}")
            head = self.answer[:end].lower()
            _, found, rest = head.partition(b"\r\ncontent-length:")
            if not found:
                raise UnexpectedAnswer("an answer has no Content-Length")
            self.length = end + 4 + int(rest.partition(b"\r\n")[0])
        return len(self.answer) >= self.length


def generate(*, port: int, requests: Sequence[str], status: int, seconds: float, connections: int) -> Load:
    """Runs a plan in this process; see `put_load`."""
    expected = b"HTTP/1.1 %d " % status
    sending = _fresh(requests)
    latencies: list[float] = []
    began = time.perf_counter()
    deadline = began + seconds
    with select.epoll() as poll:
        open_: dict[int, _Connection] = {}
        for _ in range(connections):
            connection = _Connection(port)
            open_[connection.socket.fileno()] = connection
            poll.register(connection.socket, select.EPOLLIN)
            connection.send(next(sending))
        while open_:
            ready = poll.poll(DRAIN_SECONDS)
            if not ready:
                raise UnexpectedAnswer(f"no answer within {DRAIN_SECONDS:.0f} seconds")
            for number, _event in ready:
                connection = open_[number]
                if not connection.receive(expected):
                    continue
                now = time.perf_counter()
                latencies.append(now - connection.sent_at)
                if now < deadline:
                    connection.send(next(sending))
                else:
                    del open_[number]
                    connection.socket.close()
    spent = time.perf_counter() - began
    hundredths = quantiles(latencies, n=100, method="inclusive") if len(latencies) > 1 else latencies * 99
    return Load(len(latencies), spent, hundredths[49] * 1000, hundredths[94] * 1000)


def _fresh(requests: Sequence[str]) -> Iterator[bytes]:
    """The requests in turn, for ever, each with a new idempotency key where it has a mark for one."""
    mark, run = KEY_MARK.encode(), os.urandom(8).hex().encode()
    keys = count()
    for request in cycle([request.encode() for request in requests]):
        yield request.replace(mark, b"%s%016x" % (run, next(keys))) if mark in request else request


def main() -> None:
    try:
        print(json.dumps(asdict(generate(**json.load(sys.stdin)))))
    except (UnexpectedAnswer, OSError) as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
