"""The outbound delivery of a message: failures by code, waits, parts, and each part's content. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from apps.chats.rules.markup import MarkedText
from apps.messengers.rules.markup import PLAIN, Length, Style, pieces
from apps.messengers.rules.providers import ProblemCode


class FailureCode(StrEnum):
    """Why a message has not gone out, or does not go out."""

    UNAVAILABLE = "provider_unavailable"
    CREDENTIAL_REJECTED = "credential_rejected"
    BLOCKED = "blocked_by_user"
    NO_RECIPIENT = "recipient_unavailable"
    WINDOW_CLOSED = "window_closed"
    REJECTED = "rejected_by_provider"
    NO_FILE = "file_unavailable"
    NOT_PAID = "subscription_needed"
    NOT_CONNECTED = "channel_not_connected"
    DISABLED = "channel_disabled"
    # Never shown: the provider asks to wait; it does not take the file in this way.
    SLOW_DOWN = "slow_down"
    WRONG_KIND = "wrong_kind"


# What is wrong with the connection, and not with one message.
PROBLEM_OF: Mapping[FailureCode, ProblemCode] = {
    FailureCode.CREDENTIAL_REJECTED: ProblemCode.CREDENTIAL_REJECTED,
    FailureCode.NOT_PAID: ProblemCode.SUBSCRIPTION_NEEDED,
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider's error, in its own words; `retry_after_s` where it asks to wait, `number` where the provider counts
    its errors. `one_person`: it asks to wait with this conversation, and takes messages to others. `hook_lost`: it no
    longer knows where to deliver.
    """

    code: FailureCode
    detail: str = ""
    retry_after_s: float | None = None
    number: int | None = None
    one_person: bool = False
    hook_lost: bool = False


WAITS_S = (5, 15, 60, 300)
DEFAULT_WAIT_S, LONGEST_WAIT_S = 5, 900
LONGEST_IN_QUEUE_S = 24 * 3600
# For so long what cannot be called back stays here, so that who wrote it may take it back.
CALL_BACK_S = 5
PASSES = frozenset({FailureCode.UNAVAILABLE, FailureCode.SLOW_DOWN})


def wait_of(failure: Failure) -> float:
    """The seconds for which a provider wants to be left alone."""
    return min(max(failure.retry_after_s or DEFAULT_WAIT_S, 1), LONGEST_WAIT_S)


# --- What is sent -----------------------------------------------------------------------------------------------------

MAX_FILE_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileKind:
    """One way in which a messenger takes files.

    name: `image`, `video`, `audio` or `file`; pictures that an operator sends as such go as the first. types: content
    types, all where empty. max_caption: characters of the text that goes with it, 0 where none does. max_sides: the
    longest sum of a picture's width and height, and max_ratio that of one to the other; 0 for no limit. by_address:
    the messenger fetches it itself. refused_endings: endings of names, in small letters, that it never takes.
    """

    name: str
    types: frozenset[str] = frozenset()
    max_bytes: int = MAX_FILE_BYTES
    max_caption: int = 0
    max_sides: int = 0
    max_ratio: float = 0
    by_address: bool = False
    refused_endings: frozenset[str] = frozenset()

    def takes(self, file: Mapping[str, Any], sides: tuple[int, int] | None) -> bool:
        """Whether a file (`{name, size, content_type}`) of that width and height may go so; unknown sides are no
        obstacle.
        """
        if file.get("name", "").rpartition(".")[2].strip().lower() in self.refused_endings:
            return False
        if file["size"] > self.max_bytes or (self.types and file["content_type"] not in self.types):
            return False
        if sides is None or not all(sides):
            return True
        if self.max_sides and sum(sides) > self.max_sides:
            return False
        return not self.max_ratio or max(sides) / min(sides) <= self.max_ratio


