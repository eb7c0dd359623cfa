"""The queue of deliveries: claimed under a lease, finished under its fence.

Each function is one statement in a transaction of its own, so a claim is committed before any call is made. Any number
of workers may run them at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import orjson

from apps.core.database import execute, fetch_all
from apps.webhooks.rules import DeliveryStatus, Verdict

# Longer than the 15 seconds that a call may take, and what it may wait for its turn in the worker.
LEASE_S = 30
# The delivery log, and with it what can be sent again, reaches this far back.
KEPT_FOR = timedelta(days=30)
FORGET_BATCH = 1000
MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that this worker holds. The subscription's fields are as of now; None when it is deleted."""

    id: int
    claim_id: UUID
    guid: str
    attempts: int
    claims: int
    is_legacy: bool
    subscription_id: int
    event_guid: str
    event_type: str
    body: str
    is_sealed: bool
    is_enabled: bool
    is_active: bool | None
    target: str | None
    sealed_secret: str | None


# Walks the subscriptions that have something pending, by one index probe each, from `after` on; takes of each what is
# due and not held, oldest first, as many as there is room for. Neither the log nor a long backlog makes it slower.
# `= ANY (ARRAY(...))` keeps the plan to index look-ups whatever the statistics say. Index: webhooks_delivery_queue.
_CLAIM = """
WITH RECURSIVE receiver AS (
    (SELECT subscription_id AS id FROM webhooks_delivery
     WHERE status = 'pending' AND subscription_id > %(after)s AND subscription_id <= %(until)s
     ORDER BY subscription_id, due_at LIMIT 1)
    UNION ALL
    SELECT (SELECT d.subscription_id FROM webhooks_delivery d
            WHERE d.status = 'pending' AND d.subscription_id > receiver.id AND d.subscription_id <= %(until)s
            ORDER BY d.subscription_id, d.due_at LIMIT 1)
    FROM receiver WHERE receiver.id IS NOT NULL
), due AS MATERIALIZED (
    SELECT d.id FROM receiver CROSS JOIN LATERAL (
        SELECT id FROM webhooks_delivery
        WHERE status = 'pending' AND subscription_id = receiver.id AND due_at <= statement_timestamp()
          AND (lease_until IS NULL OR lease_until <= statement_timestamp())
        ORDER BY due_at LIMIT coalesce((%(room)s::jsonb ->> receiver.id::text)::int, %(default_room)s::int)
        FOR UPDATE SKIP LOCKED
    ) d
    WHERE receiver.id IS NOT NULL LIMIT %(wanted)s
), claimed AS (
    UPDATE webhooks_delivery
    SET lease_until = statement_timestamp() + %(lease_s)s * interval '1 second', claim_id = %(claim_id)s,
        claims = claims + 1
    WHERE id = ANY (ARRAY(SELECT id FROM due))
    RETURNING id, guid, attempts, claims, is_legacy, subscription_id, event_id, event_type, due_at
)
SELECT c.id, c.guid::text, c.attempts, c.claims, c.is_legacy, c.subscription_id, e.guid::text, c.event_type, e.body,
       e.is_sealed, coalesce(t.enabled, false), s.is_active, s.target, s.secret
FROM claimed c
JOIN webhooks_event e ON e.id = c.event_id
LEFT JOIN webhooks_subscription s ON s.id = c.subscription_id
LEFT JOIN webhooks_eventswitch t ON t.name = c.event_type
ORDER BY c.due_at, c.id"""


def claim(
    *, wanted: int, after: int = 0, until: int = MAX_ID, room: Mapping[int, int], default_room: int
) -> list[Claimed]:
    """Takes up to `wanted` due deliveries for LEASE_S seconds, of subscriptions with an id in (after, until].

    `room` says how many of a subscription may be taken, `default_room` how many of one that it does not name. A
    delivery whose lease ran out is due again.
    """
    claim_id = uuid4()
    parameters: dict[str, Any] = {
        "wanted": wanted,
        "after": after,
        "until": until,
        "room": orjson.dumps({str(id_): n for id_, n in room.items()}).decode(),
        "default_room": default_room,
        "lease_s": LEASE_S,
        "claim_id": claim_id,
    }
    return [Claimed(id_, claim_id, *columns) for id_, *columns in fetch_all(_CLAIM, parameters)]


