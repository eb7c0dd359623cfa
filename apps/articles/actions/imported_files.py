"""The texts of a file that is imported: in Markdown, one or an archive of them with pictures, or a list as JSON.

An entry is read when it is asked for. Nothing is unpacked to the disk, and no more of an entry than it declares.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import IO

import orjson

from apps import extraction
from apps.articles.rules.imports import (
    MARKDOWN_ENDINGS,
    ImportEntry,
    Refused,
    entries_of_listing,
    entry_of,
    is_bad_path,
    is_markdown,
    path_of,
)
from apps.articles.rules.limits import MAX_BODY, MAX_PICTURE_BYTES
from apps.chats.rules.languages import LANGUAGES
from apps.extraction import Cage, ExtractionFailed

# The bytes of a text are at most so many: one that is longer is too long in any case.
_MOST_OF_TEXT = 4 * (MAX_BODY + 10_000)
_BROKEN = (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, ValueError, OSError, RuntimeError)
_ENCRYPTED, _UTF8 = 0x1, 0x800


class UnknownFile(ValueError):
    """The file is none that articles are imported from; the text tells its sender."""


@dataclass(frozen=True, slots=True)
class FileItem:
    """An entry of a file by its path; `read` gives its text, or why it is left out."""

    path: str
    read: Callable[[], ImportEntry | Refused]


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The entries of a file in their order; `picture` gives the bytes of a picture within it, None where it is not."""

    items: list[FileItem] = field(default_factory=list)
    picture: Callable[[str], bytes | Refused | None] = lambda path: None


def check_file(name: str, content: IO[bytes]) -> None:
    """Raises UnknownFile for any other file, and for a bomb. Nothing of it is unpacked."""
    content.seek(0)
    head = content.read(4)
    if head.startswith(b"PK"):
        try:
            extraction.archive_entries(content)
        except extraction.UnknownKind as error:
            raise UnknownFile(str(error).replace("The document", "The archive")) from None
    elif not name.lower().endswith((*MARKDOWN_ENDINGS, ".json")):
        raise UnknownFile("Send a text in Markdown (.md), an archive of them (.zip) or a list of articles (.json).")


def opened_file(name: str, content: bytes, cage: Cage) -> ImportedFile:
    """The entries of a file that `check_file` has taken. Raises UnknownFile for one that is broken."""
    if content.startswith(b"PK"):
        try:
            return _archive(zipfile.ZipFile(BytesIO(content)))
        except _BROKEN:
            raise UnknownFile("The archive is damaged or cut off.") from None
    if name.lower().endswith(".json"):
        return ImportedFile(list(_listing(content, cage)))
    path = name.rpartition("/")[2]
    return ImportedFile([FileItem(path, lambda: _text_of(path, content))])


def _archive(archive: zipfile.ZipFile) -> ImportedFile:
    items: list[FileItem] = []
    files: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        # `filename` ends at a NUL.
        path = path_of(info.orig_filename, is_utf8=bool(info.flag_bits & _UTF8))
        if is_bad_path(path, info.external_attr >> 16):
            items.append(FileItem(path, lambda: Refused.BAD_PATH))
        elif info.is_dir():
            continue
        else:
            files.setdefault(path, info)
            if is_markdown(path):
                items.append(FileItem(path, _reader(archive, info, path)))
    return ImportedFile(items, lambda path: _picture(archive, files, path))


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Callable[[], ImportEntry | Refused]:
    def read() -> ImportEntry | Refused:
        content = _unpacked(archive, info, _MOST_OF_TEXT)
        return content if isinstance(content, Refused) else _text_of(path, content)

    return read


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes | Refused:
    if info.flag_bits & _ENCRYPTED:
        return Refused.UNREADABLE
    if info.file_size > most:
        return Refused.TOO_LONG
    try:
        with archive.open(info) as opened:
            return opened.read(most)
    except _BROKEN:
        return Refused.UNREADABLE


def _picture(archive: zipfile.ZipFile, files: Mapping[str, zipfile.ZipInfo], path: str) -> bytes | Refused | None:
    info = files.get(path)
    if info is None:
        return None
    content = _unpacked(archive, info, MAX_PICTURE_BYTES)
    return Refused.NOT_A_PICTURE if content is Refused.UNREADABLE else content


def _text_of(path: str, content: bytes) -> ImportEntry | Refused:
    if len(content) > _MOST_OF_TEXT:
        return Refused.TOO_LONG
    if b"\0" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Refused.BAD_TEXT
    for charset in ("utf-16",) if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1251"):
        try:
            return entry_of(path, content.decode(charset), LANGUAGES)
        except UnicodeDecodeError:
            continue
    return Refused.BAD_TEXT


def _listing(content: bytes, cage: Cage) -> Iterator[FileItem]:
    try:
        rows = entries_of_listing(orjson.loads(content))
    except orjson.JSONDecodeError:
        rows = None
    if rows is None:
        raise UnknownFile("The file is no list of articles.")
    for row in rows:
        if isinstance(row, str):
            yield FileItem(row, lambda: Refused.BAD_TEXT)
        else:
            yield FileItem(row.path, _listed(row, cage))


def _listed(row: ImportEntry, cage: Cage) -> Callable[[], ImportEntry | Refused]:
    """A row as it is; its text, if it is HTML, as Markdown."""

    def read() -> ImportEntry | Refused:
        if not row.body.lstrip().startswith("<"):
            return row
        if len(row.body) > _MOST_OF_TEXT:
            return Refused.TOO_LONG
        try:
            body = extraction.html_as_markdown(cage, row.body)
        except ExtractionFailed:
            return Refused.UNREADABLE
        return ImportEntry(**{**{name: getattr(row, name) for name in ImportEntry.__slots__}, "body": body})

    return read
