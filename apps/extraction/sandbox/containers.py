"""Documents that are archives of XML, made safe for their libraries: unpacked by us, counted, and packed again."""

import io
import re
import zipfile
import zlib

from apps.extraction.kinds import MAX_ENTRIES, MAX_RATIO, MAX_UNPACKED_BYTES
from apps.extraction.sandbox.refusals import DocumentRefused

_XML = (".xml", ".rels")
_DOCTYPE = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_CHUNK = 256 * 1024


def repacked(content: bytes) -> bytes:
    """The same document with its parts of XML alone, none of them compressed, none with a DOCTYPE.

    Every byte is counted as it is unpacked, whatever the directory says; so libraries meet one archive that has been
    read to its end, and nothing of pictures and other documents inside. Raises DocumentRefused.
    """
    packed, left = io.BytesIO(), min(MAX_UNPACKED_BYTES, MAX_RATIO * len(content))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(packed, "w") as made:
            entries = archive.infolist()
            if len(entries) > MAX_ENTRIES:
                raise DocumentRefused("limits_exceeded", "entries")
            if any(entry.flag_bits & 1 for entry in entries):
                raise DocumentRefused("encrypted")
            for entry in entries:
                if entry.filename.endswith(_XML) or entry.filename == "mimetype":
                    part = _part(archive, entry, left)
                    left -= len(part)
                    made.writestr(entry.filename, part)
    except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, ValueError, OSError) as error:
        raise DocumentRefused("unreadable", type(error).__name__) from None
    return packed.getvalue()


def _part(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    part = bytearray()
    with archive.open(entry) as opened:
        while chunk := opened.read(_CHUNK):
            part += chunk
            if len(part) > left:
                raise DocumentRefused("limits_exceeded", "unpacked")
    if entry.filename != "mimetype" and _has_doctype(part):
        raise DocumentRefused("limits_exceeded", "a DOCTYPE")
    return bytes(part)


def _has_doctype(part: bytearray) -> bool:
    """In UTF-8 or, as XML may be, in UTF-16."""
    narrow = part.replace(b"\0", b"") if b"\0" in part[:64] else part
    return _DOCTYPE.search(narrow) is not None
