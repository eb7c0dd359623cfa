"""A receiver of webhooks for developers: it checks each delivery and shows it."""

import hmac
import json
import threading
from collections import OrderedDict
from collections.abc import Callable

from apps.demo.servers import shop
from apps.demo.servers.played import PlayedRequest, PlayedServer, Says
from apps.webhooks import rules

# Of a body that is no JSON.
SHOWN_BYTES = 2_000
# Keys of events that "seen before" is told by.
REMEMBERED = 10_000

GOOD, BAD, MISSING, UNCHECKED = "signature good", "signature BAD", "signature MISSING", "signature not checked"


class WebhookListener(PlayedServer):
    """Judges deliveries and shows them, one at a time, whole. Each is answered 401 unless its signature is good."""

    methods = ("POST",)
    max_body_bytes = 1024 * 1024
    idle_seconds = 30

    def __init__(
        self, port: int, *, address: str, secret: str | None, answer: int, compact: bool, say: Callable[[str], None]
    ) -> None:
        super().__init__(port, address=address)
        self._secret = secret
        self._answer = answer
        self._compact = compact
        self._say = say
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, None] = OrderedDict()

    def hear(self, request: PlayedRequest) -> Says:
        status = self.take(request.headers, request.raw)
        is_about_cards = request.headers.get("x-service-event", "").startswith("cards.")
        return Says(shop.answer_to(json.loads(request.raw)) if is_about_cards and status == 200 else b"", status)

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
