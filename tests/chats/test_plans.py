"""How PostgreSQL runs the reads of chats and messages: by the index named beside each, never through whole tables.

Two tenants with 10,000 chats each, and the planner as it comes: nothing is switched off to make a test pass. Only the
tables are filled without triggers and without the index of searches, which is built at the end.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from psycopg.sql import Literal

from apps.chats.models import Message, TallyProgress
from apps.chats.querysets import (
    chat_page,
    chats,
    message_page,
    messages_after,
    search,
    search_page,
    statistics,
)
from apps.chats.querysets.transcripts import TranscriptHead, transcript_portions
from apps.chats.serializers.chats import MessageSerializer
from apps.core.endpoints.paging import Position, RowPage, order_of
from apps.core.parsing.periods import Interval, Window, buckets
from tests.factories import WidgetFactory

pytestmark = pytest.mark.django_db

CHATS, MESSAGES_A_CHAT, LONG_TALK = 10_000, 3, 3_000
NEWEST = datetime(2026, 11, 21, tzinfo=UTC)
# No sort may take a large part of a tenant.
MAX_SORTED = 3_000
# What all chats say that began before, and no later one.
OLD, OLD_BEFORE = "винтаж", NEWEST - timedelta(minutes=10) * 4_000

_FILL = """
WITH contact AS (
    INSERT INTO chats_contact (widget_id, guid)
    SELECT {widget_id}, lpad({widget_id}::text, 8, '0') || lpad(n::text, 24, '0') FROM generate_series(1, {chats}) n
    RETURNING id, right(guid, 24)::int AS n
), chat AS (
    INSERT INTO chats_chat (widget_id, contact_id, channel, status, has_client_messages, handling, created_at)
    SELECT {widget_id}, id, (ARRAY['widget', 'tg', 'ch7'])[1 + n % 3],
           CASE WHEN n % 20 = 0 THEN 'spam' WHEN n % 10 = 1 THEN 'active' ELSE 'expired' END, n % 10 > 0, 'missed',
           timestamptz '{newest}' - n * interval '10 minutes'
    FROM contact
    RETURNING id, created_at
)
INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, created_at)
SELECT chat.id, {widget_id}, 'text', 'Здравствуйте! Заказ ' || md5(chat.id::text || n)
           || CASE WHEN chat.created_at < timestamptz '{old_before}' THEN ' {old}' ELSE '' END,
       'client', chat.created_at + n * interval '1 second'
