"""Inbound updates: one update as its messages, and a message's content. Pure."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid5

MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
# Levels of an update that are read: no provider nests so deep.
DEEPEST = 100

_MESSAGES = UUID("9d0c1c0e-7c0d-4f0a-8a50-1b9f6a7f2a36")


class InboundEvent(StrEnum):
    """Something that a person does besides writing: edits or deletes a message of theirs, begins a conversation without
    a word, adds the bot to a group, or has another id from now on.
    """

    EDITED = "edited"
    DELETED = "deleted"
    STARTED = "started"
    ADDED = "added"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """A message of an update: whose conversation, what the provider calls it, and the part of the update it is.

    external_id is unique in the conversation, among all accounts of the provider that a connection may ever have: an
    id that the vendor counts by bot has the bot's id before it. album: what messages that were sent as one have in
    common. event: what the person did, where they did not write; `external_id` then names the update, and `changes` is
    the external id of the message that was edited or deleted.
    """

    conversation: str
    external_id: str
    part: Mapping[str, Any]
    album: str = ""
    event: InboundEvent | None = None
    changes: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A provider's receipt of messages that were sent: `state` is delivered, read or failed; of these ids, or of all up
    to a moment (milliseconds) of one conversation.
    """

    state: str
    external_ids: Sequence[str] = ()
    conversation: str = ""
    until_ms: int | None = None
    code: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of an inbound message. `reference` is what the provider gives it by: an address, or an id to ask with;
    `keys` is what is needed besides to have it, and to decrypt it; `identity` is the same whenever the same file is
    told of, where `reference` is not.
    """

    name: str
    reference: str
    is_image: bool = False
    size: int | None = None
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    identity: str = ""

    @property
    def known_as(self) -> str:
        """The name by which the file is told from another: an address counts without its signature."""
        return self.identity or self.reference.partition("?")[0]


@dataclass(frozen=True, slots=True)
class InboundContent:
    """The content of a message, and its author.

    unknown: the provider's name for a kind of content that the service does not know (also beside what it knows of a
    message). A message without anything of that is of an unknown kind. at: when it was said, or changed. attributes:
    what is known of a new contact besides, such as the advertisement that they write about. aliases: what the writer's
    conversation may be known by so far; it moves on to the name that this message gives it. sticker_file: what the
    provider gives a sticker's picture by, where that is no address (`url`).
    """

    text: str = ""
    unknown: str = ""
    at: datetime | None = None
    attachments: Sequence[Attachment] = ()
    place: tuple[float, float] | None = None
    sticker: Mapping[str, str] | None = None
    sticker_file: str = ""
    user_id: str = ""
    username: str = ""
    name: str = ""
    language: str = ""
    phone: str = ""
    own_phone: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    aliases: Sequence[str] = ()

    @property
    def unknown_kind(self) -> str:
        """The name of a kind of content that is not known, which there is where nothing else is; empty without one."""
        is_something = self.text.strip() or self.attachments or self.place or self.sticker
        return self.unknown or ("" if is_something else "unknown")

    @property
    def is_text_alone(self) -> bool:
        """Whether it is one message of words, for which nothing is to be fetched."""
        is_more = self.unknown or self.attachments or self.place or self.sticker
        return bool(self.text.strip()) and not is_more

    @property
    def picture(self) -> Attachment | None:
        """The picture of a sticker, where the provider gives one."""
        reference = self.sticker_file or (self.sticker or {}).get("url", "")
        return Attachment("sticker", reference, is_image=True) if self.sticker and reference else None


def known_by(provider: str, content: InboundContent) -> dict[str, str]:
    """The attributes of a contact by which they are known in a messenger; what is not known is left out."""
    about = {"user_id": content.user_id, "username": content.username, "language": content.language[:16]}
    return {f"{provider}_{name}": value for name, value in about.items() if value}


def stored_under(provider: str, account: str, conversation: str, external_id: str, number: int = 0) -> UUID:
    """The name under which a message is stored, so that it is stored once however often it comes."""
    return uuid5(_MESSAGES, "\n".join((provider, account, conversation, external_id, str(number))))


def edit_name(changes: str, when: str, part: Mapping[str, Any]) -> str:
    """The name of an edit of that message: of its moment and its content, since there may be two within a second."""
    told = hashlib.sha256(json.dumps(part, sort_keys=True, default=str).encode()).hexdigest()
    return f"{changes}~{when}~{told[:16]}"


def shallow(value: Any, levels: int = DEEPEST) -> Any:
    """A document without the values that are nested deeper than so many levels, since it is stored as JSON."""
    if not isinstance(value, Mapping | list):
        return value
    if levels == 0:
        return None
    if isinstance(value, list):
        return [shallow(one, levels - 1) for one in value]
    return {name: shallow(one, levels - 1) for name, one in value.items()}


def plain(value: Any) -> str:
    """An outside text in a form that can be stored: without NUL and lone surrogates; empty for a value that is
    no text.
    """
    if not isinstance(value, str):
        return ""
    return value.replace("\x00", "").encode("utf-8", "ignore").decode()


def identifier(value: Any) -> str:
    """An id as a text: whole numbers and texts are ids; nothing else is (then none)."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return ""
    return plain(str(value))[:255]


