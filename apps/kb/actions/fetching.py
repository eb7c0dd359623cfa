"""The requests of a crawl: paced, within its hosts, by robots.txt. All go through `egress`, one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin

from django.conf import settings
from django.utils import timezone
from protego import Protego

from apps import egress
from apps.egress import EgressRefused
from apps.egress.allowlist import configured_allow_list
from apps.egress.targets import parse_target
from apps.kb.rules import crawling
from apps.kb.rules.crawling import PageReason, host_of

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Stopped(Exception):
    """The worker is to give the run back."""


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The result of a request: an answer, whose body is there with status 200; or a reason without one."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    reason: PageReason | None = None


def canonical_url(url: str, base: str | None = None) -> str | None:
    """An address as crawls keep it: absolute, as it is sent, without tracking; None for an address that is never
    fetched.
    """
    try:
        joined = urljoin(base, url) if base else url
        target = parse_target(crawling.without_tracking(joined), configured_allow_list())
    except (ValueError, EgressRefused):
        return None
    return target.url if len(target.url) <= crawling.MAX_URL else None


class Site:
    """The requests that a run may make to its hosts.

    `hosts` and `robots` are the run's, and grow; `wait` ends early to stop.
    """

    def __init__(self, *, hosts: list[str], robots: dict[str, dict[str, str]], wait: Callable[[float], bool]) -> None:
        self.hosts, self.robots = hosts, robots
        self.received = 0
        self._wait = wait
        self._rules: dict[str, Protego] = {}
        self._next_at = 0.0

    def robots_refusal(self, url: str) -> PageReason | None:
        """Why the host's robots.txt, which is read where it was not yet, keeps this page from being fetched."""
        host = host_of(url)
        if host not in self.robots:
            self.robots[host] = self._read_robots(url)
        if self.robots[host]["refusal"]:
            return PageReason(self.robots[host]["refusal"])
        return None if self._rules_of(host).can_fetch(url, crawling.AGENT) else PageReason.ROBOTS

    def has_robots(self, url: str) -> bool:
        """Whether the host's robots.txt is known, so that something may be asked for."""
        host = host_of(url)
        return host in self.robots and not self.robots[host]["refusal"]

    def within(self, addresses: Iterable[str], base: str) -> list[str]:
        """The addresses among these that are on the hosts, as crawls keep them."""
        found = (canonical_url(address, base) for address in addresses)
        return [url for url in found if url and host_of(url) in self.hosts]

    def sitemaps_of(self, url: str) -> list[str]:
        """The addresses of a host's sitemaps: those that its robots.txt names within the hosts, and the usual place."""
        named = self._rules_of(host_of(url)).sitemaps if host_of(url) in self.robots else ()
        return list(dict.fromkeys(self.within([*named, "/sitemap.xml"], url)))

    def get_page(self, url: str, *, headers: Mapping[str, str]) -> FetchResult:
        """One request; after 429 and 503 once more, when they say."""
        answer = self._get(url, headers=headers, most=crawling.PAGE_BYTES, seconds=crawling.PAGE_SECONDS)
        if answer.status in (429, 503) and "Retry-After" in answer.headers:
            self._pause(min(crawling.MAX_RETRY_AFTER_S, _seconds(answer.headers["Retry-After"])))
            answer = self._get(url, headers=headers, most=crawling.PAGE_BYTES, seconds=crawling.PAGE_SECONDS)
        return answer

    def get_within(self, url: str, *, most: int) -> FetchResult:
        """A file beside the pages, through redirects within the hosts."""
        answer = FetchResult()
        for _ in range(crawling.MAX_REDIRECTS + 1):
            answer = self._get(url, headers={}, most=most, seconds=crawling.PAGE_SECONDS)
            if answer.status not in REDIRECTS:
                return answer
            following = canonical_url(answer.headers.get("Location", ""), url)
            if following is None or host_of(following) not in self.hosts:
                return FetchResult(status=404)
            url = following
        return FetchResult(status=404)

    def _read_robots(self, url: str) -> dict[str, str]:
        """The stored form of a robots.txt: its text; or why no page of the host may be asked for."""
        answer = self.get_within(urljoin(url, "/robots.txt"), most=crawling.ROBOTS_BYTES)
        if answer.reason in (PageReason.BLOCKED_ADDRESS, PageReason.UNREACHABLE):
            return {"text": "", "refusal": answer.reason}
        if answer.status >= 500 or answer.reason is PageReason.TIMEOUT:
            return {"text": "", "refusal": PageReason.ROBOTS}
        text = answer.body.decode("utf-8-sig", "replace").replace("\0", "") if answer.status == 200 else ""
        return {"text": text, "refusal": ""}

    def _rules_of(self, host: str) -> Protego:
        """The rules of a host. Protego's matching takes linear time, so that it needs no cage."""
        if host not in self._rules:
            self._rules[host] = Protego.parse(self.robots[host]["text"])
        return self._rules[host]

    def _delay(self, host: str) -> float:
        asked = self._rules_of(host).crawl_delay(crawling.AGENT) if host in self.robots else None
        return max(settings.KB_CRAWL_PAUSE, min(crawling.MAX_DELAY_S, float(asked or 0)))

    def _get(self, url: str, *, headers: Mapping[str, str], most: int, seconds: float) -> FetchResult:
        self._pause(self._next_at - time.monotonic())
        self._next_at = time.monotonic() + self._delay(host_of(url))
        sent = {
            "User-Agent": f"{crawling.AGENT}/1.0 (+{settings.PUBLIC_URL})",
            "Accept": "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1",
            **headers,
        }
        try:
            with egress.open_stream("GET", url, headers=sent, timeout=seconds, max_bytes=most) as stream:
                body = b""
                if stream.status == 200:
                    for chunk in stream:
                        body += chunk
                        self.received += len(chunk)
                return FetchResult(stream.status, stream.headers, body)
        except EgressRefused as refused:
            return FetchResult(reason=crawling.reason_of_refusal(refused.reason))

    def _pause(self, seconds: float) -> None:
        if self._wait(max(0.0, seconds)):
            raise Stopped


def _seconds(retry_after: str) -> float:
    """The seconds of a Retry-After, which may name a moment; none for what can't be read."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:6])
    try:
        return max(0.0, (parsedate_to_datetime(text) - timezone.now()).total_seconds())
    except (ValueError, TypeError):
        return 0.0
