"""Statistics of operators (specification, "Agent", the agent stats row; Endpoints, "Agents")."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Rating, Transfer
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, ChatFactory, ContactFactory
from tests.factories.chats import MessageFactory

PATH = "/agents/stats"
NOTHING: dict[str, Any] = {
    "chats_total": 0,
    "avg_response_time_seconds": None,
    "messages_total": 0,
    "rating_average": None,
    "rating_distribution": {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0},
    "chats_accepted": 0,
    "chats_handled": 0,
    "chats_transferred_out": 0,
    "chats_transferred_in": 0,
    "chats_missed": 0,
}


@pytest.fixture
def opened(shop: Widget) -> Any:
    """Makes a chat of the shop: of whom, and how long it waited for its first answer."""

    def make(*, waited: float | None = None, days_ago: float = 1, **fields: Any) -> Chat:
        chat = ChatFactory.create(contact=ContactFactory.create(widget=shop))
        created_at = timezone.now() - timedelta(days=days_ago)
        if waited is not None:
            fields["accepted_at"] = created_at + timedelta(seconds=waited)
        Chat.objects.filter(pk=chat.pk).update(created_at=created_at, **fields)
        chat.refresh_from_db()
        return chat

    return make


def rate(chat: Chat, agent: Agent, value: int) -> None:
    Rating.objects.create(widget_id=chat.widget_id, chat=chat, value=value, agent=agent)


def stats_of(api: ApiClient, agent: Agent, **query: str) -> dict[str, Any]:
    data: dict[str, Any] = api.get(f"/agents/{agent.pk}/stats", query=query).json()["data"]
    return data


def test_every_operator_is_there_newest_first_with_zeros(
    api: ApiClient, olga: Agent, alice: Agent, ada: Agent, rival: Rival
) -> None:
    Agent.objects.filter(pk=alice.pk).update(status="banned")
    rows = api.get(PATH).json()["data"]
    assert rows == [
        {"agent_id": ada.pk, "name": "Ada", "type": "ai", **NOTHING},
        {"agent_id": alice.pk, "name": "Alice Weber", "type": "human", **NOTHING},
        {"agent_id": olga.pk, "name": "Olga Romanova", "type": "human", **NOTHING},
    ]


def test_chats_of_an_operator_are_those_assigned_to_them(
    api: ApiClient, opened: Any, alice: Agent, boris: Agent
) -> None:
    for waited in (10, 20):
        opened(agent=alice, handling="human", accepted_agent=alice, accepted_type="human", waited=waited)
    opened(agent=alice, handling="human", accepted_agent=boris, accepted_type="human", handled_agent=alice)
    opened(agent=alice)  # nobody answered it
    data = stats_of(api, alice)
    assert {name: data[name] for name in data if data[name] != NOTHING.get(name)} == {
        "agent_id": alice.pk,
        "name": "Alice Weber",
        "type": "human",
        "chats_total": 4,
        "avg_response_time_seconds": 15.0,
        "chats_accepted": 2,
        "chats_handled": 1,
        "chats_missed": 1,
    }
    assert (stats_of(api, boris)["chats_total"], stats_of(api, boris)["chats_accepted"]) == (0, 1)


def test_a_wait_of_nothing_at_all_is_zero_and_not_none(api: ApiClient, opened: Any, alice: Agent) -> None:
    opened(agent=alice, handling="human", accepted_agent=alice, accepted_type="human", waited=0)
    assert stats_of(api, alice)["avg_response_time_seconds"] == 0.0


def test_messages_are_those_that_the_operator_wrote(api: ApiClient, chat: Chat, alice: Agent, boris: Agent) -> None:
    for agent in (alice, alice, boris):
        MessageFactory.create(chat=chat, sender_kind="agent", agent=agent)
    MessageFactory.create(chat=chat, sender_kind="agent", agent=alice, is_internal=True)
    MessageFactory.create(chat=chat)
    assert [stats_of(api, agent)["messages_total"] for agent in (alice, boris)] == [2, 1]


def test_an_ai_operator_owns_and_misses_nothing(api: ApiClient, opened: Any, ada: Agent) -> None:
    chat = opened(handling="ai", accepted_agent=ada, accepted_type="ai", handled_agent=ada, handled_type="ai", waited=3)
    MessageFactory.create(chat=chat, sender_kind="ai", agent=ada)
    data = stats_of(api, ada)
    assert data == {
        "agent_id": ada.pk,
        "name": "Ada",
        "type": "ai",
        **NOTHING,
        "messages_total": 1,
        "chats_accepted": 1,
        "chats_handled": 1,
    }


def test_ratings_are_of_who_handled_the_chat_then(api: ApiClient, opened: Any, alice: Agent, boris: Agent) -> None:
    for value in (5, 5, 2):
        rate(opened(agent=boris), alice, value)
    data = stats_of(api, alice)
    assert (data["rating_average"], data["rating_distribution"]) == (4.0, {"1": 0, "2": 1, "3": 0, "4": 0, "5": 2})
    assert stats_of(api, boris)["rating_average"] is None


def test_transfers_are_counted_for_both_sides(
    api: ApiClient, shop: Widget, chat: Chat, alice: Agent, boris: Agent
) -> None:
    for from_agent, to_agent in ((alice, boris), (boris, alice), (None, boris)):
        Transfer.objects.create(widget=shop, chat=chat, from_agent=from_agent, to_agent=to_agent)
    counts = [
        (data["chats_transferred_out"], data["chats_transferred_in"])
        for data in (stats_of(api, alice), stats_of(api, boris))
    ]
    assert counts == [(1, 1), (1, 2)]


def test_the_window_bounds_what_is_counted(api: ApiClient, opened: Any, alice: Agent) -> None:
    now = datetime.now(UTC)
    for days_ago in (1, 40):
        opened(agent=alice, days_ago=days_ago)
    assert stats_of(api, alice)["chats_total"] == 1, "the trailing 30 days"
    assert stats_of(api, alice, **{"from": (now - timedelta(days=50)).isoformat()})["chats_total"] == 2
    assert stats_of(api, alice, to=(now - timedelta(days=2)).isoformat())["chats_total"] == 0, "30 days before `to`"


def test_only_the_figures_that_are_asked_for_are_shown(api: ApiClient, alice: Agent) -> None:
    data = stats_of(api, alice, metric="chats_missed,rating_distribution")
    assert data == {
        "agent_id": alice.pk,
        "name": "Alice Weber",
        "type": "human",
        "rating_distribution": NOTHING["rating_distribution"],
        "chats_missed": 0,
    }
    (row,) = api.get(PATH, query={"metric": "chats_total"}).json()["data"]
    assert set(row) == {"agent_id", "name", "type", "chats_total"}


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ({"metric": "chats_accepted_ai"}, "metric"),
        ({"metric": ""}, "metric"),
        ({"period": "year"}, "period"),
        ({"period": "week", "from": "2026-11-01"}, "period"),
        ({"from": "2026-11-02", "to": "2026-11-01"}, "to"),
        ({"from": "yesterday"}, "from"),
        ({"online": "1"}, "online"),
    ],
)
def test_what_is_asked_wrongly_is_refused(api: ApiClient, alice: Agent, query: dict[str, str], name: str) -> None:
    for path in (PATH, f"/agents/{alice.pk}/stats"):
        assert_problem(api.get(path, query=query), 422, "invalid_input", errors=[name])


def test_pages_and_their_cost(api: ApiClient, shop: Widget, alice: Agent) -> None:
    api.get(PATH)
    with CaptureQueriesContext(connection) as few:
        api.get(PATH)
    others = AgentFactory.create_batch(5, widget=shop)
    with CaptureQueriesContext(connection) as many:
        ids = [row["agent_id"] for row in api.get(PATH).json()["data"]]
    assert ids == [agent.pk for agent in reversed([alice, *others])]
    assert len(many) == len(few) == 8
    first = api.get(PATH, query={"limit": 4, "period": "week"}).json()
    second = api.get(PATH, query={"limit": 4, "period": "week", "cursor": first["next_cursor"]}).json()
    assert [row["agent_id"] for row in first["data"] + second["data"]] == ids
    assert second["next_cursor"] is None
