"""The nine formats: what the libraries make of each, brought into blocks."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

from apps.extraction.kinds import CSV, DOCX, HTML, MARKDOWN, ODS, ODT, PDF, PLAIN, XLSX
from apps.extraction.sandbox import tables, texts
from apps.extraction.sandbox.blocks import TextBlock, document, first_text
from apps.extraction.sandbox.containers import repacked
from apps.extraction.sandbox.encodings import decode
from apps.extraction.sandbox.refusals import DocumentRefused

Found = tuple[str, Iterable[TextBlock]]

MAX_PAGES = 2000
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_HYPHENATED = re.compile(r"(\w)[-\u00ad\x02\ufffe]\n(?=[^\W\d_])")
# What trafilatura has found is less than so much of the text on the page: it is no article, and its own walk is better.
_LITTLE = 0.25


def extract(content: bytes, *, kind: str, name: str) -> dict[str, Any]:
    """The text of a document, in chunks. Raises Refused."""
    title, blocks = _READERS[kind](content)
    return document(blocks, title=title, name=name.rpartition(".")[0] or name)


def beginning(content: bytes, *, kind: str, pages: int, characters: int) -> dict[str, Any]:
    """The text of a document's first pages, as one. Raises Refused."""
    if kind != PDF:
        return first_text(_READERS[kind](content)[1], most=characters)
    pdf = _opened(content)
    found = first_text(_blocks(pdf, pages), most=characters)
    return {**found, "truncated": found["truncated"] or len(pdf) > pages}


def _plain(content: bytes) -> Found:
    return "", texts.plain(decode(content))


def _markdown(content: bytes) -> Found:
    return texts.markdown(decode(content))


def _csv(content: bytes) -> Found:
    return "", texts.separated(decode(content))


def _html(content: bytes) -> Found:
    return page(decode(content, declared=declared_charset(content)))


def declared_charset(content: bytes) -> str:
    """The encoding that a page declares, or ""."""
    found = _DECLARED.search(content[:4096])
    return found[1].decode("ascii", "replace") if found else ""


def page(text: str, *, least: float = _LITTLE) -> Found:
    """The title of a page and its text without what surrounds it: menus, footers, notices."""
    import trafilatura

    from apps.extraction.sandbox.markup import blocks_of, tree_of, without_surroundings

    if not text.strip():
        raise DocumentRefused("no_text")
    tree = tree_of(text)
    title = " ".join((tree.findtext(".//title") or "").split())
    found = trafilatura.bare_extraction(
        tree_of(text),
        include_tables=True,
        include_formatting=True,  # without, it loses headings
        include_comments=False,
        favor_recall=True,
        config=_config(),
    )
    body = getattr(found, "body", None)
    blocks = [] if body is None else blocks_of(body)
    whole = blocks_of(without_surroundings(tree))
    return title, whole if _length(blocks) < least * _length(whole) else blocks


@cache
def _config() -> Any:
    """trafilatura's settings. Below the least size it takes a page's text as one paragraph, menus and all."""
    from trafilatura.settings import use_config

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", "20")
    return config


def _length(blocks: Iterable[TextBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _pdf(content: bytes) -> Found:
    pdf = _opened(content)
    if len(pdf) > MAX_PAGES:
        raise DocumentRefused("limits_exceeded", "pages")
    return str(pdf.get_metadata_dict().get("Title") or ""), _blocks(pdf, MAX_PAGES)


def _opened(content: bytes) -> Any:
    import pypdfium2
    import pypdfium2.raw

    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        code = pypdfium2.raw.FPDF_GetLastError() if getattr(error, "err_code", None) is None else error.err_code
        encrypted = code in (pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY)
        raise DocumentRefused("encrypted" if encrypted else "unreadable", str(error)) from None


def _blocks(pdf: Any, most: int) -> Iterable[TextBlock]:
    """The blocks of its first pages."""
    pages = []
    for number in range(min(len(pdf), most)):
        loaded = pdf[number]
        pages.append(loaded.get_textpage().get_text_bounded().replace("\r\n", "\n"))
        loaded.close()
    return texts.plain(_HYPHENATED.sub(r"\1", "\n".join(pages)))


def _docx(content: bytes) -> Found:
    import mammoth

    from apps.extraction.sandbox.markup import blocks_of, tree_of

    packed = repacked(content)
    made = mammoth.convert_to_html(io.BytesIO(packed), convert_image=mammoth.images.img_element(lambda _: {}))
    title = _core_title(packed)
    return title, blocks_of(tree_of(made.value)) if made.value.strip() else []


def _core_title(packed: bytes) -> str:
    """The title in the properties of an Office document, or ""."""
    import zipfile

    from lxml import etree

    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        try:
            core = etree.fromstring(archive.read("docProps/core.xml"), etree.XMLParser(resolve_entities=False))
        except (KeyError, etree.XMLSyntaxError):
            return ""
    return str(core.findtext("{http://purl.org/dc/elements/1.1/}title") or "")


def _odt(content: bytes) -> Found:
    import odfdo

    opened = odfdo.Document(io.BytesIO(_open_document(content)))
    return str(opened.meta.title or ""), _odf_blocks(opened.body)


def _open_document(content: bytes) -> bytes:
    """The parts of an OpenDocument. Raises Refused (encrypted): its parts are, not the archive."""
    import zipfile

    packed = repacked(content)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        try:
            manifest = archive.read("META-INF/manifest.xml")
        except KeyError:
            return packed
    if b"encryption-data" in manifest:
        raise DocumentRefused("encrypted")
    return packed


def _odf_blocks(element: Any, *, in_list: bool = False) -> Iterator[TextBlock]:
    for child in element.children:
        if child.tag == "text:h":
            yield TextBlock("heading", child.text_recursive, int(child.get_attribute("text:outline-level") or 1))
        elif child.tag == "text:p":
            yield TextBlock("line" if in_list else "text", child.inner_text)
        elif child.tag == "table:table":
            yield from tables.lines(_odf_rows(child))
        elif child.tag in ("text:list", "text:list-item", "text:list-header"):
            yield from _odf_blocks(child, in_list=True)
        elif child.tag in ("text:section", "text:index-body", "office:text"):
            yield from _odf_blocks(child, in_list=in_list)


def _odf_rows(table: Any) -> Iterator[list[str]]:
    for row in table.get_elements("descendant::table:table-row"):
        yield [
            " ".join(part.text_recursive for part in cell.get_elements("descendant::text:p"))
            for cell in row.get_elements("table:table-cell")
        ]


def _sheets(content: bytes) -> Found:
    return "", _rows_of_sheets(repacked(content))


def _ods(content: bytes) -> Found:
    return "", _rows_of_sheets(_open_document(content))


def _rows_of_sheets(packed: bytes) -> Iterator[TextBlock]:
    import python_calamine

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(packed))
    except python_calamine.PasswordError:
        raise DocumentRefused("encrypted") from None
    many = len(book.sheet_names) > 1
    for name in book.sheet_names:
        if many:
            yield TextBlock("heading", name, 1)
        sheet = book.get_sheet_by_name(name)
        yield from tables.lines([_cell(value) for value in row] for row in sheet.iter_rows())


def _cell(value: Any) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "✓" if value else ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.10g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, (date, time, timedelta)):
        return str(value)
    return str(value)


_READERS: dict[str, Callable[[bytes], Found]] = {
    PLAIN: _plain,
    MARKDOWN: _markdown,
    CSV: _csv,
    HTML: _html,
    PDF: _pdf,
    DOCX: _docx,
    ODT: _odt,
    XLSX: _sheets,
    ODS: _ods,
}
