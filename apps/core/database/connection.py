"""Statements in SQL, what it means when they fail, and what each new connection is given: a fast reader of timestamps.

Connections run in UTC.
"""

import logging
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db import Error as DatabaseError
from django.db.transaction import TransactionManagementError
from psycopg.adapt import Loader
from psycopg.errors import IdleInTransactionSessionTimeout, ReadOnlySqlTransaction
from psycopg.pq import Format

from apps.core.database.base import MARGIN_S

logger = logging.getLogger(__name__)

# Django calls these internal errors, but they are not: the server takes no writes, or has ended an idle transaction.
_NOT_NOW = (ReadOnlySqlTransaction, IdleInTransactionSessionTimeout)

Row = tuple[Any, ...]
Parameters = dict[str, Any]


def fetch_all(sql: str, parameters: Parameters) -> list[Row]:
    """All rows of one statement; psycopg prepares it after its second use (docs/adr/0009)."""
    rows: list[Row] = _run(sql, parameters, lambda cursor: cursor.fetchall(), keeps_cursor=False)
    return rows


def fetch_one(sql: str, parameters: Parameters) -> Row | None:
    """The first row of one statement, or None."""
    row: Row | None = _run(sql, parameters, lambda cursor: cursor.fetchone())
    return row


def execute(sql: str, parameters: Parameters) -> int:
    """Runs a statement that answers no rows; returns how many it touched."""
    return int(_run(sql, parameters, lambda cursor: cursor.rowcount))


@contextmanager
def statements_may_take(seconds: float) -> Iterator[None]:
    """A block within a transaction, whose statements may take so long each: for what is done once."""
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(round(seconds * 1000))])
    connection = database.connection
    usual, connection.longest_s = connection.longest_s, seconds + MARGIN_S
    try:
        yield
    finally:
        connection.longest_s = usual


def lock(name: str) -> None:
    """Holds the lock of that name until the transaction under way ends; waits for it as long as for any other.

    Raises TransactionManagementError outside of a transaction.
    """
    if not _of_thread().in_atomic_block:
        raise TransactionManagementError(f"the lock {name} would end at once: there is no transaction")
    execute("SELECT pg_advisory_xact_lock(hashtextextended(%(name)s, 0))", {"name": name})


def after_commit(then: Callable[[], object]) -> None:
    """Calls `then` once the transaction under way commits; at once when there is none. Its errors are logged."""
    database = _of_thread()
    if database.in_atomic_block:
        database.on_commit(then, robust=True)
        return
    try:
        then()
    except Exception:
        logger.exception("what was to follow a commit failed")


def is_unavailable(error: BaseException | None) -> bool:
    """Whether an error says that the database can't do this now: it is away, full or busy, or may only be read.

    The same may succeed later; nothing of it was done, unless the connection broke while it was being committed.
    """
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, DatabaseError) and isinstance(error.__cause__, _NOT_NOW)


def state() -> str:
    """The state of the database now: "ok", "read-only" or "unavailable". Known within 3 s."""
    try:
        row = fetch_one("SHOW transaction_read_only", {})
    except DatabaseError:
        connections[DEFAULT_DB_ALIAS].close()
        return "unavailable"
    return "ok" if row == ("off",) else "read-only"


def _run(sql: str, parameters: Parameters, take: Callable[[Any], Any], *, keeps_cursor: bool = True) -> Any:
    """Runs a statement on Django's connection with psycopg's own cursor, of which `take` reads the outcome.

    The cursor is kept for the statement's next time; what answers many rows would be held in memory by it. Through
    Django's own cursor a statement takes 18 µs more (6 to 7 % of a list's time). If Django wants to see each statement
    (its log of queries, wrappers), it is Django's.
    """
    database = _of_thread()
    if database.queries_logged or database.execute_wrappers:
        with database.cursor() as cursor:
            cursor.execute(sql, parameters)
            return take(cursor)
    database.ensure_connection()
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        cursor = database.cursor_of(sql) if keeps_cursor else database.connection.cursor()
        cursor.execute(sql, parameters)
        return take(cursor)


_threads = threading.local()


def _of_thread() -> Any:
    """Django's connection of this thread; looking it up in `connections` takes a microsecond more each time."""
    try:
        return _threads.database
    except AttributeError:
        found = _threads.database = connections[DEFAULT_DB_ALIAS]
        return found


class TimestampLoader(Loader):
    """Reads a timestamptz as an aware datetime in UTC: psycopg's own loader, which is written in C.

    Django's own, in Python, takes 5 µs a value: more than all else of a page of chats. Django replaces a loader whose
    `timezone` is not the connection's; the one in C has no such attribute, hence this class.
    """

    timezone = UTC

    def __new__(cls, oid: int, context: Any = None) -> Any:
        return _IN_C(oid, context)


_IN_C: Any = psycopg.adapters.get_loader(psycopg.adapters.types["timestamptz"].oid, Format.TEXT)


def lift_statement_timeout(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `pre_migrate`: building an index may take longer than a request."""
    with connections[using].cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
    connections[using].connection.longest_s = math.inf


def restore_statement_timeout(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `post_migrate`."""
    with connections[using].cursor() as cursor:
        cursor.execute("RESET statement_timeout")


def prepare_connection(sender: Any, connection: Any, **_: Any) -> None:
    """Receives Django's `connection_created`."""
    connection.connection.adapters.register_loader("timestamptz", TimestampLoader)
