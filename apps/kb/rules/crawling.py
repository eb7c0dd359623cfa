"""The limits of a crawl, the canonical form of its addresses, its states and its reasons."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from urllib.parse import unquote, urlsplit

MAX_START_URLS, MAX_START_URL = 10, 512
MAX_PAGES, DEFAULT_PAGES = 2000, 200
MAX_DEPTH, DEFAULT_DEPTH = 10, 3
MAX_PATHS, MAX_PATH = 50, 255
MIN_HOURS, MAX_HOURS, DEFAULT_HOURS = 6, 720, 168

AGENT = "ParleyBot"
MAX_SECONDS = 30 * 60
MAX_TOTAL_BYTES = 200 * 1024 * 1024
PAGE_BYTES, PAGE_SECONDS = 2 * 1024 * 1024, 10.0
ROBOTS_BYTES, SITEMAP_BYTES = 500 * 1024, 10 * 1024 * 1024
MAX_DELAY_S, MAX_RETRY_AFTER_S = 10.0, 60.0
MAX_REDIRECTS, MAX_VARIANTS = 5, 20
MAX_SITEMAPS, SITEMAP_DEPTH, MAX_SITEMAP_URLS = 50, 2, 10_000
MAX_PROBLEMS = 50
# What a source's name has room for, behind `crawl:`.
MAX_URL = 590
# Pages that a run keeps in its frontier, fetched or not.
MAX_FRONTIER = 20_000
# Pages that wait at once for another that they name as their own.
MAX_HELD = 200

_TRACKING = re.compile(
    r"utm_\w*|gclid|gbraid|wbraid|dclid|fbclid|yclid|ymclid|ysclid|msclkid|twclid|ttclid|igshid|mc_cid|mc_eid|_openstat"
    r"|phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sessid|osCsid|zenid|_ga|_gl|_hsenc|_hsmi|mkt_tok|srsltid"
    r"|gad_source|rb_clickid|roistat\w*|calltouch\w*|from_source|sort|sort_?by|sort_?order|order|order_?by|sort_?dir"
    r"|replytocom|add-to-cart|add_to_cart|add_to_wishlist|print",
    re.IGNORECASE,
)


class CrawlRunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ACTIVE = (CrawlRunState.QUEUED, CrawlRunState.RUNNING)


class Trigger(StrEnum):
    PUT = "put"
    SCHEDULE = "schedule"


class PageState(StrEnum):
    """The state of a page in a run: `queued` is still to be fetched."""

    QUEUED = "queued"
    DONE = "done"


class PageReason(StrEnum):
    """Why there are no rules of a page; beside them `status_NNN`."""

    ROBOTS = "robots"
    NOINDEX = "noindex"
    OFF_HOST = "off_host"
    TOO_DEEP = "too_deep"
    EXCLUDED = "excluded"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    BLOCKED_ADDRESS = "blocked_address"
    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    REDIRECTS = "redirects"
    LOGIN = "login"
    OWN_ARTICLE = "own_article"


class PageNote(StrEnum):
    """More about a reason, or about a page that was read."""

    NEEDS_SCRIPTS = "needs_scripts"
    FEW_WORDS = "few_words"
    UNFILLED = "unfilled"


# A page of scripts with fewer words than these may have the rest from its scripts.
FEW_WORDS = 12


# A page is counted as `failed` for these and for its status, as `skipped` for the others.
_FAILURES = frozenset(
    {PageReason.TIMEOUT, PageReason.UNREACHABLE, PageReason.BLOCKED_ADDRESS, PageReason.TOO_LARGE, PageReason.REDIRECTS}
)
# The page is not what it was: its rules go at once.
_GONE = frozenset(
    {
        "status_404",
        "status_410",
        PageReason.NOINDEX,
        PageReason.DUPLICATE,
        PageReason.EMPTY,
        PageReason.NOT_TEXT,
        PageReason.LOGIN,
    }
)
# It may not be asked for any more: its rules go at the end of a run that saw everything.
NOT_WANTED = frozenset({PageReason.ROBOTS, PageReason.TOO_DEEP, PageReason.EXCLUDED, PageReason.OWN_ARTICLE})


class RunError(StrEnum):
    UNREACHABLE = "unreachable"
    BLOCKED_ADDRESS = "blocked_address"
    ROBOTS_DISALLOWED = "robots_disallowed"
    ROBOTS_UNAVAILABLE = "robots_unavailable"
    KB_FULL = "kb_full"
    CRASHED = "crashed"


RUN_DETAILS = {
    RunError.UNREACHABLE: "None of the pages answered.",
    RunError.BLOCKED_ADDRESS: "The site's address could not be reached: it is none that outbound calls may go to.",
    RunError.ROBOTS_DISALLOWED: "The site's robots.txt lets ParleyBot fetch none of the pages.",
    RunError.ROBOTS_UNAVAILABLE: "The site's robots.txt could not be read, so no page was asked for.",
    RunError.KB_FULL: "The knowledge base has no room for a page: delete some rules first.",
    RunError.CRASHED: "The run was begun several times and never came to an end.",
}


def is_failure(reason: str) -> bool:
    return reason in _FAILURES or reason.startswith("status_")


def removes_at_once(reason: str) -> bool:
    return reason in _GONE


def may_pass(reason: str) -> bool:
    """Whether the page may be there the next time, so that what is known of it, and what it led to, stays."""
    return is_failure(reason) and reason not in _GONE


def reason_of_refusal(reason: str) -> PageReason:
    """The reason for a page of an outbound call that was refused or failed (`egress`)."""
    return {
        "private_address": PageReason.BLOCKED_ADDRESS,
        "not_https": PageReason.BLOCKED_ADDRESS,
        "timeout": PageReason.TIMEOUT,
        "too_large": PageReason.TOO_LARGE,
        "encoded_body": PageReason.NOT_TEXT,
    }.get(reason, PageReason.UNREACHABLE)


def error_of(reasons: Collection[str], *, is_robots_unavailable: bool) -> RunError:
    """Why a run fetched nothing, by what kept it from each page."""
    if PageReason.BLOCKED_ADDRESS in reasons:
        return RunError.BLOCKED_ADDRESS
    if PageReason.ROBOTS in reasons:
        return RunError.ROBOTS_UNAVAILABLE if is_robots_unavailable else RunError.ROBOTS_DISALLOWED
    return RunError.UNREACHABLE


def without_tracking(url: str) -> str:
    """The address less its fragment and what makes no other page: what follows people about (`utm_*`, click and session
    ids), the order of a list, buttons."""
    address = url.partition("#")[0]
    base, mark, query = address.partition("?")
    base = re.sub(r";jsessionid=[^/?]*", "", base, flags=re.IGNORECASE)
    if not mark:
        return base
    kept = [part for part in query.split("&") if part and not _TRACKING.fullmatch(unquote(part.partition("=")[0]))]
    return f"{base}?{'&'.join(kept)}" if kept else base


_LOGIN = re.compile(
    r"/(?:log[-_]?in|sign[-_]?in|auth|sso|wp-login\.php|session/new|sessions/new|account/login|user/login|vhod|voyti)"
    r"(?:[/.?]|$)",
    re.IGNORECASE,
)


def is_login(url: str) -> bool:
    """Whether an address is one of those where people sign in."""
    return _LOGIN.search(path_of(url)) is not None


# A sitemap's word that a page has not changed is taken for so long, then the page is asked for all the same.
LISTING_BELIEVED = timedelta(days=30)


def listed_at(written: str) -> datetime | None:
    """The moment until which a page has not changed, as its sitemap says, in UTC; None for a text that is no date
    of a calendar.

    A day ends when it is over everywhere.
    """
    try:
        moment = datetime.fromisoformat(written)
        if len(written) == len("2026-11-21"):
            return moment.replace(tzinfo=UTC) + timedelta(hours=36)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC) + timedelta(hours=12)
    except (ValueError, OverflowError):
        return None


def is_known_by_listing(listed: datetime | None, read: datetime | None, now: datetime) -> bool:
    """Whether a page that was read then has not changed since, by its sitemap."""
    return listed is not None and read is not None and listed < read and now - read < LISTING_BELIEVED


def is_below(url: str, beginnings: Collection[str]) -> bool:
    """Whether an address is one of these, which end in a slash, or stands below one."""
    return any(f"{url}/".startswith(beginning) for beginning in beginnings)


def path_of(url: str) -> str:
    return urlsplit(url).path or "/"


def host_of(url: str) -> str:
    """Host and port, as one text."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


