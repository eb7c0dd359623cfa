"""How PostgreSQL runs the reads of the inbox: the table in `querysets/inbox.py`.

Two tenants with 10,000 chats each, a hundred of them open, and the planner as it comes. Triggers are off while the
tables are filled.
"""

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from django.db import connection, transaction

from apps.agents.models import Agent
from apps.console.querysets import View, contact_panels, inbox_page, inbox_rows
from tests.factories import AgentFactory, DepartmentFactory, WidgetFactory

pytestmark = pytest.mark.django_db

CHATS = 10_000

_FILL = """
WITH contact AS (
    INSERT INTO chats_contact (widget_id, guid)
    SELECT {widget_id}, lpad({widget_id}::text, 8, '0') || lpad(n::text, 24, '0') FROM generate_series(1, {chats}) n
    RETURNING id, right(guid, 24)::int AS n
), chat AS (
    INSERT INTO chats_chat (widget_id, contact_id, department_id, agent_id, status, created_at, last_message_at,
                            expired_at, has_client_messages)
    SELECT {widget_id}, id, CASE WHEN n % 3 = 0 THEN {department_id} END, CASE WHEN n % 2 = 0 THEN {agent_id} END,
           CASE WHEN n % 100 = 0 THEN 'active' WHEN n % 20 = 1 THEN 'spam' ELSE 'expired' END,
           now() - n * interval '10 minutes', now() - n * interval '9 minutes', now() - n * interval '5 minutes',
           true
    FROM contact
    RETURNING id, created_at
)
INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, created_at)
SELECT chat.id, {widget_id}, 'text', 'Hello', 'client', chat.created_at FROM chat"""
# Of the closed ones a few are put aside; the open ones wait for a place.
_LAST_MESSAGES = """
UPDATE chats_chat c SET last_message_id = m.id,
    queued_at = CASE WHEN c.status = 'active' THEN c.created_at END,
    owner_away_at = CASE WHEN c.status = 'active' THEN now() + interval '1 minute' END,
    snoozed_at = CASE WHEN right(k.guid, 24)::int % 400 = 3 THEN now() END,
    snoozed_after_id = CASE WHEN right(k.guid, 24)::int % 400 = 3 THEN m.id END
FROM chats_message m, chats_contact k WHERE m.chat_id = c.id AND k.id = c.contact_id"""
# A clock runs in each of the open ones, after ten that have ended.
_CLOCKS = """
INSERT INTO routing_slaclock (widget_id, chat_id, metric, priority, since, warn_percent, target_minutes, running_since,
                              due_at, ended_at, ended_by)
SELECT widget_id, id, 'next_reply', 'normal', created_at, 80, 30, CASE WHEN n = 11 THEN created_at END,
       CASE WHEN n = 11 THEN created_at + interval '30 minutes' END, CASE WHEN n < 11 THEN created_at END,
       CASE WHEN n < 11 THEN 'person' END
FROM chats_chat, generate_series(1, 11) n WHERE status = 'active'"""


