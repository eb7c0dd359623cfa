"""A letter as it came, taken apart by the standard parser: header fields, texts, files. Under limits, or not at all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message

from apps.letters.rules.reading.bounded import parsed
from apps.letters.rules.reading.charsets import text_of
from apps.letters.rules.reading.files import LetterFile, file_of
from apps.letters.rules.reading.headers import (
    NamedAddress,
    addresses,
    decoded,
    message_ids,
    plain_header,
)
from apps.letters.rules.reading.limits import (
    MAX_HEADER_BYTES,
    MAX_HEADERS_BYTES,
    MAX_LETTER_BYTES,
    MAX_LEVELS,
    MAX_PARSER_STEPS,
    MAX_PARTS,
    MAX_TEXT_BYTES,
    NotReadable,
)
from apps.letters.rules.reading.lines import unflowed
from apps.letters.rules.reading.parts import LetterPart, is_other_form, told_charset, words_among

_CONTAINERS = re.compile(rb"^content-type:[ \t\r\n]{0,20}(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
_HEADERS_END = re.compile(rb"\r?\n\r?\n")
_NEXT_FIELD = re.compile(rb"\n(?![ \t])")
# Reports about letters, whose parts are for machines.
REPORT_PARTS = (
    "message/delivery-status",
    "message/feedback-report",
    "text/rfc822-headers",
    "message/global-delivery-status",
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter. Header fields by name in lower case, decoded of bytes but not of encoded words, from the top.

    `plain` and `html` are its texts, each of all its inline parts. `reports` are parts for machines, by type.
    """

    fields: tuple[tuple[str, str], ...]
    plain: str | None = None
    html: str | None = None
    files: tuple[LetterFile, ...] = ()
    reports: dict[str, str] = field(default_factory=dict)

    def all(self, name: str) -> list[str]:
        """The values of every field of that name, from the top."""
        return [value for found, value in self.fields if found == name]

    def first(self, name: str) -> str:
        """The value of the topmost field of that name; empty without one."""
        return next((value for found, value in self.fields if found == name), "")

    def addresses(self, name: str) -> list[NamedAddress]:
        return [found for value in self.all(name) for found in addresses(value)]

    @property
    def from_(self) -> list[NamedAddress]:
        """The senders that it names; anything but one is odd."""
        return self.addresses("from")

    @property
    def subject(self) -> str:
        return decoded(self.first("subject"))[:1000]

    @property
    def message_id(self) -> str:
        return next(iter(message_ids(self.first("message-id"))), "")

    @property
    def answers_to(self) -> list[str]:
        """The ids of the letters that it answers, nearest first: In-Reply-To, then References from their end."""
        found = message_ids(self.first("in-reply-to")) + message_ids(self.first("references"))[::-1]
        return list(dict.fromkeys(found))


def read_letter(raw: bytes) -> Letter:
    """The letter of those bytes. Raises NotReadable: over a limit, or without a header field."""
    _require_form(raw)
    try:
        message = parsed(raw)
        parts = list(_parts(message))
        charset = _charset_of(message, parts)
        fields = tuple((name.lower().strip(), plain_header(value, charset)) for name, value in message.raw_items())
    except RecursionError:
        raise NotReadable("too_many_levels") from None
    if not fields:
        raise NotReadable("no_headers")
    collected = _Collected()
    if any(part.level > MAX_LEVELS for part in parts):
        raise NotReadable("too_many_levels")
    words = words_among(parts)
    for at, part in enumerate(parts):
        collected.add(part.message, part.is_alternative, is_words=at in words)
    return Letter(fields, collected.plain, collected.html, tuple(collected.files), collected.reports)


def _charset_of(message: Message, parts: list[LetterPart]) -> str:
    """The charset that the letter's words are told to be in."""
    told = (str(one.get_content_charset("") or "") for one in (message, *(part.message for part in parts[:10])))
    return next(filter(None, told), "")


