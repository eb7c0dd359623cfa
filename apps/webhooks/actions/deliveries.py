"""The queue of deliveries: claimed under a lease, finished under its fence.

A claim is one statement, committed before any call is made; so is a batch of outcomes, with what their kinds do upon
them in the same transaction. Any number of workers may do either at once.
"""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import orjson
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.utils.translation import gettext_noop

from apps.core import destinations
from apps.core.database import fetch_all
from apps.core.destinations import DeliveryOutcome, Destination, DestinationType, PendingDelivery
from apps.webhooks import rules
from apps.webhooks.rules import AttemptVerdict

logger = logging.getLogger(__name__)

# Longer than the 15 seconds that a call may take, and what it may wait for its turn in the worker.
LEASE_S = 30
# More than a claim counter need tell apart, and less than its column holds.
MOST_CLAIMS = 1000
MAX_ID = 2**63 - 1

# A destination in the order in which they are served: its id, then its kind.
Place = tuple[int, str]
FIRST_PLACE: Place = (0, "")
LAST_PLACE: Place = (MAX_ID, "")


@dataclass(frozen=True, slots=True)
class Claimed(PendingDelivery):
    """A delivery that this worker holds, with its event's body; None when the event is gone."""

    claim_id: UUID
    guid: str
    claims: int
    body: str | None = field(repr=False)
    is_sealed: bool

    @property
    def place(self) -> Place:
        return self.destination_id, self.kind

    @property
    def attempts_before(self) -> int:
        return self.attempt - 1


# Walks the destinations that have something pending, by one index probe each, from `after` on; takes of each what is
# due and not held, oldest first, as many as there is room for. Neither the log nor a long backlog makes it slower.
# Kinds of apps that are not installed are left for whoever knows them.
# `= ANY (ARRAY(...))` keeps the plan to index look-ups, also one that was made while the log was short, and is kept.
# Index: webhooks_delivery_queue.
_CLAIM = """
WITH RECURSIVE receiver AS (
    (SELECT destination_id, kind FROM webhooks_delivery
     WHERE status = 'pending' AND (destination_id, kind) > (%(after_id)s::bigint, %(after_kind)s::text)
       AND (destination_id, kind) <= (%(until_id)s::bigint, %(until_kind)s::text)
     ORDER BY destination_id, kind, due_at LIMIT 1)
    UNION ALL
    SELECT following.destination_id, following.kind FROM receiver CROSS JOIN LATERAL (
        SELECT d.destination_id, d.kind FROM webhooks_delivery d
        WHERE d.status = 'pending' AND (d.destination_id, d.kind) > (receiver.destination_id, receiver.kind)
          AND (d.destination_id, d.kind) <= (%(until_id)s::bigint, %(until_kind)s::text)
        ORDER BY d.destination_id, d.kind, d.due_at LIMIT 1
    ) following
), due AS MATERIALIZED (
    SELECT d.id FROM receiver CROSS JOIN LATERAL (
        SELECT id FROM webhooks_delivery
        WHERE status = 'pending' AND destination_id = receiver.destination_id AND kind = receiver.kind
          AND due_at <= statement_timestamp() AND (lease_until IS NULL OR lease_until <= statement_timestamp())
        ORDER BY due_at
        LIMIT coalesce((%(room)s::jsonb -> receiver.kind ->> receiver.destination_id::text)::int, %(default_room)s::int)
        FOR UPDATE SKIP LOCKED
    ) d
    WHERE receiver.kind = ANY (%(kinds)s::text[]) LIMIT %(wanted)s
), claimed AS (
    UPDATE webhooks_delivery
    SET lease_until = statement_timestamp() + %(lease_s)s * interval '1 second', claim_id = %(claim_id)s,
        claims = least(claims + 1, %(most_claims)s)
    WHERE id = ANY (ARRAY(SELECT id FROM due))
    RETURNING id, claim_id, guid, attempts, claims, is_legacy, kind, destination_id, event_id, event_type, due_at
)
SELECT c.id, c.kind, c.destination_id, coalesce(e.guid::text, ''), c.event_type, c.attempts + 1, c.is_legacy,
       c.claim_id, c.guid::text, c.claims, e.body, e.is_sealed
FROM claimed c
LEFT JOIN webhooks_event e ON e.id = c.event_id AND e.id = ANY (ARRAY(SELECT event_id FROM claimed))
ORDER BY c.due_at, c.id
/* unscoped: every widget */"""


