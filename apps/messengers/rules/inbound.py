"""Inbound updates: one update as its messages, and a message's content. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
UNSUPPORTED = "[неподдерживаемое сообщение]"

_MESSAGES = UUID("9d0c1c0e-7c0d-4f0a-8a50-1b9f6a7f2a36")


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """A message of an update: whose conversation, what the provider calls it, and the part of the update it is."""

    conversation: str
    external_id: str
    part: Mapping[str, Any]


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
    """A file of an inbound message. `reference` is what the provider gives it by: an address, or an id to ask with."""

    name: str
    reference: str
    is_image: bool = False
    size: int | None = None


@dataclass(frozen=True, slots=True)
class InboundContent:
    """The content of a message, and its author. A message without any of that is of an unknown kind."""

    text: str = ""
    attachments: Sequence[Attachment] = ()
    place: tuple[float, float] | None = None
    sticker: Mapping[str, str] | None = None
    user_id: str = ""
    username: str = ""
    name: str = ""
    phone: str = ""
    own_phone: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


def stored_under(provider: str, account: str, conversation: str, external_id: str, number: int = 0) -> UUID:
    """The name under which a message is stored, so that it is stored once however often it comes."""
    return uuid5(_MESSAGES, "\n".join((provider, account, conversation, external_id, str(number))))


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


def lost(caption: str, name: str) -> str:
    """The line that replaces a file that could not be fetched."""
    line = f"[вложение недоступно: {name}]"
    return f"{caption}\n{line}" if caption else line
