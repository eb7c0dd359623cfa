"""The parts of a letter that are its writer's words; the others are files.

A name makes no file of words: programs and gateways give parts names (`ATT00001.txt`), and some call each part an
attachment. The first text of a letter is its words, unless another one has no name.
"""

import re
from collections.abc import Sequence
from email.message import Message
from typing import NamedTuple

from apps.letters.rules.reading.charset_names import charset_of
from apps.letters.rules.reading.charsets import text_of

# Texts that people write; any other is a file.
_WORDS = ("text/plain", "text/html", "text/markdown", "text/x-markdown", "text/enriched", "text/richtext")
# Names that Exchange gives to parts without one.
_NAME_OF_GATEWAY = re.compile(r"att\d{3,8}\.(?:txt|html?)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{1,200}charset\s{0,5}=\s{0,5}[\"']?([a-z0-9_:.-]{2,40})", re.IGNORECASE)
_LOOKED_AT = 4_000


class LetterPart(NamedTuple):
    """A part that holds something: its level, and whether it is one of several forms of the same."""

    message: Message
    level: int
    is_alternative: bool


def words_among(parts: Sequence[LetterPart]) -> set[int]:
    """The places of the parts that are the letter's words."""
    texts = {at: part for at, part in enumerate(parts) if _is_text(part.message)}
    found = {at for at, part in texts.items() if not _is_named(part.message)}
    if len(parts) == 1:
        return set(texts)
    found |= {at for at, part in texts.items() if not _is_attached(part.message) and _is_named_by_gateway(part.message)}
    has_words = any(_has_letters(parts[at].message) for at in found)
    for at, part in texts.items():
        is_attached = _is_attached(part.message)
        is_first = at == 0 or not (found or is_attached)
        if (is_first and not (has_words and is_attached)) or (part.is_alternative and not has_words):
            found.add(at)
    return found


def is_other_form(message: Message) -> bool:
    """Whether it is a form of the words for programs alone, as AMP and watches have it: no file."""
    is_text = message.get_content_maintype() == "text" and message.get_content_type() != "text/calendar"
    return is_text and not _is_text(message) and not _is_named(message)


def told_charset(message: Message, content: bytes) -> str:
    """The charset that the part tells; where it tells none, the one that its markup does."""
    told = str(message.get_content_charset("") or "")
    if charset_of(told) is not None or message.get_content_type() != "text/html":
        return told
    found = _META.search(content[:_LOOKED_AT])
    return found[1].decode("ascii") if found else told


def _is_text(message: Message) -> bool:
    # A `multipart` without parts is its own text.
    return message.get_content_type() in _WORDS or message.get_content_maintype() == "multipart"


def _is_attached(message: Message) -> bool:
    return message.get_content_disposition() == "attachment"


def _is_named(message: Message) -> bool:
    return _is_attached(message) or bool(name_of(message))


def _is_named_by_gateway(message: Message) -> bool:
    return _NAME_OF_GATEWAY.fullmatch(name_of(message)) is not None


def name_of(message: Message) -> str:
    """The name of a part as it is told, encoded words not yet decoded; empty for none."""
    for field, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        try:
            told = message.get_param(parameter, "", field)
        except (ValueError, LookupError, TypeError):
            continue
        if isinstance(told, tuple):  # RFC 2231: the charset, the language, the bytes as Latin-1
            told = text_of(str(told[2]).encode("latin-1", "ignore"), str(told[0] or ""))
        if told:
            return str(told).strip()
    return ""


def _has_letters(message: Message) -> bool:
    payload = message.get_payload()
    return isinstance(payload, str) and bool(payload[:_LOOKED_AT].strip())
