"""The repetitions of a site: lines that stand on most of its pages, and pages that say the same.

A line is boilerplate where it stands at the beginning or the end of most pages, is long, or stands on all pages. Short
ones of the form `header: value` are facts of a page, also where all pages have the same.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from apps.kb.rules.documents import Chunk

FEWEST_PAGES, MOST_LINES = 4, 500
# A line within a page's own text goes only if it is at least so long.
LONG_LINE = 80
_FACT = re.compile(r"[^:]{1,40}: [^\n]{1,80}")
_WORD = re.compile(r"\w+")
# How many words in a row are compared; and how many of a page's must stand on the other one. Fewer words than FEW tell
# nothing.
IN_A_ROW, SAME, FEW = 3, 0.6, 12


def line_key(line: str) -> str:
    """The name of a line: the same for any spaces and case."""
    return hashlib.sha256(" ".join(line.casefold().split()).encode()).hexdigest()[:16]


def keys_of(contents: Iterable[str]) -> set[str]:
    """The names of the lines of a page."""
    return {line_key(line) for content in contents for line in content.split("\n") if line.strip()}


class RepeatedLines(NamedTuple):
    """The names of lines: those on more than half of a site's pages, and of these the ones that stand on all."""

    most: set[str]
    all: set[str]


def repeated_in(pages: Iterable[Collection[str]]) -> RepeatedLines:
    """The lines that a site's pages share; none of a few pages."""
    number, counted = 0, Counter[str]()
    for keys in pages:
        number += 1
        counted.update(keys)
    if number < FEWEST_PAGES:
        return RepeatedLines(set(), set())
    return RepeatedLines(
        {key for key, times in counted.items() if times * 2 > number},
        {key for key, times in counted.items() if times == number},
    )


def without_repeated(
    chunks: Sequence[Chunk], repeated: Collection[str], everywhere: Collection[str] = ()
) -> list[Chunk]:
    """The chunks of a page without the lines that it shares with most others; all, where nothing would be left.

    everywhere: lines of `repeated` that stand on all pages, which go wherever they stand on this one.
    """
    if not repeated:
        return list(chunks)
    lines = [(place, line) for place, chunk in enumerate(chunks) for line in chunk.content.split("\n")]
    shared = [not line.strip() or line_key(line) in repeated for _, line in lines]
    if not any(is_shared and line.strip() for is_shared, (_, line) in zip(shared, lines, strict=True)):
        return list(chunks)
    first = next((number for number, is_shared in enumerate(shared) if not is_shared), len(lines))
    last = next((number for number in range(len(lines) - 1, -1, -1) if not shared[number]), -1)
    kept: dict[int, list[str]] = {}
    for number, (place, line) in enumerate(lines):
        is_around = number < first or number > last or len(line) >= LONG_LINE or line_key(line) in everywhere
        if not (shared[number] and is_around and not _FACT.fullmatch(line.strip())):
            kept.setdefault(place, []).append(line)
    texts = {place: re.sub(r"\n{3,}", "\n\n", "\n".join(some)).strip() for place, some in kept.items()}
    found = [Chunk(chunks[place].title, text) for place, text in texts.items() if text]
    return found or list(chunks)


def says_the_same(page: Sequence[str], other: Sequence[str], *, is_trusted: bool) -> bool:
    """Whether most of what a page says stands on another one.

    is_trusted: a page of a few words is believed to be a copy where it says so.
    """
    own = _rows_of(page)
    if is_trusted and len(own) < FEW:
        return True
    return bool(own) and len(own & _rows_of(other)) >= SAME * len(own)


def _rows_of(contents: Sequence[str]) -> set[tuple[str, ...]]:
    words = [word.casefold() for content in contents for word in _WORD.findall(content)]
    if len(words) < IN_A_ROW:
        return {tuple(words)} if words else set()
    return set(zip(*(words[begin:] for begin in range(IN_A_ROW)), strict=False))


def merged(known: Sequence[str], found: Collection[str]) -> list[str]:
    """The names of a site's repeated lines, the newest last, as many as are kept."""
    names: Mapping[str, None] = dict.fromkeys([*(one for one in known if one not in found), *sorted(found)])
    return list(names)[-MOST_LINES:]
