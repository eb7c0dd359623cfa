"""POST /api/v1/chats/{id}/messages."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.events import ChatAccepted, ChatClosed, ChatUpdated, MessagePosted
from apps.chats.models import Chat, Message
from apps.core.bus import DomainEvent
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, MessageFactory
from tests.rows import snapshot


def send(api: ApiClient, chat: Chat, **body: Any) -> Any:
    return api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": "Hello", **body})


def read(api: ApiClient, chat: Chat) -> dict[str, Any]:
    shown: dict[str, Any] = api.get(f"/chats/{chat.pk}").json()["data"]
    return shown


def messages(api: ApiClient, chat: Chat) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = api.get(f"/chats/{chat.pk}/messages").json()["data"]
    return shown


def test_a_sent_message_is_answered_202_and_stored(api: ApiClient, chat: Chat, alice: Agent) -> None:
    answer = send(api, chat, body="Добрый день", markdown="**Добрый** день", origin="crm", agent_id=alice.pk)
    (message,) = messages(api, chat)
    assert answer.status_code == 202
    assert answer.json() == {"data": {"message_id": message["id"], "chat_id": chat.pk}}
    assert (message["body"], message["markdown"], message["origin"]) == ("Добрый день", "**Добрый** день", "crm")
    assert message["sender"] == {"kind": "agent", "agent_id": alice.pk, "name": "Alice Weber"}
    assert read(api, chat)["last_message_at"] == message["created_at"]


def test_what_follows_is_told_in_order(api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]) -> None:
    message_id = send(api, chat, agent_id=alice.pk).json()["data"]["message_id"]
    known = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    guids = {"widget_guid": chat.widget.guid, "contact_guid": chat.contact.guid}
    posted = MessagePosted(
        **known, **guids, message_id=message_id, channel="widget", author_type="OPERATOR", is_internal=False
    )
    accepted = ChatAccepted(**known, **guids, agent_id=alice.pk, operator_type="human")
    assert happened == [posted, accepted, ChatUpdated(**known)]


@pytest.mark.parametrize(
    "text",
    [
        " keeps its spaces \n",
        "x" * 65_536,
        "я" * 65_536,
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u202e\u2028",
        "'; DROP TABLE chats_chat; -- %s",
        "<b>&amp;</b>",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_a_text_is_stored_as_it_was_sent(api: ApiClient, chat: Chat, alice: Agent, text: str) -> None:
    assert send(api, chat, body=text, markdown=text, agent_id=alice.pk).status_code == 202
    (message,) = messages(api, chat)
    assert (message["body"], message["markdown"]) == (text, text)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("body", ""),
        ("body", " \t\n\u3000"),
        ("body", "x" * 65_537),
        ("body", None),
        ("markdown", "x" * 65_537),
        ("markdown", None),
        ("origin", ""),
        ("origin", "x" * 65),
        ("type", "shout"),
        ("type", None),
        ("agent_id", "1"),
        ("agent_id", 0),
        ("agent_id", -1),
        ("agent_id", 1.0),
        ("agent_id", True),
        ("agent_id", 2**63),
        ("sender", {}),
        ("is_internal", True),
    ],
)
def test_a_bad_member_is_422_by_name_and_nothing_changes(
    api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent], field: str, value: object
) -> None:
    before = snapshot()
    answer = send(api, chat, **{"agent_id": alice.pk, field: value})
    assert_problem(answer, 422, "invalid_input", errors=[field])
    assert (snapshot(), happened) == (before, [])


class TestWhoWrites:
    """`agent_id` is required while the chat has no owner; it is a human agent of the widget, and not banned."""

    def assert_refused(self, answer: Any, before: object, happened: list[DomainEvent]) -> None:
        assert_problem(answer, 422, "invalid_input", errors=["agent_id"])
        assert snapshot() == before
        assert happened == []

    def test_without_agent_id_a_chat_without_owner_is_422(
        self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        before = snapshot()
        self.assert_refused(send(api, chat), before, happened)

    @pytest.mark.parametrize("kind", [{"type": "ai"}, {"type": "webhook"}, {"status": "banned"}])
    def test_an_ai_operator_a_webhook_operator_and_a_banned_agent_are_422(
        self, api: ApiClient, chat: Chat, shop: Widget, happened: list[DomainEvent], kind: dict[str, str]
    ) -> None:
        agent = AgentFactory.create(widget=shop, **kind)
        before = snapshot()
        self.assert_refused(send(api, chat, agent_id=agent.pk), before, happened)

    def test_anothers_agent_is_404_like_one_that_never_was(
        self, api: ApiClient, chat: Chat, rival: Rival, happened: list[DomainEvent]
    ) -> None:
        before = snapshot()
        foreign = send(api, chat, agent_id=rival.agent.pk)
        never_was = send(api, chat, agent_id=999_999_999)
        assert_problem(foreign, 404, "not_found")
        assert foreign.content == never_was.content
        assert (snapshot(), happened) == (before, [])

    def test_an_agent_who_relaxes_may_write(self, api: ApiClient, chat: Chat, shop: Widget) -> None:
        agent = AgentFactory.create(widget=shop, status="relaxation")
        assert send(api, chat, agent_id=agent.pk).status_code == 202

    def test_without_agent_id_the_owner_writes(self, api: ApiClient, chat: Chat, alice: Agent, boris: Agent) -> None:
        Chat.objects.filter(pk=chat.pk).update(agent=boris)
        assert send(api, chat).status_code == 202
        assert messages(api, chat)[0]["sender"]["agent_id"] == boris.pk

    def test_an_owner_who_was_banned_writes_no_more(
        self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        Chat.objects.filter(pk=chat.pk).update(agent=alice)
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        before = snapshot()
        self.assert_refused(send(api, chat), before, happened)

    def test_the_first_to_reply_becomes_the_owner_and_stays_it(
        self, api: ApiClient, chat: Chat, alice: Agent, boris: Agent
    ) -> None:
        send(api, chat, agent_id=alice.pk)
        send(api, chat, agent_id=boris.pk)
        assert read(api, chat)["agent_id"] == alice.pk
        assert [message["agent_id"] for message in messages(api, chat)] == [boris.pk, alice.pk]


class TestAttribution:
    def test_the_first_reply_accepts_and_handles_the_chat(
        self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        assert read(api, chat)["handling"] == "missed"
        send(api, chat, agent_id=alice.pk)
        shown = read(api, chat)
        assert shown["handling"] == "human"
        assert shown["accepted_by"] == shown["handled_by"]
        assert shown["accepted_by"].keys() == {"agent_id", "type", "at"}
        assert (shown["accepted_by"]["agent_id"], shown["accepted_by"]["type"]) == (alice.pk, "human")

    def test_later_replies_accept_nothing(
        self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        send(api, chat, agent_id=alice.pk)
        first = read(api, chat)
        send(api, chat)
        later = read(api, chat)
        assert (later["accepted_by"], later["handled_by"]) == (first["accepted_by"], first["handled_by"])
        assert sum(isinstance(event, ChatAccepted) for event in happened) == 1

    def test_a_colleague_who_replies_handles_it_from_then_on(
        self, api: ApiClient, chat: Chat, alice: Agent, boris: Agent
    ) -> None:
        send(api, chat, agent_id=alice.pk)
        accepted_by = read(api, chat)["accepted_by"]
        send(api, chat, agent_id=boris.pk)
        shown = read(api, chat)
        assert shown["accepted_by"] == accepted_by
        assert (shown["handled_by"]["agent_id"], shown["handling"]) == (boris.pk, "human")

    @pytest.mark.parametrize("handling", ["ai", "human_to_ai"])
    def test_a_person_takes_over_from_the_ai_operator(
        self, api: ApiClient, chat: Chat, alice: Agent, ada: Agent, happened: list[DomainEvent], handling: str
    ) -> None:
        Chat.objects.filter(pk=chat.pk).update(
            handling=handling, accepted_agent=ada, accepted_type="ai", handled_agent=ada, handled_type="ai"
        )
        send(api, chat, agent_id=alice.pk)
        shown = read(api, chat)
        assert shown["handling"] == "ai_to_human"
        assert shown["accepted_by"] == {"agent_id": ada.pk, "type": "ai", "at": None}
        assert (shown["handled_by"]["agent_id"], shown["handled_by"]["type"]) == (alice.pk, "human")
        assert not [event for event in happened if isinstance(event, ChatAccepted)]

    def test_a_visitors_message_answers_nothing(self, api: ApiClient, chat: Chat) -> None:
        actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Anybody there?"})
        shown = read(api, chat)
        assert (shown["handling"], shown["accepted_by"], shown["agent_id"]) == ("missed", None, None)


class TestStates:
    @pytest.mark.parametrize("status", ["active", "ready", "expired"])
    def test_a_reply_makes_the_chat_active(
        self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent], status: str
    ) -> None:
        """Into an expired chat, a message is accepted, stored in that chat, and reopens it."""
        MessageFactory.create(chat=chat)
        Chat.objects.filter(pk=chat.pk).update(status=status)
        assert send(api, chat, agent_id=alice.pk).json()["data"]["chat_id"] == chat.pk
        assert read(api, chat)["status"] == "active"
        assert len(messages(api, chat)) == 2
        assert not [event for event in happened if isinstance(event, ChatClosed)]

    def test_a_spam_chat_is_409_and_nothing_is_stored(
        self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        before = snapshot()
        assert_problem(send(api, chat, agent_id=alice.pk), 409, "chat_is_spam")
        assert (snapshot(), happened) == (before, [])

    def test_a_visitors_message_reopens_an_expired_chat_and_leaves_spam_where_it_is(self, chat: Chat) -> None:
        for status, after in (("expired", "active"), ("spam", "spam")):
            Chat.objects.filter(pk=chat.pk).update(status=status)
            actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Hello?"})
            chat.refresh_from_db()
            assert chat.status == after
        assert Message.objects.filter(chat=chat).count() == 2
