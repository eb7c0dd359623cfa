"""The runner's statements: which rows are due, who gets them, who still holds which. Times are the database's."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction
from django.db.models.functions import Now

from apps.leases.queues import Lease, Queue, Row

_FREE = "(lease_until IS NULL OR lease_until <= statement_timestamp())"
_DUE = f"due_at <= statement_timestamp() AND {_FREE}"

_LOOK = """EXISTS (SELECT FROM {table} WHERE {due}),
(SELECT extract(epoch FROM min(due_at) - statement_timestamp())::float FROM {table}
 WHERE due_at > statement_timestamp())"""

_IN_ORDER = """due AS MATERIALIZED (
    SELECT id FROM {table} WHERE {due} ORDER BY due_at LIMIT %(wanted)s FOR UPDATE SKIP LOCKED
)"""
# Walks the values of `fair_by` that have something to do, by one index probe each, and takes of each its oldest rows,
# as many as there is room for; behind the value that was served last it begins.
_IN_TURN = """RECURSIVE served AS (
    (SELECT {fair_by} AS value FROM {table} WHERE due_at IS NOT NULL ORDER BY {fair_by} LIMIT 1)
    UNION ALL
    SELECT following.value FROM served CROSS JOIN LATERAL (
        SELECT {fair_by} AS value FROM {table}
        WHERE due_at IS NOT NULL AND {fair_by} > served.value ORDER BY {fair_by} LIMIT 1
    ) following
), due AS MATERIALIZED (
    SELECT d.id FROM (SELECT value FROM served ORDER BY value <= %(after)s, value) served CROSS JOIN LATERAL (
        SELECT id FROM {table} WHERE {fair_by} = served.value AND {due} ORDER BY due_at
        LIMIT greatest(0, least(coalesce((%(room)s::jsonb ->> served.value::text)::int, %(default_room)s), %(each)s - (
            SELECT count(*) FROM {table}
            WHERE {fair_by} = served.value AND claim_id IS NOT NULL AND lease_until > statement_timestamp())))
        FOR UPDATE SKIP LOCKED
    ) d LIMIT %(wanted)s
)"""
_CLAIM = """
WITH {which}
UPDATE {table} SET lease_until = statement_timestamp() + %(lease_s)s * interval '1 second',
    claim_id = gen_random_uuid(), claims = least(claims + 1, 1000)
WHERE id = ANY (ARRAY(SELECT id FROM due))
RETURNING {table}.* /* unscoped: any tenant that waits */"""


@cache
def _statement(template: str, queue: Queue[Any]) -> str:
    names = {"table": queue.model._meta.db_table, "fair_by": queue.fair_by, "due": _DUE}
    which = (_IN_TURN if queue.fair_by else _IN_ORDER).format_map(names)
    return template.format_map({**names, "which": which})


class Look(NamedTuple):
    """Whether a free row is due, and in how many seconds the next one is."""

    is_due: bool
    next_s: float | None


def look(queues: Sequence[Queue[Any]]) -> list[Look]:
    """Reads what is due of each queue, by one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_looks(tuple(queues)))
        row = cursor.fetchone()
        return [Look(*pair) for pair in zip(row[::2], row[1::2], strict=True)]


@cache
def _looks(queues: tuple[Queue[Any], ...]) -> str:
    each = ", ".join(_statement(_LOOK, queue) for queue in queues)
    return f"SELECT {each} /* unscoped: any tenant that waits */"


def claim(
    queue: Queue[Row],
    *,
    wanted: int,
    after: int = 0,
    room: Mapping[Any, int] | None = None,
    default_room: int | None = None,
) -> list[Lease[Row]]:
    """Takes up to `wanted` due rows, whose leases are committed when this returns.

    Rows whose lease ran out are due again. Rows of a queue in turn are of the values behind `after` first; their claims
    wait for each other, so that no two count the same room. `room` is how many this process takes of a value at most,
    `default_room` of any other.
    """
    parameters = {
        "wanted": wanted,
        "after": after,
        "each": queue.in_flight_each,
        "lease_s": queue.lease_s,
        "room": orjson.dumps({str(value): number for value, number in (room or {}).items()}).decode(),
        "default_room": default_room,
    }
    with transaction.atomic(durable=True):
        if queue.fair_by:
            _hold(f"leases:{queue.name}")
        rows = queue.model._base_manager.raw(_statement(_CLAIM, queue), parameters)
        return [Lease(queue, row) for row in rows]


def _hold(name: str) -> None:
    """Holds the lock of that name until the transaction under way ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%(name)s, 0))", {"name": name})


def last_served(leases: Sequence[Lease[Row]], after: int) -> int:
    """The value after which the next claim goes on."""
    fair_by = leases[0].queue.fair_by if leases else None
    values = [getattr(lease.row, fair_by) for lease in leases] if fair_by else []
    return max(values, key=lambda value: (value <= after, value), default=after)


def renew(queue: Queue[Row], leases: Collection[Lease[Row]]) -> list[Lease[Row]]:
    """Prolongs leases; returns those that are lost."""
    ids = {lease.claim_id: lease for lease in leases}
    rows = queue.rows().filter(pk__in=[lease.row.pk for lease in leases], claim_id__in=list(ids))
    if rows.update(lease_until=Now() + timedelta(seconds=queue.lease_s)) == len(leases):
        return []
    held = set(rows.values_list("claim_id", flat=True))
    return [lease for claim_id, lease in ids.items() if claim_id not in held]