FROM chat, generate_series(1, {messages}) n"""
_LONG_TALK = """
INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, created_at)
SELECT id, widget_id, 'text', 'Дальше ' || n, 'client', created_at + n * interval '1 second'
FROM (SELECT * FROM chats_chat WHERE widget_id = {widget_id} ORDER BY id LIMIT 1) c, generate_series(1, {messages}) n
RETURNING chat_id"""


_LAST_MESSAGES = """
UPDATE chats_chat c SET last_message_id = last.id
FROM (SELECT chat_id, max(id) AS id FROM chats_message GROUP BY 1) last WHERE last.chat_id = c.id"""

# As the job of searches leaves them: a thousand messages wait.
_SEARCHED = """
INSERT INTO chats_searchedmessage (message_id, widget_id, chat_id, body)
SELECT id, widget_id, chat_id, body FROM chats_message;
INSERT INTO chats_searchprogress (id, settled_id, filled_from)
SELECT 1, pg_sequence_last_value('chats_message_id_seq') - 1000, 0"""

# Tallies, and notes of stale hours: tables that other tests may have left empty, when reading them through is cheapest.
_TALLIES = """
INSERT INTO chats_stalehour (widget_id, hour, kind) SELECT {widget_id}, hour, 'chats' FROM {hours};
INSERT INTO chats_messagetally (widget_id, hour, messages) SELECT {widget_id}, hour, 3 FROM {hours};
INSERT INTO chats_responsetally (widget_id, hour, answered, waited)
SELECT {widget_id}, hour, 1, interval '1 minute' FROM {hours};
INSERT INTO chats_chattally (widget_id, hour, channel, internal, handling, chats, answered, waited)
SELECT {widget_id}, hour, 'widget', false, 'missed', 1, 0, interval '0' FROM {hours};
ANALYZE chats_stalehour, chats_messagetally, chats_responsetally, chats_chattally"""
_HOURS = f"generate_series(timestamptz '{NEWEST - timedelta(hours=5_000)}', '{NEWEST}', '1 hour') hour"


@dataclass(frozen=True, slots=True)
class Tenant:
    widget_id: int
    chat_id: int  # of the long talk
    position: tuple[datetime, int]  # in the middle of its chats


@pytest.fixture(scope="module")
def tenant(django_db_setup: None, django_db_blocker: Any) -> Iterator[Tenant]:
    """Filled once for all tests of the file, and taken back after them."""
    with django_db_blocker.unblock(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")  # on a busy machine it takes more than a request may
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("SELECT pg_get_indexdef('chats_searchedmessage_found'::regclass)")
        (search_index,) = cursor.fetchone()
        cursor.execute("DROP INDEX chats_searchedmessage_found")
        for widget in WidgetFactory.create_batch(2):
            sizes = {"chats": CHATS, "messages": MESSAGES_A_CHAT}
            dates = {"newest": NEWEST.isoformat(), "old_before": OLD_BEFORE.isoformat()}
            cursor.execute(_FILL.format(widget_id=widget.pk, old=OLD, **sizes, **dates))
            cursor.execute(_LONG_TALK.format(widget_id=widget.pk, messages=LONG_TALK))
            chat_id = cursor.fetchone()[0]
            cursor.execute(_TALLIES.format(widget_id=widget.pk, hours=_HOURS))
        cursor.execute(_LAST_MESSAGES)
        cursor.execute(_SEARCHED)
        cursor.execute(search_index)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
        cursor.execute("SET LOCAL statement_timeout = DEFAULT")
        cursor.execute("ANALYZE chats_contact, chats_chat, chats_message, chats_searchedmessage, agents_department")
        yield Tenant(widget.pk, chat_id, (NEWEST - timedelta(minutes=10 * CHATS // 2), chat_id))
        transaction.set_rollback(True)


PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# The first five runs of a prepared statement are planned for their values.
RUNS_BEFORE_CHOICE = 6


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes_of(inner)


def plans_of(read: Callable[[], Any]) -> list[list[dict[str, Any]]]:
    """The nodes of the plan of each statement that a read runs."""
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params) if isinstance(params, dict) else named(sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        read()
    assert asked
    with connection.cursor() as cursor:
        return [list(nodes_of(explained(cursor, sql, parameters))) for sql, parameters in asked]


def named(sql: str, parameters: Sequence[Any]) -> tuple[str, dict[str, Any]]:
    """A statement of the ORM's, whose parameters have no names, with names."""
    names = [f"p{number}" for number, _ in enumerate(parameters)]
    return sql % tuple(f"%({name})s" for name in names), dict(zip(names, parameters, strict=True))


