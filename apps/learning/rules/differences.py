"""The difference between two versions of a text, in time that grows as the texts do. Pure."""

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice

BLOCK = 8
# Beyond, what differs is shown as removed and added as a whole.
MOST_COMPARED = 300
MOST_SHOWN = 200
LONGEST_SHOWN = 500


def kept(old: str, new: str) -> int:
    """How many characters of the old text stand in the new one as often, in pieces of eight, in any order."""
    pieces = Counter(new[start : start + BLOCK] for start in range(len(new) - BLOCK + 1))
    count = end = 0
    for start in range(len(old) - BLOCK + 1):
        piece = old[start : start + BLOCK]
        if pieces[piece] > 0:
            pieces[piece] -= 1
            count += start + BLOCK - max(start, end)
            end = start + BLOCK
    return count


def differences(old: str, new: str) -> list[tuple[str, str]]:
    """The lines that went ("-") and came ("+"), in the text's order.

    At most 200 lines of at most 500 characters; a last pair ("…", how many more) where there are more.
    """
    shown = _changed(old.splitlines(), new.splitlines())
    lines = [
        (sign, line[:LONGEST_SHOWN] + "…" * (len(line) > LONGEST_SHOWN)) for sign, line in islice(shown, MOST_SHOWN)
    ]
    more = sum(1 for _ in shown)
    return [*lines, ("…", str(more))] if more else lines


def _changed(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    begin = _common(old, new)
    old, new = old[begin:], new[begin:]
    if end := _common(old[::-1], new[::-1]):
        old, new = old[:-end], new[:-end]
    if max(len(old), len(new)) > MOST_COMPARED:
        yield from (("-", line) for line in old)
        yield from (("+", line) for line in new)
        return
    for operation, first, last, first_new, last_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation != "equal":
            yield from (("-", line) for line in old[first:last])
            yield from (("+", line) for line in new[first_new:last_new])


def _common(old: list[str], new: list[str]) -> int:
    """How many lines both begin with."""
    count = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        count += 1
    return count
