"""The rules of a message. Source: specification, "Message"."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from apps.core.parsing.file_types import INLINE_IMAGES

MAX_KIND = 64  # characters of the name that a messenger has for a kind of message
MAX_LANGUAGE, MAX_PAGE = 16, 500  # characters that are kept of where a visitor's message was written
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


# The visitor's messages of these ways are answered by people, whatever machine answers the widget's visitors.
FOR_PEOPLE = frozenset({Via.OFFLINE_FORM})

# As whom operators of each type write.
SENDER_KINDS = {"human": SenderKind.AGENT, "ai": SenderKind.AI, "webhook": SenderKind.EXTERNAL_OPERATOR}

# The operators who are programs, unless one's settings say that a person answers (`BY_PERSON` in a message's details).
MACHINES = (SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
BY_PERSON = "by_person"
# In the details of an AI's answer: what it rests on.
SOURCES = "sources"

# What statistics count are the messages of the talk: neither what the system writes nor what is for operators only.
NOT_COUNTED = SenderKind.SYSTEM
# The `origin` of the shop's word: a system's message that its channel carries, in the widget's name.
BY_AUTOMATION = "automation"
# The `origin` of an invitation that a visitor's first word answers: a system's message, nobody's word, which is shown
# (`shown_kind`) as its speaker's.
BY_INVITATION, SHOWN_AS = "invitation", "shown_as"
# The `origin` of the shop's word that asks for a rating.
ASKS_RATING = "rating_request"
# The shop's words, all of them.
SHOP_WORDS = (BY_AUTOMATION, ASKS_RATING)
# The `origin` of words of the shop's side that begin a talk or stand in it by themselves, and answer nobody.
BY_ITSELF = (BY_AUTOMATION, BY_INVITATION)
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
    """The knowledge that an AI's answer rests on: `{title, url}` each, `url` None for a piece without an address.

    A piece of an article has its `article_id`, too.
    """
    return list((details or {}).get(SOURCES) or ())


def kept_language(code: str) -> str | None:
    """The first part of a code such as `pt-BR`, in small letters, as it is kept with a visitor's message."""
    first = re.split(r"[-_]", code.strip(), maxsplit=1)[0].lower()
    return first if first.isalnum() and len(first) <= MAX_LANGUAGE else None


def kept_page(url: str) -> str | None:
    """The host and path of a page's address, with a port that is not the usual one, as they are kept with a visitor's
    message. None for an address of no web page.
    """
    try:
        page = urlsplit(url.strip())
        usual, port = {"http": 80, "https": 443}[page.scheme], page.port
    except (KeyError, ValueError):
        return None
    if not page.hostname:
        return None
    host = f"[{page.hostname}]" if ":" in page.hostname else page.hostname
    return f"{host}{'' if port in (None, usual) else f':{port}'}{page.path or '/'}"[:MAX_PAGE]


def shown_kind(sender_kind: str, details: Mapping[str, Any] | None) -> str:
    """As whose a message is shown: its sender's, but for an invitation in the name of an operator."""
    if sender_kind != SenderKind.SYSTEM or not details:
        return sender_kind
    return str(details.get(SHOWN_AS, sender_kind))


def is_ai(sender_kind: str, details: Mapping[str, Any] | None) -> bool:
    """Whether a machine speaks in a message, of which visitors are told (EU AI Act, article 50)."""
    return shown_kind(sender_kind, details) in MACHINES and not (details or {}).get(BY_PERSON)


def spoken_name(name: str, sender_kind: str, details: Mapping[str, Any] | None) -> str:
    """A sender's name where a text is shown or sent: `Ada (AI)` for a machine."""
    return f"{name} (AI)".lstrip() if is_ai(sender_kind, details) else name


def files_of(details: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The files that a message's details name, the first of an album first: `{id, name, size, content_type}`."""
    known = details or {}
    return list(known.get("files") or ([known["file"]] if known.get("file") else ()))
