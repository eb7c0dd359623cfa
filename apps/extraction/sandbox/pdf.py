"""Pages of a PDF in the order in which they are read: by columns, tables by rows, without headers that repeat."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from apps.extraction.sandbox import alphabet, notes, tables, visibility
from apps.extraction.sandbox.blocks import MAX_CHARACTERS, TextBlock
from apps.extraction.sandbox.refusals import DocumentRefused

_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:стр(?:аница|\.)?|с\.|page|p\.|лист)\s*)?\d{1,4}\W*(?:(?:из|of|/)\s*\d{1,4})?\W*", re.IGNORECASE
)
_WORD_WITH_HYPHEN = re.compile(r"[^\W\d_]+-[^\W\d_]+")
_ITEM = re.compile(r"(?:[•●▪·–—*]|\d{1,3}[.)])\s")
_LETTER = re.compile(r"[^\W\d_]")
_FEW_LETTERS = 20
_MAX_FRAGMENTS = 4000
# A gap of so many letters' heights divides columns or cells, not words.
_GAP = 0.9
_EDGE_LINES, _EDGE = 3, 0.1
_MAX_HEADING, _LEAST_HEIGHT = 100, 3.0


@dataclass(slots=True)
class Line:
    """Text on a page, with its place in points from the page's lower left corner."""

    left: float
    bottom: float
    right: float
    top: float
    text: str

    @property
    def height(self) -> float:
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(slots=True)
class PdfPage:
    """The lines of a page, its ruled rows (heights of horizontal lines), and whether a picture covers most of it."""

    number: int
    height: float
    lines: list[Line]
    rules: list[tuple[float, float, float]]
    is_picture: bool


def blocks(pdf: Any, most: int, found: notes.LeftOut, recognised: Mapping[str, str] = {}) -> Iterator[TextBlock]:
    """The blocks of the first pages; `recognised` has the texts of pictures, by page. Raises DocumentRefused."""
    pages, characters = [], 0
    for number in range(min(len(pdf), most)):
        page = page_of(pdf, number)
        characters += sum(len(line.text) for line in page.lines)
        if characters > MAX_CHARACTERS:
            raise DocumentRefused("too_much_text", place=f"page {number + 1}")
        pages.append(page)
    _without_edges(pages)
    hyphenated: Counter[str] = Counter()
    for page in pages:
        hyphenated.update(word.casefold() for line in page.lines for word in _WORD_WITH_HYPHEN.findall(line.text))
    held = ""
    for page in pages:
        place = f"page {page.number}"
        text = "".join(line.text for line in page.lines)
        if is_picture(page):
            read = recognised.get(str(page.number), "").strip()
            found.add(place, notes.RECOGNISED if read else notes.PICTURE)
            parts = (" ".join(part.split()) for part in re.split(r"\n[^\S\n]*\n", read))
            yield from (TextBlock("text", part) for part in parts if part)
            continue
        if alphabet.is_noise(text):
            found.add(place, notes.UNREADABLE)
            continue
        for block in _blocks_of(page):
            if block.kind == "text":  # a paragraph may go on at the top of the next column or page
                if held and not _goes_on(held, block.text):
                    yield TextBlock("text", alphabet.joined(held, hyphenated))
                    held = ""
                held = f"{held}\n{block.text}" if held else block.text
                continue
            if held:
                yield TextBlock("text", alphabet.joined(held, hyphenated))
                held = ""
            yield block
    if held:
        yield TextBlock("text", alphabet.joined(held, hyphenated))


def is_picture(page: PdfPage) -> bool:
    """Whether a picture covers most of the page, with hardly a letter besides."""
    return page.is_picture and len(_LETTER.findall("".join(line.text for line in page.lines))) < _FEW_LETTERS


def _goes_on(before: str, after: str) -> bool:
    if before.endswith(("-", "\u00ad", "\x02", "\ufffe")):
        return after[:1].islower()
    return before[-1:].isalpha() and after[:1].islower()


