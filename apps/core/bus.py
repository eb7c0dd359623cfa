"""The event bus: an app says what happened, the apps above say what follows.

`publish` runs every reaction at once, inside the transaction of the action that published: a reaction that fails undoes
the action. What must only follow a commit is put off by the reaction itself, with `transaction.on_commit`.

An action on a hot path may do its deed in one statement and hand that over with the events (`publish_with`): reactions
that only write rows ride on the statement, so that deed and rows need no transaction around them (docs/adr/0009).
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.db import transaction

from apps.core.database import Parameters, Row, fetch_one


@dataclass(frozen=True, slots=True)
class DomainEvent:
    """The base of every domain event: a frozen fact, named in the past tense."""


@dataclass(frozen=True, slots=True)
class Rider:
    """What a reaction writes, as part of the statement that does the deed.

    `sql` is a constant: common table expressions (`name AS (…), …`) that write nothing unless the table expression
    `deed` has a row. `answer` is an expression of one value that the statement selects besides its own, and `then` is
    called with it. Names of expressions and parameters begin with the app's name, so that riders don't collide.
    """

    sql: str
    parameters: Parameters
    answer: str
    then: Callable[[Any], None]

    def run(self) -> Any:
        """Runs it as a statement of its own, inside the transaction of the deed; returns the answer."""
        row = fetch_one(f"WITH deed AS (SELECT 1), {self.sql} SELECT {self.answer}", self.parameters)
        value = row and row[0]
        self.then(value)
        return value


@dataclass(frozen=True, slots=True)
class Deed:
    """A statement that does something or nothing, without its `WITH` and its `SELECT`.

    `sql` are common table expressions; the one named `deed` has one row when it was done, else none. `answer` are the
    columns of `deed` to select.
    """

    sql: str
    answer: str


Event = TypeVar("Event", bound=DomainEvent)
Batch = Sequence[DomainEvent]
Reaction = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Registered:
    """A reaction, the types it wants to hear of, and whether it takes all of them in one call and gives a Rider."""

    reaction: Reaction
    types: tuple[type[DomainEvent], ...]
    gives_rider: bool


_by_type: dict[type[DomainEvent], list[_Registered]] = defaultdict(list)


def reacts_to(event_type: type[Event]) -> Callable[[Callable[[Event], None]], Callable[[Event], None]]:
    """Registers the decorated function as a reaction to events of exactly that type, called with each."""

    def register(reaction: Callable[[Event], None]) -> Callable[[Event], None]:
        _register(_Registered(reaction, (event_type,), gives_rider=False))
        return reaction

    return register


def rides_on(
    *event_types: type[DomainEvent],
) -> Callable[[Callable[[Batch], Rider | None]], Callable[[Batch], Rider | None]]:
    """Registers the decorated function as a reaction that only writes rows, and gives them as a Rider (or None).

    It is given the events of exactly those types that are published together, in the order of their publication.
    """

    def register(reaction: Callable[[Batch], Rider | None]) -> Callable[[Batch], Rider | None]:
        _register(_Registered(reaction, event_types, gives_rider=True))
        return reaction

    return register


def publish(*events: DomainEvent) -> None:
    """Runs the reactions to events that happened together, in the order of the layers; inside a transaction."""
    if not transaction.get_connection().in_atomic_block:
        names = ", ".join(type(event).__name__ for event in events)
        raise RuntimeError(f"{names} was published outside a transaction")
    for registered in _concerned(events):
        if rider := _rider(registered, events):
            rider.run()
        elif not registered.gives_rider:
            _call(registered, events)


def publish_with(deed: Deed, parameters: Parameters, *events: DomainEvent) -> Row | None:
    """Does the deed and publishes its events, all or nothing; the deed's row, or None when it was not done.

    One statement, with a transaction around it only if one of the events has a reaction that is no rider. Without
    the deed nothing is written, and no reaction is called that is no rider.
    """
    concerned = _concerned(events)
    others = [each for each in concerned if not each.gives_rider]
    if others and not transaction.get_connection().in_atomic_block:
        with transaction.atomic():
            return publish_with(deed, parameters, *events)
    riders = [rider for each in concerned if (rider := _rider(each, events))]
    for rider in riders:
        parameters = parameters | rider.parameters
    row = fetch_one(_with_riders(deed, tuple((rider.sql, rider.answer) for rider in riders)), parameters)
    if row is None:
        return None
    own = len(row) - len(riders)
    for rider, value in zip(riders, row[own:], strict=True):
        rider.then(value)
    for registered in others:
        _call(registered, events)
    return row[:own]


def reactions() -> dict[type[DomainEvent], list[Reaction]]:
    """Every registered reaction, by event type (docs/events.md is made from it)."""
    return {event_type: [each.reaction for each in registered] for event_type, registered in _by_type.items()}


def _concerned(events: Batch) -> list[_Registered]:
    """The reactions to any of the events, each once."""
    return list({id(each): each for event in events for each in _by_type[type(event)]}.values())


def _rider(registered: _Registered, events: Batch) -> Rider | None:
    if not registered.gives_rider:
        return None
    rider: Rider | None = registered.reaction([event for event in events if type(event) in registered.types])
    return rider


def _call(registered: _Registered, events: Batch) -> None:
    for event in events:
        if type(event) in registered.types:
            registered.reaction(event)


@lru_cache(maxsize=64)
def _with_riders(deed: Deed, riders: tuple[tuple[str, str], ...]) -> str:
    expressions = ", ".join([deed.sql, *(sql for sql, _ in riders)])
    columns = ", ".join([deed.answer, *(answer for _, answer in riders)])
    return f"WITH {expressions} SELECT {columns} FROM deed"  # noqa: S608 - of constants


def _register(registered: _Registered) -> None:
    for event_type in registered.types:
        _by_type[event_type].append(registered)
