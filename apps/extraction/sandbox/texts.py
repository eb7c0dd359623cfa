"""Plain text, Markdown and CSV as blocks."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from apps.extraction.sandbox import tables, visibility
from apps.extraction.sandbox.blocks import TextBlock
from apps.extraction.sandbox.refusals import DocumentRefused

_BLANK = re.compile(r"\n[^\S\n]*\n")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))?\s*#*\s*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\S")
_ROW_DIVIDER = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_RULE = re.compile(r" {0,3}([-*_])(\s*\1){2,}\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)")
_FRONT_MATTER = re.compile(r"\A---\n(.{0,20000}?)\n(?:---|\.\.\.)[^\S\n]*\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_DELIMITERS = ",;\t|"
_CELL = 1_000_000
_LOOKED_AT = 200
_SEPARATOR = re.compile(r"\"?sep=([,;|\t])\"?[^\S\n]*\n", re.IGNORECASE)
_STRUCK = re.compile(r"~~(?=\S)[^~\n]{1,500}~~|<(del|s|strike)>[^<]{0,500}</\1>", re.IGNORECASE)
_RAISED = re.compile(r"<sup>([^<\n]{0,60})</sup>", re.IGNORECASE)
_LOWERED = re.compile(r"<sub>([^<\n]{0,60})</sub>", re.IGNORECASE)


def plain(text: str) -> list[TextBlock]:
    """Paragraphs are divided by blank lines; within one, lines stay as they are."""
    return [TextBlock("text", part) for part in _BLANK.split(_even(text))]


def _even(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def separated(text: str) -> list[TextBlock]:
    """The rows of a CSV, whatever divides its cells. Raises DocumentRefused (unreadable)."""
    text = _even(text)
    csv.field_size_limit(_CELL)
    if declared := _SEPARATOR.match(text):  # Excel's own word for it
        text, delimiter = text[declared.end() :], declared[1]
    else:
        delimiter = _delimiter(text)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        return tables.lines(rows)
    except csv.Error as error:
        raise DocumentRefused("unreadable", str(error), place=f"line {rows.line_num}") from None


def _delimiter(text: str) -> str:
    """The one that divides most of the first rows into the same number of cells; a title or a sum counts little."""
    lines = text[:65536].split("\n")[:_LOOKED_AT]

    def worth(delimiter: str) -> tuple[int, int]:
        widths: Counter[int] = Counter()
        try:
            for row in csv.reader(lines, delimiter=delimiter):
                filled = len(row) - next((n for n, cell in enumerate(reversed(row)) if cell.strip()), len(row))
                widths[filled] += 1
        except csv.Error:
            return 0, 0
        several = {width: count for width, count in widths.items() if width > 1}
        if not several:
            return 0, 0
        width = max(several, key=lambda width: (several[width], width))
        return sum(count for other, count in several.items() if abs(other - width) <= 1), width

    return max(_DELIMITERS, key=worth)


def markdown(text: str) -> tuple[str, list[TextBlock]]:
    """The title in the front matter, or "", and the blocks."""
    text, title = _even(text), ""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        if found := _FRONT_TITLE.search(front[1]):
            title = found[1]
    text = _IMAGE.sub(r"\1", _seen(_COMMENT.sub("", text)))
    return title, list(_Markdown(text.split("\n")).blocks())


def _seen(text: str) -> str:
    """Markdown without what is struck out, and with raised text apart from numbers."""
    text = _STRUCK.sub("", text)

    def raised(found: re.Match[str]) -> str:
        around = found.string
        return visibility.raised(
            around[max(0, found.start() - 20) : found.start()], found[1], around[found.end() : found.end() + 20]
        )

    def lowered(found: re.Match[str]) -> str:
        return visibility.lowered(found.string[max(0, found.start() - 20) : found.start()], found[1])

    return _LOWERED.sub(lowered, _RAISED.sub(raised, text))


class _Markdown:
    """Reads lines of Markdown; every construct ends the paragraph before it."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._held: list[str] = []

    def blocks(self) -> Iterator[TextBlock]:
        at = 0
        while at < len(self._lines):
            line = self._lines[at]
            if fence := _FENCE.match(line):
                yield from self._flush()
                end = self._end_of_fence(at, fence[1])
                yield TextBlock("code", "\n".join(self._lines[at + 1 : end]))
                at = end
            elif "|" in line and at + 1 < len(self._lines) and self._begins_table(at):
                yield from self._flush()
                end = self._end_of_table(at)
                rows = [_cells(row) for row in (line, *self._lines[at + 2 : end + 1])]
                yield from tables.lines(rows, first_is_header=True)
                at = end
            else:
                yield from self._line(line)
            at += 1
        yield from self._flush()

    def _line(self, line: str) -> Iterator[TextBlock]:
        if self._held and (underline := _UNDERLINE.match(line)) and not _ITEM.match(self._held[0]):
            text, self._held = " ".join(self._held), []
            yield TextBlock("heading", text, 1 if underline[1][0] == "=" else 2)
        elif heading := _HEADING.match(line):
            yield from self._flush()
            yield TextBlock("heading", heading[2] or "", len(heading[1]))
        elif not line.strip() or _RULE.match(line):
            yield from self._flush()
        elif _ITEM.match(line):
            yield from self._flush()
            self._held = [line.rstrip()]
        else:
            self._held.append(line.strip().removeprefix(">").strip())

    def _flush(self) -> Iterator[TextBlock]:
        held, self._held = self._held, []
        if held:
            yield TextBlock("line" if _ITEM.match(held[0]) else "text", " ".join(held))

    def _end_of_fence(self, at: int, fence: str) -> int:
        for end in range(at + 1, len(self._lines)):
            if self._lines[end].strip().startswith(fence) and not self._lines[end].strip().strip(fence[0]):
                return end
        return len(self._lines)

    def _begins_table(self, at: int) -> bool:
        divider = self._lines[at + 1]
        return "|" in divider and _ROW_DIVIDER.match(divider) is not None

    def _end_of_table(self, at: int) -> int:
        end = at + 1
        while end + 1 < len(self._lines) and "|" in self._lines[end + 1]:
            end += 1
        return end


def _cells(row: str) -> list[str]:
    row = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]
