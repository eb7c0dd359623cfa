"""`GET /console/inbox` and `GET /console/search`. What is in a row: test_inbox_rows.py."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.chats import ChatFactory, ContactFactory, MessageFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def ids(answer: Any) -> list[int]:
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["data"]]


class TestInbox:
    def test_it_shows_open_chats_the_latest_activity_first(
        self, alices_console: Console, shop: Widget, rival: Rival
    ) -> None:
        first, second = ChatFactory.create_batch(2, contact__widget=shop)
        for chat in (second, first, rival.chat):
            MessageFactory.create(chat=chat)
        answer = alices_console.get("/inbox")
        assert ids(answer) == [first.pk, second.pk]
        assert answer.json()["next_cursor"] is None
        row = answer.json()["data"][0]
        assert (row["version"], row["is_unread"], row["closed_at"]) == (1, True, None)
        assert row["last_message"]["sender"]["kind"] == "client"

    def test_a_view_a_state_and_a_channel_narrow_it(
        self, alices_console: Console, shop: Widget, alice: Agent, sales: Department
    ) -> None:
        def new(**fields: Any) -> int:
            return ChatFactory.create(contact__widget=shop, **fields).pk

        mine, ready, telegram = new(agent=alice), new(status="ready"), new(channel="tg", department=sales)
        spam = new(status="spam")
        wanted: dict[str, list[int]] = {
            "view=open": [telegram, ready, mine],
            "view=mine": [mine],
            "view=department": [telegram],
            "view=spam": [spam],
            "view=closed": [],
            "view=unanswered": [],
            "status=ready": [ready],
            "channel=tg": [telegram],
            "view=mine&channel=tg": [],
        }
        for query, chats in wanted.items():
            assert (query, ids(alices_console.get(f"/inbox?{query}"))) == (query, chats)

    def test_the_inbox_is_paged_by_a_cursor(self, alices_console: Console, shop: Widget) -> None:
        chats = [chat.pk for chat in ChatFactory.create_batch(5, contact__widget=shop)][::-1]
        first = alices_console.get("/inbox?limit=3")
        second = alices_console.get(f"/inbox?limit=3&cursor={first.json()['next_cursor']}")
        assert ids(first) + ids(second) == chats
        assert second.json()["next_cursor"] is None

    def test_a_cursor_is_good_for_its_view_and_widget_alone(
        self, alices_console: Console, shop: Widget, rival: Rival
    ) -> None:
        ChatFactory.create_batch(2, contact__widget=shop)
        cursor = alices_console.get("/inbox?limit=1").json()["next_cursor"]
        for refused in (
            alices_console.get(f"/inbox?view=mine&cursor={cursor}"),
            alices_console.get("/inbox?cursor=nonsense"),
            Console(rival.agent).get(f"/inbox?cursor={cursor}"),
        ):
            assert_problem(refused, 422, "invalid_input", errors=["cursor"])

    @pytest.mark.parametrize(
        ("query", "path"),
        [
            ("view=all", "view"),
            ("status=spam", "status"),
            ("view=closed&status=active", "status"),
            ("limit=101", "limit"),
            ("limit=0", "limit"),
            ("channel=" + "x" * 33, "channel"),
            ("q=1", "q"),
        ],
    )
    def test_bad_input_is_422(self, alices_console: Console, query: str, path: str) -> None:
        assert_problem(alices_console.get(f"/inbox?{query}"), 422, "invalid_input", errors=[path])

    @pytest.mark.parametrize("count", [1, 30])
    def test_its_cost_is_the_same_for_every_page(
        self, alices_console: Console, shop: Widget, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for chat in ChatFactory.create_batch(count, contact__widget=shop):
            MessageFactory.create(chat=chat)
        with django_assert_num_queries(5):  # session, user, operators; the page, its marks
            assert len(ids(alices_console.get("/inbox?view=unanswered"))) == count


class TestSearch:
    def test_it_finds_what_was_said_and_who_the_visitor_is(
        self, alices_console: Console, shop: Widget, chat: Chat, ivan: Contact, rival: Rival
    ) -> None:
        about_ivan = ChatFactory.create(contact__widget=shop, contact__name="Anna")
        MessageFactory.create(chat=about_ivan, body="Где Иван Петров?")
        MessageFactory.create(chat=ChatFactory.create(contact__widget=shop), body="Тюльпаны")
        MessageFactory.create(chat=rival.chat, body="Иван Петров")
        assert ids(alices_console.get("/search?q=иван")) == [chat.pk, about_ivan.pk]
        for part in ("ivan@", "901 123"):
            assert ids(alices_console.get("/search", query={"q": part})) == [chat.pk]

    def test_it_shows_the_newest_message_in_which_it_was_said(
        self, alices_console: Console, chat: Chat, ivan: Contact
    ) -> None:
        MessageFactory.create(chat=chat, body="Пуэр?")
        said = MessageFactory.create(chat=chat, body="x" * 200 + "\n ПУЭР " + "y" * 200)
        MessageFactory.create(chat=chat, body="Да")
        MessageFactory.create(chat=chat, body="пуэр кончился", is_internal=True)
        (found,) = alices_console.get("/search?q=пуэр").json()["data"]
        assert found["matched"]["message_id"] == said.pk
        assert found["matched"]["excerpt"] == "…" + "x" * 28 + " ПУЭР " + "y" * 85
        (found,) = alices_console.get("/search", query={"q": ivan.name}).json()["data"]
        assert found["matched"] is None

    def test_a_chat_that_is_found_in_both_ways_is_shown_once(
        self, alices_console: Console, chat: Chat, ivan: Contact
    ) -> None:
        MessageFactory.create(chat=chat, body=ivan.name)
        assert ids(alices_console.get("/search", query={"q": ivan.name})) == [chat.pk]

    def test_notes_are_not_found(self, alices_console: Console, chat: Chat) -> None:
        MessageFactory.create(chat=chat, body="difficult customer", is_internal=True)
        assert ids(alices_console.get("/search?q=difficult")) == []

    def test_visitors_are_on_the_first_page_alone(self, alices_console: Console, shop: Widget) -> None:
        said = [ChatFactory.create(contact__widget=shop, contact__name=f"V{n}") for n in range(3)]
        for chat in said:
            MessageFactory.create(chat=chat, body="Roses?")
        visitors = [ChatFactory.create(contact__widget=shop, contact__name="Roses Ltd") for _ in range(22)]
        first = alices_console.get("/search?q=roses&limit=2")
        newest_first = [chat.pk for chat in visitors[::-1]]
        assert ids(first) == [*newest_first[:20], said[2].pk, said[1].pk]
        second = alices_console.get(f"/search?q=roses&limit=2&cursor={first.json()['next_cursor']}")
        assert ids(second) == [said[0].pk]
        assert second.json()["next_cursor"] is None

    @pytest.mark.parametrize("query", ["", "q=x", "q=" + "x" * 101, "q=a%0Ab"])
    def test_bad_input_is_422(self, alices_console: Console, query: str) -> None:
        assert_problem(alices_console.get(f"/search?{query}"), 422, "invalid_input", errors=["q"])

    @pytest.mark.parametrize("count", [1, 15])
    def test_its_cost_is_the_same_however_many_are_found(
        self, alices_console: Console, shop: Widget, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for _ in range(count):
            ChatFactory.create(contact=ContactFactory.create(widget=shop, name="Roses Ltd"))
        # Session, user, operators; contacts in 2, chats, messages, rows, marks, words.
        with django_assert_num_queries(10):
            assert len(ids(alices_console.get("/search?q=roses"))) == count


@pytest.mark.parametrize("path", ["/inbox", "/search?q=roses", "/replies", "/chats/{chat}", "/chats/{chat}/messages"])
def test_a_suspended_operator_reads_nothing(alice: Agent, chat: Chat, path: str) -> None:
    console = Console(alice)
    Agent.objects.filter(pk=alice.pk).update(status="banned")
    before = snapshot()
    assert_problem(console.get(path.format(chat=chat.pk)), 403, "not_an_operator")
    assert snapshot() == before
