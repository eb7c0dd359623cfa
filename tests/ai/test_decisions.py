"""Whose turn it is in a chat: each line of the tables, and what holds over any history."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ai.rules.decisions import (
    MOST_REPLIES,
    AnsweringOperator,
    Defer,
    Mode,
    PendingMessage,
    ReplyFacts,
    ReplyMode,
    ReplyPlan,
    ReplyVerdict,
    Skip,
    decide,
    held_since,
    is_hold_over,
    mode_after,
    mode_of,
    operator_of,
    says_who_answers,
    verdict,
)

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BURST = (PendingMessage(7, NOW - MINUTE),)


def ago(minutes: float) -> datetime:
    return NOW - minutes * MINUTE


def state(**members: Any) -> ReplyFacts:
    return ReplyFacts(**{"burst": BURST, **members})


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
            (ReplyMode.ANSWER, False, None, "online", Mode.AI),
            (ReplyMode.TAKEOVER, False, None, "online", Mode.AI),
            (ReplyMode.HOLD_OVER, False, None, "online", Mode.AI),
            (ReplyMode.RETURNED, False, None, "online", Mode.AI),
            (ReplyMode.HELP, False, None, "online", Mode.OFFLINE),
            (ReplyMode.ANSWER, True, "human_request", "online", Mode.WAITING),
            (ReplyMode.ANSWER, True, "human_request", "unknown", Mode.WAITING),
            (ReplyMode.ANSWER, True, "human_request", None, Mode.WAITING),
            (ReplyMode.ANSWER, True, "human_request", "offline", Mode.OFFLINE),
            (ReplyMode.HELP, True, "human_request", "online", Mode.WAITING),
            (ReplyMode.ANSWER, True, "reply_limit", "offline", Mode.WAITING),
        ],
    )
    def test_the_mode_after_an_answer(
        self, way: ReplyMode, hands_over: bool, reason: str | None, operators: str | None, mode: Mode
    ) -> None:
        assert mode_after(way, hands_over=hands_over, reason=reason, operators=operators) is mode


OFFLINE = {"handed_over_at": ago(9), "noted": Mode.OFFLINE, "noted_since": ago(9)}
LIMIT = {"replies": MOST_REPLIES}


class TestSteps:
    @pytest.mark.parametrize(
        ("members", "step"),
        [
            ({}, ReplyPlan(ReplyMode.ANSWER)),
            ({"answers": False}, Skip("off")),
            ({"is_spam": True}, Skip("spam")),
            ({"is_internal": True}, Skip("internal")),
            ({"burst": ()}, Skip("nothing")),
            ({"bot_has_it": True}, Skip("bot")),
            (OFFLINE, ReplyPlan(ReplyMode.HELP)),
            # The takeover timer runs from the first message of the burst, in both modes.
            ({"owner_id": 1}, Defer(ago(1) + 5 * MINUTE)),
            ({"handed_over_at": ago(2)}, Defer(ago(1) + 5 * MINUTE)),
            ({"owner_id": 1, "takeover_s": 60}, ReplyPlan(ReplyMode.TAKEOVER)),
            ({"handed_over_at": ago(2), "takeover_s": 60}, ReplyPlan(ReplyMode.TAKEOVER)),
            ({"owner_id": 1, "takeover_s": 61}, Defer(ago(1) + timedelta(seconds=61))),
            ({"owner_id": 1, "takeover_s": 0}, Skip("person")),
            ({"handed_over_at": ago(2), "takeover_s": 0}, Skip("waiting")),
            # Given back.
            ({"handled_by_person": True, "noted": Mode.AI, "noted_since": ago(0)}, ReplyPlan(ReplyMode.RETURNED)),
            # A hold that is over, also where nothing is ever taken over.
            ({"owner_id": 1, "last_word_at": ago(90), "expired_at": ago(80)}, ReplyPlan(ReplyMode.HOLD_OVER)),
            (
                {"owner_id": 1, "last_word_at": ago(90), "expired_at": ago(80), "takeover_s": 0},
                ReplyPlan(ReplyMode.HOLD_OVER),
            ),
            ({"handed_over_at": ago(90), "expired_at": ago(80)}, ReplyPlan(ReplyMode.HOLD_OVER)),
            # Limits: a handover without a call; in people's stead nothing; then silence.
            (LIMIT, ReplyPlan(ReplyMode.ANSWER, "reply_limit")),
            # An external operator is waited for.
            ({"external_until": ago(-1)}, Defer(ago(-1))),
            ({"budget_left": False}, ReplyPlan(ReplyMode.ANSWER, "budget_exhausted")),
            ({**OFFLINE, **LIMIT}, ReplyPlan(ReplyMode.HELP, "reply_limit")),
            ({**OFFLINE, "budget_left": False}, ReplyPlan(ReplyMode.HELP, "budget_exhausted")),
            (
                {**OFFLINE, "budget_left": False, "handover_reason": "budget_exhausted"},
                Skip("budget_exhausted"),
            ),
            ({"owner_id": 1, "takeover_s": 60, "budget_left": False}, Skip("budget_exhausted")),
            ({"handed_over_at": ago(9), "handover_reason": "reply_limit", "takeover_s": 5}, Skip("reply_limit")),
        ],
    )
    def test_each_state_of_a_chat_has_its_decision(self, members: dict[str, Any], step: Any) -> None:
        assert decide(state(**members), NOW) == step

    def test_the_timer_outlives_the_chats_expiry(self) -> None:
        waiting = state(
            owner_id=1, last_word_at=ago(12), burst=(PendingMessage(7, ago(10)),), expired_at=ago(2), takeover_s=900
        )
        assert decide(waiting, NOW) == Defer(ago(10) + timedelta(seconds=900))

    @given(
        st.builds(
            ReplyFacts,
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
    def test_a_decision_keeps_its_promises_over_any_history(self, found: ReplyFacts) -> None:
        step = decide(found, NOW)
        if isinstance(step, ReplyPlan):
            assert found.burst
            assert not found.is_spam
            fresh = found.last_word_at == ago(2) or found.taken_at is not None
            if mode_of(found) is Mode.PERSON and fresh:
                assert step.way is ReplyMode.TAKEOVER, "a person has the word until the timer ends"
                assert found.takeover_s == 5
        if isinstance(step, Defer):
            assert step.until > NOW
        assert decide(found, NOW) == step


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
    assert says_who_answers(ReplyMode.TAKEOVER, state())
    assert says_who_answers(ReplyMode.RETURNED, spoken)
    assert not says_who_answers(ReplyMode.RETURNED, state())
    for way in (ReplyMode.ANSWER, ReplyMode.HELP, ReplyMode.HOLD_OVER):
        assert not says_who_answers(way, spoken)


class TestVerdicts:
    @pytest.mark.parametrize(
        ("members", "step", "restarts", "expected"),
        [
            ({}, ReplyPlan(ReplyMode.ANSWER), 0, ReplyVerdict.SHOW),
            ({}, Skip("off"), 0, ReplyVerdict.DROP),
            ({"owner_id": 1}, Defer(NOW), 0, ReplyVerdict.DROP),
            ({}, ReplyPlan(ReplyMode.HELP), 0, ReplyVerdict.AGAIN),
            ({"burst": (PendingMessage(8, NOW),)}, ReplyPlan(ReplyMode.ANSWER), 0, ReplyVerdict.AGAIN),
            ({"burst": (*BURST, PendingMessage(8, NOW))}, ReplyPlan(ReplyMode.ANSWER), 1, ReplyVerdict.AGAIN),
            ({"burst": (*BURST, PendingMessage(8, NOW))}, ReplyPlan(ReplyMode.ANSWER), 2, ReplyVerdict.SHOW),
        ],
    )
    def test_each_change_of_the_chat_has_its_verdict(
        self, members: dict[str, Any], step: Any, restarts: int, expected: ReplyVerdict
    ) -> None:
        assert verdict(state(), ReplyMode.ANSWER, state(**members), step, restarts=restarts) is expected


class TestWhoAnswers:
    def operator(self, id_: int, **members: bool) -> AnsweringOperator:
        return AnsweringOperator(id_, **{"is_active": True, "assistant_enabled": True, "is_default": False, **members})

    def test_who_spoke_last_then_the_defaults_then_the_lowest_id(self) -> None:
        operators = [self.operator(1), self.operator(2, is_default=True), self.operator(3)]
        assert operator_of(operators, spoke_last=3) == 3
        assert operator_of(operators, spoke_last=None) == 2
        assert operator_of(operators[::2], spoke_last=9) == 1

    def test_nobody_who_rests_or_whose_assistant_is_off(self) -> None:
        operators = [self.operator(1, is_active=False), self.operator(2, assistant_enabled=False)]
        assert operator_of(operators, spoke_last=1) is None
        assert operator_of([], spoke_last=None) is None


class TestLetters:
    """Of a mailbox's chat."""

    @pytest.mark.parametrize(
        ("members", "decision"),
        [
            ({"burst": (PendingMessage(7, NOW - timedelta(seconds=59)),)}, Defer(NOW + timedelta(seconds=1))),
            ({}, ReplyPlan(ReplyMode.ANSWER)),
            ({"in_a_row": 2}, ReplyPlan(ReplyMode.ANSWER)),
            ({"in_a_row": 3}, ReplyPlan(ReplyMode.ANSWER, "letters_limit")),
        ],
    )
    def test_letters_are_waited_for_and_three_answers_in_a_row_are_enough(
        self, members: dict[str, Any], decision: Any
    ) -> None:
        assert decide(state(by_letters=True, **members), NOW) == decision
        assert decide(state(**members), NOW) == ReplyPlan(ReplyMode.ANSWER)
