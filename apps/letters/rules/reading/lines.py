"""A letter's text as lines, each with what is known of it. From plain text here, from markup by `markup.py`."""

from dataclasses import dataclass
from enum import StrEnum

from apps.letters.rules.reading.limits import MAX_SCANNED


class Mark(StrEnum):
    """The kind of a line: it is the writer's, is quoted, is set off as quotations may be, or is a signature."""

    OWN = ""
    QUOTED = "q"
    SET_OFF = "b"
    SIGNATURE = "s"


@dataclass(frozen=True, slots=True)
class LetterLine:
    text: str
    mark: Mark = Mark.OWN

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def plain_lines(text: str) -> list[LetterLine]:
    """The lines of a plain text, as many as are looked at."""
    text = text[:MAX_SCANNED].replace("\r\n", "\n").replace("\r", "\n")
    return [LetterLine(line.rstrip() if line.strip() != "--" else line) for line in text.split("\n")]


def unflowed(text: str, *, deletes_space: bool) -> str:
    """A text of `format=flowed` (RFC 3676) with the lines joined that were one; quote signs stay."""
    joined: list[str] = []
    depth_before, flows = 0, False
    for line in text.replace("\r\n", "\n").split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:]
        content = content.removeprefix(" ")
        is_signature = content in ("-- ", "--")
        if flows and depth == depth_before and not is_signature:
            joined[-1] += content
        else:
            joined.append(">" * depth + (" " if depth else "") + content)
        flows = content.endswith(" ") and not is_signature
        if flows and deletes_space:
            joined[-1] = joined[-1][:-1]
        depth_before = depth
    return "\n".join(joined)
