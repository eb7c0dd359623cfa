"""The questions that articles ask of the apps above: about questions in vain of chats, and for a model's words.

Without an app that answers, searches alone tell of gaps, and no model writes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from apps.core.parsing.periods import Window
from apps.core.plugins import HookSet, hooked


class AskedTopic(NamedTuple):
    """A topic that visitors asked about in chats in vain, counted in a window and in the one before."""

    id: int
    category: str
    topic: str
    lang: str | None
    count: int  # type: ignore[assignment]
    chats: int
    previous_count: int
    samples: Sequence[str]
    first_seen_at: datetime
    last_seen_at: datetime


class Occurrence(NamedTuple):
    """A chat in which a topic was asked about in vain: by which message, the newest one, and whether a thumb up under
    a later answer says that it is answered."""

    chat_id: int
    message_id: int
    question: str
    at: datetime
    is_thanked: bool


class PastAnswer(NamedTuple):
    """A visitor's question, and people's answer there; both without personal data."""

    question: str
    answer: str


class WrittenArticle(NamedTuple):
    """A model's article; `unsupported` are its facts that stand in nothing that it was given."""

    title: str
    body: str
    unsupported: Sequence[str]


class WritingFailed(Exception):
    """No model wrote: none is there, it failed, its answer cannot be read, or the day's budget is spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleHooks(HookSet):
    """The answers of an app to these questions (its `hooks.py`)."""

    # By widget, window, language (any: None), how many at most, and one topic (any: None): the most frequent first.
    asked_topics: Callable[[int, Window, str | None, int, int | None], Sequence[AskedTopic]] | None = None
    # By widget, topic and since when: its chats, each once.
    occurrences: Callable[[int, int, datetime], Sequence[Occurrence]] | None = None
    # By widget and topic: people's answers, the newest first.
    past_answers: Callable[[int, int], Sequence[PastAnswer]] | None = None
    # By widget: whether a model may be asked to write.
    may_write: Callable[[int], bool] | None = None
    # By widget, language, questions, answers and pieces of knowledge. Raises WritingFailed.
    write: Callable[[int, str, Sequence[str], Sequence[str], Sequence[str]], WrittenArticle] | None = None


def asked_topics(
    widget_id: int, window: Window, lang: str | None, limit: int, topic_id: int | None = None
) -> Sequence[AskedTopic]:
    """The topics asked about in chats in vain, the most frequent first, or the one that is named."""
    for ask in hooked(lambda app: app.asked_topics, ArticleHooks):
        return ask(widget_id, window, lang, limit, topic_id)
    return ()


def occurrences(widget_id: int, topic_id: int, since: datetime) -> Sequence[Occurrence]:
    """The chats in which a topic was asked about since a moment; empty for a topic that is none of the widget's."""
    for ask in hooked(lambda app: app.occurrences, ArticleHooks):
        return ask(widget_id, topic_id, since)
    return ()


def past_answers(widget_id: int, topic_id: int) -> Sequence[PastAnswer]:
    """People's answers to a topic's questions, each answer once, the newest first."""
    for ask in hooked(lambda app: app.past_answers, ArticleHooks):
        return ask(widget_id, topic_id)
    return ()


def may_write(widget_id: int) -> bool:
    """Whether a model may be asked to write an article. No model is asked."""
    return any(ask(widget_id) for ask in hooked(lambda app: app.may_write, ArticleHooks))


def write(
    widget_id: int, lang: str, questions: Sequence[str], answers: Sequence[str], pieces: Sequence[str]
) -> WrittenArticle:
    """A model's article out of people's answers and the knowledge. Raises WritingFailed."""
    for ask in hooked(lambda app: app.write, ArticleHooks):
        return ask(widget_id, lang, questions, answers, pieces)
    raise WritingFailed
