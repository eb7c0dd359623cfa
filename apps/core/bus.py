"""The event bus: an app says what happened, the apps above say what follows.

`publish` runs every reaction at once, inside the transaction of the action that published: a reaction that fails undoes
the action. What must only follow a commit is put off by the reaction itself, with `transaction.on_commit`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction


@dataclass(frozen=True, slots=True)
class DomainEvent:
    """The base of every domain event: a frozen fact, named in the past tense."""


Event = TypeVar("Event", bound=DomainEvent)
Reaction = Callable[[Any], None]

_reactions: dict[type[DomainEvent], list[Reaction]] = defaultdict(list)
_batch_reactions: dict[type[DomainEvent], list[Reaction]] = defaultdict(list)


def reacts_to(event_type: type[Event]) -> Callable[[Callable[[Event], None]], Callable[[Event], None]]:
    """Registers the decorated function as a reaction to events of exactly that type."""

    def register(reaction: Callable[[Event], None]) -> Callable[[Event], None]:
        _reactions[event_type].append(reaction)
        return reaction

    return register


def reacts_to_batches_of(
    event_type: type[Event],
) -> Callable[[Callable[[Sequence[Event]], None]], Callable[[Sequence[Event]], None]]:
    """Registers the decorated function as a reaction that takes many events of exactly that type at once.

    It is given the events of each `publish_many` in one call, and each one of `publish` as a batch of one.
    """

    def register(reaction: Callable[[Sequence[Event]], None]) -> Callable[[Sequence[Event]], None]:
        _batch_reactions[event_type].append(reaction)
        return reaction

    return register


def publish(event: DomainEvent) -> None:
    """Runs the reactions to an event, in the order of the layers. Must be called inside a transaction."""
    _require_transaction(type(event))
    for reaction in _reactions[type(event)]:
        reaction(event)
    for reaction in _batch_reactions[type(event)]:
        reaction([event])


def publish_many(event_type: type[Event], events: Iterable[Event]) -> None:
    """Runs the reactions to events of one type; those that take batches are called once. Else as `publish`.

    Nobody's reaction, nobody's cost: `events` may be a generator, which is not run when there is none.
    """
    _require_transaction(event_type)
    singly, together = _reactions[event_type], _batch_reactions[event_type]
    if not singly and not together:
        return
    batch = list(events)
    for reaction in singly:
        for event in batch:
            reaction(event)
    if batch:
        for reaction in together:
            reaction(batch)


def reactions() -> dict[type[DomainEvent], list[Reaction]]:
    """Every registered reaction, by event type (docs/events.md is made from it)."""
    types = {*_reactions, *_batch_reactions}
    return {type_: [*_reactions[type_], *_batch_reactions[type_]] for type_ in types}


def _require_transaction(event_type: type[DomainEvent]) -> None:
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"{event_type.__name__} was published outside a transaction")
