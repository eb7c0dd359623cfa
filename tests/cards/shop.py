"""A shop's program on loopback: it keeps what it is asked, and answers as a test says."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Self

from tests.webhooks.receivers import Heard

ORDER = {
    "key": "order",
    "components": [
        {"type": "row", "label": "Order", "value": "4711", "copy": True},
        {"type": "money", "label": "Sum", "amount_minor": 150_000, "currency": "RUB", "minor_unit_scale": 2},
        {"type": "button", "label": "Cancel it", "action": "order.cancel", "value": "4711", "confirm": "Cancel?"},
    ],
}


class ShopProgram:
    """`with ShopProgram() as program`: is called at `program.url`.

    `says` is the document that it answers; `raw` the bytes instead, under `content_type`; `waits` the seconds before.
    """

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.says: Any = {"cards": [ORDER]}
        self.raw: bytes | None = None
        self.content_type, self.status, self.location, self.waits = "application/json; charset=utf-8", 200, "", 0.0

    def __enter__(self) -> Self:
        program = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                program.heard.append(Heard(self.path, headers, body))
                time.sleep(program.waits)
                answer = json.dumps(program.says).encode() if program.raw is None else program.raw
                self.send_response(program.status)
                self.send_header("Content-Type", program.content_type)
                self.send_header("Content-Length", str(len(answer)))
                if program.location:
                    self.send_header("Location", program.location)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A caller that hangs up is what some tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/cards"

    @property
    def asked(self) -> list[Any]:
        """The bodies that it was sent."""
        return [json.loads(heard.body) for heard in self.heard]