# The fence: a row that was claimed again after its lease had run out is left to whoever holds it now.
_FINISH = """
UPDATE webhooks_delivery d SET
    status = r.status, attempts = d.attempts + r.made_attempt::int, claims = d.claims - r.gives_back::int,
    due_at = CASE WHEN r.status = 'pending' AND NOT r.gives_back
                  THEN statement_timestamp() + r.wait_s * interval '1 second' ELSE d.due_at END,
    response_status = CASE WHEN r.made_attempt THEN r.response_status ELSE d.response_status END,
    last_error = CASE WHEN r.gives_back THEN d.last_error ELSE r.error END,
    delivered_at = CASE WHEN r.status = 'delivered' THEN statement_timestamp() END,
    lease_until = NULL, claim_id = NULL
FROM unnest(%(ids)s::bigint[], %(claim_ids)s::uuid[], %(statuses)s::text[], %(made_attempts)s::bool[],
            %(gives_back)s::bool[], %(waits)s::int[], %(response_statuses)s::int[], %(errors)s::text[])
    AS r (id, claim_id, status, made_attempt, gives_back, wait_s, response_status, error)
WHERE d.id = r.id AND d.claim_id = r.claim_id"""


def finish(outcomes: Sequence[tuple[Claimed, Verdict]]) -> int:
    """Writes what claims came to, and ends them; returns how many were still held by their claim.

    A wait begins now. A verdict that gives a delivery back leaves it as it was before the claim.
    """
    if not outcomes:
        return 0
    parameters: dict[str, Any] = {
        "ids": [claimed.id for claimed, _ in outcomes],
        "claim_ids": [claimed.claim_id for claimed, _ in outcomes],
        "statuses": [verdict.status.value for _, verdict in outcomes],
        "made_attempts": [verdict.made_attempt for _, verdict in outcomes],
        "gives_back": [verdict.gives_back for _, verdict in outcomes],
        "waits": [verdict.wait_s for _, verdict in outcomes],
        "response_statuses": [verdict.response_status for _, verdict in outcomes],
        "errors": [verdict.error[:255] for _, verdict in outcomes],
    }
    return execute(_FINISH, parameters)


_FORGET_DELIVERIES = """
DELETE FROM webhooks_delivery WHERE id = ANY (ARRAY(
    SELECT id FROM (SELECT id, created_at, status FROM webhooks_delivery ORDER BY id LIMIT %(batch)s) oldest
    WHERE created_at < statement_timestamp() - %(kept_for)s AND status <> %(pending)s))"""
_FORGET_EVENTS = """
DELETE FROM webhooks_event WHERE id = ANY (ARRAY(
    SELECT id FROM (SELECT id, created_at FROM webhooks_event ORDER BY id LIMIT %(batch)s) oldest
    WHERE created_at < statement_timestamp() - %(kept_for)s
      AND NOT EXISTS (SELECT FROM webhooks_delivery d WHERE d.event_id = oldest.id)))"""


def forget_old_deliveries() -> int:
    """Deletes the finished deliveries older than 30 days and the events that no delivery is left of; returns how many
    deliveries. Small transactions, oldest first, each as cheap as the last."""
    parameters: dict[str, Any] = {"batch": FORGET_BATCH, "kept_for": KEPT_FOR, "pending": DeliveryStatus.PENDING.value}
    forgotten = _in_batches(_FORGET_DELIVERIES, parameters)
    _in_batches(_FORGET_EVENTS, parameters)
    return forgotten


def _in_batches(sql: str, parameters: dict[str, Any]) -> int:
    total = 0
    while (deleted := execute(sql, parameters)) == FORGET_BATCH:
        total += deleted
    return total + deleted
