"""A chat as plain text: what a line looks like, and where an export ends. Pure.

Source: specification, Endpoints, "Chats and messages", rule 4, and "Limits"; docs/adr/0012.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.chats.rules.messages import MessageType, SenderKind, spoken_name
from apps.core.parsing.periods import in_moscow

MAX_MESSAGES = 50_000
MAX_BYTES = 10 * 1024 * 1024
MARKER = "[Экспорт ограничен безопасным размером]"
INDENT = "    "

# What goes in: nothing that is not named here, and of it nothing that is for operators only.
SENDERS = (SenderKind.CLIENT, SenderKind.AGENT, SenderKind.AI, SenderKind.EXTERNAL_OPERATOR, SenderKind.SYSTEM)
TYPES = tuple(MessageType)

# Who speaks, where no name is known.
_NAMELESS = {
    SenderKind.CLIENT: "Посетитель",
    SenderKind.AGENT: "Оператор",
    SenderKind.AI: "Оператор",
    SenderKind.EXTERNAL_OPERATOR: "Оператор",
    SenderKind.SYSTEM: "Система",
}


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """A message as a transcript tells it."""

    at: datetime
    sender_kind: str
    sender_name: str
    type: str
    body: str
    details: Mapping[str, Any] | None = None


def lines_of(entry: TranscriptEntry) -> Iterator[str]:
    """The lines of a message, without line breaks: the first has time and name, the others are indented.

    Only a first line begins with `[`, so that no text can pass for a message of its own.
    """
    head = f"[{in_moscow(entry.at):%Y-%m-%d %H:%M:%S}] {_name_of(entry)}: "
    first, *more = text_of(entry) or [""]
    yield (head + first).rstrip()
    for line in more:
        yield (INDENT + line).rstrip()


def _name_of(entry: TranscriptEntry) -> str:
    name = _on_one_line(entry.sender_name) or _NAMELESS[SenderKind(entry.sender_kind)]
    return spoken_name(name, entry.sender_kind, entry.details)


def text_of(entry: TranscriptEntry) -> list[str]:
    """The text of a message, as lines without unprintable characters: of a keyboard its text and its links."""
    details, body = entry.details or {}, [_printable(line) for line in entry.body.splitlines()]
    match entry.type:
        case MessageType.IMAGE | MessageType.FILE:
            file = details.get("file") or {}
            return [f"[file: {_on_one_line(str(file.get('name', '')))}]", *body]
        case MessageType.LOCATION:
            coords = details.get("coords") or {}
            return [f"[location: {coords.get('lat')}, {coords.get('lng')}]", *body]
        case MessageType.STICKER:
            sticker = details.get("sticker") or {}
            return [f"[sticker: {_on_one_line(str(sticker.get('id', '')))}]", *body]
        case MessageType.KEYBOARD:
            keyboard = details.get("keyboard") or {}
            buttons = keyboard.get("buttons") or ()
            return [*body, *(_on_one_line(f"{button['label']}: {button['url']}") for button in buttons)]
        case _:
            return body


def _printable(line: str) -> str:
    """Without control characters, which could move a terminal's cursor into another line."""
    if line.isprintable():
        return line
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if character != "\t" and unicodedata.category(character) == "Cc" else character
        for character in line
    )


def _on_one_line(text: str) -> str:
    return _printable(" ".join(text.split()))


class TranscriptExport:
    """Takes messages in turn and gives the bytes that are certain to stay, up to the limits of one export.

    The text beyond a limit is cut at a whole line, and the marker line ends the export; with it, it is within
    `max_bytes`. An export that fits exactly has no marker.
    """

    def __init__(self, *, max_messages: int = MAX_MESSAGES, max_bytes: int = MAX_BYTES) -> None:
        self._max_messages, self._max_bytes = max_messages, max_bytes
        self._marker = _encoded(MARKER)
        self._messages = self._bytes = 0
        # The last lines that fit, until it is known whether they or the marker end the export.
        self._held: list[bytes] = []
        self.is_full = False

    def add(self, entries: Iterable[TranscriptEntry]) -> bytes:
        """The bytes that are certain after these messages; nothing more is taken once `is_full`."""
        certain: list[bytes] = []
        for entry in entries:
            self.is_full = self.is_full or self._messages == self._max_messages
            self._messages += 1
            for line in lines_of(entry):
                if not self.is_full:
                    self._add(_encoded(line), certain)
            if self.is_full:
                break
        return b"".join(certain)

    def blocks(self, portions: Iterable[Iterable[TranscriptEntry]]) -> Iterator[bytes]:
        """The whole export of these messages, in blocks that are never empty; no more is read than goes into it."""
        for portion in portions:
            if block := self.add(portion):
                yield block
            if self.is_full:
                break
        if last := self.end():
            yield last

    def end(self) -> bytes:
        """The end of the export, after the last message."""
        return self._marker if self.is_full else b"".join(self._held)

    def _add(self, line: bytes, certain: list[bytes]) -> None:
        self._bytes += len(line)
        if self._bytes > self._max_bytes:
            self.is_full = True
        elif self._bytes > self._max_bytes - len(self._marker):
            self._held.append(line)
        else:
            certain.append(line)


def _encoded(line: str) -> bytes:
    return f"{line}\n".encode()
