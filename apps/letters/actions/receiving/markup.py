"""The lines of a letter's markup, read in a cage that a process keeps: each letter is a fork of it."""

import logging
import threading

from apps.extraction import Cage, ExtractionFailed
from apps.letters.rules.reading.lines import LetterLine
from apps.letters.rules.reading.words import lines_of

logger = logging.getLogger(__name__)

_MODULE = "apps.letters.rules.reading.markup"
SECONDS = 15.0

_lock = threading.Lock()
_cage: list[Cage] = []


def read_markup(html: str) -> tuple[list[LetterLine], list[str]] | None:
    """The lines of a letter's markup, and the ids of the pictures among the writer's own words; None where they cannot
    be had: the plain text counts then.
    """
    with _lock:
        if not _cage:
            _cage.append(Cage(preload=(_MODULE,)))
        try:
            answer = _cage[0].call(f"{_MODULE}:read", html.encode("utf-8", "ignore"), seconds=SECONDS)
            return lines_of(answer), [str(one) for one in answer["own"]]
        except (ExtractionFailed, KeyError, TypeError, ValueError) as error:
            logger.info("a letter's markup was not read: %s", error)
            return None