def claim(
    *,
    wanted: int,
    after: Place = FIRST_PLACE,
    until: Place = LAST_PLACE,
    room: Mapping[Place, int],
    default_room: int,
) -> list[Claimed]:
    """Takes up to `wanted` due deliveries for LEASE_S seconds, to destinations behind `after`, up to `until`.

    `room` says how many to a destination may be taken, `default_room` how many to one that it does not name. A
    delivery whose lease ran out is due again.
    """
    rooms: dict[str, dict[str, int]] = defaultdict(dict)
    for (id_, kind), number in room.items():
        rooms[kind][str(id_)] = number
    parameters: dict[str, Any] = {
        "wanted": wanted,
        "after_id": after[0],
        "after_kind": after[1],
        "until_id": until[0],
        "until_kind": until[1],
        "room": orjson.dumps(rooms).decode(),
        "default_room": default_room,
        "kinds": list(destinations.kinds()),
        "lease_s": LEASE_S,
        "claim_id": uuid4(),
        "most_claims": MOST_CLAIMS,
    }
    return [Claimed(*columns) for columns in fetch_all(_CLAIM, parameters)]


# --- Where they go ----------------------------------------------------------------------------------------------------


def addressed(claimed: Sequence[Claimed]) -> list[tuple[Claimed, Destination | AttemptVerdict]]:
    """The destination of each delivery, as its kind says now; the verdict on a delivery that is not to be posted.

    One question to each kind. If a kind can't answer for all, it is asked for each alone, so that one delivery's
    trouble is not the others'.
    """
    found: dict[int, Destination | AttemptVerdict] = {}
    by_kind: dict[str, list[Claimed]] = defaultdict(list)
    for one in claimed:
        if one.claims > rules.MAX_CLAIMS:
            found[one.id] = rules.failed_for_good(
                gettext_noop("The delivery was interrupted too often."), "interrupted"
            )
        elif one.body is None:
            logger.warning("webhook delivery %s has failed: its event is gone", one.guid)
            found[one.id] = rules.failed_for_good(gettext_noop("Its event is gone."), "internal")
        else:
            by_kind[one.kind].append(one)
    for name, ones in by_kind.items():
        found |= _read(destinations.kinds()[name], ones)
    return [(one, found.get(one.id, rules.SKIPPED)) for one in claimed]


def _read(destination_type: DestinationType, claimed: Sequence[Claimed]) -> dict[int, Destination | AttemptVerdict]:
    try:
        found = destination_type.read(claimed)
    except Exception as error:
        _raise_if_disconnected(error)
        if len(claimed) > 1:
            return {id_: each for one in claimed for id_, each in _read(destination_type, [one]).items()}
        logger.exception(
            "destination kind %s could not read where delivery %s goes", destination_type.name, claimed[0].guid
        )
        text, attempts_before = "The delivery failed on our side.", claimed[0].attempts_before
        return {
            claimed[0].id: rules.after_no_answer(
                text, "internal", attempts_before=attempts_before, of=destination_type.attempts
            )
        }
    return {id_: each if each.secrets and all(each.secrets) else _UNSIGNED for id_, each in found.items()}


_UNSIGNED = rules.failed_for_good(gettext_noop("There is no signing secret."), "unsigned")


# --- What came of them ------------------------------------------------------------------------------------------------


class Ended(NamedTuple):
    """A claim that is over. `started_at` (the worker's clock), `milliseconds` and `answer` are of its call, if any."""

    claimed: Claimed
    verdict: AttemptVerdict
    started_at: datetime | None = None
    milliseconds: int = 0
    answer: str = ""


