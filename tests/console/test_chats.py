"""What operators do with a chat over HTTP: the actions are the API's, and so are their refusals."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import AuditEntry
from apps.agents.models import Agent, Department
from apps.chats.events import (
    ChatAccepted,
    ChatClosed,
    ChatSentToDepartment,
    ChatTaken,
    ChatTransferred,
    ChatUpdated,
)
from apps.chats.models import Block, Chat, RatingRequest, Transfer
from apps.console.querysets import contact_panels, inbox_rows
from apps.core.bus import DomainEvent
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories import AgentFactory, AiAgentFactory
from tests.factories.chats import MessageFactory
from tests.factories.widget import VisitorSessionFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def kinds(happened: list[DomainEvent]) -> list[type[DomainEvent]]:
    return [type(event) for event in happened]


@pytest.fixture
def asked(chat: Chat) -> Chat:
    """Ivan's chat, in which he asked something."""
    MessageFactory.create(chat=chat)
    return chat


class TestReading:
    def test_a_chat_comes_with_its_card(self, alices_console: Console, asked: Chat) -> None:
        data = alices_console.data("GET", f"/chats/{asked.pk}")
        assert set(data) == {"chat", "card"}
        assert data["chat"]["id"] == asked.pk
        assert data["card"]["contact"]["name"] == "Иван Петров"
        assert (data["card"]["visitor"], data["card"]["seen_by_visitor"]) == (None, 0)
        assert data["chat"].keys() == inbox_rows(asked.widget_id, [asked.pk])[0].keys()
        assert data["card"].keys() == contact_panels(asked.widget_id, [asked.pk])[asked.pk].keys()

    def test_messages_are_newest_first_notes_among_them(
        self, alices_console: Console, asked: Chat, alice: Agent
    ) -> None:
        question_id = asked.last_message_id
        note = MessageFactory.create(chat=asked, agent=alice, is_internal=True)
        reply = MessageFactory.create(chat=asked, agent=alice)
        first = alices_console.get(f"/chats/{asked.pk}/messages?limit=2").json()
        assert [(row["id"], row["is_note"]) for row in first["data"]] == [(reply.pk, False), (note.pk, True)]
        second = alices_console.get(f"/chats/{asked.pk}/messages?limit=2&cursor={first['next_cursor']}").json()
        assert ([row["id"] for row in second["data"]], second["next_cursor"]) == ([question_id], None)

    @pytest.mark.parametrize("count", [1, 30])
    def test_messages_cost_the_same_however_many(
        self, alices_console: Console, chat: Chat, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        MessageFactory.create_batch(count, chat=chat)
        with django_assert_num_queries(4):  # session, user, operators; the page
            assert len(alices_console.data("GET", f"/chats/{chat.pk}/messages")) == count


class TestTaking:
    def test_who_accepts_a_chat_has_it(
        self, alices_console: Console, asked: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        row = alices_console.data("POST", f"/chats/{asked.pk}/accept")
        assert (row["agent_id"], row["accepted_by"]["agent_id"], row["version"]) == (alice.pk, alice.pk, 2)
        assert kinds(happened) == [ChatAccepted, ChatUpdated, ChatTaken]

    def test_somebody_elses_chat_can_be_taken(
        self, alices_console: Console, boriss_console: Console, asked: Chat, alice: Agent, boris: Agent
    ) -> None:
        alices_console.data("POST", f"/chats/{asked.pk}/accept")
        row = boriss_console.data("POST", f"/chats/{asked.pk}/accept")
        assert (row["agent_id"], row["accepted_by"]["agent_id"]) == (boris.pk, alice.pk)

    def test_of_two_who_want_a_free_chat_at_once_one_gets_it(
        self, alices_console: Console, boriss_console: Console, asked: Chat, happened: list[DomainEvent]
    ) -> None:
        free = {"only_if_free": True}
        row = alices_console.data("POST", f"/chats/{asked.pk}/accept", json=free)
        before = snapshot()
        refused = boriss_console.post(f"/chats/{asked.pk}/accept", json=free)
        assert_problem(refused, 409, "chat_is_taken")
        assert snapshot() == before
        assert alices_console.data("POST", f"/chats/{asked.pk}/accept", json=free) == row
        assert kinds(happened) == [ChatAccepted, ChatUpdated, ChatTaken, ChatTaken]

    def test_a_chat_is_assigned(self, alices_console: Console, asked: Chat, boris: Agent) -> None:
        row = alices_console.data("POST", f"/chats/{asked.pk}/assign", json={"agent_id": boris.pk})
        assert row["agent_id"] == boris.pk

    def test_a_chat_is_transferred_to_a_person(
        self, alices_console: Console, asked: Chat, alice: Agent, boris: Agent, happened: list[DomainEvent]
    ) -> None:
        alices_console.data("POST", f"/chats/{asked.pk}/accept")
        happened.clear()
        row = alices_console.data("POST", f"/chats/{asked.pk}/transfer", json={"agent_id": boris.pk})
        assert (row["agent_id"], row["handled_by"]["agent_id"]) == (boris.pk, boris.pk)
        assert set(kinds(happened)) == {ChatTaken, ChatTransferred, ChatUpdated}
        assert Transfer.objects.values_list("from_agent", "to_agent").get() == (alice.pk, boris.pk)


class TestToADepartment:
    def test_it_is_nobodys_until_somebody_takes_it(
        self, alices_console: Console, asked: Chat, alice: Agent, sales: Department, happened: list[DomainEvent]
    ) -> None:
        accepted = alices_console.data("POST", f"/chats/{asked.pk}/accept")
        happened.clear()
        row = alices_console.data("POST", f"/chats/{asked.pk}/transfer", json={"department_id": sales.pk})
        assert (row["department_id"], row["agent_id"], row["version"]) == (sales.pk, None, accepted["version"] + 1)
        for name in ("accepted_by", "handled_by", "handling", "status"):
            assert row[name] == accepted[name]
        given = ChatSentToDepartment(
            widget_id=asked.widget_id, widget_guid=asked.widget.guid, chat_id=asked.pk, department_id=sales.pk
        )
        assert happened == [given, ChatUpdated(widget_id=asked.widget_id, chat_id=asked.pk)]
        assert not Transfer.objects.exists()

    def test_once_more_changes_nothing(
        self, alices_console: Console, asked: Chat, sales: Department, happened: list[DomainEvent]
    ) -> None:
        body = {"department_id": sales.pk}
        first = alices_console.data("POST", f"/chats/{asked.pk}/transfer", json=body)
        happened.clear()
        assert alices_console.data("POST", f"/chats/{asked.pk}/transfer", json=body) == first
        assert happened == []

    @pytest.mark.parametrize("body", [{}, {"agent_id": 1, "department_id": 1}])
    def test_it_is_a_person_or_a_department(self, alices_console: Console, asked: Chat, body: Any) -> None:
        before = snapshot()
        answer = alices_console.post(f"/chats/{asked.pk}/transfer", json=body)
        assert_problem(answer, 422, "invalid_input", errors=["agent_id"])
        assert snapshot() == before


class TestStates:
    def test_a_chat_is_closed(self, alices_console: Console, asked: Chat, happened: list[DomainEvent]) -> None:
        row = alices_console.data("POST", f"/chats/{asked.pk}/close", json={"reason": "resolved"})
        assert row["status"] == "expired"
        assert row["closed_at"] is not None
        assert kinds(happened) == [ChatClosed, ChatUpdated]
        assert [event.reason for event in happened if isinstance(event, ChatClosed)] == ["resolved"]

    def test_without_a_body_too(self, alices_console: Console, asked: Chat) -> None:
        assert alices_console.data("POST", f"/chats/{asked.pk}/close")["status"] == "expired"

    def test_a_chat_is_marked_as_spam_and_back(self, alices_console: Console, asked: Chat) -> None:
        for state in ("spam", "active"):
            row = alices_console.data("POST", f"/chats/{asked.pk}/state", json={"state": state})
            assert (row["status"], row["closed_at"]) == (state, None)

    def test_a_rating_is_asked_for(self, alices_console: Console, asked: Chat, alice: Agent) -> None:
        before = timezone.now()
        assert alices_console.data("POST", f"/chats/{asked.pk}/rate-request", 202) == {"chat_id": asked.pk}
        asked.refresh_from_db()
        assert asked.rating_requested_at is not None
        assert asked.rating_requested_at >= before
        request = RatingRequest.objects.get(chat=asked)
        assert (request.cause, request.agent) == ("operator", alice)

    def test_before_the_first_message_it_is_409(self, alices_console: Console, chat: Chat) -> None:
        before = snapshot()
        assert_problem(alices_console.post(f"/chats/{chat.pk}/rate-request"), 409, "chat_is_empty")
        assert snapshot() == before


WRITES: list[tuple[str, Any]] = [
    ("accept", None),
    ("assign", {"agent_id": "alice"}),
    ("transfer", {"agent_id": "alice"}),
    ("transfer", {"department_id": "sales"}),
    ("close", {}),
    ("state", {"state": "ready"}),
    ("rate-request", None),
]


def meant(body: Any, alice: Agent, sales: Department) -> Any:
    people = {"alice": alice.pk, "sales": sales.pk}
    return body and {name: people.get(value, value) for name, value in body.items()}


@pytest.mark.parametrize(("call", "body"), WRITES)
class TestRefusals:
    def test_each_write_to_spam_is_409(
        self, alices_console: Console, asked: Chat, alice: Agent, sales: Department, call: str, body: Any
    ) -> None:
        Chat.objects.update(status="spam")
        before = snapshot()
        answer = alices_console.post(f"/chats/{asked.pk}/{call}", json=meant(body, alice, sales))
        assert_problem(answer, 409, "chat_is_spam")
        assert snapshot() == before

    def test_another_widgets_chat_is_404(
        self, alices_console: Console, rival: Rival, alice: Agent, sales: Department, call: str, body: Any
    ) -> None:
        before = snapshot()
        answer = alices_console.post(f"/chats/{rival.chat.pk}/{call}", json=meant(body, alice, sales))
        assert_problem(answer, 404, "not_found")
        assert snapshot() == before

    def test_without_the_pages_token_it_is_403(
        self, alices_console: Console, asked: Chat, alice: Agent, sales: Department, call: str, body: Any
    ) -> None:
        before = snapshot()
        forged = {"X-CSRFToken": "x" * 32}
        answer = alices_console.post(f"/chats/{asked.pk}/{call}", json=meant(body, alice, sales), headers=forged)
        assert_problem(answer, 403, "csrf_failed")
        assert snapshot() == before

    def test_a_suspended_operator_is_403(
        self, alices_console: Console, asked: Chat, alice: Agent, sales: Department, call: str, body: Any
    ) -> None:
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        before = snapshot()
        answer = alices_console.post(f"/chats/{asked.pk}/{call}", json=meant(body, alice, sales))
        assert_problem(answer, 403, "not_an_operator")
        assert snapshot() == before


@pytest.mark.parametrize("call", ["assign", "transfer"])
class TestToWhom:
    def test_a_foreign_agent_is_404(self, alices_console: Console, asked: Chat, rival: Rival, call: str) -> None:
        before = snapshot()
        for agent_id in (rival.agent.pk, 10**9):
            answer = alices_console.post(f"/chats/{asked.pk}/{call}", json={"agent_id": agent_id})
            assert_problem(answer, 404, "not_found")
        assert snapshot() == before

    def test_nobody_but_a_person_who_is_not_banned(self, alices_console: Console, asked: Chat, call: str) -> None:
        nobody = [
            AgentFactory.create(widget=asked.widget, status="banned"),
            AiAgentFactory.create(widget=asked.widget),
        ]
        before = snapshot()
        for agent in nobody:
            answer = alices_console.post(f"/chats/{asked.pk}/{call}", json={"agent_id": agent.pk})
            assert_problem(answer, 422, "invalid_input", errors=["agent_id"])
        assert snapshot() == before


def test_a_foreign_department_is_404(alices_console: Console, asked: Chat, rival: Rival) -> None:
    before = snapshot()
    for department_id in (rival.department.pk, 10**9):
        answer = alices_console.post(f"/chats/{asked.pk}/transfer", json={"department_id": department_id})
        assert_problem(answer, 404, "not_found")
    assert snapshot() == before


class TestBlocking:
    def test_the_contact_is_blocked_for_a_while_with_a_reason(
        self, alices_console: Console, chat: Chat, alice: Agent
    ) -> None:
        body = {"what": "contact", "reason": "Insults", "hours": 24}
        data = alices_console.data("POST", f"/chats/{chat.pk}/block", json=body)
        block = Block.objects.get()
        assert (data["id"], data["what"], data["network"], data["reason"]) == (block.pk, "contact", None, "Insults")
        assert (block.contact, block.agent) == (chat.contact, alice)
        assert block.until is not None
        assert abs(block.until - timezone.now() - timedelta(hours=24)) < timedelta(minutes=5)

    @pytest.mark.parametrize(("what", "network"), [("address", "203.0.113.7/32"), ("network", "203.0.113.0/24")])
    def test_the_address_is_the_one_they_came_from_last(
        self, alices_console: Console, chat: Chat, what: str, network: str
    ) -> None:
        VisitorSessionFactory.create(contact=chat.contact, address="203.0.113.7")
        data = alices_console.data("POST", f"/chats/{chat.pk}/block", json={"what": what})
        assert (data["what"], data["network"], data["until"]) == (what, network, None)

    def test_without_an_address_the_contact_alone_can_be_blocked(self, alices_console: Console, chat: Chat) -> None:
        answer = alices_console.post(f"/chats/{chat.pk}/block", json={"what": "address"})
        assert_problem(answer, 422, "invalid_input", errors=["what"])
        assert not Block.objects.exists()

    @pytest.mark.parametrize(
        "body", [{}, {"what": "everybody"}, {"what": "contact", "hours": 0}, {"what": "contact", "hours": 8761}]
    )
    def test_a_malformed_block_is_refused(self, alices_console: Console, chat: Chat, body: dict[str, Any]) -> None:
        assert_problem(alices_console.post(f"/chats/{chat.pk}/block", json=body), 422, "invalid_input")
        assert not Block.objects.exists()

    def test_the_card_shows_what_is_in_force(self, alices_console: Console, chat: Chat) -> None:
        VisitorSessionFactory.create(contact=chat.contact, address="203.0.113.7")
        for what in ("contact", "network"):
            alices_console.data("POST", f"/chats/{chat.pk}/block", json={"what": what, "reason": "Spam", "hours": 1})
        of_contact, of_network = Block.objects.order_by("id")
        blocks = alices_console.data("GET", f"/chats/{chat.pk}")["card"]["blocks"]
        assert [(block["id"], block["what"], block["network"], block["reason"]) for block in blocks] == [
            (of_contact.pk, "contact", None, "Spam"),
            (of_network.pk, "network", "203.0.113.0/24", "Spam"),
        ]
        Block.objects.filter(pk=of_contact.pk).update(until=timezone.now())
        blocks = alices_console.data("GET", f"/chats/{chat.pk}")["card"]["blocks"]
        assert [block["id"] for block in blocks] == [of_network.pk]

    def test_it_is_lifted_beside_the_chat(self, alices_console: Console, chat: Chat) -> None:
        VisitorSessionFactory.create(contact=chat.contact, address="203.0.113.7")
        block = alices_console.data("POST", f"/chats/{chat.pk}/block", json={"what": "address"})
        assert alices_console.request("DELETE", f"/blocks/{block['id']}").status_code == 204
        assert alices_console.data("GET", f"/chats/{chat.pk}")["card"]["blocks"] == []
        assert not Block.objects.exists()

    def test_another_widgets_block_is_not_found(self, alices_console: Console, rival: Rival) -> None:
        theirs = Block.objects.create(widget=rival.chat.widget, contact=rival.chat.contact)
        answer = alices_console.request("DELETE", f"/blocks/{theirs.pk}")
        assert_problem(answer, 404, "not_found")
        assert Block.objects.count() == 1

    def test_the_trail_holds_nothing_of_the_visitor(self, alices_console: Console, chat: Chat) -> None:
        alices_console.post(f"/chats/{chat.pk}/block", json={"what": "contact", "reason": "Ivan insults"})
        entry = AuditEntry.objects.get(content_type__model="block")
        assert "Ivan" not in str(entry.changes)
        assert set(entry.changes) <= {"id", "widget", "agent", "created_at", "until"}
