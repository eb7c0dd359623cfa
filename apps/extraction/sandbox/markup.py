"""Trees of HTML (and of trafilatura, which has its own names for the same) as blocks."""

import copy
import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from lxml import html as lxml_html

from apps.extraction.sandbox import tables, visibility
from apps.extraction.sandbox.blocks import TextBlock

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LEFT_OUT = {
    *("script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "embed", "audio", "video"),
    *("canvas", "select", "option", "button", "input", "textarea", "datalist", "map", "graphic"),
}
_PARAGRAPHS = {
    *("p", "div", "section", "article", "main", "body", "html", "blockquote", "quote", "address", "figure", "dl", "ul"),
    *(
        "figcaption",
        "ol",
        "list",
        "details",
        "summary",
        "header",
        "footer",
        "nav",
        "aside",
        "form",
        "fieldset",
        "center",
    ),
    *("hr", "tbody", "thead", "tfoot", "caption", "label", "legend", "menu", "dir", "fn", "ab", "doc", "comments"),
}
_LINES = {"li", "item", "dd", "dt"}
_TABLES, _ROWS, _CELLS = {"table"}, {"tr", "row"}, {"td", "th", "cell"}
_BREAKS = {"br", "lb"}
_CODE = {"pre", "code"}
# What stands on every page of a site, where nothing better tells it from the text.
_AROUND = re.compile(r"(^|[-_\s])(cookie|consent|gdpr|breadcrumb|navbar|navigation|sidebar)", re.IGNORECASE)
_AROUND_ROLES = {"navigation", "banner", "contentinfo", "dialog", "alertdialog", "search", "menu", "menubar"}
MAX_DEPTH = 300
_MAX_SPAN, _MAX_CELLS = 200, 300_000
# Stands in the first cell of a table in a copy of the page, by which the table is found again.
_MARK = re.compile(r"parleytable(\d{1,6})x ?")
_ALWAYS_SEEN = {"html", "body", "head", "main", "title"}


def tree_of(text: str) -> Any:
    """A page as a tree. Raises ValueError (of lxml) for what has none."""
    return lxml_html.document_fromstring(re.sub(r"\A\s*<\?xml[^>]*\?>", "", text))


def visible_tree(text: str) -> Any:
    """A page as a tree of what its reader sees; raised text is apart from numbers."""
    tree = tree_of(text)
    names = visibility.SheetNames("\n".join(sheet.text or "" for sheet in tree.iter("style")))
    for element in list(tree.iter()):
        if isinstance(element.tag, str) and element.tag not in _ALWAYS_SEEN and element.getparent() is not None:
            if visibility.is_unseen_element(element, names):
                _drop(element)
            elif element.tag in ("details", "summary"):  # it opens by a click; libraries leave it out
                element.tag = "div" if element.tag == "details" else "p"
            elif element.tag == "sub" or visibility.is_raised_part(element):
                _set_apart(element)
    return tree


def _drop(element: Any) -> None:
    """Takes an element out; a space stays where it divided words."""
    if element.tag in visibility.STRUCK and not (element.tail or "").startswith((" ", "\n")):
        element.tail = " " + (element.tail or "")
    element.drop_tree()


def _set_apart(element: Any) -> None:
    text, before, after = element.text_content(), _text_before(element), _text_after(element)
    if element.tag == "sub":
        made = visibility.lowered(before, text)
    elif element.tag == "sup" or (before[-1:].isdigit() and text.strip().isdigit()):
        made = visibility.raised(before, text, after)
    else:
        return
    for child in list(element):
        element.remove(child)
    element.text = made
    element.drop_tag()


def _text_before(element: Any) -> str:
    """The end of the text that stands right before an element, in the same block."""
    while element is not None and element.tag not in _PARAGRAPHS | _CELLS | _LINES:
        previous, parent = element.getprevious(), element.getparent()
        if previous is not None and (previous.tail or not isinstance(previous.tag, str)):
            return (previous.tail or "")[-20:]
        if previous is not None:
            return str(previous.text_content())[-20:]
        if parent is None or parent.text:
            return (parent.text or "")[-20:] if parent is not None else ""
        element = parent
    return ""


def _text_after(element: Any) -> str:
    """The beginning of the text after an element."""
    for _ in range(4):
        if element is None or (element.tail or "").strip():
            break
        if (following := element.getnext()) is not None:
            return f" {following.text_content()[:20].lstrip()}" if isinstance(following.tag, str) else ""
        element = element.getparent()
    return "" if element is None else (element.tail or "")[:20]


def marked(tree: Any) -> tuple[Any, dict[int, list[TextBlock]]]:
    """A copy whose tables of data bear a mark, for a library that loses what their cells cover; and these tables."""
    made, found, numbers = copy.deepcopy(tree), {}, count()
    for table in made.iter("table"):
        rows = _rows_of(table)
        if _is_layout(table, rows) or not len(rows[0]):
            continue
        number = next(numbers)
        found[number] = blocks_of(table)
        first = rows[0][0]
        first.text = f"parleytable{number}x {first.text or ''}"
    return made, found


def without_surroundings(tree: Any) -> Any:
    """The tree, less menus, footers and notices: by their elements, roles and classes."""
    for element in list(tree.iter("nav", "footer", "aside", "form", "header", "div", "section", "ul")):
        named = f"{element.get('class', '')} {element.get('id', '')}"
        is_around = element.tag in ("nav", "footer", "aside") or element.get("role") in _AROUND_ROLES
        if (is_around or _AROUND.search(named)) and element.getparent() is not None and element.tag != "body":
            element.drop_tree()
    return tree


def blocks_of(tree: Any, known: Mapping[int, list[TextBlock]] | None = None) -> list[TextBlock]:
    """The blocks of a tree, in order. `known` are its tables by their marks."""
    walk = _Walk(known or {})
    walk.enter(tree, 0)
    walk.flush()
    return walk.blocks


class _Walk:
    """Goes through a tree; text that no block element divides is one block."""

    def __init__(self, known: Mapping[int, list[TextBlock]]) -> None:
        self.blocks: list[TextBlock] = []
        self._known = known
        self._held: list[str] = []
        self._is_line = False

    def flush(self, *, heading: int = 0, code: bool = False) -> None:
        text, self._held = "".join(self._held), []
        if not text.strip():
            return
        if heading:
            self.blocks.append(TextBlock("heading", " ".join(text.split()), heading))
        elif code:
            self.blocks.append(TextBlock("code", text))
        else:
            self.blocks.append(TextBlock("line" if self._is_line else "text", text))

    def enter(self, element: Any, depth: int) -> None:
        tag = element.tag
        if tag == "head" and element.get("rend"):  # trafilatura's word for a heading
            tag = element.get("rend")
        if not isinstance(tag, str) or tag in _LEFT_OUT or depth > MAX_DEPTH:
            return
        if tag in _HEADINGS:
            self._heading(element, _HEADINGS[tag])
        elif tag in _TABLES:
            self._table(element, depth)
        elif tag in _CODE and (tag == "pre" or "\n" in (element.text or "")):
            self.flush()
            self._held = ["".join(element.itertext())]
            self.flush(code=True)
        elif tag in _BREAKS:
            self._held.append("\n")
        elif tag in _LINES:
            self._lines(element, depth)
        elif tag in _PARAGRAPHS or tag in _ROWS or tag in _CELLS:
            self.flush()
            self._inside(element, depth)
            self.flush()
        else:
            self._inside(element, depth)

    def _inside(self, element: Any, depth: int) -> None:
        self._hold(element.text)
        for child in element:
            self.enter(child, depth + 1)
            self._hold(child.tail)

    def _hold(self, text: str | None) -> None:
        if text:
            self._held.append(re.sub(r"\s+", " ", _MARK.sub("", text) if self._known else text))

    def _heading(self, element: Any, level: int) -> None:
        self.flush()
        self._held = [" ".join("".join(_text_of(element)).split())]
        self.flush(heading=level)

    def _lines(self, element: Any, depth: int) -> None:
        self.flush()
        outer, self._is_line = self._is_line, True
        self._inside(element, depth)
        self.flush()
        self._is_line = outer

    def _table(self, element: Any, depth: int) -> None:
        """A table of data as lines; one that only lays out a page, as what is in it."""
        self.flush()
        if self._known and (mark := _MARK.search("".join(element.itertext())[:2000])):
            self.blocks += self._known.get(int(mark[1]), [])
            return
        rows = _rows_of(element)
        if _is_layout(element, rows):
            self._inside(element, depth)
            self.flush()
            return
        caption = element.find("caption")
        self.blocks += _table_blocks(rows, "" if caption is None else "".join(_text_of(caption)))


def _rows_of(table: Any) -> list[Any]:
    return [row for row in table.iter(*_ROWS) if next(row.iterancestors("table"), None) is table]


def _is_layout(table: Any, rows: list[Any]) -> bool:
    holds_more = next(table.iterdescendants("table", *_HEADINGS, "head"), None) is not None
    return holds_more or max((len(row) for row in rows), default=0) < 2


def _is_head(cell: Any) -> bool:
    return bool(cell.tag == "th" or cell.get("role") == "head")


def _span(cell: Any, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(0, min(int(value), _MAX_SPAN)) if value.isdigit() and len(value) < 7 else 1


class _Grid:
    """The cells of a table, each repeated wherever it lies."""

    def __init__(self, rows: list[Any]) -> None:
        self.cells: list[list[Any]] = [[] for _ in rows]
        held: dict[tuple[int, int], Any] = {}
        left = _MAX_CELLS
        for y, row in enumerate(rows):
            x = 0
            for cell in (child for child in row if child.tag in _CELLS):
                while (y, x) in held:
                    x += 1
                wide, high = max(1, _span(cell, "colspan")), _span(cell, "rowspan") or len(rows)
                for at in range(y, min(y + high, len(rows), y + left // wide + 1)):
                    held |= {(at, x + place): cell for place in range(wide)}
                    left -= wide
                x += wide
        for (y, x), cell in held.items():
            line = self.cells[y]
            line += [None] * (x + 1 - len(line))
            line[x] = cell

    def merged(self) -> set[int]:
        """The rows that are one cell over several columns."""
        width = max((len(row) for row in self.cells), default=0)
        return {
            y
            for y, row in enumerate(self.cells)
            if width > 1
            and len({id(cell) for cell in row if cell is not None and _filled(cell)}) == 1
            and sum(cell is not None and _filled(cell) for cell in row) > 1
            and (y == 0 or row[-1] is not _last(self.cells[y - 1]))
        }

    def header_rows(self) -> int:
        found = 0
        for row in self.cells:
            cells = [cell for cell in row if cell is not None]
            if not cells or not (all(map(_is_head, cells)) or cells[0].getparent().getparent().tag == "thead"):
                break
            found += 1
        if not found and len(self.cells) > 1 and _is_bold(self.cells[0]) and not _is_bold(self.cells[1]):
            return 1
        return found


def _last(row: list[Any]) -> Any:
    return row[-1] if row else None


def _filled(cell: Any) -> bool:
    return bool("".join(_text_of(cell)).strip())


def _is_bold(row: list[Any]) -> bool:
    """Whether all text of a row is bold."""
    cells = [cell for cell in row if cell is not None and _filled(cell)]
    return len(cells) > 1 and all(
        sum(len("".join(_text_of(bold)).strip()) for bold in cell.iter("b", "strong") if bold.getparent() is not None)
        >= len("".join(_text_of(cell)).strip())
        for cell in cells
    )


def _table_blocks(rows: list[Any], title: str) -> list[TextBlock]:
    grid = _Grid(rows)
    said: dict[Any, str] = {}
    for row in grid.cells:
        for cell in row:
            if cell is not None and cell not in said:
                said[cell] = _MARK.sub("", " ".join("".join(_text_of(cell)).split()))
    texts = [["" if cell is None else said[cell] for cell in row] for row in grid.cells]
    if header_rows := grid.header_rows():
        return tables.lines(texts, header_rows=header_rows, merged=grid.merged(), title=title)
    if sum(bool(row) and row[0] is not None and _is_head(row[0]) for row in grid.cells) * 2 > len(grid.cells) and all(
        row[0] is not None and not all(cell is not None and _is_head(cell) for cell in row) for row in grid.cells if row
    ):  # each row has its header before it
        joined = [
            [f"{row[0].rstrip(' :')}: {'; '.join(dict.fromkeys(filter(None, row[1:])))}"] for row in texts if any(row)
        ]
        return tables.lines(joined, first_is_header=False, title=title)
    return tables.lines(texts, merged=grid.merged(), title=title)


def _text_of(element: Any) -> Iterator[str]:
    """All text inside, with spaces where elements divide it."""
    if not isinstance(element.tag, str) or element.tag in _LEFT_OUT - {"head"}:
        return
    yield element.text or ""
    for child in element:
        yield from _text_of(child)
        if child.tag in _PARAGRAPHS or child.tag in _LINES or child.tag in _BREAKS or child.tag in _CELLS:
            yield " "
        yield child.tail or ""
