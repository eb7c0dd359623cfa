"""Destinations: the addresses that apps have signed events posted to, whichever app does the posting.

An app registers a *kind* of destination in its `destinations.py`, and queues events for destinations of that kind in
the transaction of what happened. Both go through here, so it knows nothing of the app that delivers. The engine is
the app's with the hook `delivery_engine` (`apps.webhooks`). It keeps what is queued until it is delivered, has
used up its attempts or is not wanted any more: with leases, waits, a cap of posts at a time for each destination, and a
row for every attempt.

Without an engine nothing can be queued: `is_available()` is false, and `queue` and `queue_cte` raise NoDeliveryEngine,
so the work that they were part of is undone. An app whose feature lives by deliveries asks first, and does not offer
it.

Every request is a POST of the queued bytes, the same at each attempt, with the headers

- X-Service-Event: the event's type;
- X-Service-Idempotency-Key: the event's id, what receivers dedupe by;
- X-Service-Delivery: one value for a destination and event;
- X-Service-Signature: `sha256=v1:<hex hmac>` of the body;
- X-Service-Timestamp: Unix seconds;
- Authorization: Bearer, where the kind gives one; and whatever else the kind adds.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from django.db import transaction

from apps.core import plugins
from apps.core.bus import Cte
from apps.core.plugins import Hooks

MAX_ATTEMPTS = 4

# Why an attempt did not deliver, for programs. `unreachable`: blocked, unresolvable, refused and reset alike, so that
# nobody can map a private network by comparing. `bad_status`: any answer but 2xx, redirects too. `unsigned`: no signing
# secret. `interrupted`: workers ended too often while they had it. `internal`: it failed on our side.
Failure = Literal["timeout", "tls_failed", "unreachable", "bad_status", "unsigned", "interrupted", "internal"]


@dataclass(frozen=True, slots=True)
class PendingDelivery:
    """A delivery that is about to be made, as its kind is asked where to. `attempt` counts from 1.

    `event_id` is the id that the event was queued with. `is_legacy`: it was queued in the older vocabulary of its kind.
    """

    id: int
    kind: str
    destination_id: int
    event_id: str
    event_type: str
    attempt: int
    is_legacy: bool


@dataclass(frozen=True, slots=True)
class Destination:
    """The address of a delivery, and its secrets, at this moment. A repr shows no secret.

    The first of `secrets` signs as X-Service-Signature, a second one as X-Service-Signature-Next; without one, or with
    an empty one, the delivery fails for good. `headers` are added to the engine's. `event_name` and `rewrite` change
    what X-Service-Event says and what the stored body becomes; a rewriter answers the same text for the same body
    always.
    """

    url: str
    secrets: tuple[str, ...] = field(repr=False)
    bearer: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    event_name: str | None = None
    rewrite: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """The result of an attempt, or of the lack of one, for a delivery.

    `pending` will be tried again; the other three are final. `skipped`: the kind named no destination any more. `error`
    is one of the engine's own sentences, for people, `reason` its kind, for programs (None where nothing failed), and
    `answer` the start of what the receiver answered, as text; none names the address. `response_status` and
    `milliseconds` are None and 0 where no answer came and no call was made.
    """

    destination_id: int
    event_id: str
    event_type: str
    status: Literal["pending", "delivered", "failed", "skipped"]
    attempts: int
    response_status: int | None
    milliseconds: int
    error: str
    reason: Failure | None
    answer: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationType:
    """A kind of destination. `name` is stored with each delivery and never changes; `attempts` are made at most.

    `read` is asked about the deliveries of one claim, each time that they are claimed: of one it answers the
    Destination by the delivery's id, and of one that is not wanted any more (its destination deleted, inactive; its
    event overtaken) nothing: it is skipped. Its answer is never kept, so a changed secret or address counts for waiting
    deliveries too. It runs outside a transaction; it should cost one query however many they are.

    `outcome` is told what came of deliveries, in the transaction that writes it; should it raise, nothing of that is
    written, and the delivery is made again when its lease runs out. It is short, and takes no locks that are held long.
    It is not told of a delivery whose event is gone.
    """

    name: str
    read: Callable[[Sequence[PendingDelivery]], Mapping[int, Destination]]
    outcome: Callable[[Sequence[DeliveryOutcome]], None] | None = None
    attempts: int = MAX_ATTEMPTS

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z_]{0,31}", self.name):
            raise ValueError(f"{self.name!r} is no name of a kind: 1 to 32 small letters and _")
        if not 1 <= self.attempts <= MAX_ATTEMPTS:
            raise ValueError(f"at most {MAX_ATTEMPTS} attempts, and at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingEvent:
    """An event for destinations of one kind, of one widget.

    `body` is the JSON text that is sent, `event_id` the id in it. Bodies that may hold personal data are encrypted at
    rest.
    """

    widget_id: int
    destination_ids: Sequence[int]
    event_id: UUID
    event_type: str
    body: str = field(repr=False)
    is_personal: bool = True


class NoDeliveryEngine(Exception):
    """No installed app delivers."""


Engine = Callable[[DestinationType, Sequence[OutgoingEvent]], Cte]

_kinds: dict[str, DestinationType] = {}


def register(destination_type: DestinationType) -> DestinationType:
    """Makes a kind known; called once, where it is defined. Raises ValueError for a name that is taken."""
    if destination_type.name in _kinds:
        raise ValueError(f"there is a kind of destination named {destination_type.name} already")
    _kinds[destination_type.name] = destination_type
    return destination_type


def kinds() -> Mapping[str, DestinationType]:
    """The kinds of the installed apps, by name."""
    return _kinds


def is_available() -> bool:
    """Whether an installed app delivers."""
    return bool(plugins.hooked(lambda app: app.delivery_engine, Hooks))


def queue(destination_type: DestinationType, events: Sequence[OutgoingEvent]) -> None:
    """Queues events for destinations of a kind, in the transaction under way; what is rolled back was never queued.

    Raises NoDeliveryEngine where no app delivers, RuntimeError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"events for {destination_type.name} were queued outside a transaction")
    if events:
        queue_cte(destination_type, events).run()


def queue_cte(destination_type: DestinationType, events: Sequence[OutgoingEvent]) -> Cte:
    """The same as common table expressions of the action's statement, for a handler with `bus.adds_cte`.

    Their names begin with the kind's, so a statement takes one of each kind. Raises NoDeliveryEngine.
    """
    for engine in plugins.hooked(lambda app: app.delivery_engine, Hooks):
        return engine(destination_type, events)
    raise NoDeliveryEngine(f"no installed app delivers to {destination_type.name}")