def is_www_of(one: str, other: str) -> bool:
    """Whether two hosts differ by `www.` alone."""
    return one != other and one.removeprefix("www.") == other.removeprefix("www.")


@dataclass(frozen=True, slots=True)
class CrawlScope:
    """The limits of a crawl within its hosts. `own_pages` begin addresses whose text is known already."""

    max_depth: int
    include_paths: Sequence[str]
    exclude_paths: Sequence[str]
    own_pages: Sequence[str] = ()

    def refusal(self, url: str, depth: int) -> PageReason | None:
        """Why a page of the crawl's hosts is not fetched; start URLs are, unless they are the widget's own articles."""
        if is_below(url, self.own_pages):
            return PageReason.OWN_ARTICLE
        if depth == 0:
            return None
        path = unquote(path_of(url))
        paths = (path, path_of(url))
        if any(one.startswith(prefix) for prefix in self.exclude_paths for one in paths):
            return PageReason.EXCLUDED
        if self.include_paths and not any(one.startswith(prefix) for prefix in self.include_paths for one in paths):
            return PageReason.EXCLUDED
        return PageReason.TOO_DEEP if depth > self.max_depth else None


def crawl_ref(url: str) -> str:
    """The source of a page's rules."""
    return f"crawl:{url}"


def charset_in(parameters: str) -> str:
    """The encoding that the parameters of a Content-Type name, or ""."""
    for part in parameters.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'")[:40]
    return ""


def robots_words(header: str) -> frozenset[str]:
    """The words of an X-Robots-Tag for all robots, or for this one.

    A robot's name holds for the words that follow it.
    """
    words: set[str] = set()
    for part in header.lower().split(","):
        agent, colon, said = part.strip().partition(":")
        if not colon:
            words.add(agent)
        elif agent.strip() == AGENT.lower():
            words.add(said.strip())
    return frozenset(words)
