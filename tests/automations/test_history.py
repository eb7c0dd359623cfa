"""A chat's past is replayed: its events, its waits, and its facts of then."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.automations.rules.history import PastChat, PastMark, PastStep, PastWord, moments
from apps.chats.rules.histories import WordSide
from apps.routing.rules.clocks import OpenTime
from apps.routing.rules.waits import SpokenWord

NOON = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
SALES, BORIS = 7, 3


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def word(number: int, minutes: float, side: str = "visitor", text: str = "Where is my order?") -> PastWord:
    is_courtesy = text == "Thanks!"
    return PastWord(SpokenWord(number, at(minutes), WordSide(side), is_courtesy=is_courtesy), "text", text)


def step(minutes: float, kind: str, after: int = 0, **members: Any) -> PastStep:
    members = {"agent_id": None, "to_agent_id": None, "department_id": None, "comment": "", **members}
    return PastStep(after, at(minutes), kind, **members)


def chat(*rows: PastWord | PastStep | PastMark, **members: Any) -> PastChat:
    known = {"department_id": None, "is_spam": False, "is_returning": False, "is_whole": True, **members}
    return PastChat(
        id=1,
        channel="widget",
        words=[row for row in rows if isinstance(row, PastWord)],
        steps=[row for row in rows if isinstance(row, PastStep)],
        marks=[row for row in rows if isinstance(row, PastMark)],
        **known,
    )


def found(past: PastChat, **when: Any) -> list[tuple[float, Mapping[str, Any]]]:
    """The moments until an hour past noon, in minutes, with their facts."""
    told = moments(past, when, lambda department_id: OpenTime(), at(60))
    return [((moment.at - NOON).total_seconds() / 60, moment.facts) for moment in told]


def minutes_of(past: PastChat, **when: Any) -> list[float]:
    return [minutes for minutes, _ in found(past, **when)]


TALK = chat(
    word(1, 0),
    word(2, 2, "ai", "Which one?"),
    word(3, 3, text="The second"),
    step(4, "waits", 3, comment="asked"),
    step(5, "accepted", 3, agent_id=BORIS),
    word(4, 5, "person", "It is on its way"),
    word(5, 6, text="Thanks!"),
    step(7, "priority", 5, agent_id=BORIS, comment="high"),
    step(8, "transferred", 5, agent_id=BORIS, department_id=SALES),
    step(9, "rated", 5, comment="5"),
    step(10, "closed", 5, agent_id=BORIS),
    PastMark(at(11), "sla.warning"),
    word(6, 40, text="Hello again"),
    department_id=SALES,
)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ("chat.started", [0]),
        ("visitor.wrote", [0, 3, 6, 40]),
        ("ai.answered", [2]),
        ("person.wrote", [5]),
        ("chat.handed_over", [4]),
        ("chat.assigned", [5]),
        ("chat.unassigned", [8]),
        ("department.changed", [8]),
        ("priority.changed", [7]),
        ("chat.rated", [9]),
        ("chat.closed", [10, 47]),
        ("chat.reopened", [40]),
        ("sla.warning", [11]),
        ("sla.breached", []),
        ("tag.added", []),
        ("snooze.ended", []),
    ],
)
def test_each_event_is_found_when_it_happened(event: str, expected: Sequence[float]) -> None:
    assert minutes_of(TALK, event=event) == expected


def test_facts_are_those_of_then() -> None:
    (_, first), (_, second), (_, thanks), (_, again) = found(TALK, event="visitor.wrote")
    names = ("text", "messages", "status", "agent_id", "department_id", "priority", "handling", "is_returning")
    assert [first[name] for name in names] == [
        *("Where is my order?", 1, "active", None, None, "normal", "missed", False),
    ]
    assert [second[name] for name in names] == ["The second", 2, "active", None, None, "normal", "ai", False]
    assert [thanks[name] for name in names] == ["Thanks!", 3, "active", BORIS, None, "normal", "ai_to_human", False]
    assert [again[name] for name in names] == ["Hello again", 1, "active", None, SALES, "high", "ai_to_human", True]


def test_what_was_before_a_change_is_known() -> None:
    ((_, priority),) = found(TALK, event="priority.changed")
    assert (priority["previous.priority"], priority["priority"]) == ("normal", "high")
    ((_, department),) = found(TALK, event="department.changed")
    assert (department["previous.department_id"], department["department_id"]) == (None, SALES)
    ((_, reopened),) = found(TALK, event="chat.reopened")
    assert reopened["previous.status"] == "expired"


@pytest.mark.parametrize(
    ("wait", "minutes", "expected"),
    [
        ("visitor_waits", 2, [42]),  # "Thanks!" waits for nothing, the others were answered in two minutes
        ("visitor_waits", 1, [1, 4, 41]),
        ("visitor_waits", 30, []),
        ("visitor_silent", 2, []),
        ("unassigned", 1, [1, 4, 41]),
        ("nothing_happened", 15, [55]),
        ("nothing_happened", 1, [1, 4, 9, 41]),
    ],
)
def test_a_wait_is_due_once_from_its_beginning(wait: str, minutes: int, expected: Sequence[float]) -> None:
    assert minutes_of(TALK, wait=wait, minutes=minutes, clock="always") == expected


def test_a_silence_counts_from_our_last_word_until_the_chat_is_closed() -> None:
    silent = chat(word(1, 0), word(2, 1, "person", "Which one?"))
    assert minutes_of(silent, wait="visitor_silent", minutes=10, clock="always") == [11]
    closed = chat(word(1, 0), word(2, 1, "person", "Which one?"), step(5, "closed", 2))
    assert minutes_of(closed, wait="visitor_silent", minutes=10, clock="always") == []


def test_a_wait_says_how_long_it_was() -> None:
    ((_, facts),) = found(chat(word(1, 0)), wait="visitor_waits", minutes=10, clock="always")
    assert (facts["waits_minutes"], facts["status"]) == (10, "expired")


def test_without_its_first_words_a_chat_does_not_start_and_returns() -> None:
    past = chat(word(9, 0), is_whole=False)
    assert minutes_of(past, event="chat.started") == []
    assert found(past, event="visitor.wrote")[0][1]["is_returning"] is True


def test_spam_waits_for_nobody() -> None:
    assert minutes_of(chat(word(1, 0), is_spam=True), wait="visitor_waits", minutes=1, clock="always") == []