@pytest.fixture(scope="module")
def busy(django_db_setup: None, django_db_blocker: Any) -> Iterator[Agent]:
    """An operator of the second tenant. Filled once for all tests of the file, and taken back after them."""
    with django_db_blocker.unblock(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        for widget in WidgetFactory.create_batch(2):
            agent = AgentFactory.create(widget=widget)
            department = DepartmentFactory.create(widget=widget, agents=[agent])
            ids = {"widget_id": widget.pk, "agent_id": agent.pk, "department_id": department.pk}
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(_FILL.format(chats=CHATS, **ids))
            cursor.execute("SET LOCAL session_replication_role = DEFAULT")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(_LAST_MESSAGES)
        cursor.execute(_CLOCKS)
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
        cursor.execute("SET LOCAL statement_timeout = DEFAULT")
        cursor.execute("ANALYZE chats_contact, chats_chat, chats_message, routing_slaclock")
        yield agent
        transaction.set_rollback(True)


def plans_of(read: Callable[[], Any]) -> list[list[dict[str, Any]]]:
    """The nodes of the plan of each statement that a read runs."""
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        read()
    plans = []
    with connection.cursor() as cursor:
        for sql, params in asked:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", params)
            (document,) = cursor.fetchone()
            plan = (orjson.loads(document) if isinstance(document, str) else document)[0]["Plan"]
            plans.append(list(nodes_of(plan)))
    return plans


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes_of(inner)


def indexes(plans: list[list[dict[str, Any]]]) -> set[str]:
    return {node["Index Name"] for nodes in plans for node in nodes if "Index Name" in node}


def read_through(plans: list[list[dict[str, Any]]]) -> set[str]:
    """The tables that are read from end to end."""
    return {node["Relation Name"] for nodes in plans for node in nodes if node["Node Type"] == "Seq Scan"}


# Which may serve a view. Of one's own chats, those of the last day are found by whichever index leaves fewer. Where
# two are put together, the open ones may be had from the index by status: which is dearer depends on how full its pages
# are. No index is read for more than the open chats and those of a day.
SERVED = {
    # Few are open, so they may be found by their status, too.
    View.OPEN: {"chats_chat_queued", "chats_chat_inbox", "chats_chat_aside", "chats_chat_by_status"},
    View.UNANSWERED: {"chats_chat_queued", "chats_chat_inbox", "chats_chat_left", "chats_chat_by_status"},
    View.MINE: {
        "chats_chat_queued",
        "chats_chat_inbox",
        "chats_chat_closed",
        "chats_chat_agent_id_f84a0d03",
        "chats_chat_by_status",
        "chats_chat_aside",
    },
    View.DEPARTMENT: {
        "chats_chat_queued",
        "chats_chat_inbox",
        "chats_chat_aside",
        "chats_chat_department_id_846b7ac5",
        "chats_chat_by_status",
    },
    View.QUEUE: {"chats_chat_queued", "chats_chat_inbox", "chats_chat_left", "chats_chat_by_status"},
    View.DUE: {"chats_chat_pkey", "chats_chat_queued", "chats_chat_inbox", "chats_chat_left", "chats_chat_by_status"},
    View.SNOOZED: {"chats_chat_aside"},
    View.CLOSED: {"chats_chat_closed"},
    View.SPAM: {"chats_chat_by_status"},
}


@pytest.mark.parametrize("is_next", [False, True], ids=["first", "next"])
@pytest.mark.parametrize("view", View)
def test_a_view_is_read_by_its_index(busy: Agent, view: View, is_next: bool) -> None:
    who = {"widget_id": busy.widget_id, "agent_id": busy.pk, "view": view}
    cursor = inbox_page(**who, limit=10).next_cursor if is_next else None
    assert cursor or not is_next
    plans = plans_of(lambda: inbox_page(**who, limit=100, cursor=cursor))
    # The contacts and last messages of all that is open may be dearer one by one, in tables as small as these.
    assert "chats_chat" not in read_through(plans)
    used = {name for name in indexes(plans) if name.startswith("chats_chat")}
    assert used
    assert used <= SERVED[view]
    for nodes in plans:
        for node in nodes:
            if view is not View.SPAM and node.get("Index Name") == "chats_chat_by_status":
                assert node["Plan Rows"] <= CHATS / 50
            if node["Node Type"] in ("Sort", "Incremental Sort"):
                assert view not in (View.CLOSED, View.SPAM)
                assert node["Plans"][0]["Plan Rows"] <= CHATS / 50


def test_rows_and_cards_are_looked_up(busy: Agent) -> None:
    ids = [row["id"] for row in inbox_page(widget_id=busy.widget_id, agent_id=busy.pk).data[:20]]
    few = plans_of(lambda: (inbox_rows(busy.widget_id, ids[:2]), contact_panels(busy.widget_id, ids[:2])))
    plans = plans_of(lambda: (inbox_rows(busy.widget_id, ids), contact_panels(busy.widget_id, ids)))
    assert len(plans) == len(few) <= 26, "as many statements, however many chats"
    assert read_through(plans).isdisjoint({"chats_chat", "chats_contact", "chats_message"})
