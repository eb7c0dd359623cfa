"""The outbound delivery of a message: failures by code, waits, parts, and each part's content. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class FailureCode(StrEnum):
    """Why a message has not gone out, or does not go out."""

    UNAVAILABLE = "provider_unavailable"
    CREDENTIAL_REJECTED = "credential_rejected"
    BLOCKED = "blocked_by_user"
    NO_RECIPIENT = "recipient_unavailable"
    WINDOW_CLOSED = "window_closed"
    REJECTED = "rejected_by_provider"
    NO_FILE = "file_unavailable"
    NOT_CONNECTED = "channel_not_connected"
    DISABLED = "channel_disabled"
    # Never shown: the provider asks to wait.
    SLOW_DOWN = "slow_down"


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider's error, in its own words; `retry_after_s` where it asks to wait, `number` where the provider counts
    its errors.
    """

    code: FailureCode
    detail: str = ""
    retry_after_s: float | None = None
    number: int | None = None


WAITS_S = (5, 15, 60, 300)
DEFAULT_WAIT_S, LONGEST_WAIT_S = 5, 900
LONGEST_IN_QUEUE_S = 24 * 3600
PASSES = frozenset({FailureCode.UNAVAILABLE, FailureCode.SLOW_DOWN})


def wait_of(failure: Failure) -> float:
    """The seconds for which a provider wants to be left alone."""
    return min(max(failure.retry_after_s or DEFAULT_WAIT_S, 1), LONGEST_WAIT_S)


# --- What is sent -----------------------------------------------------------------------------------------------------

Length = Callable[[str], int]


def utf16_length(text: str) -> int:
    """How Telegram counts: code units of UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)


@dataclass(frozen=True, slots=True)
class Abilities:
    """The limits of a messenger.

    `uploads` are the types whose bytes go up, `addresses` those it is given an address of; of other files it gets a
    line of text.
    """

    longest: int = 4096
    length: Length = len
    longest_caption: int = 0
    uploads: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    has_places: bool = False
    has_buttons: bool = False


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One call: a text, a place, or a file with its caption. `number` counts within the message."""

    number: int
    text: str = ""
    buttons: Sequence[Mapping[str, str]] = ()
    place: tuple[float, float] | None = None
    file: Mapping[str, Any] | None = None  # {id, name, size, content_type}
    is_image: bool = False


STICKER = "[стикер]"


def parts_of(type_: str, body: str, details: Mapping[str, Any], can: Abilities, file_address: str) -> list[MessagePart]:
    """A message as the calls that a messenger needs for it, in order. `file_address` is where its file can be had."""
    coords, file = details.get("coords"), details.get("file")
    keyboard = (details.get("keyboard") or {}).get("buttons", ())
    if type_ == "sticker":
        return _texts(body or STICKER, can)
    if type_ == "location" and coords:
        if can.has_places:
            place = MessagePart(0, place=(coords["lat"], coords["lng"]))
            return _numbered([place, *(_texts(body, can) if body else ())])
        link = f"https://www.openstreetmap.org/?mlat={coords['lat']}&mlon={coords['lng']}"
        return _texts(_lines(body, link), can)
    if type_ in ("image", "file") and file:
        return _file_parts(type_, body, file, can, file_address)
    if keyboard and not can.has_buttons:
        return _texts(_lines(body, *(f"{button['label']}: {button['url']}" for button in keyboard)), can)
    texts = _texts(body, can)
    if keyboard:
        texts[-1] = MessagePart(texts[-1].number, texts[-1].text, buttons=keyboard)
    return texts


def _file_parts(type_: str, body: str, file: Mapping[str, Any], can: Abilities, address: str) -> list[MessagePart]:
    if type_ not in can.uploads | can.addresses:
        return _texts(_lines(body, f"{file['name']}: {address}"), can)
    fits = can.length(body) <= can.longest_caption
    first = MessagePart(0, body if fits else "", file={**file, "address": address}, is_image=type_ == "image")
    return _numbered([first, *(() if fits else _texts(body, can))])


def _lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _numbered(parts: Sequence[MessagePart]) -> list[MessagePart]:
    return [
        MessagePart(number, part.text, part.buttons, part.place, part.file, part.is_image)
        for number, part in enumerate(parts)
    ]


def _texts(text: str, can: Abilities) -> list[MessagePart]:
    return [MessagePart(number, piece) for number, piece in enumerate(pieces(text, can.longest, can.length))]


def pieces(text: str, longest: int, length: Length = len) -> list[str]:
    """A text in pieces of at most that length, cut behind a line or a word where that is not too far back."""
    found = []
    while length(text) > longest:
        end = _fitting(text, longest, length)
        cut = max(text.rfind("\n", end // 2, end), 0) or max(text.rfind(" ", end // 2, end), 0) or end
        found.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [piece for piece in (*found, text) if piece] or [text]


def _fitting(text: str, longest: int, length: Length) -> int:
    end = min(len(text), longest)
    while length(text[:end]) > longest:
        end -= max(1, (length(text[:end]) - longest) // 2)
    return end
