"""What a message may be. Source: specification, "Message"."""

from enum import StrEnum

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
