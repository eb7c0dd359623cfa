"""Rules of readers: who counts, how long they are kept, and how an article's figures are judged. Pure."""

import re
from datetime import timedelta
from enum import StrEnum

from apps.chats.rules.folding import folded
from apps.core.parsing.personal import replaced

MAX_QUERY, MAX_FEEDBACK = 200, 500
# Of a search, so many of the articles that it found are kept.
MOST_FOUND = 20
READERS_ARE_KEPT, FIGURES_ARE_KEPT = timedelta(days=90), timedelta(days=400)
# A reader who writes so soon was not answered by the article; a search is opened within the same time.
WRITES_WITHIN = timedelta(hours=24)
LATELY = timedelta(days=30)
ENOUGH_VOICES = 10
_ANSWERS, _FAILS = 0.7, 0.3
# Programs that read pages for others: crawlers of searches and models, previews of links, probes. None at all is one.
_ROBOT = re.compile(
    r"bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|mediapartners|lighthouse|headless|pingdom|uptime|monitor"
    r"|scanner|fetcher|feed|archiver|python-|curl/|wget/|go-http-client|java/|okhttp|libwww|httpclient|node-fetch|axios",
    re.IGNORECASE,
)
# Of a text, as far as this.
_READ_OF_AGENT = 500


class ReadingPlace(StrEnum):
    """The place where an article was read, or looked for: a public page, inside the chat, its Markdown."""

    PAGE = "page"
    WIDGET = "widget"
    MARKDOWN = "markdown"


class FeedbackReason(StrEnum):
    """Why an article did not help."""

    WRONG = "wrong"
    UNCLEAR = "unclear"
    MISSING = "missing"
    OTHER = "other"


class ArticleVerdict(StrEnum):
    """Whether an article answers, by those who said so: silence is no success."""

    TOO_FEW = "too_few"
    ANSWERS = "answers"
    MIXED = "mixed"
    FAILS = "fails"


def is_robot(user_agent: str) -> bool:
    """Whether a program reads that is no person's browser."""
    return not user_agent.strip() or _ROBOT.search(user_agent[:_READ_OF_AGENT]) is not None


def kept_query(query: str) -> str:
    """A search as it is kept: redacted, and folded as searches are, so that one question is one."""
    return folded(redacted(query))[:MAX_QUERY].strip()


def redacted(text: str) -> str:
    """A reader's words without personal data."""
    return replaced(text, lambda found: f"[{found.kind.upper()}]")


def verdict_of(*, helpful: int, not_helpful: int, chatted_after: int) -> ArticleVerdict:
    """The verdict of an article's voices: who wrote all the same within a day is one, too."""
    voices = helpful + not_helpful + chatted_after
    if voices < ENOUGH_VOICES:
        return ArticleVerdict.TOO_FEW
    if helpful >= _ANSWERS * voices:
        return ArticleVerdict.ANSWERS
    return ArticleVerdict.FAILS if helpful <= _FAILS * voices else ArticleVerdict.MIXED
