"""Encoded words of header fields (RFC 2047), as programs write them: with blanks and raw letters, cut anywhere.
Linear.
"""

import re
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Iterator
from typing import NamedTuple

from apps.letters.rules.reading.charsets import encoded_as, text_of

MAX_CHARSET, MAX_WORD = 60, 16_384
_BETWEEN = re.compile(r"[ \t\r\n]{1,100}")
_HEX = re.compile(rb"=([0-9A-Fa-f]{2})")
_RAW = re.compile(r"([^\x00-\x7f]{1,16384})")
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]{1,16384}")


class EncodedWord(NamedTuple):
    """A word at its place in a text: its set, `q` or `b`, and the text between the question marks."""

    begins: int
    ends: int
    charset: str
    kind: str
    content: str


def decode_words(text: str) -> str:
    """The text with its encoded words decoded. Words of one charset that follow each other are decoded together:
    programs cut characters in two. All else stays as it is.
    """
    pieces: list[str] = []
    pending, charset, end = b"", "", 0
    for word in _words(text):
        between = text[end : word.begins]
        is_next = end > 0 and (not between or _BETWEEN.fullmatch(between) is not None)
        if not is_next or word.charset.lower() != charset.lower():
            pieces.append(text_of(pending, charset))
            pending = b""
        if not is_next:
            pieces.append(between)
        charset, end = word.charset, word.ends
        for part in _parts(word):
            if isinstance(part, bytes):
                pending += part
            else:
                pieces += [text_of(pending, charset), part]
                pending = b""
    return "".join([*pieces, text_of(pending, charset), text[end:]])


def _words(text: str) -> Iterator[EncodedWord]:
    """The words of a text. An end that was found is not looked for again: each sign is read a few times at most."""
    at, end = 0, -2
    while (begins := text.find("=?", at)) != -1:
        at = begins + 2
        charset, mark, rest = text[at : at + MAX_CHARSET].partition("?")
        kind = rest[:1].lower()
        start = at + len(charset) + 3
        if (
            not mark
            or not charset.isascii()
            or " " in charset
            or kind not in ("q", "b")
            or text[start - 1 : start] != "?"
        ):
            continue
        if end < start:
            end = text.find("?=", start)
        if end == -1:
            return
        content = text[start:end] if end - start <= MAX_WORD else "=?"
        if "=?" in content:
            continue  # it was never ended: another one begins in it
        yield EncodedWord(begins, end + 2, charset.partition("*")[0], kind, content)
        at = end + 2


def _parts(word: EncodedWord) -> list[bytes | str]:
    """The content of a word: bytes of its charset, and raw letters that the charset lacks."""
    if word.kind == "b":
        return [_base64(word.content)]
    parts: list[bytes | str] = []
    for at, piece in enumerate(_RAW.split(word.content.replace("_", " "))):
        if at % 2 == 0:
            parts.append(_HEX.sub(lambda found: bytes([int(found[1], 16)]), piece.encode("ascii", "ignore")))
        else:
            parts.append(encoded_as(piece, word.charset) or piece)
    return parts


def _base64(content: str) -> bytes | str:
    """The bytes of Base64, of that for addresses too, in one or several runs; the text itself where it is none."""
    if not content.isascii():
        return content
    runs = [
        run
        for run in _NOT_BASE64.sub("=", content.replace("-", "+").replace("_", "/").replace(" ", "")).split("=")
        if run
    ]
    try:
        return b"".join(b64decode(run + "=" * (-len(run) % 4)) for run in runs)
    except (BadBase64, ValueError):
        return b64decode(runs[0][: len(runs[0]) // 4 * 4]) if runs else b""
