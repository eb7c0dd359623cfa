"""Floors on what a visitor writes: what is answered without asking a model (docs/guides/ai.md, "Floors").

`safety_floor` (a threat to one's own life), `human_request` (a person is asked for), and `trigger` (a word that the
assistant's owner named). They are matched as `chats/rules/phrases.py` says.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from apps.ai.rules.human_requests import request_in
from apps.ai.rules.words import HUMAN_REQUESTS, SAFETY, SOCIAL
from apps.chats.rules.phrases import folded, pattern, without

FloorReason = Literal["safety_floor", "human_request", "trigger"]


class Floor(NamedTuple):
    """Why a burst is handed over without a model: the reason, and the words that it was matched by."""

    reason: FloorReason
    trigger: str


def floor_of(burst: str, triggers: Sequence[str] = ()) -> Floor | None:
    """The first floor that the burst hits: life first, then a person, then the assistant's own triggers."""
    text = folded(burst)
    lists: tuple[tuple[FloorReason, Iterable[str]], ...] = (
        ("safety_floor", SAFETY),
        ("human_request", HUMAN_REQUESTS),
        ("trigger", triggers),
    )
    for reason, phrases in lists:
        for phrase in phrases:
            if pattern(phrase).search(text):
                return Floor(reason, phrase)
        if reason == "human_request" and (words := request_in(text)):
            return Floor(reason, words)
    return None


def is_social(burst: str) -> bool:
    """Whether the burst is nothing but thanks, a greeting, a goodbye, an ok, or emoji."""
    return bool(burst.strip()) and not any(character.isalnum() for character in without(burst, _by_length()))


@cache
def _by_length() -> tuple[str, ...]:
    return tuple(sorted(SOCIAL, key=len, reverse=True))
