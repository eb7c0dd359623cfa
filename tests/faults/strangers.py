"""Strangers who flood a realtime process with sockets and frames, from several addresses of loopback at once.

A program of its own, so that it takes no time of the test that measures meanwhile: `python -m tests.faults.strangers
PORT GUID TOKEN SECONDS` floods for so long and writes how its sockets ended, by what they sent: `{"pings": {"1008":
7}}`. An ending is the code of the close frame, the status of a refused handshake, or "cut".
"""

import json
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

TEXT, PING, CONTINUATION = 0x1, 0x9, 0x0
ADDRESSES = [f"127.0.0.{n}" for n in range(2, 10)]
EACH = 5  # sockets that send each kind: 40 in all, with those of `PAYLOADS` and `slow`
PATIENCE_S = 15.0  # a silent one has 10 seconds to sign in


def frame(payload: bytes, opcode: int = TEXT, *, is_last: bool = True) -> bytes:
    """A client's frame. The mask is zero, which is one like any other."""
    head = bytes([opcode | (0x80 if is_last else 0)])
    size = len(payload)
    if size < 126:
        return head + struct.pack("!B", 0x80 | size) + bytes(4) + payload
    if size < 65_536:
        return head + struct.pack("!BH", 0xFE, size) + bytes(4) + payload
    return head + struct.pack("!BQ", 0xFF, size) + bytes(4) + payload


def bursts(token: str) -> dict[str, tuple[bytes, bytes]]:
    """By kind: what a socket begins with, and what it then sends again and again."""
    hello = frame(json.dumps({"type": "auth", "token": token}).encode())
    other = frame(json.dumps({"type": "auth", "token": token[:-1] + "x"}).encode())
    parts = frame(b"x", is_last=False) + frame(b"x", CONTINUATION, is_last=False) * 5000
    return {
        "tiny frames": (b"", frame(b"x") * 20_000),
        "brackets": (b"", frame(b"[" * 4000) * 50),
        "huge frames": (b"", frame(b"[" * 100_000)),
        "wrong tokens": (b"", other * 500),
        "pings": (b"", frame(b"", PING) * 20_000),
        "parts": (b"", parts),
        "after sign-in": (hello, frame(b'{"type": "nonsense"}') * 2000),
    }


def drip(connection: socket.socket) -> None:
    """A first frame, byte by byte."""
    for byte in frame(b'{"type": "auth", "token": "' + b"x" * 4000):
        connection.sendall(bytes([byte]))
        threading.Event().wait(0.1)


def pour(first: bytes, burst: bytes) -> Callable[[socket.socket], None]:
    def send(connection: socket.socket) -> None:
        connection.sendall(first)
        while True:
            connection.sendall(burst)

    return send


def ending(source: str, port: int, guid: str, send: Callable[[socket.socket], None]) -> str:
    """Opens a socket, sends until it is over, and says how it ended."""
    connection, status, rest = shake_hands(source, port, guid)
    with connection:
        if status != "101":
            return status
        heard = bytearray(rest)
        listener = threading.Thread(target=listen, args=(connection, heard), daemon=True)
        listener.start()
        with suppress(OSError):  # it is over
            send(connection)
        listener.join(PATIENCE_S)
        return next((code for code in close_codes(bytes(heard))), "cut")


def shake_hands(source: str, port: int, guid: str) -> tuple[socket.socket, str, bytes]:
    """A connection, the status of the answer ("cut" without one), and what came behind it."""
    connection = socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(source, 0))
    connection.sendall(
        f"GET /ws/visitor/{guid} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    head, _, rest = read_until(connection, b"\r\n\r\n").partition(b"\r\n\r\n")
    return connection, head.split(b" ", 2)[1].decode() if head else "cut", rest


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    heard = b""
    with suppress(OSError):  # it was cut
        while mark not in heard and (piece := connection.recv(4096)):
            heard += piece
    return heard


def listen(connection: socket.socket, heard: bytearray) -> None:
    with suppress(OSError):  # it was cut
        while piece := connection.recv(65_536):
            heard += piece


def close_codes(heard: bytes) -> Iterator[str]:
    """The code of the server's close frame, if one came; a server's frames are not masked."""
    at = 0
    while at + 2 <= len(heard):
        opcode, size = heard[at] & 0x0F, heard[at + 1]
        at += 2
        if size == 126:
            (size,) = struct.unpack_from("!H", heard, at)
            at += 2
        if opcode == 0x8:
            yield str(struct.unpack_from("!H", heard, at)[0]) if size else "1005"
            return
        at += size


def flood(port: int, guid: str, token: str, seconds: float) -> dict[str, Counter[str]]:
    until = time.monotonic() + seconds
    sends = {name: pour(first, burst) for name, (first, burst) in bursts(token).items()}
    endings: dict[str, Counter[str]] = {name: Counter() for name in (*sends, "drips")}

    def go_on(name: str, source: str, send: Callable[[socket.socket], None]) -> None:
        while time.monotonic() < until:
            try:
                found = ending(source, port, guid, send)
            except OSError:
                found = "cut"
            endings[name][found] += 1

    threads = [
        threading.Thread(target=go_on, args=(name, ADDRESSES[(n + k) % len(ADDRESSES)], send), daemon=True)
        for n, (name, send) in enumerate({**sends, "drips": drip}.items())
        for k in range(EACH)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 2 * PATIENCE_S)
    return endings


if __name__ == "__main__":
    sys.stdout.write(json.dumps(flood(int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4]))))
