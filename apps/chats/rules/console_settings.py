"""How operators of a widget work: what AI does beside them, and when an absent owner's chats ring for all."""

from enum import StrEnum

MIN_AWAY_MINUTES, MAX_AWAY_MINUTES, DEFAULT_AWAY_MINUTES = 5, 720, 15


class DraftsMode(StrEnum):
    """When AI drafts an answer for an operator: never, when asked, or also where a visitor waits."""

    OFF = "off"
    ASKED = "asked"
    WAITING = "waiting"


class SummariesMode(StrEnum):
    """When AI sums a chat up: never, when it changes hands, or also when a long one is opened."""

    OFF = "off"
    HANDOVER = "handover"
    AUTO = "auto"


class TranslationMode(StrEnum):
    """Whether chats are translated: never, when an operator says so, or wherever it would be offered."""

    OFF = "off"
    OFFER = "offer"
    AUTO = "auto"
