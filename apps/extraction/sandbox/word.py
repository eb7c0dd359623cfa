"""Word documents, before their library reads them: without hidden and struck-out text and tracked deletions."""

import io
import re
import zipfile
from typing import Any

from lxml import etree

from apps.extraction.sandbox import notes
from apps.extraction.sandbox.refusals import DocumentRefused

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_PARTS = re.compile(r"word/(?:document|footnotes|endnotes)[\w-]*\.xml")
_OFF = ("0", "false", "off", "none")


def seen(packed: bytes, found: notes.LeftOut) -> bytes:
    """The same document, with what its reader sees."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive, zipfile.ZipFile(made, "w") as written:
        styles = _Styles(archive)
        for entry in archive.infolist():
            part = archive.read(entry)
            if _PARTS.fullmatch(entry.filename):
                part = _seen(part, styles, found, entry.filename)
            written.writestr(entry.filename, part)
    return made.getvalue()


def _tree(part: bytes, place: str) -> Any:
    try:
        return etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise DocumentRefused("unreadable", str(error)[:100], place=place) from None


class _Styles:
    """The styles whose text is not seen."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._why: dict[str, str] = {}
        try:
            tree = _tree(archive.read("word/styles.xml"), "word/styles.xml")
        except (KeyError, DocumentRefused):
            return
        styles = {style.get(f"{_W}styleId") or "": style for style in tree.iter(f"{_W}style")}
        for name, style in styles.items():
            held: Any = style
            for _ in range(10):
                if held is None:
                    break
                if why := _why_unseen(held.find(f"{_W}rPr")):
                    self._why[name] = why
                    break
                based = held.find(f"{_W}basedOn")
                held = None if based is None else styles.get(based.get(f"{_W}val") or "")

    def why(self, properties: Any, kind: str) -> str:
        style = None if properties is None else properties.find(f"{_W}{kind}")
        return "" if style is None else self._why.get(style.get(f"{_W}val") or "", "")


def _is_on(properties: Any, name: str) -> bool:
    element = None if properties is None else properties.find(f"{_W}{name}")
    return element is not None and (element.get(f"{_W}val") or "1") not in _OFF


def _says_off(properties: Any, name: str) -> bool:
    element = None if properties is None else properties.find(f"{_W}{name}")
    return element is not None and not _is_on(properties, name)


def _why_unseen(properties: Any) -> str:
    if _is_on(properties, "vanish") or _is_on(properties, "webHidden"):
        return notes.HIDDEN
    size = None if properties is None else properties.find(f"{_W}sz")
    if size is not None and size.get(f"{_W}val") in ("0", "1"):
        return notes.HIDDEN
    return notes.STRUCK_OUT if _is_on(properties, "strike") or _is_on(properties, "dstrike") else ""


def _seen(part: bytes, styles: _Styles, found: notes.LeftOut, place: str) -> bytes:
    if _STRICT in part[:4000]:
        part = part.replace(_STRICT, _W[1:-1].encode())
    tree = _tree(part, place)
    for name in ("del", "moveFrom"):
        for element in list(tree.iter(f"{_W}{name}")):
            parent = element.getparent()
            if parent is None or parent.tag == f"{_W}rPr":
                continue
            if parent.tag == f"{_W}trPr":  # a deleted row
                element = parent.getparent()
                parent = element.getparent()
            if parent is not None:
                found.add("", notes.DELETED)
                parent.remove(element)
    for paragraph in tree.iter(f"{_W}p"):
        _seen_runs(paragraph, styles, found)
    return bytes(etree.tostring(tree, xml_declaration=True, encoding="UTF-8"))


def _seen_runs(paragraph: Any, styles: _Styles, found: notes.LeftOut) -> None:
    of_paragraph = styles.why(paragraph.find(f"{_W}pPr"), "pStyle")
    for run in list(paragraph.iter(f"{_W}r")):
        properties = run.find(f"{_W}rPr")
        why = _why_unseen(properties) or styles.why(properties, "rStyle") or of_paragraph
        is_off = why and (_says_off(properties, "vanish") if why == notes.HIDDEN else _says_off(properties, "strike"))
        # Marks of fields are kept: what they enclose belongs together.
        if why and not is_off and run.find(f"{_W}fldChar") is None and run.getparent() is not None:
            if run.find(f"{_W}t") is not None:
                found.add("", why)
            run.getparent().remove(run)
