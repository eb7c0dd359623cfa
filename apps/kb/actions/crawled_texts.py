"""The texts of a crawl's pages: stored as rules, compared with each other, and rid of what most of them share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Any, NamedTuple

from apps.extraction import ExtractedDocument, ExtractedPage
from apps.kb.actions.documents import Replaced, replace_document
from apps.kb.actions.fetching import FetchResult
from apps.kb.models import Crawler, CrawlPage, Rule, Source
from apps.kb.rules import repeats
from apps.kb.rules.crawling import FEW_WORDS, PageNote, PageState, crawl_ref, path_of
from apps.kb.rules.documents import Chunk
from apps.kb.rules.placeholders import lines_with, without_unfilled
from apps.kb.rules.texts import MAX_DOC_ID, MAX_TITLE, SourceType


class HeldPage(NamedTuple):
    """A page that names another one as its own: `canonical` is looked at first."""

    page: CrawlPage
    answer: FetchResult
    document: ExtractedDocument
    canonical: str
    note: str = ""


def store(page: CrawlPage, document: ExtractedDocument, crawler: Crawler) -> Replaced:
    """Makes a page's text its rules, less the lines that the site's pages share; start pages keep those.

    Lines of unfilled placeholders go from all. Something must be left (`is_unfilled`).
    """
    repeated = set(crawler.repeated)
    chunks = without_unfilled([Chunk(chunk.title, chunk.content) for chunk in document.chunks], repeated)
    if page.depth:
        chunks = repeats.without_repeated(chunks, repeated, set(crawler.everywhere))
    return replace_document(
        widget_id=page.widget_id,
        source_ref=crawl_ref(page.url),
        source_type=SourceType.CRAWL,
        title=(document.title or path_of(page.url))[:MAX_TITLE],
        doc_id=page.url[:MAX_DOC_ID],
        url=page.url,
        chunks=chunks,
        regenerates=crawler.recrawl_every_hours is not None,
    )


def is_unfilled(document: ExtractedDocument) -> bool:
    """Whether a page is nothing but placeholders, which scripts would fill in."""
    return not without_unfilled([Chunk(chunk.title, chunk.content) for chunk in document.chunks], ())


def note_of(page: ExtractedPage) -> str:
    """The note on a page that scripts would fill in, which people are told; empty for others."""
    document = page.document
    if document is None or is_unfilled(document):
        return PageNote.NEEDS_SCRIPTS if page.has_scripts or document is not None else ""
    if lines_with(chunk.content for chunk in document.chunks):
        return PageNote.UNFILLED
    few = sum(len(chunk.content.split()) for chunk in document.chunks) < FEW_WORDS
    return PageNote.FEW_WORDS if page.has_scripts and few else ""


def is_copy(held: HeldPage, *, was_held: bool) -> bool:
    """Whether the page that is named as the page's own has its text: a name alone may be a slip of the site's maker.

    was_held: that page names yet another one.
    """
    page = held.page
    known = CrawlPage.objects.for_widget(page.widget_id).filter(run=page.run_id, url=held.canonical, reason="")
    other = known.filter(state=PageState.DONE).exclude(content_hash="").first()
    if other is None:
        return False
    rules = Rule.objects.for_widget(page.widget_id).filter(source__ref=crawl_ref(other.url))
    texts = list(rules.order_by("chunk_index").values_list("content", flat=True))
    is_trusted = not was_held and other.depth > 0 and path_of(other.url) != "/"
    return repeats.says_the_same([chunk.content for chunk in held.document.chunks], texts, is_trusted=is_trusted)


def strip_repeated(crawler: Crawler, writing: Callable[[], AbstractContextManager[None]]) -> int:
    """Takes the lines that most pages share out of all but the first of them; gives how many rules were written.

    Lines with an unfilled placeholder go from the first, too. The lines are kept with the crawler, so that a page
    which changes is rid of them at once.
    """
    pages = dict(CrawlPage.objects.for_widget(crawler.pk).values_list("url", "depth"))
    lines = repeats.repeated_in(repeats.keys_of(chunk.content for chunk in some) for _, some in _pages_of(crawler.pk))
    found = lines.most
    if not found and not crawler.repeated:
        return 0
    crawler.repeated = repeats.merged(crawler.repeated, found)
    crawler.everywhere = repeats.merged(crawler.everywhere, lines.all)
    crawler.save(update_fields=["repeated", "everywhere"])
    starts = {crawl_ref(url) for url, depth in pages.items() if depth == 0}
    seen: set[str] = set()
    for ref, chunks in _pages_of(crawler.pk):
        if ref in starts:
            seen |= repeats.keys_of(chunk.content for chunk in chunks)
    written = 0
    for ref, chunks in _pages_of(crawler.pk):
        kept = without_unfilled(chunks, found) or chunks
        if ref not in starts:
            own = repeats.keys_of(chunk.content for chunk in chunks)
            kept = repeats.without_repeated(kept, found & seen, lines.all)
            seen |= own
        if kept != chunks:
            with writing():
                written += _rewrite(crawler.pk, ref, kept)
    return written


def _pages_of(widget_id: int) -> Iterator[tuple[str, list[Chunk]]]:
    """The chunks of the crawled pages, one page at a time."""
    rows = Rule.objects.for_widget(widget_id).filter(source__type=SourceType.CRAWL)
    told = rows.order_by("source_id", "chunk_index").values_list("source__ref", "title", "content")
    for ref, some in groupby(told.iterator(chunk_size=500), key=lambda row: str(row[0])):
        yield ref, [Chunk(title, content) for _, title, content in some]


def _rewrite(widget_id: int, ref: str, chunks: list[Chunk]) -> int:
    source = Source.objects.for_widget(widget_id).filter(ref=ref).first()
    if source is None:
        return 0
    return replace_document(
        widget_id=widget_id,
        source_ref=ref,
        source_type=SourceType.CRAWL,
        title=source.title,
        doc_id=source.doc_id,
        url=source.url,
        chunks=chunks,
        regenerates=source.regenerates,
    ).added


def conditions_of(page: CrawlPage) -> dict[str, str]:
    """The headers that ask for the page only if it has changed.

    Empty if its rules were deleted since: they come back.
    """
    if not page.content_hash:
        return {}
    if not Source.objects.for_widget(page.widget_id).filled().filter(ref=crawl_ref(page.url)).exists():
        page.content_hash = ""
        return {}
    sent = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
    return {name: value for name, value in sent.items() if value}


def header_of(result: FetchResult, name: str) -> str:
    """A validator of an answer, if it is one that can be sent back."""
    value = result.headers.get(name, "")
    return value if len(value) <= 512 and value.isprintable() else ""


def hash_of(document: ExtractedDocument) -> str:
    """The name of a page's text."""
    texts: list[Any] = [document.title, *([chunk.title, chunk.content] for chunk in document.chunks)]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()
