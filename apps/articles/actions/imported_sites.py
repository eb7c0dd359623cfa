"""The pages of an old site as texts: by the knowledge base's own crawler, paced, within its host, by robots.txt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from apps import extraction
from apps.articles.rules.imports import MAX_KNOWN, MAX_PAGES, MAX_PATH, ImportEntry, Refused, with_base
from apps.articles.rules.limits import MAX_TITLE
from apps.chats.rules.languages import LANGUAGES
from apps.extraction import Cage, ExtractionFailed
from apps.kb.actions.fetching import REDIRECTS, FetchResult, Site, Stopped, canonical_url
from apps.kb.actions.sitemaps import pages_of_sitemaps
from apps.kb.rules.crawling import charset_in, host_of, is_login, path_of, robots_words

_HTML = ("text/html", "application/xhtml+xml")
_UNWANTED = {"noindex", "none"}


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page that was asked for: its text, why it is left out, or None where it only led on."""

    url: str
    entry: ImportEntry | Refused | str | None = None
    is_stopped: bool = False


def start_of(url: str) -> str | None:
    """An address as it is read; None for one that never is."""
    found = canonical_url(url)
    return found if found and found.startswith(("http://", "https://")) else None


class SiteReading:
    """The pages below an address, those of its sitemaps first; `state` is how far it has come."""

    def __init__(self, start: str, state: dict[str, Any], cage: Cage, wait: Callable[[float], bool]) -> None:
        self.state = state or {"waiting": [start], "known": [start], "hosts": [host_of(start)], "robots": {}, "read": 0}
        self.was_answered = bool(self.state["read"])
        self._start, self._cage = start, cage
        self._below = path_of(start).rpartition("/")[0] + "/"
        self._site = Site(hosts=self.state["hosts"], robots=self.state["robots"], wait=wait)

    def next_page(self) -> SitePage | None:
        """Asks for the next page; None where none is left, or enough are read."""
        state = self.state
        if not state["waiting"] or state["read"] >= MAX_PAGES:
            return None
        url = state["waiting"][0]
        try:
            if not state["read"] and url == self._start and len(state["known"]) == 1:
                self._add(pages_of_sitemaps(self._site, self._cage, [url]).pages)
            found = self._read(url)
        except Stopped:
            return SitePage(url, is_stopped=True)
        state["waiting"] = state["waiting"][1:]
        return SitePage(url, found)

    def _add(self, urls: Any) -> None:
        known = set(self.state["known"])
        for url in urls:
            if len(known) >= MAX_KNOWN:
                return
            if url not in known and path_of(url).startswith(self._below) and not is_login(url):
                known.add(url)
                self.state["known"].append(url)
                self.state["waiting"].append(url)

    def _read(self, url: str) -> ImportEntry | Refused | str | None:
        if (refusal := self._site.robots_refusal(url)) is not None:
            return str(refusal)
        answer = self._site.get_page(url, headers={})
        if answer.reason is not None:
            return str(answer.reason)
        self.state["read"] += 1
        self.was_answered = True
        if answer.status in REDIRECTS:
            leads_to = canonical_url(answer.headers.get("Location", ""), url)
            if leads_to and url == self._start and host_of(leads_to) not in self.state["hosts"]:
                self.state["hosts"].append(host_of(leads_to))
            self._add([leads_to] if leads_to and host_of(leads_to) in self.state["hosts"] else [])
            return None
        return f"status_{answer.status}" if answer.status != 200 else self._content(url, answer)

    def _content(self, url: str, result: FetchResult) -> ImportEntry | Refused | str | None:
        kind, _, parameters = result.headers.get("Content-Type", "text/html").partition(";")
        if kind.strip().lower() not in _HTML:
            return "not_text"
        charset = charset_in(parameters)
        try:
            page = extraction.read_page(self._cage, result.body, is_html=True, charset=charset)
            said = page.robots | robots_words(result.headers.get("X-Robots-Tag", ""))
            base = (canonical_url(page.base, url) if page.base else None) or url
            self._add(self._site.within([link.href for link in page.links if link.is_followed], base))
            if said & _UNWANTED:
                return "noindex"
            if page.asks_password:
                return "login"
            if page.canonical and (canonical := canonical_url(page.canonical, base)) and canonical != url:
                self._add(self._site.within([canonical], base))
                return None
            article = extraction.read_article(self._cage, result.body, charset=charset)
        except ExtractionFailed as failed:
            return Refused.TOO_LONG if failed.code in ("too_much_text", "limits_exceeded") else Refused.EMPTY
        if len(url) > MAX_PATH:
            return Refused.TOO_LONG
        return ImportEntry(
            path=url,
            key=f"url:{url}",
            lang=article.lang if article.lang in LANGUAGES else None,
            category=None,
            title=article.title[:MAX_TITLE],
            body=with_base(article.markdown, base),
        )
