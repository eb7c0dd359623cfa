"""The waits of a chat: since when each of the four has lasted, and when it has lasted for so long. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.automations.rules.triggers import WaitClock
from apps.chats.rules.episodes import SILENCE
from apps.chats.rules.histories import WordSide
from apps.routing.rules.clocks import OpenTime
from apps.routing.rules.waits import SpokenWord


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitFacts:
    """The facts that the waits of a chat are counted from, as of a moment.

    `waits_since` is the visitor's wait, without courtesies; `freed_at` when the chat lost its owner; `acted_at` the
    newest act of a person. `is_out`: spam, between colleagues, or put aside; `is_over`: somebody closed it.
    """

    waits_since: datetime | None
    spoken_at: datetime | None
    is_ours: bool  # the last word
    is_owned: bool
    freed_at: datetime | None
    acted_at: datetime | None
    woken_at: datetime | None
    is_out: bool
    is_over: bool


def _visitor_waits(facts: WaitFacts) -> datetime | None:
    return None if facts.waits_since is None else _latest(facts.waits_since, facts.woken_at)


def _visitor_silent(facts: WaitFacts) -> datetime | None:
    return _latest(facts.spoken_at, facts.woken_at) if facts.is_ours and not facts.is_over else None


def _unassigned(facts: WaitFacts) -> datetime | None:
    if facts.waits_since is None or facts.is_owned:
        return None
    return _latest(facts.waits_since, facts.freed_at, facts.woken_at)


def _nothing_happened(facts: WaitFacts) -> datetime | None:
    if facts.spoken_at is None or facts.is_over:
        return None
    return _latest(facts.spoken_at, facts.acted_at, facts.woken_at)


_BEGINS: Mapping[str, Callable[[WaitFacts], datetime | None]] = {
    "visitor_waits": _visitor_waits,
    "visitor_silent": _visitor_silent,
    "unassigned": _unassigned,
    "nothing_happened": _nothing_happened,
}


def began_at(wait: str, facts: WaitFacts) -> datetime | None:
    """Since when that wait has lasted; None while it does not."""
    return None if facts.is_out else _BEGINS[wait](facts)


def lasts_until(when: Mapping[str, Any], since: datetime, time: OpenTime) -> datetime | None:
    """When a wait has lasted for the minutes of `when`, by its clock; None where it never opens again."""
    counting = OpenTime() if when["clock"] == WaitClock.ALWAYS else time
    return counting.after(since, when["minutes"] * 60)


def asked_since(since: datetime, words: Sequence[SpokenWord]) -> datetime | None:
    """Since when a visitor waits whose words do, oldest first: a courtesy within a day after an answer that asks
    nothing begins no wait. None where all their words are courtesies.
    """
    answer: SpokenWord | None = None
    unanswered: list[SpokenWord] = []
    for word in words:
        if word.side is WordSide.VISITOR:
            unanswered.append(word)
        else:
            answer, unanswered = word, []
    if answer is None or answer.asks or not unanswered:
        return since
    asking = [word for word in unanswered if not word.is_courtesy or word.at - answer.at > SILENCE]
    return max(since, asking[0].at) if asking else None


def _latest(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
