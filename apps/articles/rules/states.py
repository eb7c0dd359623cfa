"""The states of a help center's texts. Pure."""

from enum import StrEnum


class InWidget(StrEnum):
    """The widget's use of the articles: `suggest` is `search`, and more while the first message is written."""

    OFF = "off"
    SEARCH = "search"
    SUGGEST = "suggest"


class TextState(StrEnum):
    """Whether readers see a text."""

    DRAFT = "draft"
    PUBLISHED = "published"


class DraftState(StrEnum):
    """How far a worker's draft of a text is."""

    NONE = "none"
    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


class DomainState(StrEnum):
    """Whether a help center answers at its own domain."""

    PENDING = "pending"
    VERIFIED = "verified"
    LAPSED = "lapsed"
