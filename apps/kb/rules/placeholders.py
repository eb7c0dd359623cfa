"""Placeholders of scripts and templates that stand unfilled on a page: `{{ n }}`, `${x}`, `<%= x %>`, `{% x %}`.

A line of nothing else is no knowledge, nor is one that most pages of a site share. In other lines they are told: a page
about templates may mean them.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from apps.kb.rules.documents import Chunk
from apps.kb.rules.repeats import line_key

_UNFILLED = re.compile(r"\{\{[^{}\n]{1,200}\}\}|\$\{[^{}\n]{1,200}\}|<%[^%\n]{1,200}%>|\{%[^{}%\n]{1,200}%\}")
_WORD = re.compile(r"\w")


def lines_with(contents: Iterable[str]) -> list[str]:
    """The lines with a placeholder, each once."""
    lines = (line.strip() for content in contents for line in content.split("\n"))
    return list(dict.fromkeys(line for line in lines if _UNFILLED.search(line)))


def without_unfilled(chunks: Sequence[Chunk], repeated: Collection[str]) -> list[Chunk]:
    """The chunks of a page without lines that are nothing but placeholders, or have one and are among the repeated."""
    made = []
    for chunk in chunks:
        lines = chunk.content.split("\n")
        kept = [line for line in lines if not _is_nothing(line, repeated)]
        text = chunk.content if len(kept) == len(lines) else re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
        if text:
            made.append(Chunk(chunk.title, text))
    return made


def _is_nothing(line: str, repeated: Collection[str]) -> bool:
    rest, found = _UNFILLED.subn("", line)
    return bool(found) and (_WORD.search(rest) is None or line_key(line) in repeated)
