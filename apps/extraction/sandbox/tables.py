"""Tables as lines: `header: value; header: value`, one a row, so that a row is understood without the others.

All formats bring their tables here, with the text of a merged cell repeated in each cell that it covers. A title above
the header and the rows that name a group become headings of the rows under them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from apps.extraction.sandbox.blocks import MAX_CHUNK, TextBlock

MAX_HEADER = 100
# A title or a group is a few words: a longer cell of its own is text.
_MAX_TITLE = 120
# Below the headings that documents have.
_TITLE, _GROUP = 7, 8
_LOOKED_AT = 25
_MAX_HEADER_ROWS = 4

_UNITS = r"%|₽|€|\$|£|руб\w{0,3}\.?|р\.|rub|eur|usd"
_NUMBER = re.compile(rf"[-+−]?\s?(?:[$€£]\s?)?\d[\d\s.,]*\s?(?:{_UNITS})?", re.IGNORECASE)
_VALUE = re.compile(r"[-+−~≈<>≤≥±№$€£]?\s?\d[\d\s.,:/×x–-]*\s?[^\W\d_%]{0,8}[.%₽€$]?", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_YEAR = re.compile(r"(?:\d\d?[./])?(?:19|20)\d\d")
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?")
_NAMES = re.compile(
    r"(?:товар|наименован|назван|модел|артикул|код|цен|стоимост|тариф|сумм|скидк|размер|рост|цвет|вес|объ[её]м|город"
    r"|регион|стран|адрес|улиц|телефон|срок|дни|дней|день|дат|врем|час|режим|услуг|категор|групп|бренд|марк|остат|налич"
    r"|кол-?во|количеств|ед\.|единиц|№|номер|вид|тип|способ|услови|зон|описан|характерист|параметр|значен|месяц|год"
    r"|вопрос|ответ|product|name|item|price|sku|code|size|colou?r|weight|city|region|country|address|street|phone|term"
    r"|date|day|time|hour|service|category|brand|stock|qty|quantity|unit|type|method|zone|description|parameter|value"
    r"|model|month|year|cost|question|answer)(?![.,]\s\w)",
    re.IGNORECASE,
)
# Words that stand where a value does.
_ANSWERS = {"бесплатно", "есть", "нет", "да", "договорная", "по запросу", "—", "-", "✓", "free", "yes", "no"}
Row = Sequence[str]


def lines(
    rows: Iterable[Row],
    *,
    first_is_header: bool | None = None,
    header_rows: int | None = None,
    merged: Collection[int] = (),
    title: str = "",
) -> list[TextBlock]:
    """The blocks of a table.

    `header_rows` says how many rows at the top are its header, `first_is_header` that one or none is; without a word on
    it, the cells tell. `merged` are the rows of a single cell that covers all columns.
    """
    if header_rows is None and first_is_header is not None:
        header_rows = int(first_is_header)
    if header_rows is None:
        rows = list(rows)
        starts = [0, *_further_tables(rows), len(rows)]
        if len(starts) > 2:
            return [
                block
                for start, end in pairwise(starts)
                for block in _table(rows[start:end], None, {at - start for at in merged if start <= at < end}, title)
            ]
    return _table(rows, header_rows, merged, title)


def _table(rows: Iterable[Row], header_rows: int | None, merged: Collection[int], title: str) -> list[TextBlock]:
    table = [
        _TableRow(cells, number in merged)
        for number, row in enumerate(rows)
        if any(cells := [" ".join(cell.split()) for cell in row])
    ]
    titles = [title] if title.strip() else []
    if all(row.is_single for row in table):
        return [*_titled(titles, []), *(TextBlock("line", row.single) for row in table)]
    above = 0
    while table[above].is_single:
        above += 1
    header, used = _header([row.cells for row in table[above:]], None if header_rows is None else header_rows - above)
    named = [table[at].single for at in range(above)]
    if not titles and named and len(named[0]) <= _MAX_TITLE:
        titles = [named.pop(0)]
    body = table[above + used :]
    found = list(_rows(body, header, [row.cells for row in table[above : above + used]]))
    if not found:
        found = [TextBlock("line", "; ".join(dict.fromkeys(filter(None, header or ()))))]
    return [*_titled(titles, named), *found, TextBlock("end", "", _TITLE)]


def _further_tables(rows: Sequence[Row]) -> Iterator[int]:
    """The row after an empty one with which another table begins, with names of its own and perhaps a title."""
    blank, before = False, 0
    for at, row in enumerate(rows):
        filled = sum(bool(cell.strip()) for cell in row)
        if filled and blank and before > 1:
            below = ([cell.strip() for cell in line if cell.strip()] for line in rows[at : at + 3])
            names = next((cells for cells in below if len(cells) > 1), [])
            if names and sum(_NAMES.match(name) is not None for name in names) * 2 > len(names):
                yield at
                before = 0
        blank = not filled
        before += filled > 1


def _titled(titles: Sequence[str], texts: Sequence[str]) -> list[TextBlock]:
    return [*(TextBlock("heading", text, _TITLE) for text in titles), *(TextBlock("line", text) for text in texts)]


class _TableRow:
    """The cells of a row, and the text that it has alone, if that is one cell."""

    __slots__ = ("cells", "is_merged", "is_single", "single")

    def __init__(self, cells: list[str], is_merged: bool) -> None:
        self.cells, self.is_merged = cells, is_merged
        filled = [cell for cell in cells if cell]
        self.is_single = is_merged or len(filled) == 1
        self.single = filled[0]


def _header(rows: Sequence[Row], count: int | None) -> tuple[list[str] | None, int]:
    """The names of the columns, and how many rows they take."""
    if count is None:
        count = int(_may_be_header(rows[:_LOOKED_AT]))
        if not count:
            return None, 0
        while count < min(len(rows) - 1, _MAX_HEADER_ROWS) and _goes_on(rows, count):
            count += 1
    if count <= 0:
        return None, 0
    count = min(count, len(rows))
    width = max(len(row) for row in rows[:count])
    held = [[*row, *[""] * (width - len(row))] for row in rows[:count]]
    for row in held[:-1]:  # a name lies over the gaps after it that have names below
        for place in range(1, width):
            if not row[place] and held[-1][place] and held[-1][place - 1]:
                row[place] = row[place - 1]
    names = []
    for place in range(width):
        parts = dict.fromkeys(row[place].rstrip(" :") for row in held if row[place])
        names.append(", ".join(parts))
    return names, count


def _goes_on(rows: Sequence[Row], at: int) -> bool:
    """Whether a row is the lower half of the header above it, some of whose cells lie over several columns."""
    above, row = rows[at - 1], rows[at]
    spread = [n for n, (left, right) in enumerate(pairwise(above)) if left and left == right]
    under = set(spread) | {n + 1 for n in spread}
    if not under:  # without merged cells, a gap after a name is what it lies over
        under = {n for n, cell in enumerate(above) if n and not cell and n < len(row) and row[n]}
        under |= {n - 1 for n in under if n < len(row) and row[n - 1]}
    if not under or any(n >= len(row) or not row[n] for n in under):
        return False
    names = [row[n] for n in sorted(under)]
    if len(set(names)) < 2 or (any(_NUMBER.fullmatch(name) for name in names) and not _is_even(names)):
        return False
    others = [(above[n], cell) for n, cell in enumerate(row) if n not in under and n < len(above)]
    if others and all(not cell or cell == over for over, cell in others):
        return True
    below = list(rows[at + 1 : at + _LOOKED_AT])
    return any(
        _are_values([line[n] for line in below if n < len(line) and line[n]]) and not _VALUE.fullmatch(row[n])
        for n in under
    )


def _may_be_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names columns: its cells are short, and unlike the cells under them."""
    first, rest = rows[0], rows[1:]
    filled = [cell for cell in first if cell]
    if not rest or max(map(len, filled)) > MAX_HEADER or filled[0].endswith(":"):
        return False
    columns = [(cell, [row[n] for row in rest if n < len(row) and row[n]]) for n, cell in enumerate(first) if cell]
    if any(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell) for cell in filled):
        return _is_scale(columns)
    if any(cell.casefold() in _ANSWERS for cell in filled):
        return False
    shapes = [(_shape(cell), {_shape(under) for under in below}) for cell, below in columns]
    if any("#" in shape and shape in below for shape, below in shapes):
        return False
    named = sum(_NAMES.match(cell) is not None for cell in filled)
    if named == len(filled):
        return True
    if len(columns) > 1 and any(cell in below for cell, below in columns):
        return False
    if any(_are_values(below) and not _VALUE.fullmatch(cell) for cell, below in columns):
        return True
    return len(filled) > 2


