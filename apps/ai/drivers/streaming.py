"""An answer while it comes: the words so far, out of the events of a stream."""

import json
import time
from collections.abc import Callable
from typing import Any

from apps.ai.drivers.framing import MAX_READ, unframed

OnText = Callable[[str], None]
# Words are told so often at most, in seconds.
EVERY_S = 0.2


class StreamStopped(Exception):
    """The listener wants no more words. Raised by an `OnText`, which ends the call."""


class WordsSoFar:
    """Reads a stream of server-sent events as its bytes arrive, and tells the words without their framing.

    read: the words that one event adds. The whole answer is read by the driver when it is there; this one fails at
    nothing, and tells nothing of an answer that is no stream.
    """

    def __init__(self, read: Callable[[Any], str], on_text: OnText) -> None:
        self._read, self._on_text = read, on_text
        self._line, self._words, self._told, self._told_at = b"", "", "", 0.0

    def feed(self, piece: bytes) -> None:
        """Takes in the next bytes. Raises what `on_text` raises."""
        *lines, self._line = (self._line + piece).split(b"\n")
        self._line = self._line[-MAX_READ:]
        added = "".join(filter(None, map(self._added, lines)))
        if not added or len(self._words) > MAX_READ:
            return
        self._words += added
        now = time.monotonic()
        if now - self._told_at < EVERY_S:
            return
        words = unframed(self._words).text
        if words and words != self._told:
            self._told, self._told_at = words, now
            self._on_text(words)

    def _added(self, line: bytes) -> str:
        if not line.startswith(b"data:"):
            return ""
        try:
            return self._read(json.loads(line[len(b"data:") :]))
        except (ValueError, RecursionError):
            return ""


def chat_words(event: Any) -> str:
    """The words that an event of a chat completion adds."""
    choices = event.get("choices") if isinstance(event, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    delta = first.get("delta") if isinstance(first, dict) else None
    content = delta.get("content") if isinstance(delta, dict) else None
    return content if isinstance(content, str) else ""


def message_words(event: Any) -> str:
    """The words that an event of Anthropic's messages adds."""
    delta = event.get("delta") if isinstance(event, dict) else None
    text = delta.get("text") if isinstance(delta, dict) else None
    return text if isinstance(text, str) else ""


def contents_words(event: Any) -> str:
    """The words that an event of Gemini's adds."""
    candidates = event.get("candidates") if isinstance(event, dict) else None
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    content = first.get("content") if isinstance(first, dict) else None
    parts = content.get("parts") if isinstance(content, dict) else None
    parts = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return "".join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))