def page_of(pdf: Any, number: int) -> PdfPage:
    loaded = pdf[number]
    try:
        width, height = loaded.get_size()
        lines = list(_fragments(loaded.get_textpage(), width, height))
        rules, covered = _drawn(loaded, width * height)
        return PdfPage(number + 1, height, _whole(lines), rules, covered > 0.5)
    finally:
        loaded.close()


def _fragments(textpage: Any, width: float, height: float) -> Iterator[Line]:
    """The texts that the page draws in one go each. Text outside the page, or too small to see, is not seen."""
    count = textpage.count_rects()
    if count > _MAX_FRAGMENTS:
        text = textpage.get_text_bounded().replace("\r\n", "\n")
        for at, line in enumerate(text.split("\n")):
            yield Line(0, height - 12 * at - 10, width, height - 12 * at, line)
        return
    for number in range(count):
        left, bottom, right, top = textpage.get_rect(number)
        if right < 0 or left > width or top < 0 or bottom > height:
            continue
        if top - bottom < 1 and not _is_of_size(textpage, (left + right) / 2, (top + bottom) / 2):
            continue
        text = textpage.get_text_bounded(left, bottom, right, top).replace("\r", "").strip("\n")
        if text.strip():
            yield Line(left, bottom, right, max(top, bottom + _LEAST_HEIGHT), text)


def _is_of_size(textpage: Any, x: float, y: float) -> bool:
    """Whether letters without height are those of a font that does not tell it, not of one too small to see."""
    import pypdfium2.raw as raw

    at = textpage.get_index(x, y, 3, 3)
    return at is not None and raw.FPDFText_GetFontSize(textpage, at) >= 2


def _drawn(loaded: Any, area: float) -> tuple[list[tuple[float, float, float]], float]:
    """The horizontal lines of a page (height, from, to), and how much of it pictures cover."""
    import pypdfium2.raw as raw

    rules, covered = [], 0.0
    for at, drawn in enumerate(loaded.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)):
        if at > 3000:
            break
        left, bottom, right, top = drawn.get_bounds()
        if drawn.type == raw.FPDF_PAGEOBJ_IMAGE:
            covered += max(0, right - left) * max(0, top - bottom)
        elif top - bottom < 2.5 and right - left > 20:
            rules.append((bottom, left, right))
        elif top - bottom > 6 and right - left > 20:  # the edges of a box
            rules += [(bottom, left, right), (top, left, right)]
    return rules, covered / max(area, 1)


def _whole(fragments: list[Line]) -> list[Line]:
    """Fragments side by side as one, where no more than a space is between; in order of reading along each line."""
    made: list[Line] = []
    for row in _rows(fragments):
        held: Line | None = None
        for part in sorted(row, key=lambda line: line.left):
            if held is None or part.left - held.right > _GAP * min(held.height, part.height):
                held = part
                made.append(held)
                continue
            gap = part.left - held.right
            text = part.text
            is_raised = part.height < 0.8 * held.height and part.bottom > held.bottom + 0.2 * held.height
            if is_raised and held.text[-1:].isdigit() and text.strip().isdigit():
                joined = held.text + visibility.raised(held.text, text, "")
            elif held.text.endswith(" ") or text.startswith(" ") or gap < 0.12 * held.height:
                joined = held.text + text
            else:
                joined = f"{held.text} {text}"
            held.text, held.right = joined, max(held.right, part.right)
            if not is_raised:
                held.top, held.bottom = max(held.top, part.top), min(held.bottom, part.bottom)
    return made


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines at one height together, from the top."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.middle):
        if rows and _overlap(rows[-1][0], line) > 0.5:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _overlap(one: Line, other: Line) -> float:
    return (min(one.top, other.top) - max(one.bottom, other.bottom)) / min(one.height, other.height)


