"""Querysets that are put together once a process, and run with other values each time.

Composing the rule of who waits (`waiting.py`) takes some 2 to 3 ms of CPU, running it a tenth of that.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, wraps
from typing import Any

from django.db.models import BigIntegerField, DateTimeField, Expression, QuerySet

from apps.core.database import Parameters, Row, fetch_all

_FIELDS: dict[Any, Any] = {int: BigIntegerField, datetime: DateTimeField}


class _Blank(Expression):
    """A blank, for a value that a call gives."""

    def __init__(self, name: str, type_: Any) -> None:
        super().__init__(output_field=_FIELDS[type_]())
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        return "%s", (self,)


def compiled(compose: Callable[..., QuerySet[Any]]) -> Callable[..., list[Row]]:
    """The function, which gives the rows of the queryset that it composes: columns as PostgreSQL has them.

    It is called once, with blanks for its arguments, each an int or a datetime and used by nothing but the database.
    """
    blanks = {name: _Blank(name, each.annotation) for name, each in inspect.signature(compose).parameters.items()}

    @cache
    def statement() -> tuple[str, Parameters]:
        sql, values = compose(**blanks).query.sql_with_params()
        names = [each.name if isinstance(each, _Blank) else f"value_{number}" for number, each in enumerate(values)]
        own = {name: value for name, value in zip(names, values, strict=True) if not isinstance(value, _Blank)}
        return _named(sql, iter(names)), own

    @wraps(compose)
    def rows(**values: Any) -> list[Row]:
        sql, own = statement()
        return fetch_all(sql, {**own, **values})

    return rows


def _named(sql: str, names: Iterator[str]) -> str:
    """The statement with names for its parameters, in their order."""
    return re.sub(r"(?<== )\(%s\)|%[%s]", lambda found: "%%" if found[0] == "%%" else f"%({next(names)})s", sql)
