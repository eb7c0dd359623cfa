"""The text of bytes whose charset is told, told wrongly, or not told."""

import re
from collections.abc import Callable

from apps.letters.rules.reading.charset_codecs import decode_2022, decode_euc_jp, decode_hz, decode_utf_16
from apps.letters.rules.reading.charset_names import EUC_JP_MS, HZ_WIDE, JIS, UTF_16, Charset, charset_of

_OURS: dict[str, Callable[[bytes], str]] = {
    JIS: decode_2022,
    EUC_JP_MS: decode_euc_jp,
    HZ_WIDE: decode_hz,
    UTF_16: decode_utf_16,
}
_LETTERS = re.compile(r"[оеаинтсрвл]")
_RUNS = re.compile(rb"[\xa8\xb8\xc0-\xff]{3,}")
_ASCII = bytes(range(0x80))
_OF_WINDOWS = re.compile(rb"[\x80-\x9f]")
# Pairs of JIS or of KS behind their escape sequence, which nothing else has: programs write them and tell no charset.
_ESCAPED = re.compile(rb"\x1b\$(?:[@AB]|\([A-Z]|\)[AC])")
# Letters of Ukrainian and Belarusian in KOI8-U, where KOI8-R has lines of boxes.
_OF_KOI8_U = re.compile(
    rb"[\xa4\xa6\xa7\xad\xb4\xb6\xb7\xbd](?=[\xc0-\xff])|(?<=[\xc0-\xff])[\xa4\xa6\xa7\xad\xb4\xb6\xb7\xbd]"
)
_LINE_BREAKS = re.compile("\x0b|\x0c|\x85")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]{1,1000}")
_BOM = b"\xef\xbb\xbf"


def text_of(content: bytes, charset: str = "") -> str:
    """The text of those bytes in the charset as told, by the widest set of its family, with replacement signs for
    the rest; where nothing is told UTF-8, else Cyrillic by frequency, else Latin-1. Without control signs.
    """
    if content.startswith(_BOM):
        return shown_text(content[3:].decode("utf-8", "replace"))
    found = charset_of(charset) if charset else None
    text = _as_told(content, found) if found is not None else None
    return shown_text(_guessed(content) if text is None else text)


def storable(text: str) -> str:
    """A text without NUL and lone surrogates."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def shown_text(text: str) -> str:
    """A text without control signs but tabs and line ends, and without lone surrogates."""
    return storable(_CONTROL.sub("", _LINE_BREAKS.sub("\n", text)))


def encoded_as(text: str, charset: str) -> bytes | None:
    """The bytes of a text in that charset; None where it is unknown, or has not all of it."""
    found = charset_of(charset)
    if found is None or found.codecs[0] in _OURS:
        return None
    try:
        return text.encode(found.codecs[0])
    except UnicodeError:
        return None


def _high(content: bytes) -> int:
    """How many bytes are beyond ASCII."""
    return len(content.translate(None, _ASCII))


def is_utf_8(content: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _as_told(content: bytes, charset: Charset) -> str | None:
    """The bytes in the told set, or in one that programs call by its name; None where they are of another."""
    codecs = charset.codecs
    if charset.windows and _OF_WINDOWS.search(content):
        codecs = (charset.windows,)
    if codecs == ("koi8-r",) and _OF_KOI8_U.search(content):
        codecs = ("koi8-u",)
    if codecs[0] in _OURS:
        return _OURS[codecs[0]](content)
    if charset.is_of_single_bytes and _is_certain_utf_8(content):
        return content.decode("utf-8")
    if codecs == ("utf-8",) and _ESCAPED.search(content):
        return decode_2022(content)
    for codec in codecs:
        try:
            return content.decode(codec)
        except UnicodeDecodeError:
            continue
    damaged = min((content.decode(codec, "replace") for codec in codecs), key=lambda text: text.count("\ufffd"))
    return None if codecs == ("utf-8",) and _is_another(content, damaged) else damaged


def _is_certain_utf_8(content: bytes) -> bool:
    """Whether bytes that are told to be of a set of one byte each are UTF-8: two characters of it, and nothing else."""
    return _high(content[:20_000]) >= 4 and is_utf_8(content)


def _is_another(content: bytes, damaged: str) -> bool:
    """Whether hardly any of the bytes that are told to be UTF-8 are."""
    return damaged.count("\ufffd") * 2 > _high(content)


def _guessed(content: bytes) -> str:
    if _ESCAPED.search(content):
        return decode_2022(content)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    sample = content[:20_000]
    high = _high(sample)
    if sum(map(len, _RUNS.findall(sample))) * 10 >= high * 5:
        return max((sample_of(content, name) for name in ("cp1251", "koi8-r")), key=_likeness)
    damaged = content.decode("utf-8", "replace")
    if damaged.count("\ufffd") * 10 <= high:
        return damaged
    return content.decode("cp1252", "replace") if _OF_WINDOWS.search(content) else content.decode("latin-1")


def sample_of(content: bytes, name: str) -> str:
    """The bytes in that charset of one byte a letter; bytes that it has not are left out."""
    return content.decode(name, "ignore")


def _likeness(text: str) -> int:
    return len(_LETTERS.findall(text[:20_000]))