@dataclass(frozen=True, slots=True)
class Abilities:
    """The limits of a messenger.

    `files` are the ways in which it takes files, the best first; of a file that fits into none it gets a line of text.
    `takes_changes`: it edits and deletes, for both sides, what it has taken.
    """

    longest: int = 4096
    length: Length = len
    files: Sequence[FileKind] = ()
    has_places: bool = False
    has_buttons: bool = False
    takes_changes: bool = False


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One call: a text, a place, or a file with its caption. `number` counts within the message.

    `text` is as the messenger takes it; `marks` are the members of the call that say how it is marked.
    """

    number: int
    text: str = ""
    marks: Mapping[str, Any] = field(default_factory=dict)
    buttons: Sequence[Mapping[str, str]] = ()
    place: tuple[float, float] | None = None
    file: Mapping[str, Any] | None = None  # {id, name, size, content_type, address}
    kind: FileKind | None = None

    @property
    def is_image(self) -> bool:
        """Whether its file goes as a picture."""
        return self.kind is not None and self.kind.name == "image"


# How a file goes that fits into none of a messenger's kinds: its name and its address, as text.
LINK = "link"


def kinds_for(type_: str, file: Mapping[str, Any], can: Abilities, sides: tuple[int, int] | None) -> list[FileKind]:
    """The kinds in which a file of a message may go, the best first. A file is never sent as a picture."""
    fitting = [kind for kind in can.files if kind.takes(file, sides)]
    return fitting if type_ == "image" else [kind for kind in fitting if kind.name != "image"]


STICKER = "[стикер]"


def parts_of(
    type_: str,
    body: str | MarkedText,
    details: Mapping[str, Any],
    can: Abilities,
    file_address: str = "",
    kind: FileKind | None = None,
    style: Style = PLAIN,
) -> list[MessagePart]:
    """A message as the calls that a messenger needs for it, in order. `file_address` is where its file can be had;
    `kind` is how it goes, None for a line of text. `style` is how the messenger marks texts.
    """
    coords, file = details.get("coords"), details.get("file")
    keyboard = (details.get("keyboard") or {}).get("buttons", ())
    text = style.ready(body if isinstance(body, MarkedText) else MarkedText(body))
    if type_ == "sticker":
        return _texts(text if text.text else MarkedText(STICKER), can, style)
    if type_ == "location" and coords:
        if can.has_places:
            place = MessagePart(0, place=(coords["lat"], coords["lng"]))
            return _numbered([place, *(_texts(text, can, style) if text.text else ())])
        link = f"https://www.openstreetmap.org/?mlat={coords['lat']}&mlon={coords['lng']}"
        return _texts(_lines(text, link), can, style)
    if type_ in ("image", "file") and file:
        return _file_parts(text, {**file, "address": file_address}, can, kind, style)
    if keyboard and not can.has_buttons:
        return _texts(_lines(text, *(f"{button['label']}: {button['url']}" for button in keyboard)), can, style)
    texts = _texts(text, can, style)
    if keyboard:
        texts[-1] = replace(texts[-1], buttons=keyboard)
    return texts


def _file_parts(
    text: MarkedText, file: Mapping[str, Any], can: Abilities, kind: FileKind | None, style: Style
) -> list[MessagePart]:
    if kind is None:
        return _texts(_lines(text, f"{file['name']}: {file['address']}"), can, style)
    rendered = style.render(text)
    if can.length(rendered.text) <= kind.max_caption:
        return [MessagePart(0, rendered.text, rendered.members, file=file, kind=kind)]
    return _numbered([MessagePart(0, file=file, kind=kind), *_texts(text, can, style)])


def _lines(text: MarkedText, *lines: str) -> MarkedText:
    """A text with lines below it."""
    return MarkedText("\n".join(filter(None, (text.text, *lines))), text.spans)


def _numbered(parts: Sequence[MessagePart]) -> list[MessagePart]:
    return [replace(part, number=number) for number, part in enumerate(parts)]


def _texts(text: MarkedText, can: Abilities, style: Style) -> list[MessagePart]:
    rendered = [style.render(piece) for piece in pieces(text, can.longest, can.length, style)]
    return [MessagePart(number, one.text, one.members) for number, one in enumerate(rendered)]
