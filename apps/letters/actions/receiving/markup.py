"""A letter's markup, read in a cage that a process keeps: each letter is a fork of it."""

import logging
import threading
from dataclasses import dataclass, field
from typing import Any

from apps.extraction import Cage, ExtractionFailed
from apps.letters.rules.reading.files import LetterFile, drawn_files
from apps.letters.rules.reading.lines import LetterLine
from apps.letters.rules.reading.words import lines_of

logger = logging.getLogger(__name__)

_MODULE = "apps.letters.rules.reading.caged"
SECONDS, SECONDS_OF_LOOK = 15.0, 5.0

_lock = threading.Lock()
_cage: list[Cage] = []


@dataclass(frozen=True, slots=True)
class ReadMarkup:
    """The lines of a letter's markup; the ids of the pictures among the writer's own words, and the sizes on the screen
    that it tells of some; the pictures that stand in the markup itself; and the markup as operators see it.
    """

    lines: list[LetterLine]
    own: list[str]
    shown: str
    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    drawn: tuple[LetterFile, ...] = ()


def read_markup(html: str) -> ReadMarkup | None:
    """None where it cannot be read: the plain text counts then."""
    try:
        answer = _call("read_markup", html.encode("utf-8", "ignore"), seconds=SECONDS)
        sizes = {str(name): (int(width), int(height)) for name, (width, height) in answer["sizes"].items()}
        own = [str(one) for one in answer["own"]]
        drawn = tuple(drawn_files(answer["drawn"]))
        return ReadMarkup(lines_of(answer), own, str(answer["shown"]), sizes, drawn)
    except (ExtractionFailed, KeyError, TypeError, ValueError, AttributeError) as error:
        logger.info("a letter's markup was not read: %s", error)
        return None


def read_whole(raw: bytes) -> dict[str, Any] | None:
    """A letter as operators see it; None where it cannot be read."""
    try:
        answer = _call("read_whole", raw, seconds=SECONDS_OF_LOOK)
    except ExtractionFailed as error:
        logger.info("a letter was not read: %s", error)
        return None
    return answer if isinstance(answer, dict) else None


def _call(name: str, content: bytes, *, seconds: float) -> Any:
    with _lock:
        if not _cage:
            _cage.append(Cage(preload=(_MODULE,)))
        return _cage[0].call(f"{_MODULE}:{name}", content, seconds=seconds)
