"""The format of a file, by its content; texts, which have no mark, go by their name. Nothing is unpacked.

Runs where a file is received, so it does no work that grows with what a file promises: of a container it reads the
directory, whose length is looked at first.
"""

import re
import struct
import zipfile
from collections.abc import Iterable
from typing import IO, NamedTuple

import filetype

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
PDF = "application/pdf"
PLAIN, MARKDOWN, CSV, HTML = "text/plain", "text/markdown", "text/csv", "text/html"
KINDS = (PLAIN, MARKDOWN, CSV, HTML, PDF, DOCX, ODT, XLSX, ODS)

MAX_ENTRIES = 2000
MAX_UNPACKED_BYTES = 100 * 1024 * 1024
MAX_RATIO = 200

_BY_SUFFIX = {
    **dict.fromkeys(("md", "markdown", "mdown"), MARKDOWN),
    **dict.fromkeys(("csv", "tsv"), CSV),
    **dict.fromkeys(("html", "htm", "xhtml", "xht"), HTML),
}
_HEAD_BYTES = 8192
_MAX_NAME = 100
_MAX_DIRECTORY_BYTES = 1024 * 1024
_END = b"PK\x05\x06"
_END_LENGTH, _MAX_COMMENT = 22, 65535
# Before the last record: another one follows it, of containers over 4 GB, which may say otherwise (zip64).
_LARGE, _LARGE_LENGTH = b"PK\x06\x07", 20
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # doc, xls, msi; and the encrypted docx and xlsx
# What no text holds, in any encoding of one or several bytes; and what stands in one of two.
_CONTROLS = bytes({*range(9), 11, *range(14, 27), *range(28, 32), 127})
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_IMAGE_TEXT = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!DOCTYPE\s+svg|<svg[\s>])", re.S
)
_OTHER_TEXT = (b"{\\rtf", b"%!PS")


class UnknownKind(ValueError):
    """The file is none of the formats, or declares more than may be unpacked; the text tells its sender."""


def kind_of(name: str, content: IO[bytes]) -> str:
    """The content type of a file, one of KINDS. `content` is read from its beginning, and left anywhere.

    Raises UnknownKind, whose text names the file.
    """
    try:
        return _kind_of(name, content)
    except UnknownKind as error:
        raise UnknownKind(f"{name[:_MAX_NAME]}: {error}" if name else str(error)) from None


def _kind_of(name: str, content: IO[bytes]) -> str:
    content.seek(0)
    head = content.read(_HEAD_BYTES)
    if not head.strip():
        raise UnknownKind("The file is empty.")
    if head.lstrip(b"\xef\xbb\xbf\r\n\t ").startswith(b"%PDF-"):
        return PDF
    if head.startswith(b"PK"):
        return _container_kind(content)
    if head.startswith(_COMPOUND_FILE):
        raise UnknownKind(
            "Old or encrypted Office documents cannot be read: save it as .docx or .xlsx, without a password."
        )
    if head.startswith(_OTHER_TEXT) or _IMAGE_TEXT.match(head) or not _is_text(head, content):
        found = filetype.guess(head)
        what = f"This is a file of the kind .{found.extension}" if found is not None else "This is no document"
        raise UnknownKind(
            f"{what}, which can't be read: send text, Markdown, CSV, HTML, PDF, .docx, .odt, .xlsx or .ods."
        )
    suffix = name.rpartition(".")[2].strip().lower() if "." in name else ""
    return _BY_SUFFIX.get(suffix, PLAIN)


def _is_text(head: bytes, content: IO[bytes]) -> bool:
    """Whether it may be text: no control characters, or two bytes a character."""
    if head.startswith(_WIDE_BOMS) or is_wide(head):
        return True
    if filetype.guess_mime(head) is not None:
        return False
    content.seek(0)
    while chunk := content.read(1024 * 1024):
        if len(chunk.translate(None, _CONTROLS)) != len(chunk):
            return False
    return True


