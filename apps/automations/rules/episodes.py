"""The episode of a chat: from the visitor's word in a new chat, after a close, or after a day in which nobody waited.

Pure. The sweep's closing ends none.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from apps.chats.rules.episodes import SILENCE


class EpisodeWord(NamedTuple):
    """A word of either side."""

    id: int
    at: datetime
    is_visitors: bool


class Episode(NamedTuple):
    """The visitor's words in the last episode of a chat, and whether nothing was said before it."""

    messages: int
    is_first: bool


def episode_of(words: Sequence[EpisodeWord], closed_after_id: int) -> Episode:
    """The last episode of a chat whose words these are, the newest first.

    `closed_after_id` is the message after which somebody had closed the chat before its newest word; 0: nobody had.
    """
    messages = 0
    newer: EpisodeWord | None = None
    for word in words:
        lapsed = newer is not None and not word.is_visitors and newer.at - word.at > SILENCE
        if lapsed or word.id <= closed_after_id:
            return Episode(messages, is_first=False)
        messages += word.is_visitors
        newer = word
    return Episode(messages, is_first=True)
