"""The rows of a chat that its episodes are read off (`episodes.py`), and which side a message is of. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from apps.chats.rules.messages import BY_PERSON, SenderKind, Via


class WordSide(StrEnum):
    VISITOR = "visitor"
    PERSON = "person"
    AI = "ai"  # any machine


class EpisodeStepKind(StrEnum):
    CLOSED = "closed"
    HANDED_OVER = "handed_over"
    DEALT_WITH = "dealt_with"
    OTHER = "other"  # it names a department


class ChatWord(NamedTuple):
    """A message that counts: of either side, seen by both, not deleted. `text` is None for one that is no text."""

    id: int
    at: datetime
    side: WordSide
    text: str | None = None
    agent_id: int | None = None
    assistant_id: int | None = None
    language: str | None = None
    page: str | None = None


class EpisodeStep(NamedTuple):
    """A step of the chat, behind the message `after_id`."""

    id: int
    after_id: int
    at: datetime
    kind: EpisodeStepKind
    agent_id: int | None = None
    department_id: int | None = None
    reason: str | None = None


class RatingWord(NamedTuple):
    """A rating that was given, or asked for (then without a value), behind the message `after_id`."""

    after_id: int
    at: datetime
    value: int = 0


class ChatHistory(NamedTuple):
    """The rows of one chat that its episodes are read off; `words` and `steps` in the order of their ids."""

    words: Sequence[ChatWord]
    steps: Sequence[EpisodeStep] = ()
    department_id: int | None = None
    ratings: Sequence[RatingWord] = ()
    requests: Sequence[RatingWord] = ()

    def in_order(self) -> Iterator[ChatWord | EpisodeStep]:
        """The words, with each step behind the word that it names."""
        steps, behind = sorted(self.steps, key=lambda step: (step.after_id, step.id)), 0
        for word in self.words:
            while behind < len(steps) and steps[behind].after_id < word.id:
                yield steps[behind]
                behind += 1
            yield word
        yield from steps[behind:]


def side_of(sender_kind: str, via: str | None, details: Mapping[str, Any] | None) -> WordSide:
    """The side of a message's sender: a program that writes under a person's name is a machine."""
    if sender_kind == SenderKind.CLIENT:
        return WordSide.VISITOR
    is_person = sender_kind == SenderKind.AGENT and via != Via.LEGACY_BOT
    return WordSide.PERSON if is_person or (details or {}).get(BY_PERSON) else WordSide.AI
