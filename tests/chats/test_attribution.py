"""Who answered a chat, who handles it, who owns it: the rules, event by event, and along any way."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.chats.rules.attribution import (
    AttributedOperator,
    Attribution,
    AttributionEvent,
    Handling,
    Handover,
    OperatorType,
    after,
    is_acceptance,
)

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
ALICE, BORIS, ADA, HOOK = 1, 2, 8, 9
PEOPLE, MACHINES = [ALICE, BORIS], [ADA, HOOK]

# What `handling` becomes, as people say it: written apart from the code that it checks.
TABLE = """
                                                     missed   human        ai           ai_to_human  human_to_ai
a person replied                                     human    human        ai_to_human  ai_to_human  ai_to_human
a person accepted the chat                           human    human        ai_to_human  ai_to_human  ai_to_human
the chat was assigned to a person                    human    human        ai_to_human  ai_to_human  ai_to_human
the chat was transferred to a person                 missed   human        ai_to_human  ai_to_human  ai_to_human
an AI operator answered, and the visitor sees it     ai       human        ai           ai_to_human  human_to_ai
an AI operator answered in shadow mode               missed   human        ai           ai_to_human  human_to_ai
an external (webhook) operator answered              ai       human        ai           ai_to_human  human_to_ai
an AI operator answered for a person gone silent     ai       human_to_ai  ai           human_to_ai  human_to_ai
the AI operator handed the chat to people            missed   human        ai_to_human  ai_to_human  ai_to_human
"""
HEADER, *LINES = TABLE.strip("\n").splitlines()
WANTED = {
    (line[:53].strip(), before): handling
    for line in LINES
    for before, handling in zip(HEADER.split(), line[53:].split(), strict=True)
}

BY_PERSON = {
    AttributionEvent.HUMAN_REPLIED,
    AttributionEvent.HUMAN_ACCEPTED,
    AttributionEvent.HUMAN_ASSIGNED,
    AttributionEvent.TRANSFERRED,
}


def person(agent_id: int, at: datetime | None = NOW) -> AttributedOperator:
    return AttributedOperator(agent_id, OperatorType.HUMAN, at)


def machine(agent_id: int, at: datetime | None = NOW) -> AttributedOperator:
    return AttributedOperator(agent_id, OperatorType.AI, at)


MISSED = Attribution()
BY_ALICE = Attribution(Handling.HUMAN, person(ALICE), person(ALICE), ALICE)
BY_ADA = Attribution(Handling.AI, machine(ADA), machine(ADA))
ADA_THEN_ALICE = Attribution(Handling.AI_TO_HUMAN, machine(ADA), person(ALICE), ALICE)
ALICE_THEN_ADA = Attribution(Handling.HUMAN_TO_AI, person(ALICE), machine(ADA))
WAITING = Handover(LATER, "marker")
BEFORE = {each.handling: each for each in (MISSED, BY_ALICE, BY_ADA, ADA_THEN_ALICE, ALICE_THEN_ADA)}


@pytest.mark.parametrize(("event", "before"), WANTED)
def test_each_event_makes_of_handling_what_the_table_says(event: str, before: str) -> None:
    agent_id = BORIS if AttributionEvent(event) in BY_PERSON | {AttributionEvent.ESCALATED} else ADA
    found = after(BEFORE[Handling(before)], AttributionEvent(event), agent_id=agent_id, now=LATER)
    assert found.handling == WANTED[event, before]


def test_the_table_has_every_event_and_every_handling() -> None:
    assert set(WANTED) == {(str(event), str(handling)) for event in AttributionEvent for handling in Handling}


class TestOwner:
    def test_the_first_person_to_reply_owns_the_chat(self) -> None:
        assert after(MISSED, AttributionEvent.HUMAN_REPLIED, agent_id=ALICE, now=NOW) == BY_ALICE

    def test_a_colleague_who_replies_handles_it_and_the_owner_stays(self) -> None:
        found = after(BY_ALICE, AttributionEvent.HUMAN_REPLIED, agent_id=BORIS, now=LATER)
        assert found == BY_ALICE._replace(handled_by=person(BORIS, LATER))

    @pytest.mark.parametrize(
        "event", [AttributionEvent.HUMAN_ACCEPTED, AttributionEvent.HUMAN_ASSIGNED, AttributionEvent.TRANSFERRED]
    )
    def test_who_accepts_or_is_given_the_chat_owns_and_handles_it(self, event: AttributionEvent) -> None:
        found = after(BY_ALICE, event, agent_id=BORIS, now=LATER)
        assert found == BY_ALICE._replace(handled_by=person(BORIS, LATER), owner_id=BORIS)

    def test_a_transfer_of_a_chat_that_nobody_answered_only_routes_it(self) -> None:
        found = after(MISSED._replace(owner_id=ALICE), AttributionEvent.TRANSFERRED, agent_id=BORIS, now=NOW)
        assert found == Attribution(owner_id=BORIS)

    def test_a_transfer_to_its_owner_changes_nothing_whoever_handles_it(self) -> None:
        of_alice_by_boris = BY_ALICE._replace(handled_by=person(BORIS, LATER))
        found = after(of_alice_by_boris, AttributionEvent.TRANSFERRED, agent_id=ALICE, now=LATER)
        assert found == of_alice_by_boris

    @pytest.mark.parametrize("event", [AttributionEvent.AI_ANSWERED, AttributionEvent.EXTERNAL_ANSWERED])
    def test_a_chat_that_a_machine_answers_has_no_owner(self, event: AttributionEvent) -> None:
        found = after(MISSED._replace(owner_id=ALICE), event, agent_id=ADA, now=NOW)
        assert found == BY_ADA

    def test_a_takeover_releases_the_silent_owner(self) -> None:
        found = after(BY_ALICE, AttributionEvent.AI_TOOK_OVER, agent_id=ADA, now=LATER)
        assert found == Attribution(Handling.HUMAN_TO_AI, person(ALICE), machine(ADA, LATER), None)


class TestAi:
    def test_a_shadow_reply_never_accepts(self) -> None:
        for before in BEFORE.values():
            assert after(before, AttributionEvent.AI_ANSWERED_UNSEEN, agent_id=ADA, now=NOW) is before

    def test_an_answer_that_comes_after_a_persons_changes_nothing(self) -> None:
        for event in (AttributionEvent.AI_ANSWERED, AttributionEvent.EXTERNAL_ANSWERED):
            assert after(BY_ALICE, event, agent_id=ADA, now=LATER) is BY_ALICE

    def test_a_person_who_replies_takes_over_from_it(self) -> None:
        found = after(BY_ADA, AttributionEvent.HUMAN_REPLIED, agent_id=ALICE, now=LATER)
        assert found == Attribution(Handling.AI_TO_HUMAN, machine(ADA), person(ALICE, LATER), ALICE)

    def test_a_transfer_to_a_person_takes_the_chat_over(self) -> None:
        found = after(BY_ADA, AttributionEvent.TRANSFERRED, agent_id=ALICE, now=LATER)
        assert found == Attribution(Handling.AI_TO_HUMAN, machine(ADA), person(ALICE, LATER), ALICE)


class TestEscalation:
    def test_to_whoever_comes_leaves_the_chat_without_a_handler(self) -> None:
        found = after(BY_ADA, AttributionEvent.ESCALATED, agent_id=None, now=LATER, reason="marker")
        assert found == Attribution(Handling.AI_TO_HUMAN, machine(ADA), None, None, WAITING)
        arrived = after(found, AttributionEvent.HUMAN_REPLIED, agent_id=ALICE, now=LATER)
        assert arrived == Attribution(Handling.AI_TO_HUMAN, machine(ADA), person(ALICE, LATER), ALICE)

    def test_to_a_person_makes_the_chat_theirs(self) -> None:
        found = after(BY_ADA, AttributionEvent.ESCALATED, agent_id=BORIS, now=LATER, reason="marker")
        assert found == Attribution(Handling.AI_TO_HUMAN, machine(ADA), person(BORIS, LATER), BORIS, WAITING)

    def test_of_a_chat_that_nobody_answered_leaves_it_missed(self) -> None:
        for agent_id in (None, BORIS):
            found = after(MISSED, AttributionEvent.ESCALATED, agent_id=agent_id, now=LATER, reason="marker")
            assert found == Attribution(owner_id=agent_id, handover=WAITING)

    def test_after_a_person_has_come_changes_nothing(self) -> None:
        assert after(ADA_THEN_ALICE, AttributionEvent.ESCALATED, agent_id=BORIS, now=LATER) is ADA_THEN_ALICE


class TestWaitingForAPerson:
    ESCALATED = after(BY_ADA, AttributionEvent.ESCALATED, agent_id=None, now=LATER, reason="marker")

    @pytest.mark.parametrize("event", sorted(BY_PERSON))
    def test_ends_when_a_person_has_the_chat(self, event: AttributionEvent) -> None:
        assert after(self.ESCALATED, event, agent_id=ALICE, now=LATER).handover is None

    def test_of_a_chat_that_is_routed_to_somebody_ends_when_they_answer(self) -> None:
        to_boris = after(BY_ADA, AttributionEvent.ESCALATED, agent_id=BORIS, now=LATER, reason="marker")
        assert after(to_boris, AttributionEvent.HUMAN_REPLIED, agent_id=BORIS, now=LATER).handover is None

    @pytest.mark.parametrize("event", [AttributionEvent.AI_ANSWERED, AttributionEvent.EXTERNAL_ANSWERED])
    def test_goes_on_while_a_machine_helps_meanwhile(self, event: AttributionEvent) -> None:
        assert after(self.ESCALATED, event, agent_id=ADA, now=LATER) == self.ESCALATED
        never_answered = after(MISSED, AttributionEvent.ESCALATED, agent_id=None, now=LATER, reason="marker")
        assert after(never_answered, event, agent_id=ADA, now=NOW) == BY_ADA._replace(handover=WAITING)

    def test_ends_when_the_machine_takes_over_and_nobody_had_come(self) -> None:
        found = after(self.ESCALATED, AttributionEvent.AI_TOOK_OVER, agent_id=ADA, now=LATER)
        assert found == Attribution(Handling.AI, machine(ADA), machine(ADA, LATER))

    def test_of_a_second_handover_is_since_the_first_for_the_newer_reason(self) -> None:
        found = after(self.ESCALATED, AttributionEvent.ESCALATED, agent_id=None, now=NOW, reason="safety_floor")
        assert found == self.ESCALATED._replace(handover=Handover(LATER, "safety_floor"))

    def test_is_kept_in_two_columns(self) -> None:
        for chat in (self.ESCALATED, BY_ALICE):
            assert Attribution.from_columns(list(chat.columns().values())) == chat


def test_who_handles_a_chat_already_keeps_the_time_of_taking_it() -> None:
    assert after(BY_ALICE, AttributionEvent.HUMAN_REPLIED, agent_id=ALICE, now=LATER) == BY_ALICE
    assert after(BY_ADA, AttributionEvent.AI_ANSWERED, agent_id=ADA, now=LATER) == BY_ADA


def test_an_acceptance_from_before_attribution_was_recorded_keeps_its_unknown_time() -> None:
    unknown = Attribution(Handling.HUMAN, person(ALICE, None), person(ALICE, None), ALICE)
    assert after(unknown, AttributionEvent.HUMAN_REPLIED, agent_id=ALICE, now=NOW) == unknown


@pytest.mark.parametrize(
    "event", sorted(set(AttributionEvent) - {AttributionEvent.ESCALATED, AttributionEvent.AI_ANSWERED_UNSEEN})
)
def test_an_event_without_whose_it_is_is_refused(event: AttributionEvent) -> None:
    with pytest.raises(ValueError, match="who"):
        after(MISSED, event, agent_id=None, now=NOW)


@dataclass(frozen=True, slots=True)
class Happening:
    event: AttributionEvent
    agent_id: int | None


def happenings() -> st.SearchStrategy[Happening]:
    def of(event: AttributionEvent) -> st.SearchStrategy[Happening]:
        if event is AttributionEvent.ESCALATED:
            return st.builds(Happening, st.just(event), st.sampled_from([*PEOPLE, None]))
        return st.builds(Happening, st.just(event), st.sampled_from(PEOPLE if event in BY_PERSON else MACHINES))

    return st.sampled_from(AttributionEvent).flatmap(of)


@given(st.lists(happenings(), max_size=30))
def test_along_any_way_the_attribution_agrees_with_itself(way: list[Happening]) -> None:
    chat, acceptances = Attribution(), 0
    for minute, happening in enumerate(way):
        before = chat
        chat = after(before, happening.event, agent_id=happening.agent_id, now=NOW + timedelta(minutes=minute))
        acceptances += is_acceptance(before, chat)
        if before.accepted_by is not None:
            assert chat.accepted_by is before.accepted_by, "who answered first stays"
        assert (chat.handling is Handling.MISSED) == (chat.accepted_by is None)
        assert chat.owner_id is None or chat.owner_id in PEOPLE, "the owner is a person"
        if chat.handled_by is None:
            assert chat.handling in (Handling.MISSED, Handling.AI_TO_HUMAN)
        else:
            machine_has_it = chat.handling in (Handling.AI, Handling.HUMAN_TO_AI)
            assert chat.handled_by.type == (OperatorType.AI if machine_has_it else OperatorType.HUMAN)
            assert (chat.handled_by.agent_id in MACHINES) == machine_has_it
            assert not machine_has_it or chat.owner_id is None, "a chat that the AI handles has no owner"
        if chat.accepted_by is not None:
            first = {Handling.AI: OperatorType.AI, Handling.HUMAN: OperatorType.HUMAN}
            assert chat.accepted_by.type == first.get(chat.handling, chat.accepted_by.type)
    assert acceptances == (chat.accepted_by is not None), "chat.accepted fires once at most"


@given(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=12))
def test_the_first_to_answer_accepts_and_the_last_handles(agents: list[int]) -> None:
    chat = Attribution()
    for minute, agent_id in enumerate(agents):
        chat = after(chat, AttributionEvent.HUMAN_REPLIED, agent_id=agent_id, now=NOW + timedelta(minutes=minute))
    assert chat.accepted_by == person(agents[0])
    began_last = max(n for n in range(len(agents)) if n == 0 or agents[n] != agents[n - 1])
    assert chat.handled_by == person(agents[-1], NOW + timedelta(minutes=began_last))
