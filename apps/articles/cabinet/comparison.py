"""Two versions of a text beside each other, in time that grows as the texts do. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from typing import NamedTuple

# Of lines that differ; beyond, all of them are shown as removed and added.
MOST_COMPARED = 200
AROUND = 2  # lines that did not change, on each side of those that did
MOST_SHOWN = 400
LONGEST_SHOWN = 2000


class TextSide(NamedTuple):
    """A line: `changed` is the part that the other version does not have, between two that it has."""

    before: str
    changed: str
    after: str


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line of the older version beside one of the newer; None where it has none. A gap: lines that are alike."""

    old: TextSide | None
    new: TextSide | None
    is_gap: bool = False


GAP = ComparedRow(None, None, is_gap=True)


def beside(old: str, new: str) -> list[ComparedRow]:
    """The lines that differ, with two that are alike around them; none of equal texts. At most 400 rows."""
    return list(islice(_rows(old.splitlines(), new.splitlines()), MOST_SHOWN))


def _rows(old: list[str], new: list[str]) -> Iterator[ComparedRow]:
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    changed_old, changed_new = old[first : len(old) - last], new[first : len(new) - last]
    if not changed_old and not changed_new:
        return
    if first > AROUND:
        yield GAP
    yield from _alike(old[max(0, first - AROUND) : first])
    yield from _between(changed_old, changed_new)
    yield from _alike(old[len(old) - last :][:AROUND])
    if last > AROUND:
        yield GAP


def _between(old: Sequence[str], new: Sequence[str]) -> Iterator[ComparedRow]:
    if max(len(old), len(new)) > MOST_COMPARED:
        yield from _pairs(old, new)
        return
    for kind, first, last, first_new, last_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines = old[first:last]
        if kind != "equal":
            yield from _pairs(lines, new[first_new:last_new])
        elif len(lines) > 2 * AROUND:
            yield from _alike(lines[:AROUND])
            yield GAP
            yield from _alike(lines[-AROUND:])
        else:
            yield from _alike(lines)


def _alike(lines: Sequence[str]) -> Iterator[ComparedRow]:
    for line in lines:
        side = TextSide(_cut(line), "", "")
        yield ComparedRow(side, side)


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[ComparedRow]:
    for before, after in zip_longest(old, new):
        if before is None:
            yield ComparedRow(None, TextSide("", _cut(after), ""))
        elif after is None:
            yield ComparedRow(TextSide("", _cut(before), ""), None)
        else:
            yield ComparedRow(*_sides(_cut(before), _cut(after)))


def _sides(old: str, new: str) -> tuple[TextSide, TextSide]:
    """Two lines, each with the words between those that both begin and end with."""
    words, words_new = old.split(" "), new.split(" ")
    first = _common(words, words_new)
    last = _common(words[first:][::-1], words_new[first:][::-1])
    return _side(words, first, last), _side(words_new, first, last)


def _side(words: Sequence[str], first: int, last: int) -> TextSide:
    end = len(words) - last
    before, changed, after = (" ".join(part) for part in (words[:first], words[first:end], words[end:]))
    return TextSide(before + " " * bool(before), changed, " " * bool(after) + after)


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """The number of items that both begin with."""
    count = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        count += 1
    return count


def _cut(line: str) -> str:
    return line[:LONGEST_SHOWN] + "…" * (len(line) > LONGEST_SHOWN)
