"""A PostgreSQL that a test puts into the odd states that real servers get into, and out of them again."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psutil
import psycopg

from launcher.processes import wait_until
from launcher.servers import PostgresServer
from tests.waits import AT_MOST_S

ROLE = "shop"
TABLES = ("chats_message", "chats_contact", "django_session")
# What a statement that writes may be refused with: a full disk, its errors, a conflict, a deadlock, a lock, too slow.
CODES = ("53100", "58030", "40001", "40P01", "55P03", "57014")


class OddPostgres:
    """A server with a database of an ordinary role, and its operator's own connection, which no state keeps out."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._operator: psycopg.Connection[Any] | None = None
        self.tell(f"CREATE ROLE {ROLE} LOGIN", f"CREATE DATABASE {ROLE} OWNER {ROLE}")
        with psycopg.connect(server.url, dbname=ROLE, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")  # which an ordinary role may not
        self.url = server.url.replace("postgresql://parley@/parley", f"postgresql://{ROLE}@/{ROLE}")

    def tell(self, *statements: str) -> None:
        """Runs statements as the operator, in the database `postgres`."""
        if self._operator is None:
            self._operator = psycopg.connect(self._server.url, dbname="postgres", autocommit=True)
            self._operator.execute("SET default_transaction_read_only = off")
        for statement in statements:
            self._operator.execute(statement)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a statement in the role's database; waits for a server that is being started."""
        found: list[list[tuple[Any, ...]]] = []

        def is_answered() -> bool:
            with suppress(psycopg.OperationalError), psycopg.connect(self.url, autocommit=True) as connection:
                found.append(connection.execute(sql).fetchall())
            return bool(found)

        assert wait_until(is_answered, seconds=AT_MOST_S)
        return found[0]

    def end_connections(self) -> None:
        """Ends every connection of the role, and returns when their processes are gone."""
        self.tell(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '{ROLE}'")

    def stop(self) -> None:
        self._forget_operator()
        self._server.stop()

    def kill(self) -> None:
        """Ends the server as a crash would."""
        self._forget_operator()
        self._server.kill()

    def start(self) -> None:
        self._server.start()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def shut_down_slowly(self) -> None:
        """It takes no connection, and ends when its last one does: the operator's."""
        self.tell("SELECT 1")
        assert self._server.process is not None
        self._server.process.send_signal(signal.SIGTERM)
        self.end_connections()

    def end_shutdown(self) -> None:
        assert self._server.process is not None
        self._forget_operator()
        self._server.process.wait(timeout=20)
        self.start()

    def refuse_writes(self, code: str) -> None:
        """Every statement that writes what TABLES have is refused with the SQLSTATE."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN RAISE EXCEPTION 'refused by the test' USING ERRCODE = '{code}'; END $$"
            )
            for table in TABLES:
                connection.execute(
                    f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION refuse()"
                )

    def take_writes(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP FUNCTION refuse() CASCADE")

    @contextmanager
    def in_state(self, name: str) -> Iterator[None]:
        """One of STATES, for as long as the block takes."""
        STATES[name].begin(self)
        try:
            yield
        finally:
            STATES[name].end(self)

    def _forget_operator(self) -> None:
        if self._operator is not None:
            self._operator.close()
            self._operator = None

    def _signal(self, number: signal.Signals) -> None:
        assert self._server.process is not None
        postmaster = psutil.Process(self._server.process.pid)
        for process in (postmaster, *postmaster.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)


@dataclass(frozen=True, slots=True)
class State:
    """How a server gets into a state, and out of it; what it then is (`database` of `/readyz`), and may be done."""

    begin: Callable[[OddPostgres], None]
    end: Callable[[OddPostgres], None]
    is_: str = "unavailable"
    reads: bool = False


def _told(begin: tuple[str, ...], end: tuple[str, ...], **what: Any) -> State:
    return State(lambda postgres: postgres.tell(*begin), lambda postgres: postgres.tell(*end), **what)


def _ended(begin: str, end: str, **what: Any) -> State:
    """A state of connections that are made from now on."""

    def enter(postgres: OddPostgres) -> None:
        postgres.tell(begin)
        postgres.end_connections()

    return State(enter, lambda postgres: postgres.tell(end), **what)


def _refusing(code: str) -> State:
    return State(lambda postgres: postgres.refuse_writes(code), OddPostgres.take_writes, is_="ok", reads=True)


_RELOAD = "SELECT pg_reload_conf()"
STATES = {
    "down": State(OddPostgres.stop, OddPostgres.start),
    "crashed": State(OddPostgres.kill, OddPostgres.start),
    "frozen": State(OddPostgres.freeze, OddPostgres.thaw),
    "read-only": _told(
        ("ALTER SYSTEM SET default_transaction_read_only = on", _RELOAD),
        ("ALTER SYSTEM RESET default_transaction_read_only", _RELOAD),
        is_="read-only",
        reads=True,
    ),
    "read-only for whoever comes": _ended(
        f"ALTER ROLE {ROLE} SET default_transaction_read_only = on",
        f"ALTER ROLE {ROLE} RESET default_transaction_read_only",
        is_="read-only",
        reads=True,
    ),
    "out of connections": _ended(f"ALTER ROLE {ROLE} CONNECTION LIMIT 0", f"ALTER ROLE {ROLE} CONNECTION LIMIT -1"),
    "shutting down": State(OddPostgres.shut_down_slowly, OddPostgres.end_shutdown),
    **{f"refusing writes with {code}": _refusing(code) for code in CODES},
}