def _without_edges(pages: list[PdfPage]) -> None:
    """Takes out headers and footers: page numbers, and what stands at the same edge of most pages."""
    seen: Counter[str] = Counter()
    edges: dict[int, list[tuple[Line, str]]] = {}
    for page in pages:
        rows = _rows(page.lines)
        edge = [*rows[:_EDGE_LINES], *rows[max(_EDGE_LINES, len(rows) - _EDGE_LINES) :]]
        marks = [
            (line, re.sub(r"\d+", "#", " ".join(line.text.split())).casefold())
            for row in edge
            for line in row
            if line.middle > page.height * (1 - _EDGE) or line.middle < page.height * _EDGE
        ]
        edges[page.number] = marks
        seen.update({mark for _, mark in marks})
    for page in pages:
        out = {
            id(line)
            for line, mark in edges[page.number]
            if (seen[mark] >= 3 and seen[mark] * 2 > len(pages))
            or (_PAGE_NUMBER.fullmatch(line.text) and len(pages) > 1 and seen[mark] > 1)
        }
        page.lines = [line for line in page.lines if id(line) not in out]


def _blocks_of(page: PdfPage) -> Iterator[TextBlock]:
    if not page.lines:
        return
    usual = median(line.height for line in page.lines)
    for is_table, part in _parts(page):
        if is_table:
            yield from _table(part, page.rules)
        else:
            for paragraph in _paragraphs(part):
                text = "\n".join(line.text.strip() for line in paragraph)
                is_first = page.number == 1 and paragraph[0] is page.lines[0] and len(page.lines) > 1
                if is_first and len(text) <= _MAX_HEADING and paragraph[0].height > 1.35 * usual:
                    yield TextBlock("heading", text, 1)
                elif _ITEM.match(text):
                    for item in re.split(rf"\n(?={_ITEM.pattern})", text):
                        yield TextBlock("line", item)
                else:
                    yield TextBlock("text", text)


def _parts(page: PdfPage) -> Iterator[tuple[bool, list[Line]]]:
    """The parts of a page in order of reading: text of one column, and tables."""
    rows = _rows(page.lines)
    for several, run in groupby(_smoothed(rows, page.rules), key=lambda found: found[1]):
        lines = [line for row, _ in run for line in row]
        if not several:
            yield False, lines
            continue
        gutter = _gutter(lines)
        if gutter is None or _is_table(lines, gutter, page.rules):
            yield True, lines
            continue
        left = [line for line in lines if line.right <= gutter + 1]
        right = [line for line in lines if line.left >= gutter - 1]
        for column in (left, right):
            if sum(len(row) > 1 for row in _rows(column)) > 1:
                yield from _parts(PdfPage(page.number, page.height, column, page.rules, is_picture=False))
            else:
                yield False, column


def _smoothed(rows: list[list[Line]], rules: Sequence[tuple[float, float, float]]) -> list[tuple[list[Line], bool]]:
    """Rows, and whether they are of several columns; so is a line between such rows or ruled lines."""
    several = [len(row) > 1 for row in rows]
    for at in range(len(rows)):
        if several[at] or not any(several):
            continue
        before = next((n for n in range(at - 1, -1, -1) if several[n]), None)
        after = next((n for n in range(at + 1, len(rows)) if several[n]), None)
        near = [rows[n] for n in (before, after) if n is not None and abs(n - at) < 4]
        if not near:
            continue
        line = rows[at][0]
        if _is_ruled(line, rules):
            several[at] = True
            continue
        is_close = before is not None and rows[before][0].bottom - line.top < 2.5 * line.height
        several[at] = is_close and any(_is_within(line, row) for row in near)
    return list(zip(rows, several, strict=True))


def _is_ruled(line: Line, rules: Sequence[tuple[float, float, float]]) -> bool:
    """Whether ruled lines run close above and close below a line."""
    near = [height for height, left, right in rules if left <= line.left + 2 and right >= line.right - 2]
    return any(line.top - 2 <= height < line.top + 14 for height in near) and any(
        line.bottom - 14 < height <= line.bottom + 2 for height in near
    )


