"""Failpoints: the named points of a piece of work at which its process is killed, and what the database holds then.

A failpoint lies behind each thing that work leaves outside of its own memory: a statement that writes, a commit, a file
that the storage has taken, a mail that was handed over, a request that was begun. Between two of them a process leaves
nothing behind, so a kill anywhere is a kill at one of them. They are not in the product: the test forks, and the child
wraps the drivers' own functions and kills itself behind the n-th call. So a new statement is a new failpoint, without a
line of anybody's (docs/reliability.md).
"""

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, wraps
from smtplib import SMTP
from typing import Any

import psycopg
from aiohttp import ClientSession
from django.apps import apps
from django.core.files.storage import FileSystemStorage
from django.core.mail import EmailMessage
from django.db import connection, connections, models
from django.db.models.functions import Now

from apps.core.files import storage
from apps.core.models import OrphanedObject
from apps.core.redis import connection as redis
from tests.rows import KEPT

Work = Callable[[], Any]
LEAVES_NOTHING = ("behind SELECT", "behind SAVEPOINT", "behind RELEASE", "behind SET")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended: what its work came to (None if it was killed), and the failpoints that it passed."""

    result: Any
    passed: list[str]

    @property
    def was_killed(self) -> bool:
        return self.result is None


def run_apart(work: Work, *, killed_at: int | None = None) -> Ending:
    """Does the work in a fork of this process, which is killed at the failpoint of that number, counted from 1.

    What `work` returns must be JSON, and not None. Raises RuntimeError if it fails instead.
    """
    connections.close_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # nothing of the tests' own must run in here
        try:
            os.close(reader)
            redis.forget_clients()
            _arm(writer, killed_at)
            _write(writer, {"result": work()})
        except BaseException as error:
            _write(writer, {"error": repr(error)})
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        told = [json.loads(line) for line in lines]
    _, status = os.waitpid(child, 0)
    passed = [one["passed"] for one in told if "passed" in one]
    if os.WIFSIGNALED(status):
        assert killed_at == len(passed), f"it ended by signal {os.WTERMSIG(status)} after {passed}"
        return Ending(None, passed)
    last: dict[str, Any] = told[-1] if told else {"error": "it said nothing"}
    if "error" in last:
        raise RuntimeError(last["error"])
    return Ending(last["result"], passed)


def _write(writer: int, document: dict[str, Any]) -> None:
    os.write(writer, json.dumps(document).encode() + b"\n")


def _arm(writer: int, killed_at: int | None) -> None:
    """Wraps what leaves something behind. Each failpoint is told before the process goes on, or is killed.

    Threads pass one at a time: else one would count on while another is at the point of the kill.
    """
    passed, one_at_a_time = 0, threading.Lock()

    def behind(owner: Any, name: str, tell: Callable[..., str]) -> None:
        original = getattr(owner, name)

        @wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            nonlocal passed
            answer = original(*args, **kwargs)
            point = tell(*args)
            if point.startswith(LEAVES_NOTHING):
                return answer
            with one_at_a_time:
                passed += 1
                _write(writer, {"passed": point})
                if passed == killed_at:
                    os.kill(os.getpid(), signal.SIGKILL)
            return answer

        setattr(owner, name, wrapped)

    behind(psycopg.Cursor, "execute", lambda _, query, *rest: f"behind {_first_words(query)}")
    behind(psycopg.Connection, "commit", lambda _: "behind COMMIT")
    behind(FileSystemStorage, "_save", lambda *_: "behind a file's storing")
    behind(EmailMessage, "send", lambda *_: "behind a mail's sending")
    behind(SMTP, "data", lambda *_: "behind a mail server's word")
    behind(ClientSession, "post", lambda *_: "behind a request's sending")
    behind(ClientSession, "request", lambda *_: "behind a request's sending")


def _first_words(query: Any) -> str:
    text = query if isinstance(query, str) else getattr(query, "as_string", lambda _: str(query))(None)
    return " ".join(text.split())[:60]


# --- What the database holds -----------------------------------------------------------------------------------------

State = dict[str, list[dict[str, Any]]]


@cache
def _kept_models() -> list[type[models.Model]]:
    found = [kind for kind in apps.get_models(include_auto_created=True) if kind._meta.managed]
    return [kind for kind in found if kind._meta.db_table not in KEPT]


def state() -> State:
    """Every row of every table, by table."""
    storage_swept()
    sql = " UNION ALL ".join(
        f"SELECT '{kind._meta.db_table}', (SELECT json_agg(t) FROM {kind._meta.db_table} t)" for kind in _kept_models()
    )
    with connection.cursor() as cursor:
        cursor.execute(sql)
        rows = cursor.fetchall()
    found = {table: json.loads(each) if isinstance(each, str) else each for table, each in rows if each}
    return {table: sorted(each, key=_text) for table, each in found.items()}


def storage_swept() -> None:
    """The day passes after which the storage is rid of files whose row never came: the one trace that is meant."""
    OrphanedObject.objects.update(sweep_at=Now())
    storage.sweep()
    assert not OrphanedObject.objects.exists()


def restore(kept: State) -> None:
    """Brings the database back to a state; what counts upwards goes on counting."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN; SET LOCAL session_replication_role = replica")
        for kind in _kept_models():
            table = kind._meta.db_table
            cursor.execute(f"DELETE FROM {table}")
            if rows := kept.get(table):
                stored = [field for field in kind._meta.concrete_fields if not getattr(field, "generated", False)]
                columns = ", ".join(f'"{field.column}"' for field in stored)
                cursor.execute(
                    f"INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s)",
                    [json.dumps(rows)],
                )
        cursor.execute("COMMIT")


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What undisturbed work leaves: of two such runs from one state, all in which they agree.

    They differ in what is drawn or told by the clock: ids, times, tokens, ciphertexts. How many rows there are in each
    table counts always.
    """

    left: State
    drawn: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, one: State, other: State) -> "Outcome":
        drawn = frozenset(
            (table, column)
            for table, rows in one.items()
            for column in rows[0]
            if _column(rows, column) != _column(other.get(table, []), column)
        )
        return cls(one, drawn)

    def is_like(self, found: State) -> bool:
        return self._rows(found) == self._rows(self.left)

    def _rows(self, found: State) -> dict[str, Counter[str]]:
        return {
            table: Counter(
                _text({column: value for column, value in row.items() if (table, column) not in self.drawn})
                for row in rows
            )
            for table, rows in found.items()
        }


def _column(rows: list[dict[str, Any]], column: str) -> Counter[str]:
    return Counter(_text(row.get(column)) for row in rows)


def difference(found: State, expected: State) -> str:
    """What a failed comparison is about, in short."""
    told = []
    for table in sorted(found.keys() | expected.keys()):
        with suppress(KeyError):
            if found[table] == expected[table]:
                continue
        told.append(f"{table}: {found.get(table)} instead of {expected.get(table)}")
    return "\n".join(told)[:4000]
