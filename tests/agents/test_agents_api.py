"""GET /api/v1/agents, GET, PATCH and DELETE /api/v1/agents/{id}, suspend and restore."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents import presence
from apps.agents.events import AgentChanged
from apps.agents.models import Agent, AgentEvent, Department
from apps.core.redis import connection as redis_connection
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, AiAgentFactory, DepartmentFactory
from tests.handlers import also
from tests.rows import snapshot

NOON = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
CLOSED_PORT = "redis://127.0.0.1:1/0"


@pytest.fixture
def webhook(shop: Widget) -> Agent:
    """An external operator."""
    return AgentFactory.create(widget=shop, name="Hook", type="webhook", user=None, email="")


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was published of operators."""
    recorded: list[Any] = []
    also(monkeypatch, recorded.append, AgentChanged)
    return recorded


@pytest.fixture
def no_redis(settings: Settings) -> Iterator[None]:
    """A Redis that nobody answers for."""
    settings.REDIS_URL = CLOSED_PORT
    redis_connection.forget_clients()
    yield
    redis_connection.forget_clients()
    redis_connection._away_until = 0.0


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [agent["name"] for agent in answer.json()["data"]]


def seats(widget: Widget, number: int) -> None:
    Widget.objects.filter(pk=widget.pk).update(seats=number)


def log(agent: Agent) -> list[int]:
    return list(AgentEvent.objects.for_widget(agent.widget_id).filter(agent=agent).values_list("type_code", flat=True))


class TestReading:
    def test_an_agent_shows_these_members_and_no_other(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        Agent.objects.for_widget(shop.pk).filter(pk=alice.pk).update(created_at=NOON)
        sales = DepartmentFactory.create(widget=shop, name="Sales", agents=[alice])
        help_desk = DepartmentFactory.create(widget=shop, name="Поддержка", agents=[alice])
        shown = {
            "id": alice.pk,
            "user_id": alice.user_id,
            "name": "Alice Weber",
            "surname": "Weber",
            "email": "alice@shop.test",
            "avatar_url": None,
            "role": "operator",
            "type": "human",
            "status": "active",
            "online": False,
            "show_in_header": True,
            "ai_assistant_id": None,
            "departments": [{"id": sales.pk, "name": "Sales"}, {"id": help_desk.pk, "name": "Поддержка"}],
            "created_at": "2026-11-21T09:00:00Z",
        }
        assert api.get(f"/agents/{alice.pk}").json() == {"data": shown}
        assert api.get("/agents").json() == {"data": [shown], "next_cursor": None}

    def test_an_ai_operator_has_no_person_behind_it(self, api: ApiClient, ada: Agent) -> None:
        presence.mark_online(widget_id=ada.widget_id, agent_id=ada.pk)
        shown = api.get(f"/agents/{ada.pk}").json()["data"]
        assert (shown["type"], shown["name"], shown["surname"], shown["email"]) == ("ai", "Ada", None, None)
        assert (shown["user_id"], shown["online"], shown["departments"]) == (None, False, [])

    def test_a_banned_agent_is_read_but_not_listed_by_default(self, api: ApiClient, alice: Agent, boris: Agent) -> None:
        Agent.objects.for_widget(boris.widget_id).filter(pk=boris.pk).update(status="banned")
        assert names(api.get("/agents")) == ["Alice Weber"]
        assert names(api.get("/agents", query={"status": "banned"})) == ["Борис Кузнецов"]
        assert api.get(f"/agents/{boris.pk}").json()["data"]["status"] == "banned"

    def test_the_list_is_newest_first_page_by_page(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        for number in range(5):
            AgentFactory.create(widget=shop, name=str(number))
        found, query = [], {"limit": 2}
        while True:
            answer = api.get("/agents", query=query)
            found += names(answer)
            if (cursor := answer.json()["next_cursor"]) is None:
                break
            query = {"limit": 2, "cursor": cursor}
        assert found == ["4", "3", "2", "1", "0"]

    def test_filters_narrow_the_list_of_operators(
        self, api: ApiClient, olga: Agent, sales: Department, ada: Agent, webhook: Agent
    ) -> None:
        Agent.objects.for_widget(olga.widget_id).filter(name="Alice").update(status="relaxation")
        everybody = ["Hook", "Ada", "Борис Кузнецов", "Alice Weber", "Olga Romanova"]
        assert names(api.get("/agents")) == everybody
        assert names(api.get("/agents", query={"type": "ai"})) == ["Ada"]
        assert names(api.get("/agents", query={"type": "webhook"})) == ["Hook"]
        assert names(api.get("/agents", query={"status": "relaxation"})) == ["Alice Weber"]
        assert names(api.get("/agents", query={"department_id": sales.pk})) == ["Борис Кузнецов", "Alice Weber"]
        both = {"department_id": sales.pk, "status": "active", "type": "human"}
        assert names(api.get("/agents", query=both)) == ["Борис Кузнецов"]
        assert names(api.get("/agents", query={"type": "ai", "status": "banned"})) == []

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ({"online": "true"}, "online"),
            ({"online": "2"}, "online"),
            ({"type": "robot"}, "type"),
            ({"status": "fired"}, "status"),
            ({"department_id": "sales"}, "department_id"),
            ({"department_id": "-1"}, "department_id"),
            ({"role": "owner"}, "role"),
        ],
    )
    def test_a_bad_filter_is_422(self, api: ApiClient, alice: Agent, query: dict[str, str], field: str) -> None:
        assert_problem(api.get("/agents", query=query), 422, "invalid_input", errors=[field])

    def test_a_department_that_is_not_there_or_foreign_is_404(self, api: ApiClient, rival: Rival) -> None:
        """Never an empty list (specification, "Errors" 3)."""
        for department_id in (0, 999_999_999, 2**63, 10**40, rival.department.pk):
            answer = api.get("/agents", query={"department_id": department_id})
            assert_problem(answer, 404, "not_found")

    def test_a_department_without_agents_is_an_empty_list(self, api: ApiClient, shop: Widget) -> None:
        empty = DepartmentFactory.create(widget=shop)
        assert names(api.get("/agents", query={"department_id": empty.pk})) == []

    @pytest.mark.parametrize("size", [1, 20, 100])
    def test_a_page_costs_the_same_whatever_its_size(self, api: ApiClient, shop: Widget, size: int) -> None:
        agents = AgentFactory.create_batch(size, widget=shop)
        department = DepartmentFactory.create(widget=shop, agents=agents)
        DepartmentFactory.create(widget=shop, agents=agents)
        api.get("/agents")
        with CaptureQueriesContext(connection) as captured:
            assert len(names(api.get("/agents", query={"limit": 100}))) == size
        assert len(captured) == 1
        with CaptureQueriesContext(connection) as captured:
            api.get("/agents", query={"limit": 100, "department_id": department.pk, "online": "0"})
        assert len(captured) == 2


