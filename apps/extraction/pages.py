"""Web pages and sitemaps as their callers see them: read in a cage that many pages share."""

from dataclasses import dataclass
from typing import Any

from apps.extraction.documents import ExtractedDocument, read_document
from apps.extraction.sandbox_process import CRASHED, Cage, ExtractionFailed

_MODULE, _MARKDOWN = "apps.extraction.sandbox.pages", "apps.extraction.sandbox.markdown"
PRELOADED = ("apps.extraction.sandbox.warm", _MARKDOWN)
# One page of two megabytes at most, which nobody made by hand if it takes longer.
PAGE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class PageLink:
    """An address as a page has it, and whether the page lets it be followed."""

    href: str
    is_followed: bool


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """The content of a page. `document` is None where it has no text; addresses are as they stand in it.

    refresh: the address that it leads on to by itself.
    """

    document: ExtractedDocument | None
    links: tuple[PageLink, ...]
    canonical: str | None
    base: str | None
    robots: frozenset[str]
    refresh: str | None
    has_scripts: bool
    asks_password: bool


@dataclass(frozen=True, slots=True)
class ExtractedArticle:
    """The content of a page as Markdown, without a heading that is its title; addresses are as they stand in it.

    lang: the language that the page says it is in, or "".
    """

    title: str
    markdown: str
    lang: str


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The addresses of pages, and of further sitemaps; by address, when a page was changed last, as it is written."""

    pages: tuple[str, ...]
    sitemaps: tuple[str, ...]
    changed: dict[str, str]


def page_cage() -> Cage:
    """A cage that has loaded what pages need: each then takes what its text takes."""
    return Cage(preload=PRELOADED)


def read_page(cage: Cage, content: bytes, *, is_html: bool, charset: str) -> ExtractedPage:
    """Raises ExtractionFailed."""
    options = {"is_html": is_html, "charset": charset}
    answer = cage.call(f"{_MODULE}:read", content, options, seconds=PAGE_SECONDS)
    try:
        return ExtractedPage(
            None if answer["document"] is None else read_document(answer["document"]),
            tuple(PageLink(str(href), bool(is_followed)) for href, is_followed in answer["links"]),
            _text_or_none(answer["canonical"]),
            _text_or_none(answer["base"]),
            frozenset(map(str, answer["robots"])),
            _text_or_none(answer["refresh"]),
            bool(answer["has_scripts"]),
            bool(answer["asks_password"]),
        )
    except (KeyError, TypeError, ValueError):
        raise ExtractionFailed(CRASHED, "an answer of another shape") from None


def read_article(cage: Cage, content: bytes, *, charset: str) -> ExtractedArticle:
    """Raises ExtractionFailed."""
    return _article(cage.call(f"{_MARKDOWN}:read", content, {"charset": charset}, seconds=PAGE_SECONDS))


def html_as_markdown(cage: Cage, html: str) -> str:
    """A part of a page, without anything around it, as Markdown. Raises ExtractionFailed."""
    answer = cage.call(f"{_MARKDOWN}:part", html.encode("utf-8", "replace"), seconds=PAGE_SECONDS)
    return _article({"title": "", "lang": "", **answer}).markdown


def _article(answer: Any) -> ExtractedArticle:
    try:
        members = [answer[name] for name in ("title", "markdown", "lang")]
        if not all(isinstance(each, str) and "\0" not in each for each in members):
            raise TypeError
        for each in members:
            each.encode()  # refuses what is no text, a lone surrogate
    except (KeyError, TypeError, ValueError):
        raise ExtractionFailed(CRASHED, "an answer of another shape") from None
    return ExtractedArticle(*members)


def read_sitemap(cage: Cage, content: bytes) -> Sitemap:
    """Raises ExtractionFailed."""
    answer = cage.call(f"{_MODULE}:sitemap", content, seconds=PAGE_SECONDS)
    try:
        changed = {str(address): str(moment) for address, moment in answer["changed"].items()}
        return Sitemap(tuple(map(str, answer["pages"])), tuple(map(str, answer["sitemaps"])), changed)
    except (KeyError, TypeError, AttributeError):
        raise ExtractionFailed(CRASHED, "an answer of another shape") from None


def _text_or_none(value: Any) -> str | None:
    return None if value is None else str(value)
