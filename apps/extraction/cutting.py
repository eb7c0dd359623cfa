"""A text as a list of blocks, and how it is cut into titled chunks: of foreign documents in the cage, of our own
articles where they are published. Pure; the work grows as the text does.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from semantic_text_splitter import TextSplitter

MAX_CHUNK, OVERLAP, MOST_AT_ONCE = 1200, 120, 6_000
MAX_TITLE = 255
BETWEEN = " › "

Kind = Literal["heading", "text", "line", "code", "end"]

_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n ?")
_BLANK_LINES = re.compile(r"\n{3,}")
# Controls, what can't be seen and joins nothing (soft hyphens, marks of direction, tag characters), lone surrogates.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\xad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_SEEN = re.compile(r"\w")
_LIGATURES = str.maketrans({chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)})


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph (`text`), an item of a list or row of a table (`line`), a heading, or `code` whose spaces count.

    `end` closes the headings of its level and below, where a table is over.
    """

    kind: Kind
    text: str
    level: int = 0


@dataclass(slots=True)
class _Section:
    path: tuple[str, ...]
    blocks: list[TextBlock] = field(default_factory=list)


def clean(text: str, *, keep_spaces: bool = False) -> str:
    """Text as people see it: without unseen characters, its line ends alike, and one space where several are."""
    text = text.translate(_LIGATURES) if any("\ufb00" <= mark <= "\ufb06" for mark in text) else text
    text = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n").replace("\x85", "\n"))
    if not keep_spaces:
        text = _LINES.sub("\n", _SPACES.sub(" ", text))
    return _BLANK_LINES.sub("\n\n", text).strip("\n" if keep_spaces else "\n ")


def cleaned(blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
    """The blocks of which a reader sees something, cleaned."""
    for block in blocks:
        if block.kind == "end":
            yield block
            continue
        text = clean(block.text, keep_spaces=block.kind == "code")
        if is_seen(text):
            yield TextBlock(block.kind, text, block.level)


def is_seen(text: str) -> bool:
    """Whether a reader would see a letter or a figure."""
    return _SEEN.search(text) is not None


def cut(blocks: Iterable[TextBlock], *, title: str, name: str = "") -> list[tuple[str, str]]:
    """Cleaned blocks in chunks of at most MAX_CHUNK characters, in order: title and text of each. Titled by the title
    and the headings above, joined by BETWEEN; those under none in a document without a title, by its name.
    """
    chunks: list[tuple[str, str]] = []
    for section in _merged(_sections(blocks)):
        above = _joined((title, *section.path)) or name
        chunks += [(above, text) for text in _cut(section)]
    return chunks


def _sections(blocks: Iterable[TextBlock]) -> Iterator[_Section]:
    """Runs of blocks under the same headings. A heading over nothing is a line under those above it."""
    levels: list[tuple[int, str]] = []
    section = _Section(())
    is_told = False  # whether there is text under the last heading already
    for block in blocks:
        if block.kind not in ("heading", "end"):
            section.blocks.append(block)
            continue
        if section.blocks:
            yield section
        elif levels and levels[-1][0] >= block.level and not is_told:
            yield _alone(levels)
        is_told = block.kind == "end"
        levels = [(level, text) for level, text in levels if level < block.level]
        if block.kind == "end":
            section = _Section(tuple(text for _, text in levels))
            continue
        levels.append((block.level, " ".join(block.text.split())))
        section = _Section(tuple(text for _, text in levels))
    if section.blocks:
        yield section
    elif levels and not is_told:
        yield _alone(levels)


def _alone(levels: list[tuple[int, str]]) -> _Section:
    return _Section(tuple(text for _, text in levels[:-1]), [TextBlock("heading", levels[-1][1])])


def _merged(sections: Iterable[_Section]) -> list[_Section]:
    """Sections, those side by side under the same headings together. A heading that stays alone is left out, unless it
    is one of several in a row, which are a list, or the document has nothing else."""
    merged: list[_Section] = []
    everything = list(sections)
    for is_alone, found in groupby(everything, key=lambda section: section.blocks[0].kind == "heading"):
        run = list(found)
        if is_alone and len(run) == 1 < len(everything):
            continue
        for section in run:
            if merged and merged[-1].path == section.path:
                merged[-1].blocks += section.blocks
            else:
                merged.append(section)
    return merged


def _cut(section: _Section) -> Iterator[str]:
    """A section in texts of at most MAX_CHUNK characters, cut between blocks while these are not longer themselves."""
    held, last = "", None
    for block in section.blocks:
        between = "\n" if block.kind == last != "text" else "\n\n"
        last = block.kind
        if held and len(held) + len(between) + len(block.text) <= MAX_CHUNK:
            held += between + block.text
            continue
        if held:
            yield held
        held = block.text
        if len(held) > MAX_CHUNK:
            *whole, held = _pieces(block)
            yield from whole
    if held.strip():
        yield held.strip()


def _pieces(block: TextBlock) -> list[str]:
    """A block that is too long, cut where it reads best. Only a paragraph's pieces overlap."""
    overlap = OVERLAP if block.kind == "text" else 0
    splitter = TextSplitter(MAX_CHUNK, overlap=overlap)
    pieces = [piece for part in _bounded(block.text, overlap) for piece in splitter.chunks(part) if piece]
    return pieces or [block.text[:MAX_CHUNK]]


def _bounded(text: str, overlap: int) -> Iterator[str]:
    """A text in parts, divided between words if there are any: the splitter takes the square of its text."""
    begin = 0
    while len(text) - begin > MOST_AT_ONCE:
        end = begin + MOST_AT_ONCE
        end = max(text.rfind(" ", end - MAX_CHUNK, end), text.rfind("\n", end - MAX_CHUNK, end)) + 1 or end
        yield text[begin:end]
        begin = (text.find(" ", end - overlap, end - 1) + 1 or end - overlap) if overlap else end
    yield text[begin:]


def _joined(parts: Iterable[str]) -> str:
    """Headings in a line of at most MAX_TITLE characters; what is said twice running is said once."""
    path: list[str] = []
    for part in parts:
        if part and (not path or path[-1].casefold() != part.casefold()):
            path.append(part)
    return BETWEEN.join(path)[:MAX_TITLE].strip()