class TestPresence:
    def test_online_is_live_presence_and_not_the_status(self, api: ApiClient, alice: Agent, boris: Agent) -> None:
        presence.mark_online(widget_id=alice.widget_id, agent_id=alice.pk)
        assert api.get(f"/agents/{alice.pk}").json()["data"]["online"] is True
        assert api.get(f"/agents/{boris.pk}").json()["data"]["online"] is False
        assert names(api.get("/agents", query={"online": "1"})) == ["Alice Weber"]
        assert names(api.get("/agents", query={"online": "0"})) == ["Борис Кузнецов"]
        presence.mark_offline(widget_id=alice.widget_id, agent_id=alice.pk)
        assert names(api.get("/agents", query={"online": "1"})) == []
        assert names(api.get("/agents", query={"online": "0"})) == ["Борис Кузнецов", "Alice Weber"]

    def test_presence_of_many_is_asked_at_once(self, alice: Agent, boris: Agent) -> None:
        presence.mark_online(widget_id=alice.widget_id, agent_id=alice.pk)
        known = presence.presence_of(alice.widget_id, [boris.pk, alice.pk, 999_999_999])
        assert known == {boris.pk: "offline", alice.pk: "online", 999_999_999: "offline"}
        assert presence.presence_of(alice.widget_id, []) == {}

    def test_presence_that_has_lapsed_is_offline(self, alice: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(presence, "PRESENCE_LASTS_S", -1.0)
        presence.mark_online(widget_id=alice.widget_id, agent_id=alice.pk)
        assert presence.presence_of(alice.widget_id, [alice.pk]) == {alice.pk: presence.Presence.OFFLINE}
        assert presence.online_agents(alice.widget_id) == frozenset()

    @pytest.mark.usefixtures("no_redis")
    def test_without_redis_presence_is_unknown_and_nobody_counts_as_online(self, api: ApiClient, alice: Agent) -> None:
        assert presence.presence_of(alice.widget_id, [alice.pk]) == {alice.pk: presence.Presence.UNKNOWN}
        assert api.get(f"/agents/{alice.pk}").json()["data"]["online"] is False
        assert names(api.get("/agents", query={"online": "1"})) == []
        assert names(api.get("/agents", query={"online": "0"})) == ["Alice Weber"]


class TestUpdating:
    def test_it_is_shown_in_the_header_or_not(self, api: ApiClient, alice: Agent, changed: list[Any]) -> None:
        answer = api.patch(f"/agents/{alice.pk}", json={"show_in_header": False})
        assert (answer.status_code, answer.json()["data"]["show_in_header"]) == (200, False)
        assert Agent.objects.for_widget(alice.widget_id).get(pk=alice.pk).show_in_header is False
        (event,) = changed
        assert (event.agent_id, event.widget_guid, event.is_banned) == (alice.pk, alice.widget.guid, False)
        assert log(alice) == [13]

    def test_what_changes_nothing_is_neither_logged_nor_told(
        self, api: ApiClient, alice: Agent, changed: list[Any]
    ) -> None:
        assert api.patch(f"/agents/{alice.pk}", json={"show_in_header": True}).status_code == 200
        assert (changed, log(alice)) == ([], [])

    @pytest.mark.parametrize(
        ("body", "errors"),
        [
            ({}, {"show_in_header": "This field is required."}),
            ({"show_in_header": 1}, {"show_in_header": "Must be a valid boolean."}),
            ({"show_in_header": "true"}, {"show_in_header": "Must be a valid boolean."}),
            ({"show_in_header": None}, {"show_in_header": "This field may not be null."}),
            ({"show_in_header": False, "role": "owner"}, {"role": "This member is read-only."}),
            ({"show_in_header": False, "ai_assistant_id": 1}, {"ai_assistant_id": "This member is read-only."}),
            ({"show_in_header": False, "status": "active"}, {"status": "This member is read-only."}),
            (
                {"show_in_header": False, "operators_display_mode": 1},
                {"operators_display_mode": "There is no such member."},
            ),
        ],
    )
    def test_anything_else_is_422_by_name(
        self, api: ApiClient, alice: Agent, body: dict[str, Any], errors: dict[str, str]
    ) -> None:
        before = snapshot()
        assert_problem(api.patch(f"/agents/{alice.pk}", json=body), 422, "invalid_input", errors=errors)
        assert snapshot() == before

    def test_an_agent_as_it_is_read_cannot_be_sent_back(self, api: ApiClient, alice: Agent) -> None:
        shown = api.get(f"/agents/{alice.pk}").json()["data"]
        refused = sorted(shown.keys() - {"show_in_header"})
        assert_problem(api.patch(f"/agents/{alice.pk}", json=shown), 422, "invalid_input", errors=refused)


class TestRemoving:
    def test_a_removed_agent_is_banned_and_stays_readable(
        self, api: ApiClient, alice: Agent, changed: list[Any]
    ) -> None:
        answer = api.delete(f"/agents/{alice.pk}", idempotency_key=None)
        assert (answer.status_code, answer.content) == (204, b"")
        assert api.get(f"/agents/{alice.pk}").json()["data"]["status"] == "banned"
        assert names(api.get("/agents")) == []
        assert [(event.agent_id, event.is_banned) for event in changed] == [(alice.pk, True)]
        assert log(alice) == [11]

    def test_a_second_removal_has_no_effect(self, api: ApiClient, alice: Agent) -> None:
        for _ in range(2):
            assert api.delete(f"/agents/{alice.pk}", idempotency_key=None).status_code == 204
        assert log(alice) == [11]

    def test_an_owner_can_be_neither_removed_nor_suspended(
        self, api: ApiClient, olga: Agent, changed: list[Any]
    ) -> None:
        before = snapshot()
        assert_problem(api.delete(f"/agents/{olga.pk}"), 409, "owner_protected")
        assert_problem(api.post(f"/agents/{olga.pk}/suspend"), 409, "owner_protected")
        assert (snapshot(), changed) == (before, [])

    def test_an_ai_operator_is_not_removed_here(self, api: ApiClient, ada: Agent) -> None:
        before = snapshot()
        assert_problem(api.delete(f"/agents/{ada.pk}"), 409, "ai_operator_protected")
        assert snapshot() == before

    def test_an_external_operator_is(self, api: ApiClient, webhook: Agent) -> None:
        assert api.delete(f"/agents/{webhook.pk}").status_code == 204
        assert names(api.get("/agents", query={"status": "banned"})) == ["Hook"]

    def test_it_leaves_its_departments_as_they_are(self, api: ApiClient, sales: Department, alice: Agent) -> None:
        api.delete(f"/agents/{alice.pk}")
        assert set(sales.agents.values_list("name", flat=True)) == {"Alice", "Борис"}


class TestSuspending:
    @pytest.mark.parametrize("status", ["active", "relaxation"])
    def test_a_suspended_agent_is_banned(self, api: ApiClient, alice: Agent, changed: list[Any], status: str) -> None:
        Agent.objects.for_widget(alice.widget_id).filter(pk=alice.pk).update(status=status)
        answer = api.post(f"/agents/{alice.pk}/suspend")
        assert (answer.status_code, answer.json()["data"]["status"]) == (200, "banned")
        assert [(event.agent_id, event.is_banned) for event in changed] == [(alice.pk, True)]
        assert log(alice) == [9]

    def test_suspending_a_banned_agent_has_no_effect(self, api: ApiClient, alice: Agent, changed: list[Any]) -> None:
        for _ in range(2):
            answer = api.post(f"/agents/{alice.pk}/suspend")
            assert (answer.status_code, answer.json()["data"]["status"]) == (200, "banned")
        assert (len(changed), log(alice)) == (1, [9])

    def test_suspending_an_ai_operator_retires_it(self, api: ApiClient, ada: Agent) -> None:
        assert api.post(f"/agents/{ada.pk}/suspend").json()["data"]["status"] == "banned"
        assert names(api.get("/agents")) == []


class TestRestoring:
    def test_a_restored_agent_is_active(self, api: ApiClient, shop: Widget, changed: list[Any]) -> None:
        seats(shop, 1)
        agent = AgentFactory.create(widget=shop, status="banned")
        answer = api.post(f"/agents/{agent.pk}/restore")
        assert (answer.status_code, answer.json()["data"]["status"]) == (200, "active")
        assert [(event.agent_id, event.is_banned) for event in changed] == [(agent.pk, False)]
        assert log(agent) == [10]

    def test_without_a_free_seat_it_is_409(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        seats(shop, 1)
        agent = AgentFactory.create(widget=shop, status="banned")
        before = snapshot()
        assert_problem(api.post(f"/agents/{agent.pk}/restore"), 409, "seat_limit_reached")
        assert snapshot() == before

    def test_who_is_removed_or_suspended_leaves_a_free_seat(
        self, api: ApiClient, shop: Widget, alice: Agent, boris: Agent
    ) -> None:
        seats(shop, 1)
        api.delete(f"/agents/{alice.pk}")
        api.post(f"/agents/{boris.pk}/suspend")
        assert api.post(f"/agents/{alice.pk}/restore").status_code == 200
        assert_problem(api.post(f"/agents/{boris.pk}/restore"), 409, "seat_limit_reached")

    @pytest.mark.parametrize("status", ["active", "relaxation"])
    def test_restoring_who_is_not_banned_has_no_effect_even_without_a_seat(
        self, api: ApiClient, shop: Widget, alice: Agent, changed: list[Any], status: str
    ) -> None:
        seats(shop, 0)
        Agent.objects.for_widget(shop.pk).filter(pk=alice.pk).update(status=status)
        answer = api.post(f"/agents/{alice.pk}/restore")
        assert (answer.status_code, answer.json()["data"]["status"]) == (200, status)
        assert (changed, log(alice)) == ([], [])

    def test_ai_and_webhook_operators_take_no_seat(
        self, api: ApiClient, shop: Widget, alice: Agent, webhook: Agent
    ) -> None:
        seats(shop, 1)
        ada = AiAgentFactory.create(widget=shop)
        for agent in (ada, webhook):
            api.post(f"/agents/{agent.pk}/suspend")
            assert api.post(f"/agents/{agent.pk}/restore").json()["data"]["status"] == "active"
