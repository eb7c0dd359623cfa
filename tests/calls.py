"""What some work costs, said without a clock."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import psycopg

CONTROL = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls of functions, in Python or in C, and what PostgreSQL was asked, in order, without what only begins and
    ends transactions.
    """

    calls: int
    statements: list[str] = field(repr=False)


def cost_of(work: Callable[[], object]) -> Cost:
    """The cost of some work as it is outside of tests: statements are not asked for through Django's log of queries.

    Statements of all threads count; calls of this thread and of those that the work starts. What is done once in a
    process (imports, statements that are prepared, connections) is part of the cost unless the work was done before.
    """
    with _statements_of_all_threads() as statements:
        calls = calls_of(work)
    return Cost(calls, statements)


def calls_of(work: Callable[[], object]) -> int:
    """How many calls of functions, in Python or in C, some work makes in this thread and in those that it starts."""
    counted, before, of_threads = count(), sys.getprofile(), threading.getprofile()

    def note(_frame: Any, event: str, _argument: Any) -> None:
        if event in ("call", "c_call"):
            next(counted)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(of_threads)  # type: ignore[arg-type]  # None is what it was
    return next(counted)


@contextmanager
def _statements_of_all_threads() -> Iterator[list[str]]:
    """The statements that psycopg is given by the end of the block."""
    noted: list[str] = []
    kept = {name: getattr(psycopg.Cursor, name) for name in ("execute", "executemany")}

    def noting(run: Callable[..., Any]) -> Callable[..., Any]:
        def noted_run(cursor: "psycopg.Cursor[Any]", query: Any, *arguments: Any, **options: Any) -> Any:
            if not (text := _text(query)).startswith(CONTROL):
                noted.append(text)
            return run(cursor, query, *arguments, **options)

        return noted_run

    for name, run in kept.items():
        setattr(psycopg.Cursor, name, noting(run))
    try:
        yield noted
    finally:
        for name, run in kept.items():
            setattr(psycopg.Cursor, name, run)


def _text(query: Any) -> str:
    if isinstance(query, psycopg.sql.Composable):
        return query.as_string()
    return query.decode() if isinstance(query, bytes) else query
