"""The rules of `apps.chats.rules`, without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.chats import rules
from apps.chats.rules import Attribution, Handling, Mover, Operator, OperatorType, Refused, Status
from tests.chats.state_table import expected

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MOVES = expected()


@pytest.mark.parametrize(("mover", "before"), MOVES)
def test_each_state_and_mover_lead_to_what_the_table_says(mover: str, before: str) -> None:
    try:
        after = str(rules.next_status(Status(before), Mover(mover)))
    except Refused:
        after = "409"
    assert after == MOVES[mover, before]


def test_the_table_has_every_state_and_every_mover() -> None:
    assert set(MOVES) == {(str(mover), str(state)) for mover in Mover for state in Status}


@given(st.sampled_from(Status), st.lists(st.sampled_from(Mover), max_size=30))
def test_along_any_way_a_chat_closes_as_often_as_it_moves_into_expired(start: Status, movers: list[Mover]) -> None:
    status, closed, moved_into_expired = start, 0, 0
    for mover in movers:
        wanted = MOVES[str(mover), str(status)]
        try:
            after = rules.next_status(status, mover)
        except Refused:
            assert wanted == "409"
            assert status is Status.SPAM, "only a spam chat refuses"
            continue
        assert after == wanted
        if status is Status.SPAM and after is not Status.SPAM:
            assert mover is Mover.SET_ACTIVE, "`state active` is the only way out of spam"
        closed += rules.is_closing(status, after)
        moved_into_expired += status != "expired" and after == "expired"
        status = after
    assert closed == moved_into_expired


@pytest.mark.parametrize("mover", Mover)
def test_moved_by_names_the_states_that_change_and_no_other(mover: Mover) -> None:
    changes = {
        before: after for (of, before), after in MOVES.items() if of == str(mover) and after not in (before, "409")
    }
    assert {str(before): str(after) for before, after in rules.moved_by(mover).items()} == changes


def test_a_chat_is_idle_from_seven_minutes_on() -> None:
    assert rules.idle_since(NOW) == NOW - timedelta(minutes=7)
    assert timedelta(minutes=5) == rules.SWEEP_EVERY


HANDLING_AFTER_A_PERSON_ANSWERS = {
    "missed": "human",
    "human": "human",
    "ai": "ai_to_human",
    "ai_to_human": "ai_to_human",
    "human_to_ai": "ai_to_human",
}


@pytest.mark.parametrize("handling", Handling)
def test_handling_after_a_person_answers(handling: Handling) -> None:
    after = rules.after_human_answer(Attribution(handling=handling), agent_id=1, now=NOW)
    assert after.handling == HANDLING_AFTER_A_PERSON_ANSWERS[handling]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12))
def test_the_first_to_answer_accepts_and_the_last_handles(agents: list[int]) -> None:
    attribution = Attribution()
    for minute, agent_id in enumerate(agents):
        attribution = rules.after_human_answer(attribution, agent_id=agent_id, now=NOW + timedelta(minutes=minute))
    assert attribution.accepted_by == Operator(agents[0], OperatorType.HUMAN, NOW)
    began_last = max(n for n in range(len(agents)) if n == 0 or agents[n] != agents[n - 1])
    assert attribution.handled_by == Operator(agents[-1], OperatorType.HUMAN, NOW + timedelta(minutes=began_last))


def test_a_person_takes_over_from_the_ai_operator_that_accepted() -> None:
    ai = Operator(9, OperatorType.AI, NOW)
    later = NOW + timedelta(minutes=1)
    after = rules.after_human_answer(Attribution(Handling.AI, ai, ai), agent_id=1, now=later)
    assert after == Attribution(Handling.AI_TO_HUMAN, ai, Operator(1, OperatorType.HUMAN, later))


def test_an_acceptance_from_before_attribution_was_recorded_keeps_its_unknown_time() -> None:
    unknown = Operator(1, OperatorType.HUMAN, None)
    after = rules.after_human_answer(Attribution(Handling.HUMAN, unknown, unknown), agent_id=1, now=NOW)
    assert after == Attribution(Handling.HUMAN, unknown, unknown)
