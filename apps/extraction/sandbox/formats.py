"""The nine formats: what the libraries make of each, brought into blocks."""

import io
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from apps.extraction.kinds import CSV, DOCX, HTML, MARKDOWN, ODS, ODT, PDF, PLAIN, XLSX
from apps.extraction.sandbox import notes, texts
from apps.extraction.sandbox import pdf as pdfs
from apps.extraction.sandbox import pictures as pictures_of
from apps.extraction.sandbox.blocks import TextBlock, document, first_text, is_title
from apps.extraction.sandbox.containers import repacked
from apps.extraction.sandbox.encodings import decode
from apps.extraction.sandbox.refusals import DocumentRefused


class Found(NamedTuple):
    """A document as a library reads it: its title, its blocks and, once these are gone through, the parts left out."""

    title: str
    blocks: Iterable[TextBlock]
    notes: notes.LeftOut


MAX_PAGES = 2000
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
# What trafilatura has found is less than so much of the text on the page: it is no article, and its own walk is better.
_LITTLE = 0.25


def extract(content: bytes, *, kind: str, name: str, recognised: dict[str, str] | None = None) -> dict[str, Any]:
    """The text of a document, in chunks; `recognised` has that of pages that are pictures. Raises DocumentRefused."""
    found = _READERS[kind](content) if not recognised else _pdf(content, recognised)
    named = name.rpartition(".")[0] or name
    title = _title_of_sheets(found.title, named) if kind in (XLSX, ODS, CSV) else found.title
    made = document(found.blocks, title=title, name=named)
    if title == named != found.title:  # the file's name is no title of its own
        made["title"] = ""
    return {**made, "notes": found.notes.as_list()}


def _title_of_sheets(title: str, name: str) -> str:
    """The title of a table, with the name of its file: sheets have the same names in one price list and the next."""
    if not is_title(title):
        return name
    return title if name.casefold() in title.casefold() else f"{title} ({name})"


def pictures(content: bytes, *, most: int) -> list[int]:
    """The numbers of a PDF's pages that are pictures of text, from 1, the first ones. Raises DocumentRefused."""
    return pictures_of.numbers(_opened(content), MAX_PAGES, most)


def picture(content: bytes, *, page: int) -> dict[str, Any]:
    """A page of a PDF in shades of grey, a byte each, row by row, as base64. Raises DocumentRefused."""
    return pictures_of.drawn(_opened(content), page)


def beginning(content: bytes, *, kind: str, pages: int, characters: int) -> dict[str, Any]:
    """The text of a document's first pages, as one. Raises DocumentRefused."""
    if kind != PDF:
        return first_text(_READERS[kind](content).blocks, most=characters)
    pdf = _opened(content)
    found = first_text(pdfs.blocks(pdf, pages, notes.LeftOut()), most=characters)
    return {**found, "truncated": found["truncated"] or len(pdf) > pages}


def _plain(content: bytes) -> Found:
    return Found("", texts.plain(decode(content)), notes.LeftOut())


def _markdown(content: bytes) -> Found:
    return Found(*texts.markdown(decode(content)), notes.LeftOut())


def _csv(content: bytes) -> Found:
    return Found("", texts.separated(decode(content)), notes.LeftOut())


def _html(content: bytes) -> Found:
    return Found(*page(decode(content, declared=declared_charset(content))), notes.LeftOut())


def declared_charset(content: bytes) -> str:
    """The encoding that a page declares, or ""."""
    found = _DECLARED.search(content[:4096])
    return found[1].decode("ascii", "replace") if found else ""


def page(text: str, *, least: float = _LITTLE) -> tuple[str, Iterable[TextBlock]]:
    """The title of a page and its text without what surrounds it: menus, footers, notices."""
    import trafilatura

    from apps.extraction.sandbox.markup import blocks_of, marked, visible_tree, without_surroundings

    if not text.strip():
        raise DocumentRefused("no_text")
    tree = visible_tree(text)
    copied, known = marked(tree)
    title = " ".join((tree.findtext(".//title") or "").split())
    found = trafilatura.bare_extraction(
        copied,
        include_tables=True,
        include_formatting=True,  # without, it loses headings
        include_comments=False,
        favor_recall=True,
        config=_config(),
    )
    body = getattr(found, "body", None)
    blocks = [] if body is None else blocks_of(body, known)
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


def _pdf(content: bytes, recognised: dict[str, str] | None = None) -> Found:
    pdf = _opened(content)
    if len(pdf) > MAX_PAGES:
        raise DocumentRefused("limits_exceeded", "pages", place=f"page {MAX_PAGES + 1}")
    left_out = notes.LeftOut()
    blocks = pdfs.blocks(pdf, MAX_PAGES, left_out, recognised or {})
    return Found(str(pdf.get_metadata_dict().get("Title") or ""), blocks, left_out)


def _opened(content: bytes) -> Any:
    import pypdfium2
    import pypdfium2.raw

    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        code = pypdfium2.raw.FPDF_GetLastError() if getattr(error, "err_code", None) is None else error.err_code
        encrypted = code in (pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY)
        raise DocumentRefused("encrypted" if encrypted else "unreadable", str(error)) from None


def _docx(content: bytes) -> Found:
    import mammoth

    from apps.extraction.sandbox import word
    from apps.extraction.sandbox.markup import blocks_of, visible_tree

    found = notes.LeftOut()
    packed = word.seen(repacked(content), found)
    made = mammoth.convert_to_html(io.BytesIO(packed), convert_image=mammoth.images.img_element(lambda _: {}))
    blocks = blocks_of(visible_tree(made.value)) if made.value.strip() else []
    return Found(_core_title(packed), blocks, found)


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
    from apps.extraction.sandbox import odf

    packed, found = _open_document(content), notes.LeftOut()
    return Found(odf.title(packed), odf.text_blocks(packed, found), found)


def _open_document(content: bytes) -> bytes:
    """The parts of an OpenDocument. Raises DocumentRefused (encrypted): its parts are, not the archive."""
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


def _sheets(content: bytes) -> Found:
    from apps.extraction.sandbox import sheets

    packed, found = repacked(content), notes.LeftOut()
    return Found(_core_title(packed), sheets.blocks(packed, found), found)


def _ods(content: bytes) -> Found:
    from apps.extraction.sandbox import odf

    packed, found = _open_document(content), notes.LeftOut()
    return Found(odf.title(packed), odf.sheet_blocks(packed, found), found)


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
