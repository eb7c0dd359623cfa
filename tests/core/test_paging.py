"""Cursors and pages."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.accounts.models import Account
from apps.core.endpoints.paging import Order, Page, Position, RowPage, order_of, page_of, read_cursor, write_cursor
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Text
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


def test_a_cursor_outlives_its_key_for_as_long_as_that_is_a_fallback(settings: Settings) -> None:
    cursor, old = write_cursor("chats", (7,)), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, [old]
    assert read_cursor("chats", cursor) == (7,)
    assert write_cursor("chats", (7,)) != cursor
    settings.SECRET_KEY_FALLBACKS = []
    assert_refused("chats", cursor)


def test_no_cursor_is_the_first_page() -> None:
    assert read_cursor("chats", None) is None


class RowSerializer(RowSerializer):
    """What a row looks like: its name."""

    name = Text()


def row(value: int, number: int) -> tuple[Any, ...]:
    """A row in the columns of the serializer, then of the order."""
    return f"n{number}", value, number


VALUE_THEN_ID = Order(("value", "id"))


def page(rows: list[tuple[Any, ...]], *, limit: int, resume_after: Position | None = None) -> Page:
    return page_of(RowPage(rows, resume_after), RowSerializer, VALUE_THEN_ID, "rows", limit)


@pytest.mark.parametrize(("rows", "shown", "has_next"), [(0, 0, False), (2, 2, False), (3, 3, False), (4, 3, True)])
def test_the_row_beyond_the_limit_only_tells_of_a_next_page(rows: int, shown: int, has_next: bool) -> None:
    found = page([row(0, number) for number in range(rows)], limit=3)
    assert found.data == [{"name": f"n{number}"} for number in range(shown)]
    assert (found.next_cursor is not None) == has_next
    if has_next:
        assert read_cursor("rows", found.next_cursor) == (0, 2), "the position of the last row shown"


@pytest.mark.parametrize(("rows", "after"), [(0, (9, 1)), (3, (9, 1)), (4, (0, 2))])
def test_a_read_that_stopped_early_goes_on_where_it_stopped_unless_the_page_is_full(
    rows: int, after: tuple[int, int]
) -> None:
    found = page([row(0, number) for number in range(rows)], limit=3, resume_after=(9, 1))
    assert [shown["name"] for shown in found.data] == [f"n{number}" for number in range(min(rows, 3))]
    assert read_cursor("rows", found.next_cursor) == after


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 7))
def test_page_by_page_every_row_is_seen_once(values: list[int], limit: int) -> None:
    table = sorted((row(value, n) for n, value in enumerate(values)), key=lambda each: each[1:], reverse=True)
    seen: list[str] = []
    after: Position | None = None
    while True:
        rest = [each for each in table if after is None or each[1:] < after]
        found = page(rest[: limit + 1], limit=limit)
        seen += [shown["name"] for shown in found.data]
        if found.next_cursor is None:
            break
        after = read_cursor("rows", found.next_cursor)
    assert seen == [each[0] for each in table]


def test_an_order_is_a_querysets_own_or_newest_first() -> None:
    rows = Account.objects.all()
    assert order_of(rows) == Order(("created_at", "id"), descending=True)
    assert order_of(rows.order_by("email", "id")) == Order(("email", "id"), descending=False)
    assert order_of(rows.order_by("-id")) == Order(("id",), descending=True)
    with pytest.raises(ValueError, match="sorted in one direction"):
        order_of(rows.order_by("email", "-id"))


@pytest.mark.django_db
@pytest.mark.parametrize("terms", [("-name", "-id"), ("name", "id"), ("-id",)])
def test_a_querysets_pages_are_its_rows_in_its_order(terms: tuple[str, ...]) -> None:
    for number, name in enumerate("bacabca"):
        Account.objects.create(email=f"{number}@example.test", name=name)
    rows = Account.objects.order_by(*terms)
    order, seen, after = order_of(rows), [], None
    for _ in range(4):
        found = order.read(rows, EmailSerializer, after, 2)
        shown = page_of(found, EmailSerializer, order, "accounts", 2)
        seen += [each["email"] for each in shown.data]
        after = read_cursor("accounts", shown.next_cursor)
    assert seen == [account.email for account in rows]
    assert after is None


class EmailSerializer(RowSerializer):
    """An account's address."""

    email = Text()
