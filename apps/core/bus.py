"""The event bus: an app says what happened, the apps above say what follows.

`publish` runs every reaction at once, inside the transaction of the action that published: a reaction that fails undoes
the action. What must only follow a commit is put off by the reaction itself, with `transaction.on_commit`.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction


@dataclass(frozen=True, slots=True)
class DomainEvent:
    """The base of every domain event: a frozen fact, named in the past tense."""


Event = TypeVar("Event", bound=DomainEvent)
Reaction = Callable[[Any], None]

_reactions: dict[type[DomainEvent], list[Reaction]] = defaultdict(list)


def reacts_to(event_type: type[Event]) -> Callable[[Callable[[Event], None]], Callable[[Event], None]]:
    """Registers the decorated function as a reaction to events of exactly that type."""

    def register(reaction: Callable[[Event], None]) -> Callable[[Event], None]:
        _reactions[event_type].append(reaction)
        return reaction

    return register


def publish(event: DomainEvent) -> None:
    """Runs the reactions to an event, in the order of the layers. Must be called inside a transaction."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"{type(event).__name__} was published outside a transaction")
    for reaction in _reactions[type(event)]:
        reaction(event)


def reactions() -> dict[type[DomainEvent], list[Reaction]]:
    """Every registered reaction, by event type (docs/events.md is made from it)."""
    return {event_type: list(registered) for event_type, registered in _reactions.items()}