def _is_within(line: Line, row: Sequence[Line]) -> bool:
    """Whether a line stands in one column of a row."""
    cells = sorted(row, key=lambda cell: cell.left)
    if line.left >= cells[-1].left - 3:
        return True
    return any(line.left >= cell.left - 3 and line.right <= other.left for cell, other in pairwise(cells))


def _gutter(lines: Sequence[Line]) -> float | None:
    """The place of a gap from top to bottom that divides lines in two; the widest."""
    spans = sorted((line.left, line.right) for line in lines)
    best, at = 0.0, None
    end = spans[0][1]
    for left, right in spans[1:]:
        if left - end > best:
            best, at = left - end, (left + end) / 2
        end = max(end, right)
    return at if best >= 4 else None


def _is_table(lines: Sequence[Line], gutter: float, rules: Sequence[tuple[float, float, float]]) -> bool:
    """Whether lines on both sides of a gap are cells of rows: ruled ones, or short ones."""
    top, bottom = max(line.top for line in lines), min(line.bottom for line in lines)
    across = {
        round(height) for height, left, right in rules if left < gutter < right and bottom - 8 <= height <= top + 8
    }
    if len(across) > 2:
        return True
    if _columns(lines) > 3:
        return True
    sides = [[len(line.text) for line in lines if (line.left < gutter) == is_left] for is_left in (True, False)]
    if min(map(len, sides)) < 3:
        return True
    return min(median(side) for side in sides) < 18


def _columns(lines: Sequence[Line]) -> int:
    """How many columns, divided by gaps from top to bottom."""
    spans = sorted((line.left, line.right) for line in lines)
    count, end = 1, spans[0][1]
    for left, right in spans[1:]:
        count += left - end >= 3
        end = max(end, right)
    return count


def _table(lines: Sequence[Line], rules: Sequence[tuple[float, float, float]]) -> list[TextBlock]:
    starts = _starts(lines)
    heights = sorted({round(height) for height, left, right in rules if right - left > 20}, reverse=True)
    top, bottom = max(line.top for line in lines), min(line.bottom for line in lines)
    heights = [height for height in heights if bottom - 8 <= height <= top + 8]
    if len(heights) > 2:  # what stands between two ruled lines is one row, however many lines its cells have
        bands: dict[int, list[Line]] = {}
        for line in sorted(lines, key=lambda line: -line.middle):
            bands.setdefault(sum(height > line.middle for height in heights), []).append(line)
        rows = [bands[band] for band in sorted(bands)]
    else:
        rows = _rows(lines)
    made: list[list[str]] = []
    for row in rows:
        cells = [""] * len(starts)
        for line in row:
            at = max((n for n, start in enumerate(starts) if start <= line.left + 3), default=0)
            cells[at] = f"{cells[at]} {line.text.strip()}".strip()
        made.append(cells)
    return tables.lines(made)


def _starts(lines: Sequence[Line]) -> list[float]:
    """The beginnings of a table's columns: its gaps from top to bottom, titles over several columns left aside."""
    rows = _rows(lines)
    most = max(map(len, rows))
    full = [line for row in rows if len(row) * 2 > most for line in row] or list(lines)
    spans = sorted((line.left, line.right) for line in full)
    starts, end = [spans[0][0]], spans[0][1]
    for left, right in spans[1:]:
        if left - end >= 2:
            starts.append(left)
        end = max(end, right)
    return starts


def _paragraphs(lines: list[Line]) -> Iterator[list[Line]]:
    """Lines that stand together: a wider gap, or another size, begins the next paragraph."""
    held: list[Line] = []
    for line in (line for row in _rows(lines) for line in sorted(row, key=lambda line: line.left)):
        if held:
            last = held[-1]
            gap = last.bottom - line.top
            larger = max(line.height, last.height) > 1.35 * min(line.height, last.height)
            if gap > 0.9 * min(line.height, last.height) or larger:
                yield held
                held = []
        held.append(line)
    if held:
        yield held