def _shape(cell: str) -> str:
    return _DIGITS.sub("#", cell)


def _are_values(cells: Sequence[str]) -> bool:
    """Whether cells are values of one kind: numbers, or numbers with the same words after them."""
    if not cells:
        return False
    if sum(_NUMBER.fullmatch(cell) is not None for cell in cells) * 2 > len(cells):
        return True
    shapes = {_shape(cell) for cell in cells}
    return len(cells) > 1 and len(shapes) == 1 and "#" in shapes.pop()


def _is_scale(columns: Sequence[tuple[str, Sequence[str]]]) -> bool:
    """Whether the numbers in a first row are names: sizes, years or months, in even steps or over other cells."""
    numbers = [(cell, below) for cell, below in columns if _NUMBER.fullmatch(cell) or _DATE.fullmatch(cell)]
    names = [cell for cell, _ in numbers]
    if len(numbers) == len(columns) and len(columns[0][1]) and _are_values(columns[0][1]):
        return False
    if _is_even(names) and (
        len(names) > 2 or all(re.fullmatch(r"(?:\d\d?[./])?(?:19|20)\d\d", name) for name in names)
    ):
        return True
    under = [cell for _, below in numbers for cell in below]
    return bool(under) and not any(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell) for cell in under)


def _is_even(names: Sequence[str]) -> bool:
    """Whether numbers grow by the same step, or dates grow at all."""
    try:
        values = [float(name.replace(",", ".")) for name in names]
    except ValueError:
        return all(_DATE.fullmatch(name) for name in names) and len(set(names)) == len(names)
    steps = {round(right - left, 6) for left, right in pairwise(values)}
    return len(steps) == 1 and steps.pop() != 0


