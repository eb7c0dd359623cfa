"""The answers of the cage for a document: its title and its chunks, or its first text."""

import re
from collections.abc import Iterable
from typing import Any

from apps.extraction.cutting import MAX_CHUNK, MAX_TITLE, OVERLAP, TextBlock, clean, cleaned, cut, is_seen
from apps.extraction.sandbox.refusals import DocumentRefused

__all__ = ["MAX_CHARACTERS", "MAX_CHUNK", "OVERLAP", "TextBlock", "document", "first_text", "is_title"]

MAX_CHARACTERS = 1_000_000

# The names that programs give to documents without a title.
_NO_TITLE = re.compile(
    r"(?:untitled|\(?anonymous\)?|unnamed|no\s?name|без имени|без названия|безымянный|новый документ|документ|document"
    r"|книга|book|лист|sheet|презентация(?: powerpoint)?|presentation|powerpoint presentation|title|название|заголовок"
    r"|microsoft word(?: document)?|word document|документ microsoft word)[\s\d_().-]*"
    r"|microsoft (?:word|excel|powerpoint)\s?-.*"
    r"|.*\.(?:docx?|xlsx?|pptx?|odt|ods|rtf|indd|cdr|pdf|pub|qxd|ai|html?|txt)"
    r"|[\W\d_]*|[\w-]*\\.*",
    re.IGNORECASE | re.DOTALL,
)


def is_title(title: str) -> bool:
    """Whether the title in a document's properties is one that a person gave it."""
    return _NO_TITLE.fullmatch(title.strip()) is None


def document(blocks: Iterable[TextBlock], *, title: str, name: str = "") -> dict[str, Any]:
    """The answer for a document: its title, its chunks in order, titled by their headings, and its characters.

    Text under no heading in a document without a title is titled by its name; a document without one has that of the
    heading that it begins with. Raises DocumentRefused (no_text, too_much_text).
    """
    seen: list[TextBlock] = []
    characters = 0
    for block in cleaned(blocks):
        characters += len(block.text)
        if characters > MAX_CHARACTERS:
            raise DocumentRefused("too_much_text")
        seen.append(block)
    title = " ".join(clean(title).split())[:MAX_TITLE].strip() if is_title(title) else ""
    named = " ".join(clean(name).split())[:MAX_TITLE].strip()
    chunks = cut(seen, title=title, name=named)
    if not chunks:
        raise DocumentRefused("no_text")
    first = seen[0]
    if not title and first.kind == "heading" and first.level == 1:
        title = " ".join(first.text.split())[:MAX_TITLE].strip()
    return {"title": title, "chunks": chunks, "characters": characters}


def first_text(blocks: Iterable[TextBlock], *, most: int) -> dict[str, Any]:
    """Blocks as one text, headings too, and whether it was cut after that many characters.

    Raises DocumentRefused (no_text).
    """
    parts: list[str] = []
    kind, length = None, 0
    for block in blocks:
        if block.kind == "end" or not (text := clean(block.text, keep_spaces=block.kind == "code")):
            continue
        if parts:
            text = ("\n" if kind == block.kind == "line" else "\n\n") + text
        parts.append(text)
        kind, length = block.kind, length + len(text)
        if length > most:
            break
    found = "".join(parts)
    if not is_seen(found):
        raise DocumentRefused("no_text")
    return {"text": found[:most], "truncated": length > most}
