"""The pages that the sitemaps of a crawl's hosts list, through indexes, each read in the cage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from apps import extraction
from apps.extraction import Cage, ExtractionFailed
from apps.kb.actions.fetching import Site
from apps.kb.rules import crawling
from apps.kb.rules.crawling import host_of


class SitemapPages(NamedTuple):
    """The pages, and when each was changed last, None where that is not told. `are_lacking`: a sitemap could not be had
    just now, so that a page which is not listed may still be there.
    """

    pages: Mapping[str, datetime | None]
    are_lacking: bool


def pages_of_sitemaps(site: Site, cage: Cage, starts: Sequence[str]) -> SitemapPages:
    """The pages that the sitemaps list within the hosts: indexes 2 deep, 50 files, 10,000 addresses at most."""
    waiting: list[tuple[str, int]] = []
    for url in {host_of(url): url for url in starts}.values():
        site.robots_refusal(url)
        if site.has_robots(url):
            waiting += [(sitemap, 0) for sitemap in site.sitemaps_of(url)]
    pages: dict[str, datetime | None] = {}
    asked: set[str] = set()
    are_lacking = False
    while waiting and len(asked) < crawling.MAX_SITEMAPS and len(pages) < crawling.MAX_SITEMAP_URLS:
        url, depth = waiting.pop(0)
        if url in asked:
            continue
        asked.add(url)
        answer = site.get_within(url, most=crawling.SITEMAP_BYTES)
        are_lacking |= answer.status >= 500 or answer.reason is not None
        if answer.status != 200 or not answer.body:
            continue
        try:
            read = extraction.read_sitemap(cage, answer.body)
        except ExtractionFailed:
            continue
        for address in read.pages:
            for page in site.within([address], url):
                pages.setdefault(page, crawling.listed_at(read.changed.get(address, "")))
        if depth < crawling.SITEMAP_DEPTH:
            waiting += [(inner, depth + 1) for inner in site.within(read.sitemaps, url)]
    return SitemapPages(dict(list(pages.items())[: crawling.MAX_SITEMAP_URLS]), are_lacking)
