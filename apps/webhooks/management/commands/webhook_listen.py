"""`manage.py webhook_listen`: a receiver of webhooks for developers. It checks each delivery and shows it."""

import hmac
import json
import re
import signal
import threading
from argparse import ArgumentParser, ArgumentTypeError
from collections import OrderedDict
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.webhooks import rules

DEFAULT_PORT = 8099
MAX_BODY_BYTES = 1024 * 1024
# Of a body that is no JSON.
SHOWN_BYTES = 2_000
# Keys of events that "seen before" is told by.
REMEMBERED = 10_000
IDLE_SECONDS = 30

GOOD, BAD, MISSING, UNCHECKED = "signature good", "signature BAD", "signature MISSING", "signature not checked"


class Command(BaseCommand):
    help = (
        "Receives webhooks on this machine, for developers: checks the signature of each delivery and shows it, until "
        "Ctrl-C. A subscription can only name it when EGRESS_ALLOW of the service does: EGRESS_ALLOW=127.0.0.1:8099."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=port, default=DEFAULT_PORT, help=f"where to listen (default {DEFAULT_PORT}; 0: any free one)"
        )
        parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help="default 127.0.0.1: this machine")
        parser.add_argument("--secret", metavar="S", help="the subscription's; without it no signature is checked")
        parser.add_argument(
            "--answer",
            type=status,
            default=200,
            metavar="STATUS",
            help="what genuine deliveries are answered with (default 200); another than 2xx to see retries",
        )
        parser.add_argument("--compact", action="store_true", help="show each delivery on one line")

    def handle(self, *args: Any, **options: Any) -> None:
        listener = WebhookListener(
            secret=options["secret"], answer=options["answer"], compact=options["compact"], say=self.say
        )
        try:
            server = ListenerServer((options["bind"], options["port"]), handler_of(listener))
        except OSError as error:
            raise CommandError(f"port {options['port']} of {options['bind']}: {error.strerror}; see --port") from None
        # A flag, for an exception could be lost: Python drops one that is raised while an object is finalized.
        ended = threading.Event()
        signal.signal(signal.SIGINT, lambda *_: ended.set())
        with server:
            checked = "checked" if options["secret"] else "not checked (see --secret)"
            self.say(
                f"webhooks are received at http://{options['bind']}:{server.server_port}/, signatures are {checked}"
            )
            while not ended.is_set():
                server.handle_request()
            self.say("stopped")

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def port(text: str) -> int:
    """A port given as an option; 0 is any that is free."""
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise ArgumentTypeError("a port is a whole number from 0 to 65535")
    return int(text)


def status(text: str) -> int:
    """A status code given as an option."""
    if not re.fullmatch(r"[2-5][0-9][0-9]", text):
        raise ArgumentTypeError("a status is a number from 200 to 599")
    return int(text)


class WebhookListener:
    """Judges deliveries and shows them, one at a time, whole. Each is answered 401 unless its signature is good."""

    def __init__(self, *, secret: str | None, answer: int, compact: bool, say: Callable[[str], None]) -> None:
        self._secret = secret
        self._answer = answer
        self._compact = compact
        self._say = say
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, None] = OrderedDict()

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """Shows a delivery, its header names in lower case; returns the status of the answer."""
        verdict = verdict_on(self._secret, body, headers.get("x-service-signature"))
        code = self._answer if verdict in (GOOD, UNCHECKED) else 401
        key = headers.get("x-service-idempotency-key", "")
        with self._lock:
            again = ", seen before" if self._has_seen(key, remember=200 <= code < 300) else ""
            event = headers.get("x-service-event") or "no X-Service-Event"
            title = f"{event} {key or 'no X-Service-Idempotency-Key'}: {verdict}{again}, answered {code}"
            shown = readable(body, indent=None if self._compact else 2)
            self._say(visible(title) + (f" {shown}" if self._compact else f"\n{shown}\n\n"))
        return code

    def _has_seen(self, key: str, *, remember: bool) -> bool:
        """Whether the event was taken before, as a receiver would ask that does its work once."""
        if key in self._seen:
            return True
        if key and remember:
            self._seen[key] = None
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
        return False


def verdict_on(secret: str | None, body: bytes, header: str | None) -> str:
    """The verdict on a signature."""
    if secret is None:
        return UNCHECKED
    if not header:
        return MISSING
    expected = rules.signature(secret.encode(), body)
    return GOOD if hmac.compare_digest(expected.encode(), header.encode()) else BAD


def readable(body: bytes, *, indent: int | None) -> str:
    """The body as JSON, or, if it is none, the start of it as Python writes bytes."""
    try:
        text = json.dumps(json.loads(body), ensure_ascii=False, indent=indent)
    except (ValueError, RecursionError):
        return repr(body[:SHOWN_BYTES]) + (f" and {len(body) - SHOWN_BYTES} bytes" if len(body) > SHOWN_BYTES else "")
    return "\n".join(visible(line) for line in text.split("\n"))


def visible(line: str) -> str:
    """The text without characters by which a terminal could be made to do anything but show it."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)


class ListenerServer(ThreadingHTTPServer):
    """Ends without waiting for callers that keep a connection."""

    daemon_threads = True
    timeout = 0.1  # of a look for the next caller, in seconds

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a caller that hangs up is no news."""


def handler_of(listener: WebhookListener) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = IDLE_SECONDS

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not (length.isascii() and length.isdigit()):
                self.end(411)
            elif int(length) > MAX_BODY_BYTES:
                self.end(413)
            else:
                body = self.rfile.read(int(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.reply(listener.take(headers, body))

        def end(self, code: int) -> None:
            """Answers, and hangs up: what is left of the request is not read."""
            self.close_connection = True
            self.reply(code)

        def reply(self, code: int) -> None:
            self.send_response(code)
            if code not in (204, 304):  # which have no body by themselves
                self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet: what counts is shown."""

    return Handler
