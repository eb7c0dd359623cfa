"""Cursors and pages."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, NamedTuple

import pytest
from django.http import HttpRequest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.core.endpoints.callers import Caller
from apps.core.endpoints.operations import Call
from apps.core.endpoints.paging import Listing, Page, columns, read_cursor, write_cursor
from apps.core.problems import Problem

MOMENTS = st.datetimes(timezones=st.just(UTC))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
POSITIONS = st.lists(MOMENTS | st.integers(-(2**63), 2**63 - 1) | TEXTS, min_size=1, max_size=4).map(tuple)


def assert_refused(of_list: str, cursor: str) -> None:
    with pytest.raises(Problem) as caught:
        read_cursor(of_list, cursor)
    assert (caught.value.type.status, list(caught.value.errors)) == (422, ["cursor"])


@given(POSITIONS)
def test_a_cursor_leads_back_to_its_position(position: tuple[Any, ...]) -> None:
    assert read_cursor("chats", write_cursor("chats", position)) == position


def test_moments_keep_their_microseconds_in_any_zone() -> None:
    moment = datetime(2026, 11, 21, 12, 0, 0, 1, timezone(timedelta(hours=3)))
    (read,) = read_cursor("chats", write_cursor("chats", (moment,))) or ()
    assert read == moment
    assert read.tzinfo is UTC


@given(POSITIONS, st.data())
def test_a_cursor_changed_in_one_character_is_refused(position: tuple[Any, ...], data: st.DataObject) -> None:
    cursor = write_cursor("chats", position)
    place = data.draw(st.integers(0, len(cursor) - 1))
    other = data.draw(st.characters(codec="ascii").filter(lambda character: character != cursor[place]))
    assert_refused("chats", cursor[:place] + other + cursor[place + 1 :])


@given(POSITIONS, st.integers(1, 20))
def test_a_cursor_cut_short_or_lengthened_is_refused(position: tuple[Any, ...], length: int) -> None:
    cursor = write_cursor("chats", position)
    assert_refused("chats", cursor[:-length])
    assert_refused("chats", cursor + "A" * length)
    assert_refused("chats", cursor + "=")


@given(st.text(max_size=100))
def test_any_text_is_refused(text: str) -> None:
    assert_refused("chats", text)


def test_a_cursor_of_another_list_is_refused() -> None:
    assert_refused("messages:1", write_cursor("messages:2", (1,)))
    assert_refused("chats", write_cursor("chat", ("s", 1)))


def test_a_cursor_of_another_installation_is_refused(settings: Settings) -> None:
    cursor = write_cursor("chats", (1,))
    settings.SECRET_KEY = "another-secret-key-of-another-installation-0123456789"
    assert_refused("chats", cursor)


def test_no_cursor_is_the_first_page() -> None:
    assert read_cursor("chats", None) is None


class Row(NamedTuple):
    name: str
    value: int
    id: int


ROWS = Listing("rows", lambda row: row[2], columns(Row, "value", "id"))


def call_for(*, widget_id: int = 1, **query: Any) -> Call:
    """A call with that validated query, of a token of that widget."""
    caller = Caller(1, widget_id, "0" * 32, 1, frozenset(), True, None)
    return Call(HttpRequest(), caller, {}, {"limit": 20, **query})


def test_what_is_no_matter_of_paging_filters() -> None:
    cursor = ROWS.asked(call_for(limit=1)).page([Row("a", 7, 3), Row("b", 7, 2)]).next_cursor
    call = call_for(limit=3, cursor=cursor, status="active", q="tea")
    asked = ROWS.asked(call)
    assert (asked.filters, asked.after, asked.limit) == ({"status": "active", "q": "tea"}, (7, 3), 3)
    assert call.query == {"limit": 3, "cursor": cursor, "status": "active", "q": "tea"}, "the call stays as it was"


@pytest.mark.parametrize(("rows", "shown", "has_next"), [(0, 0, False), (2, 2, False), (3, 3, False), (4, 3, True)])
def test_the_row_beyond_the_limit_only_tells_of_a_next_page(rows: int, shown: int, has_next: bool) -> None:
    page = ROWS.asked(call_for(limit=3)).page([Row("", 0, n) for n in range(rows)])
    assert page.data == list(range(shown))
    assert (page.next_cursor is not None) == has_next
    if has_next:
        asked = ROWS.asked(call_for(cursor=page.next_cursor))
        assert asked.after == (0, 2), "the position of the last row shown"


@pytest.mark.parametrize(("rows", "after"), [(0, (9, 1)), (3, (9, 1)), (4, (0, 2))])
def test_a_read_that_stopped_early_goes_on_where_it_stopped_unless_the_page_is_full(
    rows: int, after: tuple[int, int]
) -> None:
    page = ROWS.asked(call_for(limit=3)).page([Row("", 0, n) for n in range(rows)], (9, 1))
    assert page.data == list(range(min(rows, 3)))
    assert ROWS.asked(call_for(cursor=page.next_cursor)).after == after


@pytest.mark.parametrize(
    ("listing", "widget_id", "within"), [("raws", 1, 7), ("rows", 2, 7), ("rows", 1, 8), ("rows", 1, None)]
)
def test_a_page_is_asked_for_with_a_cursor_of_its_own_list(listing: str, widget_id: int, within: int | None) -> None:
    rows = [Row("", 0, 2), Row("", 0, 1)]
    cursor = ROWS.asked(call_for(limit=1), within=7).page(rows).next_cursor
    assert ROWS.asked(call_for(cursor=cursor), within=7).after == (0, 2)
    other = Listing(listing, ROWS.show, ROWS.position)
    with pytest.raises(Problem) as caught:
        other.asked(call_for(cursor=cursor, widget_id=widget_id), within=within)
    assert (caught.value.type.status, list(caught.value.errors)) == (422, ["cursor"])


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 7))
def test_page_by_page_every_row_is_seen_once(values: list[int], limit: int) -> None:
    table = sorted((Row("", value, n) for n, value in enumerate(values)), key=lambda row: row[1:], reverse=True)
    seen: list[int] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        asked = ROWS.asked(call_for(**query))
        rest: Sequence[Row] = [row for row in table if asked.after is None or row[1:] < asked.after]
        page: Page = asked.page(rest[: limit + 1])
        seen += page.data
        if page.next_cursor is None:
            break
        query["cursor"] = page.next_cursor
    assert seen == [row.id for row in table]
