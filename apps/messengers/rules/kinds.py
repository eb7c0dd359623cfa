"""The kinds of what people send in messengers, and what becomes of each. Pure.

An adapter says for every kind what becomes of it (`Adapter.reads`); the guide's table is that, and the tests hold each
entry against a payload that the vendor's documents print.
"""

from enum import StrEnum


class Kind(StrEnum):
    """A kind of what a person, or the messenger itself, puts into a conversation."""

    TEXT = "text"
    IMAGE = "picture"
    FILE = "file"
    VOICE = "voice message"
    VIDEO = "video"
    ALBUM = "album"
    LOCATION = "location"
    CONTACT = "contact"
    REPLY = "reply to a message"
    FORWARD = "forwarded message"
    LINK = "link with a preview"
    STICKER = "sticker"
    REACTION = "reaction"
    BUTTON = "button pressed"
    LIST = "choice from a list"
    ORDER = "order or product"
    POLL = "poll"
    CALL = "missed call"
    EDIT = "edit"
    DELETION = "deletion"
    SERVICE = "the messenger's own notice"
    UNKNOWN = "any other"


class Outcome(StrEnum):
    """The result of one kind of content here."""

    MESSAGE = "message"  # of the type that fits: text, image, file, location or sticker
    WORDS = "text"  # its words: what it says, as lines of a text message
    CHANGE = "shown at the message"
    UNKNOWN = "unknown kind"  # a message that says so, `unsupported`
    NOTHING = "nothing"
    NEVER = "not sent"  # the messenger has no such thing, or tells bots nothing of it
    UNCONFIRMED = "not confirmed"  # no document of the vendor's says how it comes