def is_wide(head: bytes) -> str | None:
    """The name of UTF-16 in one of its orders, if text that begins so is likely to be in it; a BOM is not asked."""
    if len(head) < 4:
        return None
    for name, offset in (("utf-16-le", 1), ("utf-16-be", 0)):
        high, low = head[offset::2], head[1 - offset :: 2]
        few = sum(high.count(byte) for byte in (0x00, 0x04))
        if few > 0.9 * len(high) and sum(low.count(byte) for byte in (0x00, 0x04)) < 0.2 * len(low):
            return name
    return None


class _Ending(NamedTuple):
    entries: int
    directory_bytes: int
    is_large: bool


def archive_entries(content: IO[bytes]) -> list[zipfile.ZipInfo]:
    """The sizes that an archive declares of its parts. Raises UnknownKind for a damaged one, and for a bomb."""
    ending = _ending(content)
    if ending is None:
        raise UnknownKind("The document is damaged or cut off.")
    if ending.is_large or ending.entries > MAX_ENTRIES or ending.directory_bytes > _MAX_DIRECTORY_BYTES:
        raise UnknownKind("The document has too many parts.")
    try:
        content.seek(0)
        with zipfile.ZipFile(content) as archive:
            entries = archive.infolist()
        _refuse_bomb(entries, size=content.seek(0, 2))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, struct.error, OSError) as error:
        if isinstance(error, UnknownKind):
            raise
        raise UnknownKind("The document is damaged or cut off.") from None
    return entries


def _container_kind(content: IO[bytes]) -> str:
    entries = archive_entries(content)
    names = {entry.filename for entry in entries}
    if len(names) != len(entries):
        raise UnknownKind("The document has too many parts.")
    found = _kind_by_parts(names, _declared_type(content))
    if found is None:
        raise UnknownKind("This is an archive and no document that can be read.")
    return found


def _ending(content: IO[bytes]) -> _Ending | None:
    """The facts in the last record of a container about its directory; None without one."""
    size = content.seek(0, 2)
    content.seek(max(0, size - _END_LENGTH - _MAX_COMMENT - _LARGE_LENGTH))
    tail = content.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_LENGTH:
        return None
    entries, directory_bytes = struct.unpack("<HI", tail[at + 10 : at + 16])
    return _Ending(entries, directory_bytes, is_large=tail[max(0, at - _LARGE_LENGTH) : at].startswith(_LARGE))


def _refuse_bomb(entries: Iterable[zipfile.ZipInfo], *, size: int) -> None:
    """Raises UnknownKind for what declares more than may be unpacked, or parts that lie over each other."""
    entries = list(entries)
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MAX_ENTRIES:
        raise UnknownKind("The document has too many parts.")
    overlaps = sum(entry.compress_size for entry in entries) > size
    if overlaps or unpacked > MAX_UNPACKED_BYTES or unpacked > MAX_RATIO * size:
        raise UnknownKind("The document would be far too large once it is unpacked.")


def _declared_type(content: IO[bytes]) -> str:
    """The type that an OpenDocument declares, by its first part, which is never compressed; "" for all else."""
    content.seek(0)
    header = content.read(30 + 8 + 100)
    if header[30:38] != b"mimetype" or header[8:10] != b"\0\0":
        return ""
    length = int.from_bytes(header[18:22], "little")
    extra = int.from_bytes(header[28:30], "little")
    return header[38 + extra : 38 + extra + min(length, 80)].decode("ascii", "replace").strip()


def _kind_by_parts(names: set[str], declared: str) -> str | None:
    if declared in (ODT, ODS) and "content.xml" in names:
        return declared
    if "[Content_Types].xml" not in names:
        return None
    if any(name.startswith("word/document") and name.endswith(".xml") for name in names):
        return DOCX
    if "xl/workbook.xml" in names:
        return XLSX
    return None
