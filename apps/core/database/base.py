"""The engine that `DATABASES` names, Django's for PostgreSQL, with connections that wait for no server without end;
statements in SQL, and what it means when they fail.

A server ends what takes too long (`statement_timeout`); one that is frozen or out of reach ends nothing, and libpq
waits for it for ever. So every wait has a deadline:

- After SILENCE_S without an answer the server is asked for another connection. If it neither gives nor refuses one
  within `connect_timeout`, it is away, and the statement fails: 3 s after it was sent, at the latest.
- A server that answers there is given the time that its `statement_timeout` allows, and MARGIN_S more.

While a server is away, one thread of a process asks for it at a time, and the others are refused at once. A connection
that the server has ended in the meantime is replaced before it is used: nothing was sent over it, so nobody notices.
"""

import logging
import math
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC
from time import monotonic
from typing import Any

import psycopg
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db import Error as DatabaseError
from django.db.backends.postgresql import base
from django.db.backends.postgresql.schema import DatabaseSchemaEditor
from django.db.transaction import TransactionManagementError
from psycopg import IsolationLevel, errors
from psycopg.adapt import Loader
from psycopg.pq import ConnStatus, Format

logger = logging.getLogger(__name__)

SILENCE_S = 1.0
MARGIN_S = 1.0
ASK_AGAIN_AFTER_S = 0.5
# Longer than an attempt to connect takes.
ATTEMPT_S = 5.0
# Where a connection may only read, the next one may lead to another server, or be of another mind.
REPLACE_AFTER_S = 1.0
# Statements of a connection whose cursors are kept. There are some dozens; what is composed otherwise takes a new one.
MAX_KEPT = 100
_ONLY_READS = ("default_transaction_read_only", "in_hot_standby")

_statement_s: float | None = None
_failure: tuple[type[psycopg.OperationalError], str] | None = None
_ask_again_at = 0.0


def limit_statements(seconds: float) -> None:
    """Limits each statement of this process, from its next connection on; without a call it is a worker's limit."""
    global _statement_s
    _statement_s = seconds


def statement_limit() -> float:
    """How many seconds a statement of this process may take."""
    return settings.WORKER_STATEMENT_SECONDS if _statement_s is None else _statement_s


def connect(parameters: dict[str, Any]) -> "PatientDatabaseConnection":
    """A new connection. Raises psycopg's OperationalError, the same again at once in the half second after it."""
    global _failure, _ask_again_at
    if _failure is not None:
        kind, text = _failure
        if monotonic() < _ask_again_at:
            raise kind(text)
        _ask_again_at = monotonic() + ATTEMPT_S  # others need not wait with this thread
    try:
        connection = PatientDatabaseConnection.connect(**parameters)
    except psycopg.OperationalError as error:
        _failure, _ask_again_at = (type(error), str(error)), monotonic() + ASK_AGAIN_AFTER_S
        logger.warning("database unavailable: %s", " ".join(str(error).split()))
        raise
    _failure = None
    connection.parameters = parameters
    if any(connection.info.parameter_status(name) == "on" for name in _ONLY_READS):
        connection.replace_at = monotonic() + REPLACE_AFTER_S
    return connection


class PatientDatabaseConnection(psycopg.Connection[Any]):
    """psycopg's, which gives up a server that is silent, and is not kept where it may only read."""

    parameters: dict[str, Any]
    longest_s = math.inf  # that a statement is waited for
    replace_at = math.inf
    _idle: "select.poll | None" = None

    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        return super().wait(self._watched(gen), *args, **kwargs)

    def _watched(self, gen: Any) -> Any:
        """Runs `gen`, and looks at the clock each time that a wait of a tenth of a second was in vain."""
        began, ask_after_s = 0.0, SILENCE_S
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready:
                    began = began or monotonic()
                    if monotonic() - began >= ask_after_s:
                        self._ask(began)
                        ask_after_s = min(2 * ask_after_s, self.longest_s)
                wanted = gen.send(ready)
        except StopIteration as done:
            return done.value
        except errors.ReadOnlySqlTransaction:
            self.replace_at = 0.0
            raise

    def _ask(self, began: float) -> None:
        """Ends the connection, and raises OperationalError, if the server is away or the statement takes too long."""
        if monotonic() - began < self.longest_s:
            try:
                connect(self.parameters).close()
            except errors.ConnectionTimeout:
                pass
            except psycopg.OperationalError:
                return  # it has said why not
            else:
                return
        self.close()
        raise psycopg.OperationalError(f"the server has not answered for {monotonic() - began:.1f} s")

    def is_over(self) -> bool:
        """Whether it has to be replaced before its next use: the server has ended it, or let it only read.

        Nothing is sent. An idle server says nothing, save that it ends.
        """
        if self.pgconn.status != ConnStatus.OK or monotonic() >= self.replace_at:
            return True
        if self._idle is None:
            self._idle = select.poll()
            self._idle.register(self.pgconn.socket, select.POLLIN)
        try:
            while self._idle.poll(0):
                self.pgconn.consume_input()
        except psycopg.OperationalError:
            return True
        return False