def moment(value: Any, *, per_second: int = 1) -> datetime | None:
    """Unix time, in seconds or parts of them, as a moment; None for what is none."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value / per_second < 2**33:
        return None
    return datetime.fromtimestamp(value / per_second, UTC)


def member(document: Any, *path: str) -> Any:
    """The value at that path of a document; None where it breaks off."""
    for name in path:
        if not isinstance(document, Mapping):
            return None
        document = document.get(name)
    return document


def objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; none of what is no list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def quoted(text: str, of: str, author: str = "") -> str:
    """A reply with the beginning of the message that it is to, as its quote."""
    of = " ".join(of.split())
    head = f"{author}: {of}" if author and of else of
    return f"> {_shortened(head, 200)}\n{text}".rstrip() if head else text


def forwarded(text: str, author: str = "") -> str:
    """A message that somebody else wrote first, with their name before it, where it is known."""
    return (
        f"↪ {_shortened(' '.join(author.split()), 100)}:\n{text}".rstrip() if author.strip() else f"↪ {text}".rstrip()
    )


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def card(name: str, phones: Sequence[str]) -> str:
    """A shared contact as a line: the name and every number."""
    numbers = ", ".join(dict.fromkeys(filter(None, phones)))
    return ": ".join(filter(None, (" ".join(name.split()), numbers)))


def vcard_phones(text: str) -> list[str]:
    """The numbers in a vCard (RFC 6350, TEL)."""
    found = []
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.partition(";")[0].rpartition(".")[2].upper() == "TEL":
            found.append(value.rpartition("tel:")[2].strip())
    return found


def vcard_name(text: str) -> str:
    """The formatted name in a vCard (RFC 6350, FN); empty without one."""
    named = (line for line in text.splitlines() if line.partition(":")[0].partition(";")[0].upper() == "FN")
    return next(named, "").partition(":")[2].strip()


def lost(caption: str, name: str) -> str:
    """The line that replaces a file that could not be fetched."""
    line = f"[вложение недоступно: {name}]"
    return f"{caption}\n{line}" if caption else line


def linked(title: str, url: str) -> str:
    """A card with an address as a line: `title: url`."""
    return ": ".join(filter(None, (" ".join(title.split()), url)))


def with_lines(text: str, lines: Sequence[str]) -> str:
    """A text with lines after it that stand for what is no text; a line that it has already is left out."""
    for line in lines:
        text = text if line in text else f"{text}\n{line}".lstrip("\n")
    return text


def advertised(title: str = "", address: str = "", url: str = "", price: str = "") -> dict[str, str]:
    """The attributes of a contact that say which advertisement they write about: `ad_title`, `ad_address`, `ad_url`,
    `ad_price`, each where it is known.
    """
    facts = {"ad_title": title, "ad_address": address, "ad_url": url, "ad_price": price}
    return {name: value for name, value in facts.items() if value}


def point(lat: Any, lng: Any) -> tuple[float, float] | None:
    """A place by its latitude and longitude in degrees; None for what is none."""
    if not isinstance(lat, int | float) or not isinstance(lng, int | float) or abs(lat) > 90 or abs(lng) > 180:
        return None
    return float(lat), float(lng)


def with_addresses(text: str, links: Sequence[Mapping[str, Any]], begins: str) -> str:
    """A text with the addresses of its links behind their words. `links` have `length`, `url` and, under the name
    `begins`, where they begin, in units of UTF-16.
    """
    units = text.encode("utf-16-le")
    ends = ((link.get(begins), link.get("length"), plain(link.get("url"))) for link in links)
    found = [(start + length, url) for start, length, url in ends if isinstance(start, int) and isinstance(length, int)]
    for end, url in sorted(found, reverse=True):
        if 0 < end * 2 <= len(units) and url and url not in text:
            units = units[: end * 2] + f" ({url})".encode("utf-16-le") + units[end * 2 :]
    return units.decode("utf-16-le", "ignore")
