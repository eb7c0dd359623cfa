"""Whose send is next: the allowance of each place, and what is always true (`turns.py`)."""

from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from apps.leases import turns
from apps.leases.turns import FIRST_ALLOWANCE, MAX_ALLOWANCE, MAX_HELD, SLOW_AFTER_S, WINDOW, Turns

Place = tuple[int, str]


class Row(NamedTuple):
    """A row that is held."""

    id: int
    place: Place


def row(id_: int, destination_id: int, kind: str = "subscription") -> Row:
    return Row(id_, (destination_id, kind))


def add(queue: Turns[Row], destination_id: int, number: int, *, first_id: int = 1) -> None:
    for id_ in range(first_id, first_id + number):
        queue.add(row(id_, destination_id), start_by=100)


def begun(queue: Turns[Row], now: float = 0) -> list[int]:
    return [each.id for each in queue.begin(now)[0]]


class TestAnAllowance:
    def test_begins_with_four_in_the_order_of_their_claim(self) -> None:
        queue: Turns[Row] = Turns()
        add(queue, 1, 10)
        assert begun(queue) == [1, 2, 3, 4]
        assert begun(queue) == []
        assert queue.waiting == 6

    def test_doubles_with_every_prompt_answer_up_to_32(self) -> None:
        queue: Turns[Row] = Turns()
        add(queue, 1, 100)
        under_way = begun(queue)
        for expected in (8, 16, 32, 32, 32):
            queue.end(row(under_way.pop(), 1), answered=True)
            under_way += begun(queue)
            assert len(under_way) == expected

    def test_falls_back_to_four_when_no_answer_comes(self) -> None:
        queue: Turns[Row] = Turns()
        add(queue, 1, 100)
        (first, *others) = begun(queue)
        queue.end(row(first, 1), answered=True)
        others += begun(queue)
        assert len(others) == 8
        queue.end(row(others.pop(), 1), answered=False)
        assert begun(queue) == []

    def test_is_each_destination_s_own_also_of_equal_ids(self) -> None:
        queue: Turns[Row] = Turns()
        add(queue, 1, 10)
        for id_ in range(11, 21):
            queue.add(row(id_, 1, "toy"), start_by=100)
        assert sorted(begun(queue)) == [1, 2, 3, 4, 11, 12, 13, 14]


class TestASlowPost:
    def test_leaves_the_window_and_frees_what_waits_behind_it(self) -> None:
        queue: Turns[Row] = Turns()
        add(queue, 1, 6)
        under_way = begun(queue)
        assert queue.set_slow_aside(SLOW_AFTER_S - 0.1) == []
        freed = queue.set_slow_aside(SLOW_AFTER_S)
        assert {claimed.id for claimed in freed} == {5, 6}
        assert (queue.waiting, queue.has_prompt, queue.wanted) == (0, False, MAX_HELD)
        assert queue.room() == {(1, "subscription"): 0}
        queue.end(row(under_way[0], 1), answered=True)
        assert queue.room() == {(1, "subscription"): 1}

    def test_of_one_destination_takes_nothing_from_another(self) -> None:
        queue: Turns[Row] = Turns()
        for destination_id in range(1, 100):
            add(queue, destination_id, 8, first_id=100 * destination_id)
            begun(queue)
            queue.set_slow_aside(SLOW_AFTER_S)
        add(queue, 100, 4)
        assert begun(queue, SLOW_AFTER_S) == [1, 2, 3, 4]


def test_a_place_that_takes_few_has_no_more_under_way_and_none_ahead() -> None:
    queue: Turns[Row] = Turns(most=8, ahead=1)
    assert queue.first_room == FIRST_ALLOWANCE
    add(queue, 1, 20)
    under_way = begun(queue)
    for _ in range(3):
        queue.end(row(under_way.pop(), 1), answered=True)
        under_way += begun(queue)
    assert (len(under_way), queue.room(), queue.broken_invariants()) == (8, {(1, "subscription"): 0}, [])


