"""Who gets which chat: the order of the queue, and the operator before the others."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from apps.chats.rules.priorities import Priority
from apps.routing.rules.matching import Match, Operator, PlaceMatching, QueuedChat
from apps.routing.rules.reasons import Reason
from apps.routing.rules.settings import LanguageRule, Routing

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
SALES, HELP = 1, 2


def ago(minutes: float) -> datetime:
    return NOW - timedelta(minutes=minutes)


def waiting(pk: int = 1, minutes: float = 1, **facts: Any) -> QueuedChat:
    known = {"department_id": SALES, "priority": Priority.NORMAL, **facts}
    return QueuedChat(id=pk, waits_since=ago(minutes), **known)


def person(pk: int, load: int = 0, **facts: Any) -> Operator:
    return Operator(**{"id": pk, "departments": frozenset({SALES}), "load": load, "capacity": 5, **facts})


def match(chats: list[QueuedChat], people: list[Operator], **settings: Any) -> list[Match]:
    return list(PlaceMatching(people, {None: Routing(**settings)}, NOW).matches(chats, NOW))


def given(chats: list[QueuedChat], people: list[Operator], **settings: Any) -> list[tuple[int, int]]:
    return [(each.chat.id, each.operator.id) for each in match(chats, people, **settings)]


class TestOrder:
    """The order of the queue."""

    def test_it_is_by_priority_then_by_wait_then_by_id_whatever_comes_first(self) -> None:
        chats = [
            waiting(1, 5, priority=Priority.URGENT),
            waiting(2, 14, priority=Priority.HIGH),
            waiting(3, 9),
            waiting(4, 3),
            waiting(5, 3),
            waiting(6, 14, priority=Priority.LOW),
        ]
        for mixed in permutations(chats):
            assert [pk for pk, _ in given(list(mixed), [person(1, capacity=9)])] == [1, 2, 3, 4, 5, 6]

    @pytest.mark.parametrize(("minutes", "first"), [(14.9, 2), (15, 1), (29.9, 1)])
    def test_each_15_minutes_of_waiting_are_a_step_of_priority(self, minutes: float, first: int) -> None:
        chats = [waiting(1, minutes), waiting(2, 1, priority=Priority.HIGH)]
        assert given(chats, [person(1)])[0][0] == first

    def test_a_low_one_comes_before_new_urgent_ones_in_the_end(self) -> None:
        chats = [waiting(1, 45, priority=Priority.LOW), waiting(2, 0, priority=Priority.URGENT)]
        assert given(chats, [person(1)])[0][0] == 1

    def test_the_newest_does_not_get_the_free_place(self) -> None:
        chats = [waiting(9, 1), waiting(8, 10)]
        assert given(chats, [person(1, capacity=1)]) == [(8, 1)]


class TestWho:
    """The operator before the others."""

    def test_the_last_person_is_before_readers_and_lower_loads(self) -> None:
        chat = waiting(language="es", last_operator_id=3)
        people = [person(1), person(2, reads=frozenset({"es"})), person(3, 4)]
        [found] = match([chat], people)
        assert (found.operator.id, found.reasons, found.among) == (3, (Reason.LAST_OPERATOR,), 3)
        assert given([chat], people, prefer_last=False) == [(1, 2)]

    @pytest.mark.parametrize(
        "facts", [{"load": 5}, {"departments": frozenset({HELP})}, {"capacities": {SALES: 0}}, {"capacity": 0}]
    )
    def test_the_last_person_who_cannot_have_it_is_not_waited_for(self, facts: dict[str, Any]) -> None:
        assert given([waiting(last_operator_id=2)], [person(1), person(2, **facts)]) == [(1, 1)]

    @pytest.mark.parametrize(("rule", "expected"), [("ignore", [(1, 1)]), ("prefer", [(1, 2)]), ("only", [(1, 2)])])
    def test_readers_of_the_language_are_before_the_others(self, rule: str, expected: list[tuple[int, int]]) -> None:
        people = [person(1), person(2, 3, reads=frozenset({"es"}))]
        assert given([waiting(language="es")], people, languages=LanguageRule(rule)) == expected

    def test_without_a_reader_it_waits_where_only_readers_get_it(self) -> None:
        chats = [waiting(language="es", last_operator_id=1)]
        assert given(chats, [person(1)], languages=LanguageRule.ONLY) == []
        assert given(chats, [person(1)], languages=LanguageRule.PREFER) == [(1, 1)]
        assert given([waiting()], [person(1)], languages=LanguageRule.ONLY) == [(1, 1)]

    def test_the_lowest_load_then_the_longest_idle_then_the_lower_id(self) -> None:
        idle = [person(5, 1, last_given_at=ago(9)), person(4, 1, last_given_at=ago(30)), person(6, 2)]
        [found] = match([waiting()], idle)
        assert (found.operator.id, found.reasons) == (4, (Reason.LONGEST_IDLE,))
        [found] = match([waiting()], [person(5, 2), person(6, 1)])
        assert (found.operator.id, found.reasons, found.load) == (6, (Reason.FEWEST_OPEN,), 1)
        assert given([waiting()], [person(5, last_given_at=ago(9)), person(7)]) == [(1, 7)]
        assert given([waiting()], [person(7), person(3)]) == [(1, 3)]

    def test_the_only_one_is_told_so(self) -> None:
        [found] = match([waiting()], [person(1), person(2, 5)])
        assert (found.reasons, found.among) == ((Reason.ONLY_ONE,), 1)

    def test_places_are_counted_as_they_are_given(self) -> None:
        chats = [waiting(pk, 20 - pk) for pk in range(1, 8)]
        assert given(chats, [person(1, capacity=2), person(2, 1, capacity=3)]) == [(1, 1), (2, 2), (3, 1), (4, 2)]

    def test_a_department_has_its_own_places(self) -> None:
        people = [person(1, departments=frozenset({SALES, HELP}), capacities={SALES: 1})]
        chats = [waiting(1, 3), waiting(2, 2), waiting(3, 1, department_id=HELP)]
        assert given(chats, people) == [(1, 1), (3, 1)]

    def test_a_chat_without_a_department_is_anybodys(self) -> None:
        assert given([waiting(department_id=None)], [person(1, departments=frozenset())]) == [(1, 1)]
        assert given([waiting(department_id=HELP)], [person(1)]) == []

    def test_a_capacity_of_0_takes_none(self) -> None:
        assert given([waiting()], [person(1, capacity=0)]) == []
        assert not person(1, capacity=0).takes(SALES)
        assert not person(1, capacities={SALES: 0}).takes(SALES)

    def test_it_is_not_given_to_the_owner_whom_it_is_taken_from(self) -> None:
        chat = waiting(taken_from_id=1, last_operator_id=1)
        assert given([chat], [person(1)]) == []
        assert given([chat], [person(1), person(2, 4)]) == [(1, 2)]


class TestPassed:
    """Who missed or declined it in this wait."""

    def test_the_next_gets_it(self) -> None:
        assert given([waiting(passed={1: ago(1)})], [person(1), person(2, 4)]) == [(1, 2)]

    @pytest.mark.parametrize(("minutes", "expected"), [(4.9, []), (5, [(1, 1)])])
    def test_with_nobody_left_they_are_asked_again_after_5_minutes(
        self, minutes: float, expected: list[tuple[int, int]]
    ) -> None:
        assert given([waiting(minutes=20, passed={1: ago(minutes)})], [person(1)]) == expected

    def test_or_when_somebody_comes_who_takes_such_chats(self) -> None:
        chat = waiting(passed={1: ago(2)})
        full = person(2, 5, came_at=ago(1))
        assert given([chat], [person(1), full]) == [(1, 1)]
        assert given([chat], [person(1), replace(full, came_at=ago(3))]) == []
        assert given([chat], [person(1), replace(full, departments=frozenset({HELP}))]) == []

    def test_somebody_else_is_before_them(self) -> None:
        chat = waiting(minutes=20, passed={1: ago(10)}, last_operator_id=1)
        assert given([chat], [person(1), person(2, 4)]) == [(1, 2)]


def test_one_whom_nobody_can_have_keeps_no_other_back() -> None:
    chats = [waiting(1, 30, department_id=HELP, priority=Priority.URGENT), waiting(2, 1)]
    assert given(chats, [person(1)]) == [(2, 1)]
