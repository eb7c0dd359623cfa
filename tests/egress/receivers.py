"""Small real servers on loopback for the outbound client's tests: receivers that behave, and receivers that do not."""

import datetime
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Conversation = Callable[[socket.socket], None]


def answer(
    body: bytes = b"ok", *, status: str = "200 OK", headers: tuple[str, ...] = (), length: int | None = None
) -> bytes:
    """An HTTP answer as bytes."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def says(*messages: bytes) -> Conversation:
    """Answers each request on a connection with the next message, the last one for ever."""

    def talk(connection: socket.socket) -> None:
        turn = 0
        while read_request(connection):
            connection.sendall(messages[min(turn, len(messages) - 1)])
            turn += 1

    return talk


def floods(head: bytes, block: bytes) -> Conversation:
    """Sends a head, then the same block as fast as it is taken, for ever."""

    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(head)
        while True:
            connection.sendall(block)

    return talk


def drips(head: bytes, *, stopped: threading.Event, every: float = 0.02) -> Conversation:
    """Sends a head, then one byte after the other, each in time for any limit on a single read."""

    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(head)
        while not stopped.wait(every):
            connection.sendall(b"x")

    return talk


def read_request(connection: socket.socket) -> bytes:
    """One request, head and body; empty when the other side hung up."""
    received = b""
    while b"\r\n\r\n" not in received:
        block = connection.recv(65536)
        if not block:
            return b""
        received += block
    head, _, body = received.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        body += connection.recv(65536)
    requests = getattr(_heard, "requests", None)
    if requests is not None:
        requests.append(head + b"\r\n\r\n" + body)
    return head


_heard = threading.local()


class Receiver:
    """A TCP server on loopback that has `talk` with whoever connects; `connections` counts them.

    `requests` holds every request that was read. With `tls` it speaks TLS.
    """

    def __init__(self, talk: Conversation, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.connections = 0
        self.requests: list[bytes] = []
        self.ended = 0
        self._talk = talk
        self._tls = tls
        self._changed = threading.Condition()
        self._listener = socket.create_server(
            (host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=64
        )
        self._open: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # shutdown() wakes the accept() that close() alone would leave waiting.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.close()

    def wait_until_ended(self, count: int, seconds: float = 5.0) -> bool:
        """Waits until `count` conversations are over, the caller having hung up."""
        with self._changed:
            return self._changed.wait_for(lambda: self.ended >= count, seconds)

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        _heard.requests = self.requests
        with suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            self._talk(connection)
        with suppress(OSError):
            connection.close()
        with self._changed:
            self.ended += 1
            self._changed.notify_all()


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


class Resolver:
    """A stand-in for DNS: answers each name with its lists of addresses in turn, the last one for ever."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self._answers = {name.replace("_", "."): turns for name, turns in answers.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if host not in self._answers:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        turns = self._answers[host]
        return turns.pop(0) if len(turns) > 1 else turns[0]


def certificate_for(name: str, folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A server's TLS context with a self-made certificate for `name`, and the file a client must trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    public = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(public + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    trusted = folder / f"{name}.ca.pem"
    trusted.write_bytes(public)
    return context, trusted
