"""OpenDocument texts and sheets: what they show, without what is hidden, struck out, deleted in a tracked change or a
comment."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from lxml import etree

from apps.extraction.sandbox import notes, tables, visibility
from apps.extraction.sandbox.blocks import TextBlock
from apps.extraction.sandbox.refusals import DocumentRefused

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_MAX_REPEATED, _MAX_COLUMNS, _MAX_DEPTH = 200, 1000, 200
_LEFT_OUT = {
    *(f"{_OFFICE}annotation", f"{_OFFICE}annotation-end", f"{_TEXT}tracked-changes", f"{_TEXT}hidden-text"),
    *(f"{_TEXT}note-body", f"{_TEXT}note-citation", f"{_TEXT}ruby-text", f"{_OFFICE}forms", f"{_TEXT}hidden-paragraph"),
}
_HOLDERS = {
    *(f"{_TEXT}section", f"{_TEXT}index-body", f"{_OFFICE}text", f"{_DRAW}frame", f"{_DRAW}text-box", f"{_DRAW}g"),
    f"{_OFFICE}spreadsheet",
}


def title(packed: bytes) -> str:
    tree = _part(packed, "meta.xml")
    return "" if tree is None else str(tree.findtext(".//{http://purl.org/dc/elements/1.1/}title") or "")


def text_blocks(packed: bytes, found: notes.LeftOut) -> Iterator[TextBlock]:
    """The blocks of a text document whose archive is safe (`repacked`)."""
    reader = _Reader(packed, found)
    if reader.content.find(f".//{_TEXT}tracked-changes//{_TEXT}deletion") is not None:
        found.add("", notes.DELETED, len(reader.content.findall(f".//{_TEXT}tracked-changes//{_TEXT}deletion")))
    for body in reader.content.iter(f"{_OFFICE}text"):
        yield from reader.blocks(body)


def sheet_blocks(packed: bytes, found: notes.LeftOut) -> Iterator[TextBlock]:
    """The blocks of a workbook whose archive is safe (`repacked`)."""
    reader = _Reader(packed, found)
    shown = []
    for table in (
        table for body in reader.content.iter(f"{_OFFICE}spreadsheet") for table in body.iter(f"{_TABLE}table")
    ):
        name = table.get(f"{_TABLE}name") or ""
        if reader.is_hidden(table):
            found.add(f"sheet {name}", notes.HIDDEN)
        else:
            shown.append((name, table))
    for name, table in shown:
        if len(shown) > 1:
            yield TextBlock("heading", name, 1)
        yield from reader.table(table, f"sheet {name}")


def _part(packed: bytes, name: str) -> Any:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        try:
            return etree.fromstring(
                archive.read(name), etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
            )
        except KeyError:
            return None
        except etree.XMLSyntaxError as error:
            raise DocumentRefused("unreadable", str(error)[:100], place=name) from None


class _Reader:
    def __init__(self, packed: bytes, found: notes.LeftOut) -> None:
        content = _part(packed, "content.xml")
        if content is None:
            raise DocumentRefused("unreadable", "no content")
        self.content, self._found = content, found
        self._styles: dict[tuple[str, str], Any] = {}
        for tree in (_part(packed, "styles.xml"), content):
            for style in () if tree is None else tree.iter(f"{_STYLE}style"):
                self._styles[style.get(f"{_STYLE}family") or "", style.get(f"{_STYLE}name") or ""] = style
        self._unseen: dict[tuple[str, str], str] = {}
        self._raised: dict[str, str] = {}

    def _properties(self, family: str, name: str | None) -> Iterator[Any]:
        """The properties of a style and of those that it inherits from, nearest first."""
        for _ in range(10):
            style = self._styles.get((family, name or ""))
            if style is None:
                return
            yield from style
            name = style.get(f"{_STYLE}parent-style-name")

    def _is_unseen(self, family: str, name: str | None) -> str:
        """Why text of a style is not seen, or ""."""
        if not name:
            return ""
        known = self._unseen.get((family, name))
        if known is None:
            known = self._unseen[family, name] = next(
                filter(None, map(_why_unseen, self._properties(family, name))), ""
            )
        return known

    def _position(self, name: str | None) -> str:
        if not name:
            return ""
        if name not in self._raised:
            found = (part.get(f"{_STYLE}text-position") for part in self._properties("text", name))
            self._raised[name] = next(filter(None, found), "")
        return self._raised[name]

    def is_hidden(self, element: Any) -> bool:
        if (element.get(f"{_TABLE}visibility") or "visible") != "visible":
            return True
        return any(
            part.get(f"{_TABLE}display") == "false"
            for part in self._properties("table", element.get(f"{_TABLE}style-name"))
        )

    def blocks(self, element: Any, *, in_list: bool = False, depth: int = 0) -> Iterator[TextBlock]:
        for child in element:
            tag = child.tag
            if depth > _MAX_DEPTH or not isinstance(tag, str) or tag in _LEFT_OUT:
                continue
            if child.get(f"{_TEXT}display") == "none":
                self._found.add("", notes.HIDDEN)
            elif tag == f"{_TEXT}h":
                level = child.get(f"{_TEXT}outline-level") or "1"
                yield TextBlock("heading", self.text(child), int(level) if level.isdigit() and len(level) < 3 else 1)
            elif tag == f"{_TEXT}p":
                yield TextBlock("line" if in_list else "text", self.text(child))
                for box in child.iter(f"{_DRAW}text-box"):
                    yield from self.blocks(box, depth=depth + 1)
                for body in child.iter(f"{_TEXT}note-body"):
                    yield from self.blocks(body, depth=depth + 1)
            elif tag == f"{_TABLE}table":
                yield from self.table(child, "")
            elif tag in (f"{_TEXT}list", f"{_TEXT}list-item", f"{_TEXT}list-header"):
                yield from self.blocks(child, in_list=True, depth=depth + 1)
            elif tag in _HOLDERS:
                yield from self.blocks(child, in_list=in_list, depth=depth + 1)

    def text(self, element: Any) -> str:
        """The text of a paragraph as it is seen."""
        if why := self._is_unseen("paragraph", element.get(f"{_TEXT}style-name")):
            self._found.add("", why)
            return ""
        return self._inside(element, "", 0)

    def _inside(self, element: Any, made: str, depth: int) -> str:
        made += element.text or ""
        for child in element:
            tag = child.tag
            if isinstance(tag, str) and tag not in _LEFT_OUT and depth < _MAX_DEPTH:
                made = self._child(child, tag, made, depth)
            made += child.tail or ""
        return made

    def _child(self, child: Any, tag: str, made: str, depth: int) -> str:
        if tag == f"{_TEXT}s":
            return made + " "
        if tag == f"{_TEXT}tab":
            return made + "\t"
        if tag == f"{_TEXT}line-break":
            return made + "\n"
        if tag == f"{_TEXT}note":
            return made + f" [{(child.findtext(f'{_TEXT}note-citation') or '').strip()}]"
        if tag == f"{_DRAW}frame":
            return made
        name = child.get(f"{_TEXT}style-name")
        if tag == f"{_TEXT}span":
            if why := self._is_unseen("text", name):
                self._found.add("", why)
                return made
            position = self._position(name)
            if position and not position.startswith("0"):
                text = self._inside(child, "", depth + 1)
                if position.startswith(("sub", "-")):
                    return made + visibility.lowered(made, text)
                return made + visibility.raised(made, text, (child.tail or "")[:20])
        return self._inside(child, made, depth + 1)

    def table(self, table: Any, place: str) -> list[TextBlock]:
        hidden = self._hidden_columns(table)
        made: list[list[str]] = []
        merged: set[int] = set()
        held: dict[int, tuple[int, str]] = {}  # by column: for how many more rows a cell lies over it, and its text
        headers, skipped = 0, 0
        for row in self._own(table, f"{_TABLE}table-row"):
            cells, single = self._row(row, held)
            times = min(_repeated(row, "rows"), _MAX_REPEATED) if any(cells) else 1
            if self.is_hidden(row):
                skipped += times * any(cells)
                continue
            shown = [cell for x, cell in enumerate(cells) if x not in hidden]
            for _ in range(times):
                if single and any(shown):
                    merged.add(len(made))
                made.append(shown)
            headers += row.getparent().tag == f"{_TABLE}table-header-rows" and len(made) <= headers + times
        where = place or f"table {table.get(f'{_TABLE}name') or ''}"
        if skipped:
            self._found.add(where, notes.HIDDEN_ROWS, skipped)
        if hidden and any(cell for row in made for cell in row):
            self._found.add(where, notes.HIDDEN_COLUMNS, len(hidden))
        return tables.lines(made, header_rows=headers or None, merged=merged)

    def _own(self, table: Any, tag: str) -> Iterator[Any]:
        return (found for found in table.iter(tag) if next(found.iterancestors(f"{_TABLE}table"), None) is table)

    def _hidden_columns(self, table: Any) -> set[int]:
        hidden: set[int] = set()
        at = 0
        for column in self._own(table, f"{_TABLE}table-column"):
            times = _repeated(column, "columns")
            if self.is_hidden(column) and at < _MAX_COLUMNS:
                hidden |= set(range(at, min(at + times, _MAX_COLUMNS)))
            at += times
        return hidden

    def _row(self, row: Any, held: dict[int, tuple[int, str]]) -> tuple[list[str], bool]:
        """The texts of a row's cells, and whether one of them covers all that is in it."""
        cells: list[str] = []
        filled = wide = 0
        for cell in row:
            if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                continue
            times = min(_repeated(cell, "columns"), _MAX_COLUMNS - len(cells))
            if cell.tag == f"{_TABLE}covered-table-cell":
                for _ in range(max(0, times)):
                    left, text = held.get(len(cells), (0, ""))
                    if left:
                        held[len(cells)] = (left - 1, text)
                    cells.append(text if left else "")
                continue
            text = self._cell(cell)
            across, down = _spanned(cell, "columns"), _spanned(cell, "rows")
            if text:
                filled, wide = filled + 1, max(wide, across)
            for _ in range(max(0, times)):
                for x in range(len(cells), min(len(cells) + across, _MAX_COLUMNS)):
                    held[x] = (down if x > len(cells) else down - 1, text)
                cells.append(text)
        while cells and not cells[-1]:
            cells.pop()
        return cells, filled == 1 and wide > 1

    def _cell(self, cell: Any) -> str:
        parts = [text for part in self._paragraphs(cell) if (text := self.text(part))]
        if parts and (why := self._is_unseen("table-cell", cell.get(f"{_TABLE}style-name"))):
            self._found.add("", why)
            return ""
        if not parts and cell.get(f"{_OFFICE}value-type") not in (None, "string"):
            return cell.get(f"{_OFFICE}value") or cell.get(f"{_OFFICE}date-value") or ""
        return " ".join(parts)

    def _paragraphs(self, cell: Any) -> Iterator[Any]:
        if len(cell) == 1 and cell[0].tag == f"{_TEXT}p":
            yield cell[0]
            return
        for part in cell.iter(f"{_TEXT}p", f"{_TEXT}h"):
            if not any(above.tag in _LEFT_OUT for above in part.iterancestors()):
                yield part


def _why_unseen(part: Any) -> str:
    if part.get(f"{_TEXT}display") == "none" or part.get(f"{_FO}font-size") in ("0pt", "0%", "0in", "0cm"):
        return notes.HIDDEN
    line = part.get(f"{_STYLE}text-line-through-style") or part.get(f"{_STYLE}text-line-through-type")
    return notes.STRUCK_OUT if line not in (None, "none") else ""


def _repeated(element: Any, what: str) -> int:
    value = element.get(f"{_TABLE}number-{what}-repeated") or "1"
    return int(value) if value.isdigit() and 0 < len(value) < 9 else 1


def _spanned(element: Any, what: str) -> int:
    value = element.get(f"{_TABLE}number-{what}-spanned") or "1"
    return max(1, int(value)) if value.isdigit() and len(value) < 7 else 1