# The fence: a row that was claimed again after its lease had run out is left to whoever holds it now. The outcomes come
# as JSON: the driver takes far longer to write arrays. `= ANY (ARRAY(...))` as in a claim.
_FINISH = """
WITH ended AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(ended)s::json) AS r (
        id bigint, claim_id uuid, status text, made_attempt bool, gives_back bool, wait_s int, response_status int,
        error text, started_at timestamptz, milliseconds int
    )
), finished AS (
    UPDATE webhooks_delivery d SET
        status = r.status, attempts = d.attempts + r.made_attempt::int,
        claims = greatest(d.claims - r.gives_back::int, 0),
        due_at = CASE WHEN r.status = 'pending' AND NOT r.gives_back
                      THEN statement_timestamp() + r.wait_s * interval '1 second' ELSE d.due_at END,
        response_status = CASE WHEN r.made_attempt THEN r.response_status ELSE d.response_status END,
        last_error = CASE WHEN r.gives_back THEN d.last_error ELSE r.error END,
        delivered_at = CASE WHEN r.status = 'delivered' THEN statement_timestamp() END,
        lease_until = NULL, claim_id = NULL
    FROM ended r
    WHERE d.id = ANY (ARRAY(SELECT id FROM ended)) AND d.id = r.id AND d.claim_id = r.claim_id
    /* unscoped: of claimed deliveries */
    RETURNING d.id, d.attempts
), attempt AS (
    INSERT INTO webhooks_attempt (delivery_id, number, started_at, milliseconds, response_status, error)
    SELECT f.id, f.attempts, coalesce(r.started_at, statement_timestamp()), r.milliseconds, r.response_status, r.error
    FROM finished f JOIN ended r ON r.id = f.id WHERE r.made_attempt
)
SELECT id, attempts FROM finished"""


def finish(ended: Sequence[Ended]) -> int:
    """Writes what claims came to, each attempt as a row, and ends them; returns how many their claims still held.

    A wait begins now. A verdict that gives a delivery back leaves it as it was before the claim. Kinds that want to
    know are told in the same transaction. One outcome that a kind can't take is left to its lease: the delivery is made
    again, and written without its kind when it was claimed too often.
    """
    by_hook: dict[str | None, list[Ended]] = defaultdict(list)
    for one in ended:
        by_hook[one.claimed.kind if _hook_of(one) else None].append(one)
    written = len(_write(by_hook.pop(None, [])))
    return written + sum(_write_and_tell(ones) for ones in by_hook.values())


def _hook_of(ended: Ended) -> Any:
    kind = destinations.kinds().get(ended.claimed.kind)
    is_of_interest = not ended.verdict.gives_back and ended.claimed.body is not None  # of no event, nothing is known
    return kind.outcome if kind and is_of_interest else None


def _write_and_tell(ended: Sequence[Ended]) -> int:
    """Writes outcomes of one kind and tells it; those that trouble it one by one."""
    try:
        with transaction.atomic():
            attempts = _write(ended)
            told = [_outcome(one, attempts[one.claimed.id]) for one in ended if one.claimed.id in attempts]
            if told:
                _hook_of(ended[0])(told)
            return len(attempts)
    except Exception as error:
        _raise_if_disconnected(error)
        if len(ended) > 1:
            return sum(_write_and_tell([one]) for one in ended)
        claimed = ended[0].claimed
        logger.exception("destination kind %s did not take the outcome of delivery %s", claimed.kind, claimed.guid)
        return len(_write(ended)) if claimed.claims > rules.MAX_CLAIMS else 0


def _outcome(ended: Ended, attempts: int) -> DeliveryOutcome:
    claimed, verdict, _, milliseconds, answer = ended
    return DeliveryOutcome(
        destination_id=claimed.destination_id,
        event_id=claimed.event_id,
        event_type=claimed.event_type,
        status=verdict.status.value,
        attempts=attempts,
        response_status=verdict.response_status,
        milliseconds=milliseconds,
        error=verdict.error,
        reason=verdict.reason,
        answer=answer,
    )


def _write(ended: Sequence[Ended]) -> dict[int, int]:
    """How many attempts each delivery has now that was still held."""
    if not ended:
        return {}
    rows = [
        {
            "id": claimed.id,
            "claim_id": claimed.claim_id,
            "status": verdict.status.value,
            "made_attempt": verdict.made_attempt,
            "gives_back": verdict.gives_back,
            "wait_s": verdict.wait_s,
            "response_status": verdict.response_status,
            "error": verdict.error[:255],
            "started_at": started_at,
            "milliseconds": milliseconds,
        }
        for claimed, verdict, started_at, milliseconds, _ in ended
    ]
    return dict(fetch_all(_FINISH, {"ended": orjson.dumps(rows).decode()}))


def _raise_if_disconnected(error: Exception) -> None:
    """Raises a DatabaseError again if the connection is broken: then the delivery is not to blame."""
    if isinstance(error, DatabaseError) and not connection.is_usable():
        raise error
