"""The type of a file by its content: its name and its sender's word for it do not count. Pure."""

import codecs
import re

import filetype

BINARY = "application/octet-stream"
PLAIN_TEXT = "text/plain"
# Types that a browser may show in place: they can hold no script.
# What a browser's player takes.
PLAYED = frozenset({"audio/mpeg", "audio/mp4", "audio/ogg", "audio/x-wav", "audio/aac", "audio/x-flac"}) | {
    *("video/mp4", "video/x-m4v", "video/webm", "video/quicktime"),
}
INLINE_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"})

_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"
_KNOWN = INLINE_IMAGES | {
    *("image/heic", "image/bmp", "image/tiff", "image/vnd.adobe.photoshop"),
    *("audio/mpeg", "audio/mp4", "audio/ogg", "audio/x-flac", "audio/x-wav", "audio/amr", "audio/aac", "audio/midi"),
    *("video/mp4", "video/x-m4v", "video/x-matroska", "video/webm", "video/quicktime", "video/x-msvideo"),
    *("video/mpeg", "video/3gpp"),
    *("application/pdf", "application/rtf", "application/epub+zip"),
    *("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"),
    *(f"{_OFFICE}.wordprocessingml.document", f"{_OFFICE}.spreadsheetml.sheet"),
    f"{_OFFICE}.presentationml.presentation",
    *(f"{_OPEN_DOCUMENT}.text", f"{_OPEN_DOCUMENT}.spreadsheet", f"{_OPEN_DOCUMENT}.presentation"),
    *("application/zip", "application/gzip", "application/x-7z-compressed", "application/x-rar-compressed"),
    *("application/x-tar", "application/x-bzip2", "application/x-xz", "application/zstd"),
}
# What a file may be found to be.
FOUND_TYPES = _KNOWN | {BINARY, PLAIN_TEXT}

_MARKUP = re.compile(r"<[!?/a-z]", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")


def content_type_of(head: bytes) -> str:
    """The content type of a file that begins so (its first 8 KiB are enough); nothing is decoded.

    HTML, SVG, XML, programs and what is not known are `application/octet-stream`.
    """
    kind = filetype.guess_mime(head)
    if kind is not None:
        return str(kind) if kind in _KNOWN else BINARY
    return PLAIN_TEXT if _is_plain_text(head) else BINARY


def _is_plain_text(head: bytes) -> bool:
    """Whether it is UTF-8 without control characters, in which no browser would find markup."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)  # may end within a character
    except UnicodeDecodeError:
        return False
    return _CONTROL.search(text) is None and _MARKUP.search(text) is None