def explained(cursor: Any, sql: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The plan that a statement comes to have in a process that runs it again and again.

    For those values, or the one for any values, which PostgreSQL goes on with if it thinks that no dearer.
    """
    names = list(dict.fromkeys(PLACEHOLDER.findall(sql)))
    numbered = PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}", sql).replace("%%", "%")
    values = [parameters[name] for name in names]
    given = ", ".join(Literal(value).as_string(connection.connection) for value in values)
    cursor.execute(f"PREPARE again ({', '.join(map(type_of, values))}) AS {numbered}")
    try:
        for _ in range(RUNS_BEFORE_CHOICE):
            cursor.execute(f"EXECUTE again ({given})")
        cursor.execute(f"EXPLAIN (FORMAT JSON) EXECUTE again ({given})")
        (document,) = cursor.fetchone()
    finally:
        cursor.execute("DEALLOCATE again")
    plan: dict[str, Any] = (orjson.loads(document) if isinstance(document, str) else document)[0]["Plan"]
    return plan


def type_of(value: Any) -> str:
    """The type that psycopg sends a value with."""
    if type(value) is int:
        return "integer" if value < 2**31 else "bigint"
    types = {bool: "boolean", datetime: "timestamptz"}
    if isinstance(value, list) and value:
        return f"{types.get(type(value[0]), 'text')}[]"
    return types.get(type(value), "unknown")


def assert_frugal(plans: list[list[dict[str, Any]]], *, most_sorted: int = MAX_SORTED) -> None:
    """No table is read through; nothing is sorted that is as large as a tenant."""
    for nodes in plans:
        read = [node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"]
        assert set(read) <= {"agents_department", "chats_tallyprogress", "chats_searchprogress"}, read
        for node in nodes:
            if node["Node Type"] in ("Sort", "Incremental Sort"):
                assert node["Plans"][0]["Plan Rows"] <= most_sorted, node


def indexes(plans: list[list[dict[str, Any]]]) -> set[str]:
    return {node["Index Name"] for nodes in plans for node in nodes if "Index Name" in node}


FILTERS: dict[str, Any] = {
    "status": "spam",
    "channel": "tg",
    "has_client_messages": True,
    "created_at__gte": NEWEST - timedelta(days=60),
    "created_at__lt": NEWEST - timedelta(days=7),
}
# What a chat shows of other rows is looked up chat by chat.
BY_ID = {"chats_contact_pkey", "chats_message_pkey"}
SETS = [dict(names) for count in range(3) for names in combinations(FILTERS.items(), count)]


def name_of(filters: dict[str, Any]) -> str:
    return "+".join(filters) or "all"


@pytest.mark.parametrize("is_next", [False, True], ids=["first", "next"])
@pytest.mark.parametrize("filters", SETS, ids=name_of)
def test_a_page_of_chats(tenant: Tenant, filters: dict[str, Any], is_next: bool) -> None:
    after = tenant.position if is_next else None
    plans = plans_of(lambda: chat_page(widget_id=tenant.widget_id, filters=filters, after=after, limit=100))
    assert_frugal(plans)
    assert all(name.startswith(("chats_chat_", *BY_ID)) for name in indexes(plans))


# The table in `querysets/chats.py`: "status, channel" and the names of the indexes that may serve them.
SERVED_BY = {
    filters: set(indexes.split(" or "))
    for filters, indexes in re.findall(r"^ {4}(.+?) {2,}(chats_chat_.+)$", chats.__doc__ or "", re.MULTILINE)
}


def test_each_pair_of_filters_is_in_the_table() -> None:
    assert list(SERVED_BY) == [", ".join(filters) or "none" for filters in SETS]


@pytest.mark.parametrize("is_next", [False, True], ids=["first", "next"])
@pytest.mark.parametrize("filters", SETS, ids=name_of)
def test_filters_are_served_by_the_index_of_the_table(tenant: Tenant, filters: dict[str, Any], is_next: bool) -> None:
    after = tenant.position if is_next else None
    plans = plans_of(lambda: chat_page(widget_id=tenant.widget_id, filters=filters, after=after, limit=20))
    (index,) = indexes(plans) - BY_ID
    assert index in SERVED_BY[", ".join(filters) or "none"]
    assert not [node for nodes in plans for node in nodes if node["Node Type"] == "Sort"]


@pytest.mark.parametrize("filters", SETS, ids=name_of)
@pytest.mark.parametrize(
    ("needle", "reading_ms", "statements"),
    [("заказ", 60_000, 1), ("нет такого", 0, 2)],
    ids=["what all say", "what nobody says"],
)
def test_a_search_reads_by_its_indexes(
    tenant: Tenant,
    monkeypatch: pytest.MonkeyPatch,
    filters: dict[str, Any],
    needle: str,
    reading_ms: int,
    statements: int,
) -> None:
    monkeypatch.setattr(search, "READING_MS", reading_ms)
    asked = {**filters, "q": needle}
    plans = plans_of(lambda: search_page(widget_id=tenant.widget_id, filters=asked, after=None, limit=20))
    leaves_none = set(filters) == {"status", "has_client_messages"}
    assert len(plans) == (1 if leaves_none else statements)
    assert_frugal(plans)
    assert {"chats_message_in_chat", "chats_message_list"} & indexes(plans[:1])
    if len(plans) == 2:
        assert {"chats_searchedmessage_found", "chats_chat_in_block"} <= indexes(plans[1:])


@pytest.mark.parametrize("needle", [OLD, "нт"], ids=["a word", "two letters"])
@pytest.mark.parametrize("filters", [{}, {"status": "expired"}], ids=name_of)
def test_a_search_for_what_all_old_chats_say_passes_by_the_newer_ones(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch, filters: dict[str, Any], needle: str
) -> None:
    monkeypatch.setattr(search, "READING_MS", 0)
    asked = {**filters, "q": needle}
    plans = plans_of(lambda: search_page(widget_id=tenant.widget_id, filters=asked, after=None, limit=20))
    assert len(plans) == 2
    assert_frugal(plans)
    assert {"chats_searchedmessage_found", "chats_chat_in_block"} <= indexes(plans[1:])


@pytest.mark.parametrize("is_next", [False, True], ids=["first", "next"])
@pytest.mark.parametrize(
    "names", [(), ("created_at__gte",), ("created_at__lt",), ("created_at__gte", "created_at__lt")], ids="+".join
)
def test_a_page_of_messages(tenant: Tenant, names: tuple[str, ...], is_next: bool) -> None:
    middle = NEWEST - timedelta(minutes=10) + timedelta(seconds=LONG_TALK // 2)
    bounds = {"created_at__gte": middle - timedelta(minutes=10), "created_at__lt": middle + timedelta(minutes=10)}
    filters = {name: bounds[name] for name in names}
    after = (middle, 1) if is_next else None
    plans = plans_of(
        lambda: message_page(widget_id=tenant.widget_id, chat_id=tenant.chat_id, filters=filters, after=after, limit=20)
    )
    assert_frugal(plans)
    assert indexes(plans) == {"chats_message_list"}
    assert not [node for nodes in plans for node in nodes if node["Node Type"] == "Sort"]


def came_after(tenant: Tenant, *, after: Position | None) -> RowPage:
    rows = Message.objects.for_widget(tenant.widget_id).filter(chat_id=tenant.chat_id, id__gt=1).order_by("id")
    return order_of(rows).read(rows, MessageSerializer, after, 100)


@pytest.mark.parametrize(
    "read",
    [
        lambda tenant: came_after(tenant, after=None),
        lambda tenant: came_after(tenant, after=(2,)),
        lambda tenant: messages_after(chat_id=tenant.chat_id, after_id=1, limit=100, for_visitor=True),
        lambda tenant: next(transcript_portions(tenant.chat_id, TranscriptHead(False, "Ivan", 2**62))),
    ],
    ids=["what came after a message", "its next page", "what was missed", "a portion of a transcript"],
)
def test_reads_of_a_chats_messages_use_one_index(tenant: Tenant, read: Callable[[Tenant], Any]) -> None:
    plans = plans_of(lambda: read(tenant))
    assert_frugal(plans)
    assert indexes(plans) == {"chats_message_in_chat"}
    assert not [node for nodes in plans for node in nodes if node["Node Type"] == "Sort"]


WEEK = Window(NEWEST - timedelta(days=7), NEWEST)


@pytest.mark.parametrize(
    ("read", "index"),
    [
        (lambda widget_id: statistics.chats_opened(widget_id=widget_id, window=WEEK), "chats_chat_counted"),
        (lambda widget_id: statistics.chats_opened_by_channel(widget_id=widget_id, window=WEEK), "chats_chat_counted"),
        (
            lambda widget_id: statistics.chats_opened_by_bucket(
                widget_id=widget_id, buckets=buckets(WEEK, Interval.DAY)
            ),
            "chats_chat_counted",
        ),
        (lambda widget_id: statistics.messages_written(widget_id=widget_id, window=WEEK), "chats_message_counted"),
        (
            lambda widget_id: statistics.messages_written_by_bucket(
                widget_id=widget_id, buckets=buckets(WEEK, Interval.DAY)
            ),
            "chats_message_counted",
        ),
    ],
    ids=["chats", "channels", "series of chats", "messages", "series of messages"],
)
def test_statistics_of_a_week(tenant: Tenant, read: Callable[[int], Any], index: str) -> None:
    plans = plans_of(lambda: read(tenant.widget_id))
    assert_frugal(plans)
    # What is not committed cannot be vacuumed, and without that an index alone is not enough to read from: then the
    # list's own, which has the same order, is as good.
    used = {name for name in indexes(plans) if name.startswith(("chats_chat_", "chats_message_"))}
    assert used in ({index}, {"chats_chat_list"})


def test_first_responses_of_a_week(tenant: Tenant) -> None:
    """Chats by their index, then two looks into each; and the answers since the last tally by what counts."""
    TallyProgress.objects.create(until=NEWEST - timedelta(days=1))
    plans = plans_of(lambda: statistics.first_responses(widget_id=tenant.widget_id, window=WEEK))
    assert_frugal(plans)
    assert {"chats_message_in_chat", "chats_message_counted"} <= indexes(plans)
    assert {"chats_chat_counted", "chats_chat_list"} & indexes(plans)