def _rows(body: Sequence[_TableRow], header: Sequence[str] | None, header_rows: Sequence[Row]) -> Iterable[TextBlock]:
    repeated = {tuple(row) for row in header_rows}
    may_group = _has_groups(body, header)
    level = _GROUP
    for at, row in enumerate(body):
        if tuple(row.cells) in repeated:
            continue
        if not row.is_single:
            yield from (TextBlock("line", line) for line in _line(row.cells, header))
            continue
        after = next((later for later in range(at, len(body)) if not body[later].is_single), None)
        is_group = row.is_merged or (may_group and row.cells[_first(header, row.cells)] != "")
        if after is None or not is_group or len(row.single) > _MAX_TITLE:
            yield from (TextBlock("line", line) for line in _alone(row, header))
            continue
        if at and body[at - 1].is_single:
            level = min(level + 1, _GROUP + 2)
        elif after > at + 1:
            level = _GROUP
        yield TextBlock("heading", row.single, level)


def _alone(row: _TableRow, header: Sequence[str] | None) -> list[str]:
    """A row of one cell that names no group: a note, or a value under its header."""
    at = next(n for n, cell in enumerate(row.cells) if cell)
    if row.is_merged or header is None or at <= _first(header, row.cells):
        return [row.single]
    return _line(row.cells, header)


def _first(header: Sequence[str] | None, cells: Row) -> int:
    """The column that names a row: the first whose header is no number of it."""
    if header and header[0].strip(" .").casefold() in ("№", "n", "no", "#", "№ п/п", "п/п") and not cells[0]:
        return min(1, len(cells) - 1)
    return 0


def _has_groups(body: Sequence[_TableRow], header: Sequence[str] | None) -> bool:
    """Whether rows of one cell, unless that is merged, name groups: they are fewer than the rows under them."""
    single = sum(row.is_single for row in body)
    width = max((sum(map(bool, row.cells)) for row in body), default=0)
    return 0 < single * 2 <= len(body) and (width > 2 or header is not None)


def _line(cells: Row, header: Sequence[str] | None) -> list[str]:
    """A row as a line, or as several that each begin with its first cell where it is too long for one chunk."""
    if header is None:
        filled = [cell for cell in cells if cell]
        if len(cells) == 2 and len(filled) == 2 and len(filled[0]) <= MAX_HEADER and not _NUMBER.fullmatch(filled[0]):
            return _folded([f"{filled[0].rstrip(' :')}: {filled[1]}"])
        return _folded([cell for at, cell in enumerate(filled) if not at or cell != filled[at - 1]])
    parts, last = [], ("", "")
    for place, cell in enumerate(cells):
        name = header[place].rstrip(" :") if place < len(header) else ""
        if cell and (name, cell) != last:
            parts.append(f"{name}: {cell}" if name and name != cell else cell)
        last = (name, cell)
    return _folded(parts)


def _folded(parts: Sequence[str]) -> list[str]:
    whole = "; ".join(parts)
    if len(whole) <= MAX_CHUNK or len(parts) < 2 or len(parts[0]) > MAX_CHUNK // 4:
        return [whole]
    made, held = [], parts[0]
    for part in parts[1:]:
        if len(held) + len(part) + 2 > MAX_CHUNK and held != parts[0]:
            made.append(held)
            held = parts[0]
        held += f"; {part}"
    return [*made, held]
