"""Bytes to text: a byte order mark, then UTF-8, then what was declared, then what the bytes look like."""

import codecs
import re

from charset_normalizer import from_bytes

from apps.extraction.kinds import is_wide
from apps.extraction.sandbox import charsets
from apps.extraction.sandbox.refusals import DocumentRefused

charsets.load()

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16's, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BYTE_ENCODINGS = ["cp1251", "koi8_r", "cp866", "cp1252", "cp1253", "cp1256", "gb18030"]
# What a few Russian words are taken for.
_GUESSES = ("gb18030", "cp1252", "cp1253", "cp1256")
_RUSSIAN = re.compile(r"[А-ЯЁ]?[а-яё]+|[А-ЯЁ]+")
_RUSSIAN_MARKS = "№«»—–…°€•\u00a0"
_LOOKED_AT = 64 * 1024


def decode(content: bytes, *, declared: str = "") -> str:
    """The text of the bytes. Raises DocumentRefused (unreadable) where they are in no encoding that is known."""
    for mark, name in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace")
    if wide := is_wide(content[:8192]):
        return content.decode(wide, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > len(content) - 4 or _is_utf8_but_for_a_little(content):
            return content.decode("utf-8", "replace")
    return _declared(content, declared) or _detected(content)


def _is_utf8_but_for_a_little(content: bytes) -> bool:
    """A text that was cut, or has a few bytes of another, is what the rest of it is."""
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return wrong * 100 < sum(character > "\x7f" for character in text)


def _declared(content: bytes, declared: str) -> str:
    try:
        name = codecs.lookup(declared).name if declared else ""
    except LookupError:
        return ""
    if (
        not name
        or name.startswith(("utf", "ascii"))
        or name in ("idna", "punycode", "unicode-escape", "raw-unicode-escape")
    ):
        return ""
    try:
        return content.decode("cp1252" if name == "iso8859-1" else name)
    except (UnicodeError, LookupError, TypeError, AssertionError):
        return ""


def _detected(content: bytes) -> str:
    found = from_bytes(content[:_LOOKED_AT], cp_isolation=_BYTE_ENCODINGS).best()
    if found is None:
        raise DocumentRefused("unreadable", "no known encoding")
    if found.encoding in _GUESSES and (russian := _russian(content)):
        return russian
    return content.decode(found.encoding, "replace")


def _russian(content: bytes) -> str:
    """A short text, if all its letters are Russian ones, in words; else ""."""
    for name in ("cp1251", "cp866", "koi8_r"):
        text = content.decode(name, "replace")
        words = re.findall(r"[^\W\d_a-zA-Z]+", text[:4096])
        other = (mark for mark in text[:4096] if mark > "\x7f" and not mark.isalpha() and mark not in _RUSSIAN_MARKS)
        if words and all(map(_RUSSIAN.fullmatch, words)) and next(other, None) is None:
            return text
    return ""
