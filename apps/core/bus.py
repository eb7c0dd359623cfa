"""The event bus: an app publishes what happened, the apps above react.

A handler is of one of three kinds (docs/events.md lists them all):

- `handles`: it runs at once, in the transaction of the action that published; when it fails, the action is undone.
- `adds_cte`: it only writes rows, and gives them as common table expressions. An action on a hot path does all its
  writing in one statement and hands that over with the events (`write_and_publish`); with what such handlers add to
  it, what was done and what follows need no transaction around them (docs/adr/0009).
- `handles_after_commit`: it runs once the transaction has committed, at once where there is none. When it fails, that
  is logged, and nothing else comes of it.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from django.db import transaction

from apps.core import database
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


class Cte(NamedTuple):
    """Common table expressions that a handler adds to the statement of an action.

    `sql` is a constant (`name AS (…), …`) that writes nothing unless the table expression `written` has a row. `value`
    is an expression that the statement selects besides its own columns, and `then` is called with what it gave. Names
    of expressions and parameters begin with the app's name, so that those of two apps don't collide. `is_for_each`: it
    serves several rows of `written`; its parameters, texts and numbers, stand where `written` is joined, with casts.
    """

    sql: str
    parameters: Parameters
    value: str
    then: Callable[[Any], None]
    is_for_each: bool = False

    def run(self) -> Any:
        """Runs it as a statement of its own, inside the transaction of the action; returns the value."""
        row = fetch_one(f"WITH written AS (SELECT 1), {self.sql} SELECT {self.value}", self.parameters)
        value = row and row[0]
        self.then(value)
        return value


Event = TypeVar("Event", bound=DomainEvent)
Batch = Sequence[DomainEvent]
CteOf = Callable[[Batch], Cte | None]
AfterCommit = Callable[[Sequence[Any]], None]
Run = Callable[[str, Parameters], Row | None]


class When(Enum):
    """When a handler takes place."""

    AT_ONCE = "in the transaction"
    IN_STATEMENT = "in the action's statement"
    AFTER_COMMIT = "after the commit"


@dataclass(frozen=True, slots=True)
class RegisteredHandler:
    """A handler and the types of events that it is called with.

    AT_ONCE it is called with each event, else once with all of those types that are published together.
    """

    handler: Callable[[Any], Any]
    types: tuple[type[DomainEvent], ...]
    when: When


_by_type: dict[type[DomainEvent], list[RegisteredHandler]] = defaultdict(list)
_NOTHING = Write("written AS (SELECT 1 AS done)", "done")  # of an action that has written before


def handles(event_type: type[Event]) -> Callable[[Callable[[Event], None]], Callable[[Event], None]]:
    """Registers the decorated function as a handler to events of exactly that type, called with each."""

    def register(handler: Callable[[Event], None]) -> Callable[[Event], None]:
        _register(RegisteredHandler(handler, (event_type,), When.AT_ONCE))
        return handler

    return register


def adds_cte(*event_types: type[DomainEvent]) -> Callable[[CteOf], CteOf]:
    """Registers the decorated function as a handler that only writes rows, and gives them as a Cte (or None).

    It is given the events of exactly those types that are published together, in the order of their publication.
    """

    def register(handler: CteOf) -> CteOf:
        _register(RegisteredHandler(handler, event_types, When.IN_STATEMENT))
        return handler

    return register


def handles_after_commit(*event_types: type[DomainEvent]) -> Callable[[AfterCommit], AfterCommit]:
    """Registers the decorated function as a handler that follows the commit.

    It is given the events of exactly those types that were published together, in the order of their publication.
    """

    def register(handler: AfterCommit) -> AfterCommit:
        _register(RegisteredHandler(handler, event_types, When.AFTER_COMMIT))
        return handler

    return register


def publish(*events: DomainEvent) -> None:
    """Runs the handlers to events that happened together, inside a transaction: first one statement of all Ctes."""
    if not transaction.get_connection().in_atomic_block:
        names = ", ".join(type(event).__name__ for event in events)
        raise RuntimeError(f"{names} was published outside a transaction")
    write_and_publish(_NOTHING, {}, *events)


def write_and_publish(write: Write, parameters: Parameters, *events: DomainEvent, run: Run = fetch_one) -> Row | None:
    """Runs an action's statement and publishes its events, all or nothing; the row of `written`, or None without one.

    One statement, with a transaction around it only if one of the events has a handler that runs AT_ONCE; by `run` if
    all that is added is `is_for_each`. Without a row nothing is written, and no handler is called but for its Cte.
    """
    wanted = _reactions_to(events)
    if any(each.when is When.AT_ONCE for each, _ in wanted) and not transaction.get_connection().in_atomic_block:
        with transaction.atomic():
            return write_and_publish(write, parameters, *events, run=run)
    ctes: list[Cte] = []
    for registered, own_events in wanted:
        if registered.when is When.IN_STATEMENT and (cte := registered.handler(own_events)):
            ctes.append(cte)
            parameters = parameters | cte.parameters
    statement = _statement(write, tuple((cte.sql, cte.value) for cte in ctes))
    runs = run if all(cte.is_for_each for cte in ctes) else fetch_one
    row = runs(statement, parameters) if ctes or write is not _NOTHING else (1,)
    if row is None:
        return None
    own = len(row) - len(ctes)
    for cte, value in zip(ctes, row[own:], strict=True):
        cte.then(value)
    _tell([pair for pair in wanted if pair[0].when is not When.IN_STATEMENT])
    return row[:own]


def handlers() -> dict[type[DomainEvent], list[RegisteredHandler]]:
    """Every registered handler, by event type (docs/events.md is made from it)."""
    return dict(_by_type)


def _reactions_to(events: Batch) -> list[tuple[RegisteredHandler, Batch]]:
    """The handlers to any of the events, each once, with the events that are its own."""
    wanted = {id(each): each for event in events for each in _by_type[type(event)]}.values()
    return [(each, [event for event in events if type(event) in each.types]) for each in wanted]


def _tell(wanted: list[tuple[RegisteredHandler, Batch]]) -> None:
    """Calls handlers with their events; those that follow the commit wait for it."""
    for registered, own_events in wanted:
        if registered.when is When.AFTER_COMMIT:
            database.after_commit(partial(registered.handler, own_events))
        else:
            for event in own_events:
                registered.handler(event)


@lru_cache(maxsize=64)
def _statement(write: Write, added: tuple[tuple[str, str], ...]) -> str:
    expressions = ", ".join([write.sql, *(sql for sql, _ in added)])
    columns = ", ".join([write.columns, *(value for _, value in added)])
    return f"WITH {expressions} SELECT {columns} FROM written"  # noqa: S608 - of constants


def _register(registered: RegisteredHandler) -> None:
    for event_type in registered.types:
        _by_type[event_type].append(registered)
