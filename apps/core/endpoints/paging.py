"""Keyset pages: opaque, signed cursors that stay stable while rows are inserted.

A handler answers `context.page(queryset)`; what a page is, and how its cursor is made, is here.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from django.conf import settings
from django.db import models
from django.db.models.lookups import GreaterThan, LessThan

from apps.core.endpoints.serializers import Query, QueryInteger, Text
from apps.core.errors import INVALID_INPUT

if TYPE_CHECKING:
    from apps.core.endpoints.row_serializers import RowSerializer

DEFAULT_LIMIT, MAX_LIMIT = 20, 100
_SIGNATURE_BYTES = 12

Position = tuple[Any, ...]


class PageQuery(Query):
    """The parameters of every list."""

    cursor = Text(required=False, max_length=512, help_text="`next_cursor` of the page before.")
    limit = QueryInteger(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MAX_LIMIT)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list, ready to be answered."""

    data: list[Any]
    next_cursor: str | None


class NumberedQuery(Query):
    """The parameters of a list that is paged by number: for a catalogue in which people leaf, and nothing is added."""

    page = QueryInteger(required=False, default=1, min_value=1, max_value=1_000_000)
    limit = QueryInteger(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MAX_LIMIT)


@dataclass(frozen=True, slots=True)
class NumberedPage:
    """One page of such a list; a page behind the last has no rows."""

    data: list[Any]
    page: int
    limit: int
    total: int
    pages: int


class RowValue(models.Func):
    """A row value: `(created_at, id) < (…, …)` is one condition of an index."""

    template = "(%(expressions)s)"
    output_field = models.TextField()


@dataclass(frozen=True, slots=True)
class Order:
    """How a list is sorted: by columns that no two rows share together, all of them descending or all ascending."""

    columns: tuple[str, ...]
    descending: bool = True

    def read(
        self, rows: models.QuerySet[Any], serializer: type[RowSerializer], after: Position | None, limit: int
    ) -> RowPage:
        """The rows after a position, in the columns of a serializer, then of the order; one row more than the limit."""
        if after is not None:
            beyond = LessThan if self.descending else GreaterThan
            rows = rows.filter(beyond(RowValue(*self.columns), RowValue(*map(models.Value, after))))
        sign = "-" if self.descending else ""
        rows = rows.order_by(*(sign + name for name in self.columns))
        return RowPage(list(rows.values_list(*self._columns_read(serializer))[: limit + 1]))

    def position(self, row: Any, serializer: type[RowSerializer]) -> Position:
        """The position of a row in the list."""
        names = self._columns_read(serializer)
        return tuple(row[names.index(name)] for name in self.columns)

    def _columns_read(self, serializer: type[RowSerializer]) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*serializer.columns(), *self.columns]))


NEWEST_FIRST = Order(("created_at", "id"))


class RowPage(NamedTuple):
    """Rows of a list: the columns of its serializer, then those of its order which are not among them.

    A read that stopped before it had a page says after which position it goes on.
    """

    rows: list[tuple[Any, ...]]
    resume_after: Position | None = None


def order_of(rows: models.QuerySet[Any]) -> Order:
    """The order of a queryset; newest first where it names none."""
    terms = [str(term) for term in rows.query.order_by]
    if not terms:
        return NEWEST_FIRST
    descending = {term.startswith("-") for term in terms}
    if len(descending) > 1:
        raise ValueError(f"a list is sorted in one direction, not by {', '.join(terms)}")
    return Order(tuple(term.lstrip("-") for term in terms), descending.pop())


def page_of(found: RowPage, serializer: type[RowSerializer], order: Order, list_name: str, limit: int) -> Page:
    """The page of rows that were read with one row more than `limit`, which only tells that there is a next page.

    If a read stopped before it had as many, the next page begins there (as in https://google.aip.dev/158, a page may be
    short, or empty, and not the last one).
    """
    write, rows = serializer.writer(), found.rows
    if len(rows) <= limit:
        cursor = None if found.resume_after is None else write_cursor(list_name, found.resume_after)
        return Page([write(row) for row in rows], cursor)
    shown = rows[:limit]
    return Page([write(row) for row in shown], write_cursor(list_name, order.position(shown[-1], serializer)))


def write_cursor(list_name: str, position: Position) -> str:
    """The opaque cursor after that position. Datetimes, integers and strings survive the trip."""
    payload = orjson.dumps([_packed(value) for value in position])
    return _encoded(_signature(list_name, payload, settings.SECRET_KEY) + payload)


def read_cursor(list_name: str, cursor: str | None) -> Position | None:
    """The position that a cursor of that list stands for; None without a cursor.

    Raises INVALID_INPUT (422) for a cursor that is malformed, was tampered with, or belongs to another list.
    """
    if cursor is None:
        return None
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise _refusal() from None
    if _encoded(raw) != cursor:  # several spellings decode to the same bytes; only ours counts
        raise _refusal()
    signature, payload = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not any(hmac.compare_digest(signature, _signature(list_name, payload, key)) for key in keys):
        raise _refusal()
    return tuple(_unpacked(value) for value in orjson.loads(payload))


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _refusal() -> Exception:
    return INVALID_INPUT(errors={"cursor": ["This is no cursor of this list."]})


def _signature(list_name: str, payload: bytes, secret: str) -> bytes:
    return hmac.digest(_key(secret), list_name.encode() + b"\0" + payload, "sha256")[:_SIGNATURE_BYTES]


@cache
def _key(secret: str) -> bytes:
    return hashlib.sha256(b"parley.core.paging" + secret.encode()).digest()


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _packed(value: Any) -> Any:
    if isinstance(value, datetime):
        passed = value - _EPOCH
        return [(passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds]
    return value


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        seconds, microseconds = divmod(value[0], 1_000_000)
        return datetime.fromtimestamp(seconds, UTC).replace(microsecond=microseconds)
    return value
