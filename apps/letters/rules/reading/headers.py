"""Header fields as people and programs wrote them: words, addresses, ids, moments. Never raises; odd is none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from apps.letters.rules.domains import canonical
from apps.letters.rules.reading.charsets import is_utf_8, storable, text_of
from apps.letters.rules.reading.encoded_words import decode_words

MAX_ADDRESS = 254
MAX_ID = 998
MAX_IDS = 100
MAX_ADDRESSES = 5_000

_BETWEEN_WORDS = re.compile(r"(?<=\?=)[ \t\r\n]{1,100}(?==\?)")
_ID = re.compile(r"<([^<>\s]{1,998})>")
_ADDRESS = re.compile(
    r"[^\s@<>()\[\],;:\"\\]{1,64}@(?:[^\s@<>()\[\],;:\"\\.]{1,63}\.){1,10}[^\s@<>()\[\],;:\"\\.]{1,63}"
)
# Blanks that the oldest grammar allows (RFC 822).
_AROUND_DOTS = re.compile(r"(?:(?<!\s)\s{1,9})?([@.])\s{0,9}")
_QUOTED_LOCAL = re.compile(r'^"([^\s@<>()\[\],;:"\\]{1,64})"@')
_LOCAL_HOST = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}@[a-z0-9-]{1,63}", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]{1,1000}")


@dataclass(frozen=True, slots=True)
class NamedAddress:
    """An address of a header, in lower case, its domain as people write it, and the name before it."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]


def plain_header(value: object, charset: str = "") -> str:
    """A header's value as one line of text: bytes that are no ASCII decoded, encoded words not yet. `charset` is
    the letter's, in which a program may write a field that should be encoded.
    """
    text = str(value)
    if not text.isascii():
        content = text.encode("utf-8", "surrogateescape")
        text = text_of(content, "" if is_utf_8(content) else charset)
    return _CONTROL.sub(" ", text).strip()


def decoded(value: str) -> str:
    """A header's text with its encoded words decoded (RFC 2047), on one line."""
    return storable(_CONTROL.sub(" ", decode_words(value))).strip()


def addresses(value: str) -> list[NamedAddress]:
    """The addresses of a header, in order; what is none is left out. Addresses are read before words are decoded, so
    that no encoded name can pretend to be one where there is one.
    """
    found = [one for piece in _split(value) if (one := _address(piece)) is not None]
    if not found and "=?" in value:
        # A program encoded the whole of the field.
        found = [one for piece in _split(decoded(value)) if (one := _address(piece)) is not None]
    return found[:MAX_ADDRESSES]


def bare_address(value: str) -> str:
    """The one address of a text such as an envelope's, in lower case; empty for none."""
    found = addresses(value)
    return found[0].address if len(found) == 1 else ""


def _split(value: str) -> Iterator[str]:
    """The pieces between commas and semicolons that stand in no quotes, comments and angles."""
    piece: list[str] = []
    is_quoted, is_escaped, depth, is_angle = False, False, 0, False
    for sign in value:
        if is_escaped:
            is_escaped = False
        elif sign == "\\" and (is_quoted or depth):
            is_escaped = True
        elif is_quoted:
            is_quoted = sign != '"'
        elif depth:
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                continue
        elif sign == '"' and not is_angle:
            is_quoted = True
        elif sign == "(":
            depth = 1
        elif sign in "<>":
            is_angle = sign == "<"
        elif sign in ",;" and not is_angle:
            yield "".join(piece)
            piece = []
            continue
        if not depth:
            piece.append(sign)
    yield "".join(piece)


def _address(piece: str) -> NamedAddress | None:
    before, angle, rest = piece.rpartition("<")
    if angle:
        found, _, after = rest.partition(">")
        found = _AROUND_DOTS.sub(r"\1", found)
        name = before if not after.strip() else ""
    else:
        # A group's name (`Friends: a@example.org`) stands before its first address.
        found, name = piece.rpartition(":")[2] if '"' not in piece else piece, ""
    found = (decode_words(found) if "=?" in found else found).strip().rstrip(".").lower().removeprefix("mailto:")
    # `"m..x."@example.org`: odd local parts are quoted.
    found = _QUOTED_LOCAL.sub(r"\1@", found)
    if "\ufffd" in found or len(found) > MAX_ADDRESS or not (_ADDRESS.fullmatch(found) or _LOCAL_HOST.fullmatch(found)):
        return None
    return NamedAddress(canonical(storable(found)), _name(name))


def _name(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    return decoded(text)[:255]


def message_ids(value: str) -> list[str]:
    """The ids in angles of Message-ID, In-Reply-To or References, in order, without the angles."""
    return _ID.findall(value)[:MAX_IDS]


def moment(value: str, now: datetime) -> datetime | None:
    """The moment of a Date header; None for none, one in the future and one older than 30 days."""
    try:
        found = parsedate_to_datetime(value[:200])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    try:
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found if now - timedelta(days=30) < found <= now + timedelta(minutes=5) else None
