"""Sheets of Excel's format: what they show of each cell, with merged cells, without hidden sheets, rows and columns."""

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from apps.extraction.sandbox import notes, numbers, tables, visibility
from apps.extraction.sandbox.blocks import MAX_CHARACTERS, TextBlock
from apps.extraction.sandbox.refusals import DocumentRefused

_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_MAX_COLUMNS = 1000
_TRUE = ("1", "true", "on")


def blocks(packed: bytes, found: notes.LeftOut) -> Iterator[TextBlock]:
    """The blocks of a workbook whose archive is safe (`repacked`)."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        book = _Book(archive)
        shown = []
        for sheet in book.sheets:
            if sheet.is_hidden:
                found.add(f"sheet {sheet.name}", notes.HIDDEN)
            else:
                shown.append(sheet)
        budget = MAX_CHARACTERS
        for sheet in shown:
            if len(shown) > 1:
                yield TextBlock("heading", sheet.name, 1)
            reader = _Sheet(book, sheet.name, found, budget)
            rows = reader.rows(archive, sheet.path)
            budget = reader.left
            yield from tables.lines(rows, merged=reader.merged_rows)


@dataclass(frozen=True, slots=True)
class _SheetEntry:
    name: str
    path: str
    is_hidden: bool


@dataclass(slots=True)
class _Style:
    code: str = "General"
    is_struck: bool = False


class _Book:
    """The parts of a workbook that its sheets need."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._names = {name.casefold(): name for name in archive.namelist()}
        path = self._names.get("xl/workbook.xml", "xl/workbook.xml")
        tree = self._tree(archive, path)
        if tree is None:
            raise DocumentRefused("unreadable", "no workbook")
        targets = self._targets(archive, path)
        self.from_1904 = any(_flag(element, "date1904") for element in _all(tree, "workbookPr"))
        self.sheets = [
            _SheetEntry(
                sheet.get("name") or "",
                targets.get(next((value for key, value in sheet.items() if _local(key) == "id"), ""), ""),
                (sheet.get("state") or "visible") != "visible",
            )
            for sheet in _all(tree, "sheet")
        ]
        self.styles = self._styles(archive)
        self.strings = self._strings(archive)

    def _targets(self, archive: zipfile.ZipFile, path: str) -> dict[str, str]:
        folder, name = posixpath.split(path)
        tree = self._tree(archive, f"{folder}/_rels/{name}.rels")
        found = {}
        for relation in _all(tree, "Relationship"):
            if (relation.get("Type") or "").endswith("/worksheet"):
                target = relation.get("Target") or ""
                whole = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
                found[relation.get("Id") or ""] = self._names.get(whole.casefold(), whole)
        return found

    def _tree(self, archive: zipfile.ZipFile, path: str) -> Any:
        try:
            return etree.fromstring(archive.read(self._names.get(path.casefold(), path)), _parser())
        except KeyError:
            return None
        except etree.XMLSyntaxError as error:
            raise DocumentRefused("unreadable", str(error), place=path) from None

    def _styles(self, archive: zipfile.ZipFile) -> list[_Style]:
        tree = self._tree(archive, "xl/styles.xml")
        codes = dict(numbers.BUILT_IN)
        for element in _all(tree, "numFmt"):
            if (element.get("numFmtId") or "").isdigit():
                codes[int(element.get("numFmtId"))] = element.get("formatCode") or "General"
        fonts = [
            any(_local(part.tag) == "strike" and (part.get("val") or "1") in _TRUE for part in font)
            for holder in _all(tree, "fonts")
            for font in holder
        ]
        made = []
        for holder in _all(tree, "cellXfs"):
            for style in holder:
                font = _number(style.get("fontId"))
                struck = 0 <= font < len(fonts) and fonts[font]
                made.append(_Style(codes.get(_number(style.get("numFmtId")), "General"), struck))
        return made

    def _strings(self, archive: zipfile.ZipFile) -> list[str]:
        try:
            opened = archive.open(self._names.get("xl/sharedstrings.xml", "xl/sharedStrings.xml"))
        except KeyError:
            return []
        made = []
        with opened:
            for element in _ended(opened, "si"):
                made.append(_rich(element))
                _clear(element)
        return made


