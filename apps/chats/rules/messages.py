"""The rules of a message. Source: specification, "Message"."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from apps.core.parsing.file_types import INLINE_IMAGES

MAX_KIND = 64  # characters of the name that a messenger has for a kind of message
MAX_BODY_LENGTH = 65_536  # characters; what a transcript keeps of one message


class MessageType(StrEnum):
    TEXT = "text"
    IMAGE = "image"
    FILE = "file"
    LOCATION = "location"
    STICKER = "sticker"
    KEYBOARD = "keyboard"


class SenderKind(StrEnum):
    CLIENT = "client"
    AGENT = "agent"
    AI = "ai"
    EXTERNAL_OPERATOR = "external_operator"
    SYSTEM = "system"


class Via(StrEnum):
    """How a message came, where that is known: its `origin` is whatever its sender likes."""

    API = "api"
    CONSOLE = "console"
    SUPPORT_API = "support_api"
    # The program of a widget that came from the other platform; it writes under a person's name, and is none.
    LEGACY_BOT = "legacy_bot"
    # The one of the visitor's side: for people, when they are back.
    OFFLINE_FORM = "offline_form"
    # A letter of the visitor's side.
    MAIL = "mail"


# As whom operators of each type write.
SENDER_KINDS = {"human": SenderKind.AGENT, "ai": SenderKind.AI, "webhook": SenderKind.EXTERNAL_OPERATOR}

# The operators who are programs, unless one's settings say that a person answers (`BY_PERSON` in a message's details).
MACHINES = (SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
BY_PERSON = "by_person"
# In the details of an AI's answer: what it rests on.
SOURCES = "sources"

# What statistics count are the messages of the talk: neither what the system writes nor what is for operators only.
NOT_COUNTED = SenderKind.SYSTEM
# Whose messages answer a visitor, if the visitor sees them.
ANSWERING = (SenderKind.AGENT, SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)


# What each type asks for beside the members that every type may have (body, markdown, origin). A member that is
# another type's is refused.
_NEEDED = {
    MessageType.TEXT: ("body",),
    MessageType.IMAGE: ("file",),
    MessageType.FILE: ("file",),
    MessageType.LOCATION: ("coords",),
    MessageType.STICKER: ("sticker",),
    MessageType.KEYBOARD: ("body", "keyboard"),
}
# The members that belong to some types only.
_OF_TYPES = ("file", "coords", "sticker", "keyboard")


def member_refusals(type_: MessageType, content: Mapping[str, object]) -> dict[str, str]:
    """The members of a message that are missing for its type, or are another type's, and why they are refused."""
    needed = _NEEDED[type_]
    refusals = {name: "This field is required." for name in needed if name not in content}
    body = content.get("body")
    if "body" in needed and isinstance(body, str) and not body.strip():
        refusals["body"] = "The text is empty."
    for name in _OF_TYPES:
        if name in content and name not in needed:
            refusals[name] = f"A message of the type {type_} has no such member."
    return refusals


def file_refusal(type_: MessageType, content_type: str) -> str | None:
    """Why a file cannot be sent as a message of that type; None when it can."""
    if type_ is MessageType.IMAGE and content_type not in INLINE_IMAGES:
        return f"The file is no image but {content_type}: send it as a message of the type file."
    return None


def sources_of(details: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The knowledge that an AI's answer rests on: `{title, url}` each, `url` None for a piece without an address."""
    return list((details or {}).get(SOURCES) or ())


def is_ai(sender_kind: str, details: Mapping[str, Any] | None) -> bool:
    """Whether a machine speaks in a message, of which visitors are told (EU AI Act, article 50)."""
    return sender_kind in MACHINES and not (details or {}).get(BY_PERSON)


def spoken_name(name: str, sender_kind: str, details: Mapping[str, Any] | None) -> str:
    """A sender's name where a text is shown or sent: `Ada (AI)` for a machine."""
    return f"{name} (AI)".lstrip() if is_ai(sender_kind, details) else name


def files_of(details: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The files that a message's details name, the first of an album first: `{id, name, size, content_type}`."""
    known = details or {}
    return list(known.get("files") or ([known["file"]] if known.get("file") else ()))
