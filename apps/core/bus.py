"""The event bus: an app says what happened, the apps above say what follows.

`publish` runs every reaction at once, inside the transaction of the action that published: a reaction that fails undoes
the action. What must only follow a commit is put off by the reaction itself, with `transaction.on_commit`.

An action on a hot path may do all its writing in one statement and hand that over with the events
(`write_and_publish`): reactions that only write rows add common table expressions to it, so that what was done and what
follows need no transaction around them (docs/adr/0009).
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
    """The base of every domain event: something that happened, frozen, named in the past tense."""


@dataclass(frozen=True, slots=True)
class Write:
    """The data-modifying statement of an action, without its `WITH` and its `SELECT`.

    `sql` are common table expressions; the one named `written` has one row when the action was done, else none.
    `columns` are those of `written` to select.
    """

    sql: str
    columns: str


@dataclass(frozen=True, slots=True)
class Cte:
    """Common table expressions that a reaction adds to the statement of an action.

    `sql` is a constant (`name AS (…), …`) that writes nothing unless the table expression `written` has a row. `value`
    is an expression that the statement selects besides its own columns, and `then` is called with what it gave. Names
    of expressions and parameters begin with the app's name, so that those of two apps don't collide.
    """

    sql: str
    parameters: Parameters
    value: str
    then: Callable[[Any], None]

    def run(self) -> Any:
        """Runs it as a statement of its own, inside the transaction of the action; returns the value."""
        row = fetch_one(f"WITH written AS (SELECT 1), {self.sql} SELECT {self.value}", self.parameters)
        value = row and row[0]
        self.then(value)
        return value


Event = TypeVar("Event", bound=DomainEvent)
Batch = Sequence[DomainEvent]
Reaction = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Registered:
    """A reaction, the types it wants to hear of, and whether it takes all of them in one call and gives a Cte."""

    reaction: Reaction
    types: tuple[type[DomainEvent], ...]
    gives_cte: bool


_by_type: dict[type[DomainEvent], list[_Registered]] = defaultdict(list)


def reacts_to(event_type: type[Event]) -> Callable[[Callable[[Event], None]], Callable[[Event], None]]:
    """Registers the decorated function as a reaction to events of exactly that type, called with each."""

    def register(reaction: Callable[[Event], None]) -> Callable[[Event], None]:
        _register(_Registered(reaction, (event_type,), gives_cte=False))
        return reaction

    return register


def adds_cte(
    *event_types: type[DomainEvent],
) -> Callable[[Callable[[Batch], Cte | None]], Callable[[Batch], Cte | None]]:
    """Registers the decorated function as a reaction that only writes rows, and gives them as a Cte (or None).

    It is given the events of exactly those types that are published together, in the order of their publication.
    """

    def register(reaction: Callable[[Batch], Cte | None]) -> Callable[[Batch], Cte | None]:
        _register(_Registered(reaction, event_types, gives_cte=True))
        return reaction

    return register


def publish(*events: DomainEvent) -> None:
    """Runs the reactions to events that happened together, in the order of the layers; inside a transaction."""
    if not transaction.get_connection().in_atomic_block:
        names = ", ".join(type(event).__name__ for event in events)
        raise RuntimeError(f"{names} was published outside a transaction")
    for registered in _concerned(events):
        if cte := _cte(registered, events):
            cte.run()
        elif not registered.gives_cte:
            _call(registered, events)


def write_and_publish(write: Write, parameters: Parameters, *events: DomainEvent) -> Row | None:
    """Runs an action's statement and publishes its events, all or nothing; the row of `written`, or None without one.

    One statement, with a transaction around it only if one of the events has a reaction that gives no Cte. Without a
    row nothing is written, and no such reaction is called.
    """
    concerned = _concerned(events)
    others = [each for each in concerned if not each.gives_cte]
    if others and not transaction.get_connection().in_atomic_block:
        with transaction.atomic():
            return write_and_publish(write, parameters, *events)
    added = [cte for each in concerned if (cte := _cte(each, events))]
    for cte in added:
        parameters = parameters | cte.parameters
    row = fetch_one(_statement(write, tuple((cte.sql, cte.value) for cte in added)), parameters)
    if row is None:
        return None
    own = len(row) - len(added)
    for cte, value in zip(added, row[own:], strict=True):
        cte.then(value)
    for registered in others:
        _call(registered, events)
    return row[:own]


def reactions() -> dict[type[DomainEvent], list[Reaction]]:
    """Every registered reaction, by event type (docs/events.md is made from it)."""
    return {event_type: [each.reaction for each in registered] for event_type, registered in _by_type.items()}


def _concerned(events: Batch) -> list[_Registered]:
    """The reactions to any of the events, each once."""
    return list({id(each): each for event in events for each in _by_type[type(event)]}.values())


def _cte(registered: _Registered, events: Batch) -> Cte | None:
    if not registered.gives_cte:
        return None
    cte: Cte | None = registered.reaction([event for event in events if type(event) in registered.types])
    return cte


def _call(registered: _Registered, events: Batch) -> None:
    for event in events:
        if type(event) in registered.types:
            registered.reaction(event)


@lru_cache(maxsize=64)
def _statement(write: Write, added: tuple[tuple[str, str], ...]) -> str:
    expressions = ", ".join([write.sql, *(sql for sql, _ in added)])
    columns = ", ".join([write.columns, *(value for _, value in added)])
    return f"WITH {expressions} SELECT {columns} FROM written"  # noqa: S608 - of constants


def _register(registered: _Registered) -> None:
    for event_type in registered.types:
        _by_type[event_type].append(registered)