class _Sheet:
    """Reads one sheet: its rows, and which of them are one merged cell."""

    def __init__(self, book: _Book, name: str, found: notes.LeftOut, budget: int) -> None:
        self._book, self._place, self._found, self.left = book, f"sheet {name}", found, budget
        self.merged_rows: set[int] = set()

    def rows(self, archive: zipfile.ZipFile, path: str) -> list[list[str]]:
        cells: dict[int, dict[int, str]] = {}
        merges: list[tuple[int, int, int, int]] = []
        hidden_rows: set[int] = set()
        hidden_columns: set[int] = set()
        y = 0
        try:
            opened = archive.open(path)
        except KeyError:
            return []
        with opened:
            for element in _ended(opened, "row", "col", "mergeCell"):
                name = _local(element.tag)
                if name == "col":
                    hidden_columns |= _hidden_columns(element)
                elif name == "mergeCell":
                    if area := _area(element.get("ref") or ""):
                        merges.append(area)
                else:
                    y = _number(element.get("r"), y + 1)
                    if _flag(element, "hidden") or element.get("ht") == "0":
                        hidden_rows.add(y)
                    row = self._row(element, y)
                    if row:
                        cells[y] = row
                _clear(element)
        return self._grid(cells, merges, hidden_rows, hidden_columns)

    def _row(self, element: Any, y: int) -> dict[int, str]:
        row, x = {}, 0
        for cell in element:
            if _local(cell.tag) != "c":
                continue
            found = _REFERENCE.fullmatch(cell.get("r") or "")
            x = _column(found[1]) if found else x + 1
            if x <= _MAX_COLUMNS and (text := self._text(cell)):
                row[x] = text
                self.left -= len(text)
        if self.left < 0:
            raise DocumentRefused("too_much_text", place=f"{self._place}, row {y}")
        return row

    def _text(self, cell: Any) -> str:
        kind, style = cell.get("t") or "n", self._style(cell)
        if kind == "inlineStr":
            text = "".join(_rich(part) for part in cell if _local(part.tag) == "is")
        else:
            value = next((part.text or "" for part in cell if _local(part.tag) == "v"), "")
            text = self._value(value, kind, style)
        if style.is_struck and text:
            self._found.add(self._place, notes.STRUCK_OUT)
            return ""
        return "" if style.code.replace(" ", "") == ";;;" else text

    def _value(self, value: str, kind: str, style: _Style) -> str:
        if kind == "s":
            number = _number(value, -1)
            return self._book.strings[number] if 0 <= number < len(self._book.strings) else ""
        if kind in ("str", "d"):
            return value.removesuffix("T00:00:00") if kind == "d" else value
        if kind == "b":
            return "✓" if value == "1" else ""
        if kind == "e" or not value:
            return ""
        try:
            return numbers.shown(float(value), style.code, from_1904=self._book.from_1904)
        except (ValueError, OverflowError):
            return value

    def _style(self, cell: Any) -> _Style:
        number = _number(cell.get("s"))
        return self._book.styles[number] if 0 <= number < len(self._book.styles) else _Style()

    def _grid(
        self,
        cells: dict[int, dict[int, str]],
        merges: list[tuple[int, int, int, int]],
        hidden_rows: set[int],
        hidden_columns: set[int],
    ) -> list[list[str]]:
        if not cells:
            return []
        used_columns = sorted({x for row in cells.values() for x in row})
        width, height = used_columns[-1], max(cells)
        wide = {}
        for left, top, right, bottom in merges[:20_000]:
            text = cells.get(top, {}).get(left, "")
            right, bottom = min(right, max(width, left)), min(bottom, height)
            if not text or (right - left + 1) * (bottom - top + 1) > 20_000:
                continue
            for y in range(top, bottom + 1):
                row = cells.setdefault(y, {})
                for x in range(left, right + 1):
                    row[x] = text
            if top == bottom and right > left:
                wide[top] = (left, right)
        self._note(cells, hidden_rows, hidden_columns)
        columns = [x for x in range(1, width + 1) if x not in hidden_columns]
        made: list[list[str]] = []
        last = 0
        for y in sorted(cells):
            if y in hidden_rows:
                continue
            row = cells[y]
            if (
                last
                and y > last + 1
                and any(between not in hidden_rows for between in range(last + 1, min(y, last + 50)))
            ):
                made.append([])
            last = y
            if y in wide and all(wide[y][0] <= x <= wide[y][1] for x in row):
                self.merged_rows.add(len(made))
            made.append([row.get(x, "") for x in columns])
        return made

    def _note(self, cells: dict[int, dict[int, str]], rows: set[int], columns: set[int]) -> None:
        if hidden := sum(y in cells for y in rows):
            self._found.add(self._place, notes.HIDDEN_ROWS, hidden)
        if hidden := sum(any(x in row for row in cells.values()) for x in columns):
            self._found.add(self._place, notes.HIDDEN_COLUMNS, hidden)


def _rich(element: Any) -> str:
    """The text of a string, of its runs those that are seen."""
    made = ""
    for part in element:
        name = _local(part.tag)
        if name == "t":
            made += part.text or ""
        elif name == "r":
            text = "".join(child.text or "" for child in part if _local(child.tag) == "t")
            kinds = {
                _local(kind.tag): kind.get("val") for props in part if _local(props.tag) == "rPr" for kind in props
            }
            if "strike" in kinds and (kinds["strike"] or "1") in _TRUE:
                continue
            if kinds.get("vertAlign") == "superscript":
                text = visibility.raised(made, text, "")
            made += text
    return made


def _hidden_columns(element: Any) -> set[int]:
    if not (_flag(element, "hidden") or element.get("width") == "0"):
        return set()
    first, last = _number(element.get("min"), 1), _number(element.get("max"), 0)
    return set(range(first, min(last, _MAX_COLUMNS) + 1))


def _area(reference: str) -> tuple[int, int, int, int] | None:
    first, _, last = reference.partition(":")
    start, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
    if start is None or end is None:
        return None
    return _column(start[1]), int(start[2]), _column(end[1]), int(end[2])


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _ended(opened: Any, *names: str) -> Iterator[Any]:
    """The elements of these names, whole. Raises DocumentRefused (unreadable)."""
    try:
        wanted = tuple(f"{{*}}{name}" for name in names)
        for _, element in etree.iterparse(
            opened, events=("end",), tag=wanted, resolve_entities=False, no_network=True, huge_tree=True
        ):
            yield element
    except etree.XMLSyntaxError as error:
        raise DocumentRefused("unreadable", str(error)[:100], place=getattr(opened, "name", "")) from None


def _clear(element: Any) -> None:
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _parser() -> Any:
    return etree.XMLParser(resolve_entities=False, no_network=True)


def _all(tree: Any, name: str) -> list[Any]:
    return [] if tree is None else list(tree.iter(f"{{*}}{name}"))


def _local(tag: Any) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _flag(element: Any, name: str) -> bool:
    return (element.get(name) or "").lower() in _TRUE


def _number(text: str | None, otherwise: int = -1) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else otherwise
