"""Cursors and pages."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.core.paging import Page, page_of, read_cursor, write_cursor
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


@pytest.mark.parametrize(("rows", "shown", "has_next"), [(0, 0, False), (2, 2, False), (3, 3, False), (4, 3, True)])
def test_the_row_beyond_the_limit_only_tells_of_a_next_page(rows: int, shown: int, has_next: bool) -> None:
    page = page_of(list(range(rows)), limit=3, of_list="numbers", show=str, position=lambda row: (row,))
    assert page.data == [str(n) for n in range(shown)]
    assert (page.next_cursor is not None) == has_next
    if has_next:
        assert read_cursor("numbers", page.next_cursor) == (2,), "the position of the last row shown"


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 7))
def test_page_by_page_every_row_is_seen_once(values: list[int], limit: int) -> None:
    table = sorted(((value, n) for n, value in enumerate(values)), reverse=True)
    seen, cursor = [], None
    while True:
        after = read_cursor("rows", cursor)
        rest = [row for row in table if after is None or row < after]
        page: Page = page_of(rest[: limit + 1], limit=limit, of_list="rows", show=lambda r: r, position=lambda r: r)
        seen += page.data
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == table
