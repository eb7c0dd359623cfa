"""Keyset pages: opaque, signed cursors that stay stable while rows are inserted.

A list is a `Listing` beside its viewset; its view asks it what the call wants, reads the rows, and answers their page:

    asked = CHATS.asked(call)
    rows = querysets.subscription_page(widget_id=call.widget_id, after=asked.after, limit=asked.limit)
    return asked.page(rows)
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from django.conf import settings

from apps.core.endpoints.serializers import Query, QueryInteger, Text
from apps.core.errors import INVALID_INPUT

if TYPE_CHECKING:
    from apps.core.endpoints.operations import Call

DEFAULT_LIMIT, MAX_LIMIT = 20, 100
_SIGNATURE_BYTES = 12

Position = tuple[Any, ...]


class Found(NamedTuple):
    """Rows of a list. A read that stopped before it had a page says after which position it goes on."""

    rows: list[tuple[Any, ...]]
    goes_on_after: Position | None = None


class PageQuery(Query):
    """The parameters of every list."""

    cursor = Text(required=False, max_length=512, help_text="`next_cursor` of the page before.")
    limit = QueryInteger(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MAX_LIMIT)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list, ready to be answered."""

    data: list[Any]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as the API shows it.

    name: keeps its cursors apart from those of every other list.
    show: the wire shape of a row.
    position: the values of a row that the list is sorted by, which no other row has; see `columns`.
    """

    name: str
    show: Callable[[Any], Any]
    position: Callable[[Any], Position]

    def asked(self, call: Call, *, within: object = None) -> AskedPage:
        """The page that a call wants. `within` is what the list belongs to, if not to the widget alone: a chat's id.

        Raises INVALID_INPUT (422) for a cursor that this list has not given.
        """
        filters = dict(call.query)
        limit, cursor = filters.pop("limit"), filters.pop("cursor", None)
        of_list = f"{self.name}:{call.widget_id}:{within}"
        return AskedPage(self, of_list, filters, read_cursor(of_list, cursor), limit)


@dataclass(frozen=True, slots=True)
class AskedPage:
    """What one call wants of a list: the rows that pass `filters`, after the position `after`, at most `limit`."""

    listing: Listing
    of_list: str
    filters: dict[str, Any]
    after: Position | None
    limit: int

    def page(self, rows: Sequence[Any], goes_on_after: Position | None = None) -> Page:
        """The page of `rows`, read with one row more than `limit`, which only tells that there is a next page.

        A read that stopped before it had as many says after which position it goes on: there the next page begins
        (as in https://google.aip.dev/158, a page may be short, or empty, and not the last one).
        """
        show = self.listing.show
        if len(rows) <= self.limit:
            cursor = None if goes_on_after is None else write_cursor(self.of_list, goes_on_after)
            return Page([show(row) for row in rows], cursor)
        shown = rows[: self.limit]
        return Page([show(row) for row in shown], write_cursor(self.of_list, self.listing.position(shown[-1])))


def columns(row: type[tuple[Any, ...]], *names: str) -> Callable[[Sequence[Any]], Position]:
    """A reader of those columns, for rows with the fields of the NamedTuple `row`."""
    places = [row._fields.index(name) for name in names]  # type: ignore[attr-defined]
    return lambda values: tuple(values[place] for place in places)


def write_cursor(of_list: str, position: Position) -> str:
    """The opaque cursor after that position. Datetimes, integers and strings survive the trip."""
    payload = orjson.dumps([_packed(value) for value in position])
    return _encoded(_signature(of_list, payload) + payload)


def read_cursor(of_list: str, cursor: str | None) -> Position | None:
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
    if not hmac.compare_digest(signature, _signature(of_list, payload)):
        raise _refusal()
    return tuple(_unpacked(value) for value in orjson.loads(payload))


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _refusal() -> Exception:
    return INVALID_INPUT(errors={"cursor": ["This is no cursor of this list."]})


def _signature(of_list: str, payload: bytes) -> bytes:
    return hmac.digest(_key(settings.SECRET_KEY), of_list.encode() + b"\0" + payload, "sha256")[:_SIGNATURE_BYTES]


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
