"""A receiver of Parley's webhooks: WEBHOOK_SECRET=whsec_... python3 receiver.py"""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]


def is_genuine(secret: str, body: bytes, header: str) -> bool:
    """`body` is what came, byte for byte; `header` is X-Service-Signature."""
    expected = "sha256=v1:" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if is_genuine(SECRET, body, self.headers.get("X-Service-Signature", "")):
            event = json.loads(body)
            # Keep it here for a worker of yours, unless you have its key already; then answer.
            print(self.headers["X-Service-Event"], self.headers["X-Service-Idempotency-Key"], event)
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()


if not SECRET:
    raise SystemExit("WEBHOOK_SECRET is empty")
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8099"))), Receiver).serve_forever()
