"""Tables as lines: `header: value; header: value`, one a row, so that a row is understood without the others."""

import re
from collections.abc import Iterable, Sequence

from apps.extraction.sandbox.blocks import TextBlock

_NUMBER = re.compile(r"[-+]?[\d\s.,]+\s*(%|₽|руб\.?|€|\$)?")
MAX_HEADER = 100


def lines(rows: Iterable[Sequence[str]], *, first_is_header: bool | None = None) -> list[TextBlock]:
    """The blocks of a table. Without a word on it, the first row of several cells is the header if no number is in it;
    what stands above that row is text."""
    blocks: list[TextBlock] = []
    header: list[str] | None = None
    is_open = first_is_header is not False
    for row in rows:
        cells = [" ".join(cell.split()) for cell in row]
        filled = [cell for cell in cells if cell]
        if not filled:
            continue
        if is_open and len(filled) > 1:
            is_open = False
            if first_is_header or _may_be_header(filled):
                header = cells
                continue
        blocks.append(TextBlock("line", _line(cells, header)))
    if header and not any(block.kind == "line" for block in blocks):
        blocks.append(TextBlock("line", "; ".join(cell for cell in header if cell)))
    return blocks


def _may_be_header(filled: Sequence[str]) -> bool:
    return not any(_NUMBER.fullmatch(cell) for cell in filled) and max(map(len, filled)) <= MAX_HEADER


def _line(cells: Sequence[str], header: Sequence[str] | None) -> str:
    if header is None or len([cell for cell in cells if cell]) == 1 < len([name for name in header if name]):
        return "; ".join(cell for cell in cells if cell)
    parts = []
    for place, cell in enumerate(cells):
        name = header[place].rstrip(" :") if place < len(header) else ""
        if cell:
            parts.append(f"{name}: {cell}" if name and name != cell else cell)
    return "; ".join(parts)
