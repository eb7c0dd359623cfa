"""Questions in vain: the ids of gaps, the drafts about them, and who is told of an article. Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from apps.articles.rules.limits import MAX_TITLE

# Who asked longer ago is not told.
TOLD_WITHIN = timedelta(days=90)
MAX_QUESTION = 200
DEFAULT_LIMIT, MAX_LIMIT = 20, 100
_OF_TOPIC = "topic:"
_ID = re.compile(r"(chat|search)-([0-9]{1,18})")
# Markdown reads these as more than a character.
_MARKS = re.compile(r"([\\`*_\[\]<>#|~])")


class GapSource(StrEnum):
    """The place of a question in vain."""

    CHAT = "chat"
    SEARCH = "search"


class LeftOutReason(StrEnum):
    """Why a visitor who asked in vain is not told, in the order in which it is looked at."""

    OLD = "old"
    SPAM = "spam"
    BLOCKED = "blocked"
    ANSWERED = "answered"
    TOLD = "told"
    NO_WAY = "no_way"


class ToldOutcome(StrEnum):
    """The outcome of telling a visitor."""

    TOLD = "told"
    ANSWERED = "answered"
    BLOCKED = "blocked"
    SPAM = "spam"
    NO_WAY = "no_way"
    GONE = "gone"


class GapId(NamedTuple):
    """A gap's id: of a topic, or of the first search with its words."""

    source: GapSource
    pk: int

    def __str__(self) -> str:
        return f"{self.source}-{self.pk}"


def gap_id(text: str) -> GapId | None:
    """The id in a text; None where it is none."""
    found = _ID.fullmatch(text)
    return GapId(GapSource(found[1]), int(found[2])) if found else None


def key_of_topic(topic_id: int) -> str:
    """The key of an article about a topic."""
    return f"{_OF_TOPIC}{topic_id}"


def topic_of(key: str | None) -> int | None:
    """The topic that an article of that key is about; None for an article about a search, or about no gap."""
    return int(key.removeprefix(_OF_TOPIC)) if key and key.startswith(_OF_TOPIC) else None


def key_of_search(lang: str, query: str) -> str:
    """The key of an article about a search; the words may be long."""
    return f"search:{lang}:{sha256(query.encode()).hexdigest()[:32]}"


class AskedChat(NamedTuple):
    """The facts about a visitor who asked in vain."""

    asked_at: datetime
    is_spam: bool
    is_blocked: bool
    is_answered: bool
    is_told: bool
    is_unreachable: bool


def why_left_out(chat: AskedChat, now: datetime) -> LeftOutReason | None:
    """Why the visitor is not told; None where they are."""
    reasons = (
        (LeftOutReason.OLD, chat.asked_at < now - TOLD_WITHIN),
        (LeftOutReason.SPAM, chat.is_spam),
        (LeftOutReason.BLOCKED, chat.is_blocked),
        (LeftOutReason.ANSWERED, chat.is_answered),
        (LeftOutReason.TOLD, chat.is_told),
        (LeftOutReason.NO_WAY, chat.is_unreachable),
    )
    return next((reason for reason, holds in reasons if holds), None)


def draft_title(topic: str) -> str:
    """The title of a draft about a topic."""
    title = " ".join(topic.split())
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1].rstrip() + "…"


def draft_body(answers: Sequence[tuple[str, str]]) -> str:
    """People's answers, each under its question, as Markdown that shows them as they were typed."""
    return "\n\n".join(f"## {_plain(' '.join(question.split()))}\n\n{_lines(answer)}" for question, answer in answers)


def told_text(words: str, question: str, title: str, url: str) -> str:
    """The message to who asked: their question, the article's title and its address."""
    question = " ".join(question.split())
    if len(question) > MAX_QUESTION:
        question = question[: MAX_QUESTION - 1].rstrip() + "…"
    return f"{words.format(question=question)}\n{title}\n{url}"


def _lines(text: str) -> str:
    """A text whose lines stay lines: two blanks before each end that begins no paragraph."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return "\n\n".join("  \n".join(_plain(line.strip()) for line in each.splitlines()) for each in paragraphs)


def _plain(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)


TOLD_WORDS = {
    "en": "You asked: “{question}” There is an article about it now:",
    "ru": "Вы спрашивали: «{question}» Теперь об этом есть статья:",
    "de": "Sie haben gefragt: „{question}“ Dazu gibt es jetzt einen Artikel:",
    "es": "Usted preguntó: «{question}» Ahora hay un artículo sobre ello:",
    "el": "Ρωτήσατε: «{question}» Τώρα υπάρχει ένα άρθρο γι' αυτό:",
    "ar": "سألت: «{question}» هناك الآن مقالة عن ذلك:",
    "zh": "您曾问过：“{question}”现在有一篇相关文章：",
}