class TimestampLoader(Loader):
    """Reads a timestamptz as an aware datetime in UTC: psycopg's own loader, which is written in C.

    Django's own, in Python, takes 5 µs a value: more than all else of a page of chats. Django replaces a loader whose
    `timezone` is not the connection's; the one in C has no such attribute, hence this class.
    """

    timezone = UTC

    def __new__(cls, oid: int, context: Any = None) -> Any:
        return _IN_C(oid, context)


_IN_C: Any = psycopg.adapters.get_loader(psycopg.adapters.types["timestamptz"].oid, Format.TEXT)


class SchemaEditor(DatabaseSchemaEditor):
    """Django's, which has no index left half built because others were writing.

    Concurrently, it is built after all transactions under way have ended. Waiting for them counts as waiting for a
    lock, but it blocks no other query: so it may take longer than `lock_timeout`, which would leave an invalid index.
    """

    def add_index(self, model: Any, index: Any, concurrently: bool = False) -> None:
        with self._patient() if concurrently else nullcontext():
            super().add_index(model, index, concurrently=concurrently)

    def remove_index(self, model: Any, index: Any, concurrently: bool = False) -> None:
        with self._patient() if concurrently else nullcontext():
            super().remove_index(model, index, concurrently=concurrently)

    @contextmanager
    def _patient(self) -> Iterator[None]:
        with self.connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 0")
            try:
                yield
            finally:
                cursor.execute("RESET lock_timeout")


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with connections and a schema editor of the kinds above."""

    SchemaEditorClass = SchemaEditor
    connection: PatientDatabaseConnection | None
    _kept: dict[str, psycopg.Cursor[Any]]

    def cursor_of(self, sql: str) -> psycopg.Cursor[Any]:
        """The cursor of a statement, which is kept for the next time, with what it has answered.

        If a cursor is given the same text again, the very same object, psycopg goes on with what it has found out about
        the types: posting a message takes 6 to 9 % less CPU.
        """
        assert self.connection is not None  # noqa: S101 - the caller has ensured it
        cursor = self._kept.get(sql)
        if cursor is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            cursor = self._kept[sql] = self.connection.cursor()
        return cursor

    def get_connection_params(self) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_connection_params()
        limit = f"-c statement_timeout={round(statement_limit() * 1000)}"
        return parameters | {"options": f"{parameters.get('options', '')} {limit}".strip()}

    def get_new_connection(self, conn_params: dict[str, Any]) -> PatientDatabaseConnection:
        self.isolation_level = IsolationLevel.READ_COMMITTED
        connection = connect(conn_params)
        connection.longest_s = statement_limit() + MARGIN_S
        connection.adapters.register_loader("timestamptz", TimestampLoader)  # type: ignore[type-abstract]  # `load` is in C
        self._kept = {}
        return connection

    def ensure_connection(self) -> None:
        """Guarantees a connection that the server has not ended, unless a transaction is under way on it."""
        self._close_if_over()
        super().ensure_connection()

    def close_if_unusable_or_obsolete(self) -> None:
        self._close_if_over()
        super().close_if_unusable_or_obsolete()

    def is_usable(self) -> bool:
        """Known without asking the server, which may be silent."""
        return self.connection is not None and not self.connection.is_over()

    def _close_if_over(self) -> None:
        if self.connection is not None and self.autocommit and not self.in_atomic_block and self.connection.is_over():
            self.close()


# --- Statements -------------------------------------------------------------------------------------------------------

# Django calls these internal errors, but they are not: the server takes no writes, or has ended an idle transaction.
_NOT_NOW = (errors.ReadOnlySqlTransaction, errors.IdleInTransactionSessionTimeout)

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


def lift_statement_timeout(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `pre_migrate`: building an index may take longer than a request."""
    with connections[using].cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
    connections[using].connection.longest_s = math.inf


def restore_statement_timeout(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `post_migrate`."""
    with connections[using].cursor() as cursor:
        cursor.execute("RESET statement_timeout")
