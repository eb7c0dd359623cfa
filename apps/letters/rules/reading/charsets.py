"""The text of bytes whose charset is told, told wrongly, or not told."""

import codecs
import re

# What programs call by the name of an older, smaller charset.
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601": "cp949",
    "euc-kr": "cp949",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "iso-8859-8-i": "iso-8859-8",
    "x-sjis": "cp932",
    "shift_jis": "cp932",
    "windows-31j": "cp932",
    "x-mac-cyrillic": "mac_cyrillic",
    "unicode-1-1-utf-7": "utf-7",
}
# Codecs of Python that are no charsets, or that nobody writes letters in.
_NEVER = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
_LETTERS = re.compile(r"[оеаинтсрвл]")
_RUNS = re.compile(rb"[\xa8\xb8\xc0-\xff]{3,}")
_HIGH = re.compile(rb"[\x80-\xff]")


def text_of(content: bytes, charset: str = "") -> str:
    """The text of those bytes: in the charset as told, else UTF-8, else Cyrillic by frequency, else Latin-1.

    Has neither NUL nor lone surrogates, so that it can be stored.
    """
    text = _as_told(content, charset)
    if text is None:
        text = _guessed(content)
    return storable(text)


def storable(text: str) -> str:
    """A text without NUL and lone surrogates."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def _as_told(content: bytes, charset: str) -> str | None:
    name = charset.strip().strip("\"'").lower()[:40]
    name = _WIDER.get(name, name)
    if not name:
        return None
    try:
        codec = codecs.lookup(name)
        if not codec._is_text_encoding or codec.name in _NEVER:
            return None
        text = content.decode(name)
    except (LookupError, UnicodeError, ValueError):
        return None
    return text


def _guessed(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    sample = content[:20_000]
    high = len(_HIGH.findall(sample))
    if sum(map(len, _RUNS.findall(sample))) * 10 >= high * 5:
        return max((sample_of(content, name) for name in ("cp1251", "koi8-r")), key=_likeness)
    damaged = content.decode("utf-8", "replace")
    if damaged.count("\ufffd") * 10 <= high:
        return damaged
    return content.decode("latin-1")


def sample_of(content: bytes, name: str) -> str:
    """The bytes in that charset of one byte a letter; bytes that it has not are left out."""
    return content.decode(name, "ignore")


def _likeness(text: str) -> int:
    return len(_LETTERS.findall(text[:20_000]))
