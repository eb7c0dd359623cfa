"""GET /api/v1/chats/{id}/messages."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.agents.models import Agent
from apps.chats.models import Chat
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ChatFactory, MessageFactory

NOON = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def ids(answer: Any) -> list[int]:
    assert answer.status_code == 200, answer.content
    return [message["id"] for message in answer.json()["data"]]


def test_a_message_shows_these_members_and_no_other(api: ApiClient, chat: Chat, alice: Agent) -> None:
    message = MessageFactory.create(
        chat=chat, agent=alice, body="Добрый день", markdown="**Добрый** день", origin="crm", created_at=NOON
    )
    assert api.get(f"/chats/{chat.pk}/messages").json() == {
        "data": [
            {
                "id": message.pk,
                "chat_id": chat.pk,
                "type": "text",
                "body": "Добрый день",
                "markdown": "**Добрый** день",
                "file": None,
                "name": None,
                "url": None,
                "files": [],
                "coords": None,
                "sticker": None,
                "keyboard": None,
                "unsupported": None,
                "edited_at": None,
                "deleted_at": None,
                "origin": "crm",
                "sender": {"kind": "agent", "agent_id": alice.pk, "name": "Alice Weber"},
                "ai": False,
                "sources": [],
                "translated_from": None,
                "agent_id": alice.pk,
                "created_at": "2026-11-21T09:00:00Z",
                "seen_at": None,
                "delivery": None,
                "translations": [],
            }
        ],
        "next_cursor": None,
    }


def test_a_visitors_message_names_the_visitor_and_no_agent(api: ApiClient, chat: Chat) -> None:
    MessageFactory.create(chat=chat)
    (message,) = api.get(f"/chats/{chat.pk}/messages").json()["data"]
    assert message["sender"] == {"kind": "client", "agent_id": None, "name": "Иван Петров"}
    assert message["agent_id"] is None


def test_newest_first_of_this_chat_alone_notes_among_them(
    api: ApiClient, chat: Chat, alice: Agent, rival: Rival
) -> None:
    made = [MessageFactory.create(chat=chat, created_at=NOON + timedelta(seconds=n)).pk for n in range(3)]
    note = MessageFactory.create(
        chat=chat, agent=alice, is_internal=True, created_at=NOON + timedelta(seconds=1, microseconds=1)
    ).pk
    MessageFactory.create(chat=ChatFactory.create(contact__widget=chat.widget))
    MessageFactory.create(chat=rival.chat)
    assert ids(api.get(f"/chats/{chat.pk}/messages")) == [made[2], note, made[1], made[0]]


def test_a_chat_without_messages_is_an_empty_list(api: ApiClient, chat: Chat) -> None:
    assert api.get(f"/chats/{chat.pk}/messages").json() == {"data": [], "next_cursor": None}


def test_from_is_inclusive_and_to_exclusive(api: ApiClient, chat: Chat) -> None:
    before, at, after = (MessageFactory.create(chat=chat, created_at=NOON + n * MICROSECOND).pk for n in (-1, 0, 1))
    path = f"/chats/{chat.pk}/messages"
    assert ids(api.get(path, query={"from": "2026-11-21T12:00"})) == [after, at]
    assert ids(api.get(path, query={"to": "2026-11-21T12:00"})) == [before]
    assert ids(api.get(path, query={"from": "2026-11-21", "to": "2026-11-22"})) == [after, at, before]
    assert ids(api.get(path, query={"from": "2026-11-22"})) == []
    assert_problem(api.get(path, query={"from": "2026-11-22", "to": "2026-11-21"}), 422, "invalid_input", errors=["to"])


def test_pages_are_stable_while_messages_are_added(api: ApiClient, chat: Chat) -> None:
    made = [MessageFactory.create(chat=chat, created_at=NOON - (n // 3) * MICROSECOND).pk for n in range(10)]
    newest_first = sorted(made, key=lambda pk: (-(made.index(pk) // 3), pk), reverse=True)
    seen: list[int] = []
    query: dict[str, Any] = {"limit": 3}
    while True:
        answer = api.get(f"/chats/{chat.pk}/messages", query=query)
        seen += ids(answer)
        query["cursor"] = answer.json()["next_cursor"]
        if query["cursor"] is None:
            break
        MessageFactory.create(chat=chat, created_at=NOON + timedelta(hours=1))
    assert seen == newest_first


class TestAfterAnId:
    """`after_id=N`: what came after message N, oldest first; a reader who goes on after the last id misses nothing."""

    def test_what_came_after_it_oldest_first_notes_among_them(
        self, api: ApiClient, chat: Chat, alice: Agent, rival: Rival
    ) -> None:
        made = [MessageFactory.create(chat=chat).pk for _ in range(3)]
        made.append(MessageFactory.create(chat=chat, agent=alice, is_internal=True).pk)
        MessageFactory.create(chat=ChatFactory.create(contact__widget=chat.widget))
        MessageFactory.create(chat=rival.chat)
        path = f"/chats/{chat.pk}/messages"
        assert ids(api.get(path, query={"after_id": 0})) == made
        assert ids(api.get(path, query={"after_id": made[1]})) == made[2:]
        assert ids(api.get(path, query={"after_id": made[3]})) == []

    def test_by_id_whatever_the_clock_said(self, api: ApiClient, chat: Chat) -> None:
        late, early = (MessageFactory.create(chat=chat, created_at=NOON + n * MICROSECOND).pk for n in (1, 0))
        assert ids(api.get(f"/chats/{chat.pk}/messages", query={"after_id": 0})) == [late, early]

    def test_the_cursor_goes_on_from_there_to_what_is_new_by_then(self, api: ApiClient, chat: Chat) -> None:
        made = [MessageFactory.create(chat=chat).pk for _ in range(5)]
        query: dict[str, Any] = {"after_id": made[0], "limit": 2}
        seen: list[int] = []
        while True:
            answer = api.get(f"/chats/{chat.pk}/messages", query=query)
            seen += ids(answer)
            query["cursor"] = answer.json()["next_cursor"]
            if query["cursor"] is None:
                break
            if len(made) == 5:
                made.append(MessageFactory.create(chat=chat).pk)
        assert seen == made[1:]

    def test_no_message_is_lost_by_who_asks_after_the_last_one_again_and_again(
        self, api: ApiClient, chat: Chat
    ) -> None:
        seen: list[int] = []
        made: list[int] = []
        for _ in range(3):
            made += [MessageFactory.create(chat=chat).pk for _ in range(2)]
            seen += ids(api.get(f"/chats/{chat.pk}/messages", query={"after_id": seen[-1] if seen else 0}))
        assert seen == made

    @pytest.mark.parametrize("value", ["-1", "x", "", "1.5", str(2**63)])
    def test_an_id_is_a_whole_number(self, api: ApiClient, chat: Chat, value: str) -> None:
        answer = api.get(f"/chats/{chat.pk}/messages", query={"after_id": value})
        assert_problem(answer, 422, "invalid_input", errors=["after_id"])

    @pytest.mark.parametrize("bound", ["from", "to"])
    def test_it_is_not_sent_with_a_window(self, api: ApiClient, chat: Chat, bound: str) -> None:
        answer = api.get(f"/chats/{chat.pk}/messages", query={"after_id": 1, bound: "2026-11-21"})
        assert_problem(answer, 422, "invalid_input", errors=["after_id"])

    @pytest.mark.parametrize("first", [{}, {"after_id": 0}], ids=["newest first", "oldest first"])
    def test_a_cursor_of_the_other_order_is_422(self, api: ApiClient, chat: Chat, first: dict[str, Any]) -> None:
        MessageFactory.create_batch(2, chat=chat)
        path = f"/chats/{chat.pk}/messages"
        cursor = api.get(path, query={**first, "limit": 1}).json()["next_cursor"]
        assert ids(api.get(path, query={**first, "cursor": cursor}))
        other = {} if first else {"after_id": 0}
        assert_problem(api.get(path, query={**other, "cursor": cursor}), 422, "invalid_input", errors=["cursor"])

    def test_a_chat_of_another_widget_is_404(self, api: ApiClient, rival: Rival) -> None:
        MessageFactory.create(chat=rival.chat)
        assert_problem(api.get(f"/chats/{rival.chat.pk}/messages", query={"after_id": 0}), 404, "not_found")


def test_a_cursor_of_another_chats_messages_is_422(api: ApiClient, chat: Chat) -> None:
    other = ChatFactory.create(contact__widget=chat.widget)
    MessageFactory.create_batch(2, chat=other)
    cursor = api.get(f"/chats/{other.pk}/messages", query={"limit": 1}).json()["next_cursor"]
    answer = api.get(f"/chats/{chat.pk}/messages", query={"cursor": cursor})
    assert_problem(answer, 422, "invalid_input", errors=["cursor"])
