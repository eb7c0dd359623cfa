"""The event bus: an app says what happened, the apps above say what follows.

`publish` runs every reaction at once, inside the transaction of the action that published: a reaction that fails undoes
the action. What must only follow a commit is put off by the reaction itself, with `transaction.on_commit`.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction


@dataclass(frozen=True, slots=True)
class DomainEvent:
    """The base of every domain event: a frozen fact, named in the past tense."""


Event = TypeVar("Event", bound=DomainEvent)
Reaction = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class _Registered:
    """A reaction, the types it wants to hear of, and whether it takes all of them in one call."""

    reaction: Reaction
    types: tuple[type[DomainEvent], ...]
    takes_batches: bool


_by_type: dict[type[DomainEvent], list[_Registered]] = defaultdict(list)


def reacts_to(event_type: type[Event]) -> Callable[[Callable[[Event], None]], Callable[[Event], None]]:
    """Registers the decorated function as a reaction to events of exactly that type, called with each."""

    def register(reaction: Callable[[Event], None]) -> Callable[[Event], None]:
        _register(_Registered(reaction, (event_type,), takes_batches=False))
        return reaction

    return register


Batch = Sequence[DomainEvent]


def reacts_to_batches_of(
    *event_types: type[DomainEvent],
) -> Callable[[Callable[[Batch], None]], Callable[[Batch], None]]:
    """Registers the decorated function as a reaction that takes what is published together in one call.

    It is given the events of exactly those types, in the order of their publication.
    """

    def register(reaction: Callable[[Batch], None]) -> Callable[[Batch], None]:
        _register(_Registered(reaction, event_types, takes_batches=True))
        return reaction

    return register


def publish(*events: DomainEvent) -> None:
    """Runs the reactions to events that happened together, in the order of the layers; inside a transaction."""
    if not transaction.get_connection().in_atomic_block:
        names = ", ".join(type(event).__name__ for event in events)
        raise RuntimeError(f"{names} was published outside a transaction")
    concerned = {id(each): each for event in events for each in _by_type[type(event)]}
    for registered in concerned.values():
        batch = [event for event in events if type(event) in registered.types]
        if registered.takes_batches:
            registered.reaction(batch)
        else:
            for event in batch:
                registered.reaction(event)


def reactions() -> dict[type[DomainEvent], list[Reaction]]:
    """Every registered reaction, by event type (docs/events.md is made from it)."""
    return {event_type: [each.reaction for each in registered] for event_type, registered in _by_type.items()}


def _register(registered: _Registered) -> None:
    for event_type in registered.types:
        _by_type[event_type].append(registered)
