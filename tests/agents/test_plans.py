"""How PostgreSQL reads event logs: by the index of each, never through a whole log or table."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.agents.models import Agent
from tests.client import ApiClient
from tests.factories import AgentFactory

AGENTS, LINES = 150, 150


@pytest.fixture
def long_logs(alice: Agent) -> None:
    """Alice's log among those of others: each has lines of all types, in turn."""
    agents = [alice, *AgentFactory.create_batch(AGENTS - 1, widget=alice.widget)]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO agents_agentevent (widget_id, agent_id, type_code) "
            "SELECT %s, agent_id, 1 + n %% 13 FROM generate_series(1, %s) n, unnest(%s::bigint[]) agent_id",
            [alice.widget_id, LINES, [agent.pk for agent in agents]],
        )
        cursor.execute("ANALYZE agents_agentevent")


def indexes(plan: dict[str, Any]) -> set[str]:
    """The indexes that a plan names; a scan of a whole table as its name."""
    found = {plan["Index Name"]} if "Index Name" in plan else set()
    if plan["Node Type"] == "Seq Scan":
        found.add(plan["Relation Name"])
    return found.union(*(indexes(part) for part in plan.get("Plans", [])))


@pytest.mark.usefixtures("long_logs")
@pytest.mark.parametrize(("query", "index"), [({}, "agents_event_list"), ({"type": "suspended"}, "agents_event_type")])
def test_a_page_of_a_log_is_read_by_an_index(api: ApiClient, alice: Agent, query: dict[str, str], index: str) -> None:
    api.get("/agents")
    query = {**query, "limit": "5"}
    first = api.get(f"/agents/{alice.pk}/events", query=query).json()
    for more in ({}, {"cursor": first["next_cursor"]}):
        with CaptureQueriesContext(connection) as captured:
            assert api.get(f"/agents/{alice.pk}/events", query={**query, **more}).status_code == 200
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {captured[0]['sql']}")
            explained = cursor.fetchone()[0]
        (plan,) = json.loads(explained) if isinstance(explained, str) else explained
        assert indexes(plan["Plan"]) == {index}
