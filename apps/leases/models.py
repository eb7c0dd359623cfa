"""The columns of a queue, and how a burst is put into one row."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.db import connection, models
from django.db.models.functions import Now


class Leased(models.Model):
    """A row that is worked on when it is due, by one worker at a time.

    Nothing is to be done while `due_at` is null. A worker holds the row until `lease_until` under `claim_id`.
    `attempts` counts the failed ones, `claims` the leases in a row that were lost, and the one that is held.
    `generation` counts what came for the row (`enqueue`): what was begun for an older one is done again.
    `waiting_since` is when the first of what came began to wait.
    """

    due_at = models.DateTimeField(null=True, blank=True, db_default=Now(), editable=False)
    waiting_since = models.DateTimeField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    claim_id = models.UUIDField(null=True, blank=True, editable=False)
    attempts = models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)
    claims = models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)
    generation = models.PositiveIntegerField(db_default=0, default=0, editable=False)

    class Meta:
        abstract = True


def indexes(table: str, *, fair_by: str | None = "widget") -> list[models.Index]:
    """The indexes of a queue, for its model's Meta. `fair_by` is the field whose values take turns, if any is."""
    waits, is_held = models.Q(due_at__isnull=False), models.Q(claim_id__isnull=False)
    found = [models.Index(fields=["due_at"], condition=waits, name=f"{table}_due")]
    if fair_by:
        found.append(models.Index(fields=[fair_by, "due_at"], condition=waits, name=f"{table}_turn"))
        found.append(models.Index(fields=[fair_by], condition=is_held, name=f"{table}_held"))
    return found


_PUT = """
INSERT INTO {table} AS t ({columns}, due_at, waiting_since)
VALUES ({values}, statement_timestamp() + %(quiet_s)s * interval '1 second', statement_timestamp())
{on_conflict}"""
_ON_CONFLICT = """
ON CONFLICT ({unique}) DO UPDATE SET {changes}generation = t.generation + 1, attempts = 0,
    due_at = least(
        excluded.due_at, coalesce(t.waiting_since, excluded.waiting_since) + {longest} * interval '1 second'
    ),
    waiting_since = coalesce(t.waiting_since, excluded.waiting_since)"""


def on_conflict(*, unique: Sequence[str], changes: Sequence[str] = (), longest: str = "%(longest_s)s") -> str:
    """The end of an INSERT (whose table is called `t`) that adds to a burst, for a larger statement.

    The row inserted needs `due_at` and `waiting_since`. `changes` are the columns that take the newer value.
    """
    set_ = "".join(f"{column} = excluded.{column}, " for column in changes)
    return _ON_CONFLICT.format(unique=", ".join(unique), changes=set_, longest=longest)


def enqueue(
    model: type[Leased],
    *,
    unique: Mapping[str, Any],
    values: Mapping[str, Any] | None = None,
    quiet_s: float = 0,
    longest_s: float = 0,
) -> None:
    """Has the row of these `unique` columns worked on after `quiet_s` without another `enqueue`, or `longest_s` at most
    after the first of them; the row is made if there is none, and takes `values`.

    A row that is being worked on is worked on once more, and its finish does not count (`Overtaken`). Columns are named
    as the database names them (`chat_id`), and others need a default in the database.
    """
    row = {**unique, **(values or {})}
    sql = _PUT.format(
        table=model._meta.db_table,
        columns=", ".join(row),
        values=", ".join(f"%({column})s" for column in row),
        on_conflict=on_conflict(unique=list(unique), changes=list(values or ())),
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, {**row, "quiet_s": quiet_s, "longest_s": longest_s})


_END = """
UPDATE {table} SET lease_until = NULL, claim_id = NULL, claims = %(claims)s,
    attempts = CASE WHEN generation = %(generation)s THEN %(attempts)s ELSE attempts END,
    due_at = CASE WHEN generation <> %(generation)s THEN due_at WHEN %(is_done)s THEN NULL
        ELSE coalesce(statement_timestamp() + %(wait_s)s::float * interval '1 second', due_at) END,
    waiting_since = CASE WHEN generation = %(generation)s AND %(is_done)s THEN NULL ELSE waiting_since END
WHERE id = %(id)s AND claim_id = %(claim_id)s AND (generation = %(generation)s OR NOT %(only_newest)s)
/* unscoped: named by its lease */"""


def end_lease(model: type[Leased], how: Mapping[str, Any]) -> bool:
    """Ends the lease of a row and writes what came of it; returns whether it held. A row of a newer generation keeps
    its time and its count.

    By hand: every lease ends by it, and compiling a queryset costs more than running it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_END.format(table=model._meta.db_table), how)
        return bool(cursor.rowcount)


# The same for many, each with its outcome.
_END_MANY = """
WITH ended AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(ended)s::json) AS r (
        id bigint, claim_id uuid, generation bigint, is_done bool, wait_s float, attempts int, claims int
    )
)
UPDATE {table} t SET lease_until = NULL, claim_id = NULL, claims = r.claims,
    attempts = CASE WHEN t.generation = r.generation THEN r.attempts ELSE t.attempts END,
    due_at = CASE WHEN t.generation <> r.generation THEN t.due_at WHEN r.is_done THEN NULL
        ELSE coalesce(statement_timestamp() + r.wait_s * interval '1 second', t.due_at) END,
    waiting_since = CASE WHEN t.generation = r.generation AND r.is_done THEN NULL ELSE t.waiting_since END
FROM ended r WHERE t.id = ANY (ARRAY(SELECT id FROM ended)) AND t.id = r.id AND t.claim_id = r.claim_id
/* unscoped: named by their leases */"""


def end_leases(model: type[Leased], how: Sequence[Mapping[str, Any]]) -> None:
    """`end_lease` for many rows, by one statement. A lost lease stays with its holder."""
    with connection.cursor() as cursor:
        cursor.execute(_END_MANY.format(table=model._meta.db_table), {"ended": orjson.dumps(how).decode()})


_DROP = """
DELETE FROM {table} WHERE id = %(id)s AND claim_id = %(claim_id)s AND generation = %(generation)s
/* unscoped: named by its lease */"""


def drop_leased(model: type[Leased], held: Mapping[str, Any]) -> bool:
    """Deletes a row whose lease holds, and for which nothing newer has come; returns whether that was so. By hand, as
    `end_lease`."""
    with connection.cursor() as cursor:
        cursor.execute(_DROP.format(table=model._meta.db_table), held)
        return bool(cursor.rowcount)
