"""The stored facts of a visit, and the reading of a browser's header."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache

import ua_parser

MAX_USER_AGENT = 400
# A visit is over after so long without a new page or a return; of its pages the last ones are kept.
VISIT_ENDS_AFTER = timedelta(minutes=30)
PAGES_OF_VISIT = 5
# Who has not been on a page with the widget for longer is not expected back.
RETURNS_WITHIN = timedelta(days=7)


def kept_agent(header: str) -> str:
    """The stored form of a User-Agent header: the printable ones of its first 400 characters."""
    return "".join(filter(str.isprintable, header[:MAX_USER_AGENT]))


def pages_after(pages: Sequence[dict[str, str]], url: str, now: datetime) -> list[dict[str, str]]:
    """The last pages of a visit, oldest first, once the visitor is at `url`; the page where they are is no new one."""
    if not url or (pages and pages[-1]["url"] == url):
        return list(pages)
    return [*pages, {"url": url, "at": now.isoformat()}][-PAGES_OF_VISIT:]


@lru_cache(maxsize=1024)
def browser_and_system(user_agent: str) -> tuple[str | None, str | None]:
    """The browser and system of a User-Agent header, such as ("Firefox 133", "Android 15"); None for an unknown one."""
    known = ua_parser.parse(user_agent)
    browser, system = known.user_agent, known.os
    return (
        _named(browser.family, browser.major) if browser else None,
        _named(system.family, system.major) if system else None,
    )


def _named(family: str, major: str | None) -> str:
    return f"{family} {major}" if major else family
