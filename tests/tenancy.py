"""Looks at every statement that the product's own code sends while tests run: on a tenant's rows it names their widget,
or says why it does not (`apps/core/database/tenants.py`).

A statement is let through if each tenant's table in it is bound to a widget (`tests/architecture/sql.py`, which reads
it), or is read by a queryset that is `unscoped`, or has a comment `/* unscoped: the reason */`; and if Django itself
follows a row that the code holds: saves, deletes or refreshes it, or reads what it relates to.
"""

import sys
from collections.abc import Iterator
from functools import cache
from types import CodeType, FrameType
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet
from django.db.models.sql import compiler

from apps.core.database import base
from apps.core.database.tenants import GUARDED
from tests.architecture.sql import unbound
from tests.architecture.tenants import tenant_tables

# These run statements for others: the code that gave them the statement is asked for it.
RUNNERS = ("apps.core.database.",)
# What Django does with a row that it was given. A related manager is known by the row in the queryset's hints.
OF_A_ROW = {
    "django.db.models.base",
    "django.db.models.deletion",
    "django.db.models.fields.related_descriptors",
    "django.contrib.admin.utils",
}

_found: list[str] = []
_judged: set[tuple[str, CodeType, int]] = set()


def install() -> None:
    """Has every statement looked at, of every connection and thread; without an `execute_wrapper`, which would have
    `core.database` run its statements in another way than in production."""
    run, execute = base._run, CursorWrapper._execute_with_wrappers

    def looked_run(sql: str, *args: Any, **options: Any) -> Any:
        look_at(sql)
        return run(sql, *args, **options)

    def looked_execute(self: Any, sql: Any, *args: Any, **options: Any) -> Any:
        look_at(str(sql))
        return execute(self, sql, *args, **options)

    base._run = looked_run
    CursorWrapper._execute_with_wrappers = looked_execute
    for kind in (compiler.SQLCompiler, compiler.SQLUpdateCompiler, compiler.SQLDeleteCompiler):
        kind.as_sql = _with_reason(kind.as_sql)  # type: ignore[method-assign]


def _with_reason(as_sql: Any) -> Any:
    """The SQL of a query, with the reason why it is unscoped as a comment at its end."""

    def with_reason(self: Any, *args: Any, **options: Any) -> Any:
        sql, parameters = as_sql(self, *args, **options)
        why = getattr(self.query, "unscoped", None)
        return (f"{sql} /* unscoped: {why.replace('%', '%%')} */" if why and sql else sql), parameters

    return with_reason


def look_at(sql: str) -> None:
    """Notes the statement if the product's own code must not send it."""
    if not (tables := _unbound(sql)) or (sender := _sender(sys._getframe(2))) is None:
        return
    if (judged := (sql, sender.f_code, sender.f_lineno)) in _judged:
        return
    _judged.add(judged)
    if not _follows_a_row(sys._getframe(2), sender):
        place = f"{sender.f_globals['__name__']}.{sender.f_code.co_qualname}:{sender.f_lineno}"
        _found.append(f"{place} reads {', '.join(tables)} of any widget, without a reason: {sql}")


@cache
def _unbound(sql: str) -> tuple[str, ...]:
    return tuple(unbound(sql, dict.fromkeys(tenant_tables())))


def _sender(frame: FrameType | None) -> FrameType | None:
    """The frame of the product's own code that sends a statement; None if tests, scripts or migrations do.

    A named read of a queryset is sent by the code that opened it.
    """
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(GUARDED) and not module.startswith(RUNNERS) and not _is_named_read(frame):
            return None if ".migrations." in module else frame
        if module.startswith(("tests.", "bench.")) and module != __name__:
            return None
        frame = frame.f_back
    return None


def _is_named_read(frame: FrameType) -> bool:
    return frame.f_code.co_varnames[:1] == ("self",) and isinstance(frame.f_locals.get("self"), QuerySet)


def _follows_a_row(frame: FrameType | None, sender: FrameType) -> bool:
    """Whether Django sends a statement about a row that the sender holds, or that the sender's queryset had found."""
    deleting: QuerySet[Any] | None = None
    follows = False
    while frame is not None and frame is not sender:
        rows = frame.f_locals.get("self")
        if isinstance(rows, QuerySet):
            if rows._hints.get("instance") is not None:
                return True
            if frame.f_code is QuerySet.delete.__code__:  # it looks for its rows, then for those that hang on them
                deleting, follows = rows, False
        elif frame.f_globals.get("__name__") in OF_A_ROW:
            follows = True
        frame = frame.f_back
    return follows or (deleting is not None and not _unbound(_sql_of(deleting)))


def _sql_of(rows: QuerySet[Any]) -> str:
    return str(rows.query.get_compiler(rows.db).as_sql()[0])


def take_found() -> list[str]:
    """What was found since the last call."""
    found = _found[:]
    _found.clear()
    return found


@pytest.fixture(autouse=True)
def tenants_apart() -> Iterator[None]:
    """Fails the test in which the product's own code reached rows of a tenant without its widget or a reason."""
    yield
    assert not (found := take_found()), "\n".join(found)
