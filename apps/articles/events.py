"""The events of articles."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlePublished(DomainEvent):
    """Readers see this version of a text from now on; another one before it, or none."""

    widget_id: int
    article_id: int
    lang: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleUnpublished(DomainEvent):
    """Readers see a text no longer: it was withdrawn, or deleted. `version` is the one that they saw."""

    widget_id: int
    article_id: int
    lang: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpCenterChanged(DomainEvent):
    """The settings of a help center of those names are others now."""

    widget_id: int
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRated(DomainEvent):
    """A reader says whether a published text helped, or says otherwise than before."""

    widget_id: int
    article_id: int
    lang: str
    helpful: bool
