"""Asking for ratings: the policy's values, its texts by language, the decision about an ended episode. Pure."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from apps.core.parsing.names import control_refusal

MAX_TEXT = 300  # characters of a question, and of thanks
MAX_DELAY_MINUTES = 1_440
MAX_AGAIN_DAYS = 365
MAX_VALID_DAYS = 60
MAX_CHANNELS = 50
LOWEST_LOW, HIGHEST_LOW = 1, 3
# An episode that ended before, while nothing decided, is not asked about any more.
DECIDED_WITHIN = timedelta(days=14)
TOKEN_BYTES = 24
# A request whose answer nobody waits for any more is at most so old, and a day.
OLDEST_REQUEST = timedelta(days=MAX_VALID_DAYS + 1)


class Ask(StrEnum):
    MANUAL = "manual"
    AFTER_END = "after_end"


class AskedOutcome(StrEnum):
    PERSON = "person"
    AI = "ai"


class AskedEnd(StrEnum):
    OPERATOR = "operator"
    API = "api"
    SILENCE = "silence"


class Scale(StrEnum):
    STARS = "stars"
    FACES = "faces"
    THUMBS = "thumbs"


class CommentRule(StrEnum):
    NEVER = "never"
    LOW = "low"
    ALWAYS = "always"


class OnLow(StrEnum):
    NONE = "none"
    WAITS = "waits"


class NotAsked(StrEnum):
    """Why nobody was asked about an ended episode; the first that applies."""

    OUTCOME = "outcome"
    ENDED_BY = "ended_by"
    CHANNEL = "channel"
    ASKED_LATELY = "asked_lately"
    WROTE_AGAIN = "wrote_again"
    UNREACHABLE = "unreachable"


# The values of each scale, the lowest first.
SCALE_VALUES = {Scale.STARS: (1, 2, 3, 4, 5), Scale.FACES: (1, 2, 3, 4, 5), Scale.THUMBS: (1, 5)}

QUESTIONS = {
    "en": "How did we do?",
    "de": "Wie zufrieden sind Sie?",
    "es": "¿Qué tal lo hicimos?",
    "ru": "Как мы справились?",
    "el": "Πώς τα πήγαμε;",
    "zh": "您对我们的服务满意吗？",
    "ar": "كيف كانت خدمتنا؟",
}
THANKS = {
    "en": "Thank you!",
    "de": "Vielen Dank!",
    "es": "¡Gracias!",
    "ru": "Спасибо!",
    "el": "Ευχαριστούμε!",
    "zh": "谢谢！",
    "ar": "شكراً لك!",
}
LANGUAGES = tuple(QUESTIONS)
_CHANNEL = re.compile(r"[a-z]{2,16}(?:[0-9]{1,18}|__[0-9]{1,18})?")


def text_in(texts: Mapping[str, str], defaults: Mapping[str, str], language: str) -> str:
    """The owner's text in a language, else the default of that language; English where there is neither."""
    short = language.split("-")[0]
    return texts.get(language) or texts.get(short) or defaults.get(short) or texts.get("en") or defaults["en"]


def are_texts(texts: Any) -> bool:
    """Whether these are texts by language, each of one line.

    >>> are_texts({"en": "Well?"}), are_texts({"xx": "?"}), are_texts({"en": ""})
    (True, False, False)
    """
    if not isinstance(texts, dict) or not texts.keys() <= set(LANGUAGES):
        return False
    return all(
        isinstance(text, str) and text.strip() and len(text) <= MAX_TEXT and not control_refusal(text)
        for text in texts.values()
    )


def is_channel(code: str) -> bool:
    """Whether a text looks like the code of a chat's channel."""
    return _CHANNEL.fullmatch(code) is not None


def channels_written(channels: Collection[str]) -> str:
    """Codes of channels as people edit them, one a line."""
    return "\n".join(channels)


def channels_read(written: str) -> list[str] | None:
    """Codes of channels from lines; None, for all, where there is no line."""
    return written.split() or None


def texts_written(texts: Mapping[str, str]) -> str:
    """Texts as people edit them: one a line, each behind its language.

    >>> texts_written({"en": "Well?", "de": "Gut?"})
    'en: Well?\\nde: Gut?'
    """
    return "\n".join(f"{language}: {texts[language]}" for language in LANGUAGES if language in texts)


def texts_read(written: str) -> dict[str, str]:
    """Texts by language from such lines; a line without a language stays with a name that is refused."""
    lines = [line.partition(":") for line in written.splitlines() if line.strip()]
    return {language.strip(): text.strip() for language, _colon, text in lines}


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedEpisode:
    """The facts of an ended episode that decide whether its visitor is asked."""

    outcome: str
    ended_by: str
    channel: str
    is_rated: bool
    asked_at: datetime | None  # the last request to the same person, in any chat
    reopened_at: datetime | None


def refusal_to_ask(
    episode: EndedEpisode,
    *,
    outcomes: Collection[str],
    ends: Collection[str],
    channels: Collection[str] | None,
    again_days: int,
    now: datetime,
) -> NotAsked | None:
    """Why the visitor of an ended episode is not asked; None where they may be, if they can be reached.

    A visitor who rated it without being asked is not asked.
    """
    if episode.outcome not in outcomes:
        return NotAsked.OUTCOME
    if episode.ended_by not in ends:
        return NotAsked.ENDED_BY
    if channels is not None and episode.channel not in channels:
        return NotAsked.CHANNEL
    since = now - timedelta(days=again_days)
    if episode.is_rated or (again_days and episode.asked_at is not None and episode.asked_at > since):
        return NotAsked.ASKED_LATELY
    if episode.reopened_at is not None and episode.reopened_at <= now:
        return NotAsked.WROTE_AGAIN
    return None