def test_what_waited_too_long_is_held_no_more() -> None:
    queue: Turns[Row] = Turns()
    add(queue, 1, 2)
    started, late = queue.begin(101)
    assert (started, [claimed.id for claimed in late], queue.waiting) == ([], [1, 2], 0)


def test_the_window_bounds_what_is_under_way() -> None:
    queue: Turns[Row] = Turns()
    for destination_id in range(1, 97):
        add(queue, destination_id, 4, first_id=4 * destination_id)
    assert (len(begun(queue)), queue.waiting, queue.wanted) == (WINDOW, MAX_HELD - WINDOW, 0)


def test_all_that_waits_can_be_given_up() -> None:
    queue: Turns[Row] = Turns()
    add(queue, 1, 6)
    add(queue, 2, 1, first_id=7)
    assert {claimed.id for claimed in queue.give_up_waiting()} == {1, 2, 3, 4, 5, 6, 7}
    assert (queue.waiting, begun(queue)) == (0, [])


def test_idle_destinations_are_forgotten_once_there_are_many() -> None:
    queue: Turns[Row] = Turns()
    for destination_id in range(turns.MAX_REMEMBERED + 1):
        add(queue, destination_id, 1, first_id=destination_id)
    queue.give_up_waiting()
    add(queue, 5, 1)
    queue.forget_idle()
    assert set(queue.room()) == {(5, "subscription")}


class AnySequenceOfCalls(RuleBasedStateMachine):
    """The deliverer's calls in any order, claiming as it does: no more than is wanted and there is room for."""

    under_way = Bundle("under_way")

    def __init__(self) -> None:
        super().__init__()
        self.queue: Turns[Row] = Turns()
        self.now = 0.0
        self.claimed = 0
        self.waiting: set[int] = set()
        self.posts: set[int] = set()

    @rule(destination_id=st.integers(1, 5), kind=st.sampled_from(["subscription", "toy"]), number=st.integers(1, 70))
    def claim(self, destination_id: int, kind: str, number: int) -> None:
        place = (destination_id, kind)
        room = self.queue.room().get(place, 2 * FIRST_ALLOWANCE)
        for _ in range(min(number, room, self.queue.wanted)):
            self.claimed += 1
            self.queue.add(row(self.claimed, destination_id, kind), self.now + 12)
            self.waiting.add(self.claimed)

    @rule(target=under_way)
    def begin(self) -> Any:
        started, late = self.queue.begin(self.now)
        self.waiting -= {claimed.id for claimed in started} | {claimed.id for claimed in late}
        self.posts |= {claimed.id for claimed in started}
        return multiple(*started)

    @rule(claimed=consumes(under_way), answered=st.booleans())
    def end(self, claimed: Row, answered: bool) -> None:
        self.queue.end(claimed, answered=answered)
        self.posts.remove(claimed.id)

    @rule(seconds=st.sampled_from([0.01, 0.5, 1.5, 13]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.waiting -= {claimed.id for claimed in self.queue.set_slow_aside(self.now)}

    @rule()
    def give_up(self) -> None:
        assert {claimed.id for claimed in self.queue.give_up_waiting()} == self.waiting
        self.waiting.clear()

    @rule()
    def forget(self) -> None:
        self.queue.forget_idle()

    @invariant()
    def what_is_promised_is_kept(self) -> None:
        assert self.queue.broken_invariants() == []

    @invariant()
    def nothing_is_lost_or_held_twice(self) -> None:
        assert self.queue.waiting == len(self.waiting)
        assert self.queue.under_way == len(self.posts)

    @invariant()
    def no_destination_has_more_than_its_share(self) -> None:
        assert all(0 <= room <= 2 * MAX_ALLOWANCE for room in self.queue.room().values())


TestAnySequenceOfCalls = AnySequenceOfCalls.TestCase
TestAnySequenceOfCalls.settings = settings(max_examples=60, stateful_step_count=40)
