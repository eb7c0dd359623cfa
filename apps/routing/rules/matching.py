"""The order of the queue, and the operator to whom a chat is offered. Pure.

The queue is served by priority, each AGING of waiting counting as one step more; then by the beginning of the wait,
then by id. A chat goes to a member of its department who has a free place, who has not passed it in this wait, and who
is not the owner whom it is taken from: first its last person, then readers of its language, then the lowest load, then
who was given none for longest, then the lower id.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from apps.chats.rules.priorities import Priority
from apps.routing.rules.reasons import Reason
from apps.routing.rules.settings import LanguageRule, Routing

AGING = timedelta(minutes=15)
# Who let a chat pass is asked again after so long, or when somebody comes, if nobody else is left to ask.
ASKED_AGAIN_AFTER = timedelta(minutes=5)
_NEVER = datetime.min.replace(tzinfo=UTC)

Place = tuple[float, datetime, int]  # load, last given, id


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedChat:
    """A chat that waits for a place. `passed` are the operators who missed or declined it in this wait, and when."""

    id: int
    department_id: int | None
    priority: Priority
    waits_since: datetime
    language: str = ""
    last_operator_id: int | None = None
    taken_from_id: int | None = None
    passed: Mapping[int, datetime] = field(default_factory=dict)

    def order(self, as_of: datetime) -> tuple[int, datetime, int]:
        """The key of the queue's order."""
        return -(self.priority.rank + (as_of - self.waits_since) // AGING), self.waits_since, self.id


@dataclass(slots=True, kw_only=True)
class Operator:
    """An operator who is there and takes routed chats; `loads` and `capacities` are by department, None: without."""

    id: int
    departments: frozenset[int]
    load: int
    capacity: int
    loads: dict[int | None, int] = field(default_factory=dict)
    capacities: Mapping[int, int] = field(default_factory=dict)
    reads: frozenset[str] = frozenset()
    last_given_at: datetime | None = None
    came_at: datetime | None = None

    def is_member(self, department_id: int | None) -> bool:
        return department_id is None or department_id in self.departments

    def has_place(self, department_id: int | None) -> bool:
        """Whether they are below both capacities."""
        most = None if department_id is None else self.capacities.get(department_id)
        return self.load < self.capacity and (most is None or self.loads.get(department_id, 0) < most)

    def takes(self, department_id: int | None) -> bool:
        """Whether they take routed chats of that department at all."""
        most = None if department_id is None else self.capacities.get(department_id)
        return self.is_member(department_id) and self.capacity > 0 and most != 0

    def is_available(self, department_id: int | None) -> bool:
        """Whether they are a member with a free place."""
        return self.is_member(department_id) and self.has_place(department_id)

    @property
    def place(self) -> Place:
        return self.load, self.last_given_at or _NEVER, self.id


class Match(NamedTuple):
    """A chat, the operator who gets it, why they before the others, and how many could have had it.

    `load` and `department_load` are theirs before.
    """

    chat: QueuedChat
    operator: Operator
    reasons: tuple[Reason, ...]
    among: int
    load: int
    department_load: int


class PlaceMatching:
    """The free places of operators, given away chat by chat, in the order of the queue."""

    def __init__(
        self, operators: Iterable[Operator], routing_of: Mapping[int | None, Routing], as_of: datetime
    ) -> None:
        self._operators = {each.id: each for each in operators}
        self._routing_of, self._as_of = routing_of, as_of
        self._heaps: dict[tuple[int | None, str | None], list[Place]] = {}

    def matches(self, chats: Iterable[QueuedChat], given_at: datetime) -> Iterator[Match]:
        """Gives each chat that somebody can have away; the others stay."""
        for chat in sorted(chats, key=lambda each: each.order(self._as_of)):
            if found := self._match(chat):
                self._give(found, given_at)
                yield found

    def _match(self, chat: QueuedChat) -> Match | None:
        passed = set(chat.passed)
        found = self._best(chat, passed)
        if found is None and passed:
            again = {pk for pk, at in chat.passed.items() if self._asked_again(chat, at)}
            found = self._best(chat, passed - again) if again else None
        return found

    def _asked_again(self, chat: QueuedChat, passed_at: datetime) -> bool:
        if passed_at <= self._as_of - ASKED_AGAIN_AFTER:
            return True
        members = (each for each in self._operators.values() if each.takes(chat.department_id))
        return any(each.came_at is not None and each.came_at > passed_at for each in members)

    def _best(self, chat: QueuedChat, passed: set[int]) -> Match | None:
        routing = self.routing_of(chat.department_id)
        excluded = passed | {chat.taken_from_id} if chat.taken_from_id else passed
        by_language = bool(chat.language) and routing.languages is not LanguageRule.IGNORE
        if routing.prefer_last and (last := self._operators.get(chat.last_operator_id or 0)):
            reads = last.reads if by_language and routing.languages is LanguageRule.ONLY else {chat.language}
            is_free = last.is_member(chat.department_id) and last.has_place(chat.department_id)
            if is_free and last.id not in excluded and chat.language in reads:
                return self._matched(chat, last, (Reason.LAST_OPERATOR,), excluded)
        if by_language:
            if found := self._lowest((chat.department_id, chat.language), excluded):
                return self._matched(chat, found, (Reason.LANGUAGE,), excluded)
            if routing.languages is LanguageRule.ONLY:
                return None
        found = self._lowest((chat.department_id, None), excluded)
        return self._matched(chat, found, (), excluded) if found else None

    def routing_of(self, department_id: int | None) -> Routing:
        return self._routing_of.get(department_id, self._routing_of[None])

    def _lowest(self, key: tuple[int | None, str | None], excluded: set[int]) -> Operator | None:
        """The operator of the lowest place among those with room, by a heap whose entries are renewed as they rise."""
        department_id, language = key
        if key not in self._heaps:
            self._heaps[key] = [
                each.place
                for each in self._operators.values()
                if each.is_member(department_id) and (language is None or language in each.reads)
            ]
            heapify(self._heaps[key])
        heap, aside = self._heaps[key], []
        found = None
        while heap and found is None:
            place = heappop(heap)
            operator = self._operators[place[2]]
            if not operator.has_place(department_id):
                continue
            if operator.place != place:
                heappush(heap, operator.place)
                continue
            aside.append(place)
            found = None if operator.id in excluded else operator
        for place in aside:
            heappush(heap, place)
        return found

    def _matched(self, chat: QueuedChat, operator: Operator, reasons: tuple[Reason, ...], excluded: set[int]) -> Match:
        """With the reasons that put them before the others who could have had it."""
        others = [
            each
            for each in self._operators.values()
            if each.id != operator.id
            and each.id not in excluded
            and each.is_member(chat.department_id)
            and each.has_place(chat.department_id)
        ]
        department_load = operator.loads.get(chat.department_id, 0)
        reasons = (*reasons, *(_before(operator, others) if others else (Reason.ONLY_ONE,)))
        return Match(chat, operator, reasons, len(others) + 1, operator.load, department_load)

    @staticmethod
    def _give(match: Match, given_at: datetime) -> None:
        operator, department_id = match.operator, match.chat.department_id
        operator.load += 1
        operator.loads[department_id] = operator.loads.get(department_id, 0) + 1
        operator.last_given_at = given_at


def _before(operator: Operator, others: Sequence[Operator]) -> Iterator[Reason]:
    """Whether they have the fewest open chats, or as few as others and were given none for longest."""
    lowest = min(each.load for each in others)
    if operator.load < lowest:
        yield Reason.FEWEST_OPEN
    elif operator.load == lowest:
        yield Reason.LONGEST_IDLE
