"""Trees of HTML (and of trafilatura, which has its own names for the same) as blocks."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import html as lxml_html

from apps.extraction.sandbox import tables
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


def tree_of(text: str) -> Any:
    """A page as a tree. Raises ValueError (of lxml) for what has none."""
    return lxml_html.document_fromstring(re.sub(r"\A\s*<\?xml[^>]*\?>", "", text))


def without_surroundings(tree: Any) -> Any:
    """The tree, less menus, footers and notices: by their elements, roles and classes."""
    for element in list(tree.iter("nav", "footer", "aside", "form", "header", "div", "section", "ul")):
        named = f"{element.get('class', '')} {element.get('id', '')}"
        is_around = element.tag in ("nav", "footer", "aside") or element.get("role") in _AROUND_ROLES
        if (is_around or _AROUND.search(named)) and element.getparent() is not None and element.tag != "body":
            element.drop_tree()
    return tree


def blocks_of(tree: Any) -> list[TextBlock]:
    """The blocks of a tree, in order."""
    walk = _Walk()
    walk.enter(tree, 0)
    walk.flush()
    return walk.blocks


class _Walk:
    """Goes through a tree; text that no block element divides is one block."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
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
            self._held.append(re.sub(r"\s+", " ", text))

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
        rows = [row for row in element.iter(*_ROWS) if _own_table(row) is element]
        is_layout = next(element.iterdescendants("table", *_HEADINGS, "head"), None) is not None
        if is_layout or max((len(row) for row in rows), default=0) < 2:
            self._inside(element, depth)
            self.flush()
            return
        if (caption := element.find("caption")) is not None:
            self._hold("".join(_text_of(caption)))
            self.flush()
        self.blocks += _table_blocks([[cell for cell in row if cell.tag in _CELLS] for row in rows])


def _own_table(row: Any) -> Any:
    return next(row.iterancestors("table"), None)


def _is_head(cell: Any) -> bool:
    return bool(cell.tag == "th" or cell.get("role") == "head")


def _table_blocks(rows: list[list[Any]]) -> list[TextBlock]:
    texts = [[" ".join("".join(_text_of(cell)).split()) for cell in row] for row in rows]
    if rows and rows[0] and all(map(_is_head, rows[0])):
        return tables.lines(texts, first_is_header=True)
    if any(row and _is_head(row[0]) for row in rows):  # each row has its header before it
        joined = [[f"{row[0].rstrip(' :')}: {'; '.join(filter(None, row[1:]))}"] for row in texts if any(row)]
        return tables.lines(joined, first_is_header=False)
    return tables.lines(texts)


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
