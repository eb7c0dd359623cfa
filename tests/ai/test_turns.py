"""Whose turn it is in a chat: each line of the tables, and what holds over any history."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ai.rules.turns import (
    MOST_REPLIES,
    Mode,
    Operator,
    Silence,
    Speak,
    State,
    Verdict,
    Wait,
    Way,
    Word,
    held_since,
    is_hold_over,
    mode_after,
    mode_of,
    next_step,
    operator_of,
    says_who_answers,
    verdict,
)

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BURST = (Word(7, NOW - MINUTE),)


def ago(minutes: float) -> datetime:
    return NOW - minutes * MINUTE


def state(**members: Any) -> State:
    return State(**{"burst": BURST, **members})


class TestModes:
    @pytest.mark.parametrize(
        ("members", "mode"),
        [
            ({}, Mode.AI),
            ({"owner_id": 1}, Mode.PERSON),
            ({"handled_by_person": True}, Mode.PERSON),
            ({"handed_over_at": ago(5)}, Mode.WAITING),
            ({"handed_over_at": ago(5), "noted": Mode.OFFLINE, "noted_since": ago(5)}, Mode.OFFLINE),
            # Another handover since: nobody knows of that one whether people were there.
            ({"handed_over_at": ago(5), "noted": Mode.OFFLINE, "noted_since": ago(50)}, Mode.WAITING),
            (
                {
                    "handed_over_at": ago(5),
                    "noted": Mode.OFFLINE,
                    "noted_since": ago(5),
                    "handover_reason": "reply_limit",
                },
                Mode.WAITING,
            ),
            # What is noted is no fact: who owns the chat is.
            ({"owner_id": 1, "noted": Mode.AI, "noted_since": ago(1)}, Mode.PERSON),
            # A person gave it back; and one has spoken since.
            ({"handled_by_person": True, "noted": Mode.AI, "noted_since": ago(1), "last_word_at": ago(2)}, Mode.AI),
            ({"handled_by_person": True, "noted": Mode.AI, "noted_since": ago(1)}, Mode.AI),
            (
                {"handled_by_person": True, "noted": Mode.AI, "noted_since": ago(2), "last_word_at": ago(1)},
                Mode.PERSON,
            ),
        ],
    )
    def test_the_mode_is_read_from_the_chats_facts(self, members: dict[str, Any], mode: Mode) -> None:
        assert mode_of(state(**members)) is mode

    @pytest.mark.parametrize(
        ("way", "hands_over", "reason", "operators", "mode"),
        [
            (Way.ANSWER, False, None, "online", Mode.AI),
            (Way.TAKEOVER, False, None, "online", Mode.AI),
            (Way.HOLD_OVER, False, None, "online", Mode.AI),
            (Way.RETURNED, False, None, "online", Mode.AI),
            (Way.HELP, False, None, "online", Mode.OFFLINE),
            (Way.ANSWER, True, "human_request", "online", Mode.WAITING),
            (Way.ANSWER, True, "human_request", "unknown", Mode.WAITING),
            (Way.ANSWER, True, "human_request", None, Mode.WAITING),
            (Way.ANSWER, True, "human_request", "offline", Mode.OFFLINE),
            (Way.HELP, True, "human_request", "online", Mode.WAITING),
            (Way.ANSWER, True, "reply_limit", "offline", Mode.WAITING),
        ],
    )
    def test_the_mode_after_an_answer(
        self, way: Way, hands_over: bool, reason: str | None, operators: str | None, mode: Mode
    ) -> None:
        assert mode_after(way, hands_over=hands_over, reason=reason, operators=operators) is mode


OFFLINE = {"handed_over_at": ago(9), "noted": Mode.OFFLINE, "noted_since": ago(9)}
LIMIT = {"replies": MOST_REPLIES}


class TestSteps:
    @pytest.mark.parametrize(
        ("members", "step"),
        [
            ({}, Speak(Way.ANSWER)),
            ({"answers": False}, Silence("off")),
            ({"is_spam": True}, Silence("spam")),
            ({"is_internal": True}, Silence("internal")),
            ({"burst": ()}, Silence("nothing")),
            ({"bot_has_it": True}, Silence("bot")),
            (OFFLINE, Speak(Way.HELP)),
            # The takeover timer runs from the first message of the burst, in both modes.
            ({"owner_id": 1}, Wait(ago(1) + 5 * MINUTE)),
            ({"handed_over_at": ago(2)}, Wait(ago(1) + 5 * MINUTE)),
            ({"owner_id": 1, "takeover_s": 60}, Speak(Way.TAKEOVER)),
            ({"handed_over_at": ago(2), "takeover_s": 60}, Speak(Way.TAKEOVER)),
            ({"owner_id": 1, "takeover_s": 61}, Wait(ago(1) + timedelta(seconds=61))),
            ({"owner_id": 1, "takeover_s": 0}, Silence("person")),
            ({"handed_over_at": ago(2), "takeover_s": 0}, Silence("waiting")),
            # Given back.
            ({"handled_by_person": True, "noted": Mode.AI, "noted_since": ago(0)}, Speak(Way.RETURNED)),
            # A hold that is over, also where nothing is ever taken over.
            ({"owner_id": 1, "last_word_at": ago(90), "expired_at": ago(80)}, Speak(Way.HOLD_OVER)),
            ({"owner_id": 1, "last_word_at": ago(90), "expired_at": ago(80), "takeover_s": 0}, Speak(Way.HOLD_OVER)),
            ({"handed_over_at": ago(90), "expired_at": ago(80)}, Speak(Way.HOLD_OVER)),
            # Limits: a handover without a call; in people's stead nothing; then silence.
            (LIMIT, Speak(Way.ANSWER, "reply_limit")),
            ({"budget_left": False}, Speak(Way.ANSWER, "budget_exhausted")),
            ({**OFFLINE, **LIMIT}, Speak(Way.HELP, "reply_limit")),
            ({**OFFLINE, "budget_left": False}, Speak(Way.HELP, "budget_exhausted")),
            (
                {**OFFLINE, "budget_left": False, "handover_reason": "budget_exhausted"},
                Silence("budget_exhausted"),
            ),
            ({"owner_id": 1, "takeover_s": 60, "budget_left": False}, Silence("budget_exhausted")),
            ({"handed_over_at": ago(9), "handover_reason": "reply_limit", "takeover_s": 5}, Silence("reply_limit")),
        ],
    )
    def test_each_line(self, members: dict[str, Any], step: Any) -> None:
        assert next_step(state(**members), NOW) == step

    def test_the_timer_outlives_the_chats_expiry(self) -> None:
        waiting = state(owner_id=1, last_word_at=ago(12), burst=(Word(7, ago(10)),), expired_at=ago(2), takeover_s=900)
        assert next_step(waiting, NOW) == Wait(ago(10) + timedelta(seconds=900))

    @given(
        st.builds(
            State,
            owner_id=st.none() | st.just(1),
            handled_by_person=st.booleans(),
            handed_over_at=st.none() | st.just(ago(9)) | st.just(ago(90)),
            noted=st.none() | st.sampled_from(Mode),
            noted_since=st.none() | st.just(ago(9)) | st.just(ago(3)),
            last_word_at=st.none() | st.just(ago(2)) | st.just(ago(95)),
            taken_at=st.none() | st.just(ago(4)),
            expired_at=st.none() | st.just(ago(80)) | st.just(ago(3)),
            burst=st.just(()) | st.just(BURST),
            takeover_s=st.sampled_from((0, 5, 300)),
            replies=st.sampled_from((0, MOST_REPLIES)),
            is_spam=st.booleans(),
        )
    )
    def test_over_any_history(self, found: State) -> None:
        step = next_step(found, NOW)
        if isinstance(step, Speak):
            assert found.burst
            assert not found.is_spam
            fresh = found.last_word_at == ago(2) or found.taken_at is not None
            if mode_of(found) is Mode.PERSON and fresh:
                assert step.way is Way.TAKEOVER, "a person has the word until the timer ends"
                assert found.takeover_s == 5
        if isinstance(step, Wait):
            assert step.until > NOW
        assert next_step(found, NOW) == step


class TestHolds:
    @pytest.mark.parametrize(
        ("members", "is_over"),
        [
            ({"last_word_at": ago(90), "expired_at": ago(80)}, True),
            ({"last_word_at": ago(59), "expired_at": ago(50)}, False),
            ({"last_word_at": ago(90)}, False),
            # It expired before the person's word, or after the burst.
            ({"last_word_at": ago(70), "expired_at": ago(80)}, False),
            ({"last_word_at": ago(90), "expired_at": ago(0)}, False),
            # A person was given it since.
            ({"last_word_at": ago(90), "expired_at": ago(80), "taken_at": ago(3)}, False),
            ({"expired_at": ago(80)}, True),
        ],
    )
    def test_when_one_is_over(self, members: dict[str, Any], is_over: bool) -> None:
        assert is_hold_over(state(**members), NOW) is is_over

    def test_it_begins_with_the_newest_deed(self) -> None:
        assert held_since(state(last_word_at=ago(3), taken_at=ago(2), handed_over_at=ago(9))) == ago(2)
        assert held_since(state()) is None


def test_who_answers_is_said_where_people_had_the_word() -> None:
    spoken = state(last_word_at=ago(3))
    assert says_who_answers(Way.TAKEOVER, state())
    assert says_who_answers(Way.RETURNED, spoken)
    assert not says_who_answers(Way.RETURNED, state())
    for way in (Way.ANSWER, Way.HELP, Way.HOLD_OVER):
        assert not says_who_answers(way, spoken)


class TestVerdicts:
    @pytest.mark.parametrize(
        ("members", "step", "restarts", "expected"),
        [
            ({}, Speak(Way.ANSWER), 0, Verdict.SHOW),
            ({}, Silence("off"), 0, Verdict.DROP),
            ({"owner_id": 1}, Wait(NOW), 0, Verdict.DROP),
            ({}, Speak(Way.HELP), 0, Verdict.AGAIN),
            ({"burst": (Word(8, NOW),)}, Speak(Way.ANSWER), 0, Verdict.AGAIN),
            ({"burst": (*BURST, Word(8, NOW))}, Speak(Way.ANSWER), 1, Verdict.AGAIN),
            ({"burst": (*BURST, Word(8, NOW))}, Speak(Way.ANSWER), 2, Verdict.SHOW),
        ],
    )
    def test_each_line(self, members: dict[str, Any], step: Any, restarts: int, expected: Verdict) -> None:
        assert verdict(state(), Way.ANSWER, state(**members), step, restarts=restarts) is expected


class TestWhoAnswers:
    def operator(self, id_: int, **members: bool) -> Operator:
        return Operator(id_, **{"is_active": True, "assistant_enabled": True, "is_default": False, **members})

    def test_who_spoke_last_then_the_defaults_then_the_lowest_id(self) -> None:
        operators = [self.operator(1), self.operator(2, is_default=True), self.operator(3)]
        assert operator_of(operators, spoke_last=3) == 3
        assert operator_of(operators, spoke_last=None) == 2
        assert operator_of(operators[::2], spoke_last=9) == 1

    def test_nobody_who_rests_or_whose_assistant_is_off(self) -> None:
        operators = [self.operator(1, is_active=False), self.operator(2, assistant_enabled=False)]
        assert operator_of(operators, spoke_last=1) is None
        assert operator_of([], spoke_last=None) is None
