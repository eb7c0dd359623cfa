"""A customer's bot on loopback: it keeps what it is sent, and answers as a test says."""

import hmac
import json
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any, Self

from tests.waits import AT_MOST_S
from tests.webhooks.receivers import Heard


class Bot:
    """`with Bot() as bot`: takes events at `bot.url`; echoes challenges, proves them by its `secret` if it has one.

    `status` is what it answers; `reply` is called with each turn, before the answer.
    """

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.status, self.secret = 200, ""
        self.reply: Callable[[dict[str, Any]], object] = lambda turn: None
        self._changed = Condition()

    def __enter__(self) -> Self:
        bot = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                heard = Heard(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                answer = bot._take(heard)
                self.send_response(bot.status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/turns"

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The data of the turns that it was sent."""
        return [heard.json["data"] for heard in self.heard if heard.json["type"] == "turn.created"]

    def wait_for(self, count: int, seconds: float = AT_MOST_S) -> list[Heard]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.heard) >= count, seconds), f"heard {len(self.heard)}"
            return list(self.heard)

    def _take(self, heard: Heard) -> bytes:
        with self._changed:
            self.heard.append(heard)
            self._changed.notify_all()
        document = heard.json
        if document["type"] == "turn.created":
            self.reply(document["data"])
        if document["type"] == "delivery.test":
            challenge = document["data"]["challenge"]
            proof = {"proof": signature(self.secret, challenge.encode())} if self.secret else {}
            return json.dumps({"challenge": challenge, **proof}).encode()
        return b""


def signature(secret: str, body: bytes) -> str:
    """What X-Service-Signature is of a body."""
    return f"sha256=v1:{hmac.new(secret.encode(), body, sha256).hexdigest()}"


def framed(secret: str, public_id: str, guid: str, body: bytes) -> dict[str, str]:
    """The headers of a signed reply."""
    signed = f"reply\n{public_id}\n{guid}\n".encode() + body
    return {"X-Service-Operator": public_id, "X-Service-Signature": signature(secret, signed)}
