"""GET /api/v1/agents/{id}/events: what an operator did, and what was done to them."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.agents import rules
from apps.agents.models import Agent, AgentEvent
from apps.chats import actions
from apps.chats.models import Chat
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.agents import AgentEventFactory

NOON = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def log(api: ApiClient, agent: Agent, **query: Any) -> list[dict[str, Any]]:
    answer = api.get(f"/agents/{agent.pk}/events", query=query)
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


def types(api: ApiClient, agent: Agent, **query: Any) -> list[str]:
    return [line["type"] for line in log(api, agent, **query)]


def test_a_line_shows_these_members_and_no_other(api: ApiClient, alice: Agent) -> None:
    line = AgentEventFactory.create(agent=alice, type_code=5, details={"chat_id": 7}, created_at=NOON)
    assert api.get(f"/agents/{alice.pk}/events").json() == {
        "data": [
            {
                "id": line.pk,
                "type": "chat_accepted",
                "type_code": 5,
                "message": "Принят чат №7",
                "created_at": "2026-11-21T09:00:00Z",
            }
        ],
        "next_cursor": None,
    }


def test_a_code_without_a_slug_arrives_as_unknown(api: ApiClient, alice: Agent) -> None:
    AgentEventFactory.create(agent=alice, type_code=99)
    (line,) = log(api, alice)
    assert (line["type"], line["type_code"], line["message"]) == ("unknown", 99, "Действие с кодом 99")
    AgentEventFactory.create(agent=alice, type_code=5)
    assert log(api, alice, type="unknown") == [line]


def test_every_type_has_a_text_in_russian() -> None:
    texts = {rules.event_message(code, {}) for code in rules.EVENT_CODES.values()}
    assert len(texts) == len(rules.EVENT_CODES)
    assert all("а" <= text[1] <= "я" for text in texts)
    assert rules.event_message(8, {"status": "relaxation"}) == "Изменён статус: перерыв"
    assert rules.event_message(8, {"status": "no such"}) == "Изменён статус"


def test_the_filter_takes_slugs_alone(api: ApiClient, alice: Agent) -> None:
    for code in (5, 9, 10, 5):
        AgentEventFactory.create(agent=alice, type_code=code)
    assert types(api, alice) == ["chat_accepted", "restored", "suspended", "chat_accepted"]
    assert types(api, alice, type="chat_accepted") == ["chat_accepted", "chat_accepted"]
    assert types(api, alice, type="removed") == []
    for refused in ("no_such_type", "5", "CHAT_ACCEPTED"):
        answer = api.get(f"/agents/{alice.pk}/events", query={"type": refused})
        assert_problem(answer, 422, "invalid_input", errors=["type"])


def test_pages_go_on_where_the_one_before_ended(api: ApiClient, alice: Agent) -> None:
    lines = [AgentEventFactory.create(agent=alice, created_at=NOON).pk for _ in range(5)]
    found, query = [], {"limit": 2}
    while True:
        answer = api.get(f"/agents/{alice.pk}/events", query=query).json()
        found += [line["id"] for line in answer["data"]]
        if answer["next_cursor"] is None:
            break
        query = {"limit": 2, "cursor": answer["next_cursor"]}
    assert found == lines[::-1]


def test_a_log_is_of_one_agent_of_the_widget(api: ApiClient, alice: Agent, boris: Agent, rival: Rival) -> None:
    AgentEventFactory.create(agent=alice)
    AgentEventFactory.create(agent=rival.agent)
    assert log(api, boris) == []
    assert_problem(api.get(f"/agents/{rival.agent.pk}/events"), 404, "not_found")


def test_a_page_is_one_statement(api: ApiClient, alice: Agent) -> None:
    AgentEventFactory.create_batch(50, agent=alice)
    api.get(f"/agents/{alice.pk}/events")
    with CaptureQueriesContext(connection) as captured:
        assert len(log(api, alice, limit=100)) == 50
    assert len(captured) == 1


def test_what_is_done_to_an_agent_is_in_their_log_even_when_banned(api: ApiClient, alice: Agent) -> None:
    api.patch(f"/agents/{alice.pk}", json={"show_in_header": False})
    api.post(f"/agents/{alice.pk}/suspend")
    api.post(f"/agents/{alice.pk}/restore")
    api.delete(f"/agents/{alice.pk}")
    assert types(api, alice) == ["removed", "restored", "suspended", "profile_updated"]


class TestChats:
    def answer(self, api: ApiClient, chat: Chat, agent: Agent) -> None:
        body = {"type": "text", "body": "Здравствуйте", "agent_id": agent.pk}
        assert api.post(f"/chats/{chat.pk}/messages", json=body).status_code == 202

    def test_the_first_answer_is_an_acceptance_and_no_later_one_is(
        self, api: ApiClient, chat: Chat, alice: Agent
    ) -> None:
        for _ in range(2):
            self.answer(api, chat, alice)
        (line,) = log(api, alice)
        assert (line["type"], line["message"]) == ("chat_accepted", f"Принят чат №{chat.pk}")

    def test_so_is_an_explicit_one(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        actions.accept_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        assert types(api, alice) == ["chat_accepted"]

    def test_a_transfer_is_in_both_logs(self, api: ApiClient, chat: Chat, alice: Agent, boris: Agent) -> None:
        self.answer(api, chat, alice)
        assert api.post(f"/chats/{chat.pk}/transfer", json={"agent_id": boris.pk}).status_code == 202
        assert types(api, alice) == ["chat_transferred", "chat_accepted"]
        assert types(api, boris) == ["chat_assigned"]
        parties = {"chat_id": chat.pk, "from_agent_id": alice.pk, "to_agent_id": boris.pk}
        told = (
            AgentEvent.objects.for_widget(chat.widget_id).filter(type_code__in=(6, 7)).values_list("details", flat=True)
        )
        assert list(told) == [parties, parties]

    def test_what_nobody_owned_is_given_by_nobody(self, api: ApiClient, chat: Chat, boris: Agent) -> None:
        api.post(f"/chats/{chat.pk}/transfer", json={"agent_id": boris.pk})
        assert types(api, boris) == ["chat_assigned"]
        assert AgentEvent.objects.for_widget(chat.widget_id).count() == 1

    def test_a_transfer_to_whose_it_is_already_is_none(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        self.answer(api, chat, alice)
        api.post(f"/chats/{chat.pk}/transfer", json={"agent_id": alice.pk})
        assert types(api, alice) == ["chat_accepted"]

    def test_a_refused_message_logs_nothing(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        Chat.objects.for_widget(chat.widget_id).update(status="spam")
        body = {"type": "text", "body": "Здравствуйте", "agent_id": alice.pk}
        assert_problem(api.post(f"/chats/{chat.pk}/messages", json=body), 409, "chat_is_spam")
        assert log(api, alice) == []


@pytest.mark.parametrize("type_", ["no_such_type", "unknown"])
def test_only_known_types_are_logged(alice: Agent, type_: str) -> None:
    from apps.agents.actions import LoggedEvent, events_cte, record_event

    with pytest.raises(KeyError):
        record_event(alice, type_)
    with pytest.raises(KeyError):
        events_cte([LoggedEvent(alice.widget_id, alice.pk, type_, {})])
    assert not AgentEvent.objects.for_widget(alice.widget_id).exists()
