"""Visitors who are played: they come to a widget one after the other, at a calm pace, ask, read the answer, and go.

They speak the visitor's protocol over HTTP, as a page does. A service that is away is tried again with the next one.
"""

import json
import threading
import uuid
from collections.abc import Callable, Iterator
from itertools import chain, cycle
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from apps.demo.data.phrase_book import PARTS, PlayedPart

# From one visitor to the next: the first come soon, so that the inbox is alive in the first minute.
FIRST_PAUSES_S, PAUSE_S = (2.0, 15.0, 30.0), 420.0
# How long a visitor waits for an answer, reads it, and looks again.
PATIENCE_S, READING_S, LOOK_S = 60.0, 12.0, 1.0
CALL_SECONDS = 20.0


class PlayedVisit:
    """One visit: a session of its own."""

    def __init__(self, service: str, guid: str, part: PlayedPart) -> None:
        self._base, self._part = f"{service}/widget/{guid}", part
        about = {"name": part.name, "lang": part.language, "page_url": f"{service}/demo/model"}
        if part.email is not None:
            about["email"] = part.email
        self._token = self._call("POST", "sessions", about)["visitor_token"]
        self._read_id = 0

    def say(self, line: str) -> None:
        message = {"client_id": str(uuid.uuid4()), "type": "text", "body": line}
        self._read_id = self._call("POST", "messages", message)["id"]

    def is_answered(self) -> bool:
        """Whether somebody has said something since the visitor did."""
        found: list[dict[str, Any]] = self._call("GET", f"messages?after_id={self._read_id}&limit=100")
        return any(message["sender"]["kind"] != "client" for message in found)

    def rate(self, stars: int) -> None:
        self._call("POST", "rating", {"value": stars})

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if hasattr(self, "_token"):
            headers["Authorization"] = f"Visitor {self._token}"
        request = Request(  # noqa: S310 - the service's own address
            f"{self._base}/{path}", None if body is None else json.dumps(body).encode(), headers, method=method
        )
        with urlopen(request, timeout=CALL_SECONDS) as answer:  # noqa: S310 - see above
            content = answer.read()
        return json.loads(content)["data"] if content else None


class PlayedVisitors:
    """Sends one visitor after the other until `stop` is called. `wait` is a pause; true ends it all."""

    def __init__(
        self,
        service: str,
        guid: str,
        *,
        say: Callable[[str], object],
        visitor: Callable[[str, str, PlayedPart], PlayedVisit] = PlayedVisit,
    ) -> None:
        self._service, self._guid, self._say, self._visitor = service, guid, say, visitor
        self._stopped = threading.Event()
        self.wait: Callable[[float], bool] = self._stopped.wait

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> None:
        """Returns once stopped."""
        for pause, part in zip(pauses(), cycle(PARTS), strict=False):
            if self.wait(pause):
                return
            try:
                self.visit(part)
            except (URLError, OSError, ValueError, KeyError) as error:
                self._say(f"{part.name} could not come: {error}")

    def visit(self, part: PlayedPart) -> None:
        """Says the part's lines, each once the one before was answered or nobody answered for a minute."""
        visitor = self._visitor(self._service, self._guid, part)
        self._say(f"{part.name} asks: {part.lines[0]}")
        for place, line in enumerate(part.lines):
            if place and self.wait(READING_S):
                return
            visitor.say(line)
            waited = 0.0
            while waited < PATIENCE_S and not visitor.is_answered():
                if self.wait(LOOK_S):
                    return
                waited += LOOK_S
        if part.stars is not None and not self.wait(READING_S):
            visitor.rate(part.stars)


def pauses() -> Iterator[float]:
    return chain(FIRST_PAUSES_S, cycle((PAUSE_S,)))