def _require_form(raw: bytes) -> None:
    """Refuses what would take the parser long, before it begins. Raises NotReadable."""
    if len(raw) > MAX_LETTER_BYTES:
        raise NotReadable("too_large")
    containers = sum(1 for _ in _CONTAINERS.finditer(raw))
    if containers > MAX_PARTS:
        raise NotReadable("too_many_parts")
    if (containers + 1) * (raw.count(b"\n") + raw.count(b"\r")) > MAX_PARSER_STEPS:
        raise NotReadable("too_many_parts")
    end = _HEADERS_END.search(raw, 0, MAX_HEADERS_BYTES + 4)
    if end is None and len(raw) > MAX_HEADERS_BYTES:
        raise NotReadable("headers_too_large")
    headers = raw[: end.start() if end else len(raw)]
    if any(len(field_) > MAX_HEADER_BYTES for field_ in _NEXT_FIELD.split(headers)):
        raise NotReadable("headers_too_large")


def _parts(message: Message) -> Iterator[LetterPart]:
    """The parts that hold something, in order, with their level and whether each is one of alternatives. A letter
    within the letter is one part. Raises NotReadable.
    """
    stack: list[tuple[Message, int, bool]] = [(message, 0, False)]
    count = 0
    while stack:
        part, level, is_alternative = stack.pop()
        count += 1
        if count > MAX_PARTS:
            raise NotReadable("too_many_parts")
        children = part.get_payload()
        is_open = part.get_content_maintype() == "multipart" and isinstance(children, list)
        if is_open and part.get_content_type() != "multipart/encrypted":
            alternatives = is_alternative or part.get_content_type() == "multipart/alternative"
            stack += [
                (child, level + 1, alternatives) for child in reversed(list(children)) if isinstance(child, Message)
            ]
        else:
            yield LetterPart(part, level, is_alternative)


class _Collected:
    def __init__(self) -> None:
        self.plain: str | None = None
        self.html: str | None = None
        self.files: list[LetterFile] = []
        self.reports: dict[str, str] = {}

    def add(self, part: Message, is_alternative: bool, *, is_words: bool) -> None:
        kind = part.get_content_type()
        if kind in REPORT_PARTS:
            self.reports.setdefault(kind, _report_text(part)[:200_000])
            if kind != "text/rfc822-headers":
                return
        if kind == "message/rfc822":
            self.reports.setdefault("message/rfc822", _report_text(part)[:200_000])
        if is_words:
            self._add_text(part, kind, is_alternative)
        elif not (is_alternative and is_other_form(part)) and (file := file_of(part)) is not None:
            self.files.append(file)

    def _add_text(self, part: Message, kind: str, is_alternative: bool) -> None:
        content = _bytes_of(part)
        if len(content) > MAX_TEXT_BYTES:
            raise NotReadable("text_too_large")
        text = text_of(content, told_charset(part, content))
        if kind == "text/html":
            self.html = text if self.html is None else f"{self.html}\n{text}"
            return
        if str(part.get_param("format", "") or "").lower() == "flowed":
            text = unflowed(text, deletes_space=str(part.get_param("delsp", "") or "").lower() == "yes")
        self.plain = text if self.plain is None else f"{self.plain}\n{text}"
        if self.html is not None and not is_alternative:
            # Apple Mail goes on in plain text behind a picture.
            self.html += f"<div>{_escaped(text)}</div>"


def _bytes_of(part: Message) -> bytes:
    """The content of a part, decoded as well as it can be."""
    try:
        content = part.get_payload(decode=True)
    except (ValueError, AssertionError, LookupError):
        content = None
    if isinstance(content, bytes):
        return content
    payload = part.get_payload()
    return payload.encode("utf-8", "surrogateescape") if isinstance(payload, str) else b""


def _report_text(part: Message) -> str:
    payload = part.get_payload()
    if isinstance(payload, list):
        return text_of(b"\n\n".join(child.as_bytes() for child in payload[:20] if isinstance(child, Message)))
    return text_of(_bytes_of(part))


def _escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("\r\n", "\n").replace("\n", "<br>")
