"""Customers' attachments, as agents may read them: pictures, and texts of documents, which are read in the sandbox
alone.
"""

import base64
import threading
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image

from apps.chats.models import File, Message
from apps.chats.rules import SenderKind
from apps.core.errors import NOT_FOUND, TRY_AGAIN
from apps.core.files import storage
from apps.extraction import ExtractionFailed, UnknownKind, kind_of, read_beginning
from apps.extraction.kinds import DOCX, ODT, PDF, XLSX
from apps.support.errors import ATTACHMENT_UNREADABLE, ATTACHMENT_UNSUPPORTED

MAX_BYTES = 10 * 1024 * 1024
MAX_TEXT = 200_000
MAX_PAGES = 50
SECONDS = 10.0
AT_ONCE = 2
_DOCUMENTS = (PDF, DOCX, ODT)
_TEXTS = ("txt", "log", "csv", "json", "md")
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What files begin with that are handed out whole.
_FILES: dict[str, Callable[[bytes], bool]] = {
    "heic": lambda content: content[4:8] == b"ftyp",
    "doc": lambda content: content.startswith(_COMPOUND_FILE),
    "xls": lambda content: content.startswith(_COMPOUND_FILE),
    "xlsx": lambda content: False,
    "rtf": lambda content: content.startswith(b"{\\rtf"),
}
_XLSX = {"xlsx": XLSX}
_FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
_places = threading.BoundedSemaphore(AT_ONCE)


def read_attachment(message: Message) -> dict[str, Any]:
    """The attachment of a client's message.

    Raises NOT_FOUND (404), ATTACHMENT_UNSUPPORTED (415), ATTACHMENT_UNREADABLE (422), TRY_AGAIN (503).
    """
    kept = (message.details or {}).get("file")
    if message.sender_kind != SenderKind.CLIENT or kept is None or message.is_internal:
        raise NOT_FOUND()
    file = File.objects.for_widget(message.widget_id).attachments().get_or_404(pk=kept["id"])
    if not _places.acquire(blocking=False):
        raise TRY_AGAIN(headers={"Retry-After": "1"})
    try:
        content = storage.read_stored(file.storage_key, most=MAX_BYTES)
        return {"name": file.name, "size": file.size, **_read(file, content)}
    finally:
        _places.release()


def _read(file: File, content: bytes) -> dict[str, Any]:
    """Pictures and documents by their content, texts by their names, the rest by both."""
    if (picture := _picture(content)) is not None:
        return picture
    ending = file.name.rpartition(".")[2].lower() if "." in file.name else ""
    try:
        found = kind_of(file.name, BytesIO(content))
    except UnknownKind:
        found = ""
    if found in _DOCUMENTS:
        return _document(content, kind=found)
    if ending in _TEXTS:
        return _shown(_plain(content), "text/plain")
    if ending in _FILES and (_FILES[ending](content) or found == XLSX == _XLSX.get(ending)):
        return _whole(content, file.content_type)
    if ending in ("pdf", "docx", "odt", "xlsx"):
        raise ATTACHMENT_UNREADABLE()
    raise ATTACHMENT_UNSUPPORTED()


def _document(content: bytes, *, kind: str) -> dict[str, Any]:
    try:
        found = read_beginning(content, kind=kind, pages=MAX_PAGES, characters=MAX_TEXT, seconds=SECONDS)
    except ExtractionFailed as failed:
        if failed.code == "no_text" and kind == PDF:
            return _whole(content, PDF)
        raise ATTACHMENT_UNREADABLE() from None
    return _nothing("text", kind) | {"text": found.text, "truncated": found.truncated}


def _picture(content: bytes) -> dict[str, Any] | None:
    """A picture as it is, with its sides as its header has them: nothing is decoded. None for anything else."""
    try:
        with Image.open(BytesIO(content), formats=list(_FORMATS)) as opened:
            (width, height), kind = opened.size, _FORMATS[opened.format or ""]
    except Exception:  # whatever a malformed header makes a reader stumble over
        return None
    encoded = base64.b64encode(content).decode("ascii")
    return {
        "kind": "image",
        "content_type": kind,
        "base64": encoded,
        "text": None,
        "truncated": False,
        "width": width,
        "height": height,
    }


def _plain(content: bytes) -> str:
    """Bytes as text. Raises ATTACHMENT_UNSUPPORTED for what holds controls, or is in no encoding that is known."""
    for encoding in ("utf-8-sig", "utf-16") if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1251"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(ord(one) < 32 and one not in "\t\n\r\f" for one in text):
            return text
    raise ATTACHMENT_UNSUPPORTED()


def _whole(content: bytes, content_type: str) -> dict[str, Any]:
    encoded = base64.b64encode(content).decode("ascii")
    return _nothing("file", content_type) | {"base64": encoded}


def _shown(text: str, content_type: str) -> dict[str, Any]:
    return _nothing("text", content_type) | {"text": text[:MAX_TEXT], "truncated": len(text) > MAX_TEXT}


def _nothing(kind: str, content_type: str) -> dict[str, Any]:
    empty = dict.fromkeys(("base64", "text", "width", "height"))
    return {"kind": kind, "content_type": content_type, "truncated": False, **empty}
