"""A draft's sentences, and the sources that it names behind them. Pure and linear."""

import re
from collections.abc import Collection
from typing import NamedTuple

from apps.assists.rules.results import Sentence

_MARK = re.compile(r"[ \t]{0,3}\[[ \t]{0,2}(\d{1,3}(?:[ \t]{0,2},[ \t]{0,2}\d{1,3}){0,9})[ \t]{0,2}\]")
# A sentence ends at a mark before white space, or at a line's end; no dot of a number or an address is one.
_SENTENCE = re.compile(r"(?:[^\n.!?…。！？؟]|[.!?…](?=[^\s])|\.(?= [a-zа-яё]))+[.!?…。！？؟]*|[.!?…。！？؟]+")


class SourcedText(NamedTuple):
    """A text without its numbers, and its sentences with theirs."""

    text: str
    sentences: list[Sentence]


def without_marks(text: str) -> str:
    """The text without the numbers of sources."""
    return _MARK.sub("", text)


def marked(text: str, known: Collection[int]) -> SourcedText:
    """Reads the numbers `[n]` of a text into its sentences; numbers that are not known are dropped."""
    pieces: list[str] = []
    named: list[tuple[int, list[int]]] = []  # the place in the clean text, and the numbers
    end = length = 0
    for mark in _MARK.finditer(text):
        pieces.append(text[end : mark.start()])
        length += mark.start() - end
        end = mark.end()
        numbers = [int(number) for number in mark[1].split(",")]
        named.append((length, [number for number in numbers if number in known]))
    pieces.append(text[end:])
    clean = "".join(pieces)
    found = [(match.start(), match.end()) for match in _SENTENCE.finditer(clean) if match[0].strip()]
    sources: list[list[int]] = [[] for _ in found]
    at = 0
    for place, numbers in named:
        while at + 1 < len(found) and found[at + 1][0] < place and clean[found[at + 1][0] : place].strip():
            at += 1
        if found:
            sources[at] += [number for number in numbers if number not in sources[at]]
    sentences = [
        Sentence(clean[start:stop].strip(), tuple(of_sentence))
        for (start, stop), of_sentence in zip(found, sources, strict=True)
    ]
    return SourcedText(clean.strip(), sentences)


# Numbers in brackets that a person typed: no source of ours.
_TYPED = re.compile(r"\[[ \t]{0,2}(\d{1,3})[ \t]{0,2}\]")


def disarmed_numbers(text: str) -> str:
    """The text of a person, in which no number looks like a source's."""
    return _TYPED.sub(r"(\1)", text)


# Words that break off in the middle of something in brackets or a tag are shown when that is whole.
_OPEN = re.compile(r"(?:\[[^\]\n]{0,200}|<[^>\n]{0,200}|\([^)\s]{0,300})\Z")


def whole_words(text: str) -> str:
    """The text up to its last white space, and before anything in brackets that has not ended."""
    cut = text[: max(text.rfind(" "), text.rfind("\n"), text.rfind("\t")) + 1]
    return _OPEN.sub("", cut).rstrip()
