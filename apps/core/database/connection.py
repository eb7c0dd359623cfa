"""Statements in SQL, and what each new database connection is given: a fast reader of timestamps.

Django's own is written in Python and costs a third of a list's time. Connections run in UTC.
"""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.adapt import Buffer, Loader
from psycopg.pq import Format

logger = logging.getLogger(__name__)

FAST_TIMESTAMP_LOADER: Any = psycopg.adapters.get_loader(psycopg.adapters.types["timestamptz"].oid, Format.TEXT)

Row = tuple[Any, ...]
Parameters = dict[str, Any]


def fetch_all(sql: str, parameters: Parameters) -> list[Row]:
    """All rows of one statement; psycopg prepares it after its second use (docs/adr/0009)."""
    rows: list[Row] = _run(sql, parameters, lambda cursor: cursor.fetchall())
    return rows


def fetch_one(sql: str, parameters: Parameters) -> Row | None:
    """The first row of one statement, or None."""
    row: Row | None = _run(sql, parameters, lambda cursor: cursor.fetchone())
    return row


def execute(sql: str, parameters: Parameters) -> int:
    """Runs a statement that answers no rows; returns how many it touched."""
    return int(_run(sql, parameters, lambda cursor: cursor.rowcount))


def after_commit(then: Callable[[], object]) -> None:
    """Calls `then` once the transaction under way commits; at once when there is none. What it raises is logged."""
    database = _connection()
    if database.in_atomic_block:
        database.on_commit(then, robust=True)
        return
    try:
        then()
    except Exception:
        logger.exception("what was to follow a commit failed")


_threads = threading.local()


def _connection() -> Any:
    """Django's connection of this thread: the one that `connections` has for it, found sooner."""
    try:
        return _threads.connection
    except AttributeError:
        _threads.connection = connections[DEFAULT_DB_ALIAS]
        return _threads.connection


def _run(sql: str, parameters: Parameters, take: Callable[[Any], Any]) -> Any:
    """What `take` reads from psycopg's own cursor on Django's connection; errors come as Django's.

    Where Django wants to see each statement (its log of queries, wrappers), it is Django's cursor.
    """
    database = _connection()
    if database.queries_logged or database.execute_wrappers:
        with database.cursor() as cursor:
            cursor.execute(sql, parameters)
            return take(cursor)
    database.ensure_connection()
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        cursor = _cursor_of(database)
        cursor.execute(sql, parameters)
        return take(cursor)


def _cursor_of(database: Any) -> Any:
    """The connection's one cursor for `_run`, which reads each result whole; its timestamps are read in C."""
    cursor = getattr(database, "parley_cursor", None)
    if cursor is None or cursor.connection is not database.connection:
        cursor = database.parley_cursor = database.connection.cursor()
        cursor.adapters.register_loader("timestamptz", FAST_TIMESTAMP_LOADER)
    return cursor


class TimestampLoader(Loader):
    """Reads PostgreSQL's text form of a timestamptz as an aware datetime in UTC."""

    timezone = UTC  # Django asks it of the connection's loader, and puts its own over one of another zone

    def load(self, data: Buffer) -> datetime:
        return datetime.fromisoformat(bytes(data).decode())


def lift_statement_timeout(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `pre_migrate`: building an index takes as long as it takes, and blocks nobody."""
    with connections[using].cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")


def restore_statement_timeout(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `post_migrate`."""
    with connections[using].cursor() as cursor:
        cursor.execute("RESET statement_timeout")


def prepare_connection(sender: Any, connection: Any, **_: Any) -> None:
    """Receives Django's `connection_created`."""
    connection.connection.adapters.register_loader("timestamptz", TimestampLoader)
