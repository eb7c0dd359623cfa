"""What operators are shown of chats: the rows of a view, of some chats, and their cards."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact, Rating
from apps.chats.realtime import reads
from apps.chats.serializers.chats import ChatSerializer
from apps.console.querysets import (
    View,
    contact_panels,
    counted_chats,
    counted_versions,
    inbox_first_page,
    inbox_page,
    inbox_rows,
    staff_of,
)
from apps.widget.models import ChatAnswers, ContactConsent, VisitorSession
from tests.cast import Rival
from tests.factories.agents import AgentFactory
from tests.factories.chats import ChatFactory, ContactFactory, ContactTagFactory, MessageFactory
from tests.factories.widget import VisitorSessionFactory
from tests.widget.asking import CONSENT, TOPIC, ask, question

pytestmark = pytest.mark.django_db


def said(chat: Chat, minutes_ago: int, **fields: Any) -> Chat:
    MessageFactory.create(chat=chat, created_at=timezone.now() - timedelta(minutes=minutes_ago), **fields)
    return chat


def shown(page: Any) -> list[int]:
    return [row["id"] for row in page.data]


class TestRows:
    def test_a_row_is_the_apis_chat_and_what_operators_see_besides(
        self, chat: Chat, alice: Agent, shop: Widget
    ) -> None:
        MessageFactory.create(chat=chat, body="Я" * 101)
        (row,) = inbox_rows(shop.pk, [chat.pk])
        stored = Chat.objects.select_related("contact", "last_message").get()
        assert row == {
            **ChatSerializer.show(stored),
            "version": 1,
            "closed_at": None,
            "handed_over_at": None,
            "handover_reason": None,
            "waits_since": stored.last_message_at,
            "is_unread": True,
            "rings_for": "all",
            "snooze": None,
            "back_since": None,
            "offer": None,
            "place": None,
            "sla": None,
            "marks": [],
        }
        assert row["last_message"]["preview"] == "Я" * 100

    def test_rows_come_in_the_order_of_the_ids_and_of_the_widget_alone(self, shop: Widget, rival: Rival) -> None:
        chats = ChatFactory.create_batch(3, contact__widget=shop)
        ids = [chats[1].pk, rival.chat.pk, chats[0].pk, 10**9, chats[1].pk]
        assert [row["id"] for row in inbox_rows(shop.pk, ids)] == [chats[1].pk, chats[0].pk]

    @pytest.mark.parametrize(
        ("by_visitor", "seen", "is_unread"), [(True, False, True), (True, True, False), (False, False, False)]
    )
    def test_unread_is_what_the_visitor_said_last_and_nobody_saw(
        self, chat: Chat, alice: Agent, by_visitor: bool, seen: bool, is_unread: bool
    ) -> None:
        who = {} if by_visitor else {"agent": alice}
        MessageFactory.create(chat=chat, seen_at=timezone.now() if seen else None, **who)
        assert inbox_rows(chat.widget_id, [chat.pk])[0]["is_unread"] is is_unread

    def test_a_chat_without_messages_is_not_unread(self, chat: Chat) -> None:
        assert inbox_rows(chat.widget_id, [chat.pk])[0]["is_unread"] is False

    def test_closed_at_is_told_while_the_chat_is_closed(self, chat: Chat) -> None:
        closed_at = timezone.now()
        for status, told in (("expired", closed_at), ("active", None)):
            Chat.objects.update(status=status, expired_at=closed_at)
            assert inbox_rows(chat.widget_id, [chat.pk])[0]["closed_at"] == told

    @pytest.mark.parametrize("count", [1, 20])
    def test_it_is_one_statement(
        self, shop: Widget, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        ids = [chat.pk for chat in ChatFactory.create_batch(count, contact__widget=shop)]
        with django_assert_num_queries(2):  # the rows, their marks
            assert len(inbox_rows(shop.pk, ids)) == count


class TestViews:
    def test_each_view_shows_its_chats(
        self, shop: Widget, alice: Agent, boris: Agent, sales: Department, rival: Rival
    ) -> None:
        def new(**fields: Any) -> Chat:
            return ChatFactory.create(contact=ContactFactory.create(widget=shop), **fields)

        asked, answered = said(new(), 1), said(new(status="ready", agent=boris), 2, agent=boris)
        mine, of_sales = said(new(agent=alice), 3, agent=alice), said(new(department=sales), 4)
        now = timezone.now()
        closed = [new(status="expired", expired_at=now - timedelta(minutes=n), department=sales) for n in (2, 1)]
        spam = [said(new(status="spam"), n) for n in (1, 2)]
        wanted = {
            View.OPEN: [asked, answered, mine, of_sales],
            View.UNANSWERED: [of_sales, asked],
            View.MINE: [mine],
            View.DEPARTMENT: [of_sales],
            View.CLOSED: closed[::-1],
            View.SPAM: spam[::-1],
        }
        for view, chats in wanted.items():
            page = inbox_page(widget_id=shop.pk, agent_id=alice.pk, view=view)
            assert (view, shown(page), page.next_cursor) == (view, [chat.pk for chat in chats], None)
        assert inbox_first_page(widget_id=shop.pk, agent_id=alice.pk).data == inbox_rows(
            shop.pk, [chat.pk for chat in wanted[View.OPEN]]
        )

    def test_a_chat_without_messages_stands_behind_all_others(self, shop: Widget, alice: Agent) -> None:
        older = said(ChatFactory.create(contact__widget=shop), 5)
        silent, newer = ChatFactory.create_batch(2, contact__widget=shop)
        assert shown(inbox_first_page(widget_id=shop.pk, agent_id=alice.pk)) == [older.pk, newer.pk, silent.pk]
        first = inbox_page(widget_id=shop.pk, agent_id=alice.pk, limit=2)
        rest = inbox_page(widget_id=shop.pk, agent_id=alice.pk, cursor=first.next_cursor)
        assert shown(rest) == [silent.pk]

    @pytest.mark.parametrize("view", [View.OPEN, View.CLOSED, View.SPAM])
    def test_pages_show_each_chat_once(
        self, shop: Widget, alice: Agent, view: View, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        status = {View.OPEN: "active", View.CLOSED: "expired", View.SPAM: "spam"}[view]
        now = timezone.now()
        for number in range(7):  # several at one moment
            at = now - timedelta(seconds=number // 3)
            ChatFactory.create(contact__widget=shop, status=status, created_at=at, last_message_at=at, expired_at=at)
        found, cursor, pages = [], None, 0
        while cursor is not None or not pages:
            with django_assert_num_queries(2):  # the rows, their marks
                page = inbox_page(widget_id=shop.pk, agent_id=alice.pk, view=view, cursor=cursor, limit=3)
            found += shown(page)
            cursor, pages = page.next_cursor, pages + 1
        assert pages == 3
        assert len(found) == len(set(found)) == 7
        assert found == shown(inbox_page(widget_id=shop.pk, agent_id=alice.pk, view=view))

    @pytest.mark.parametrize("count", [1, 20])
    def test_a_page_is_one_statement(
        self, shop: Widget, alice: Agent, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for chat in ChatFactory.create_batch(count, contact__widget=shop):
            MessageFactory.create(chat=chat)
        for view in (View.OPEN, View.DEPARTMENT, View.UNANSWERED):
            with django_assert_num_queries(1 if view is View.DEPARTMENT else 2):  # nobody's rows have no marks
                inbox_page(widget_id=shop.pk, agent_id=alice.pk, view=view)


VISIT = {
    "user_agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
    "referrer": "https://search.test/",
    "time_zone": "Europe/Moscow",
    "pages": [{"url": "https://shop.test/roses", "at": "2026-01-02T03:04:00+00:00"}],
}


class TestCards:
    def test_a_card_is_what_is_known_of_the_visitor(self, chat: Chat, ivan: Contact, alice: Agent) -> None:
        at = timezone.now()
        ContactTagFactory.create(contact=ivan, tag__name="vip")
        other = ChatFactory.create(contact=ivan, channel="telegram")
        session = VisitorSessionFactory.create(contact=ivan, page_url="https://shop.test/roses", lang="ru", **VISIT)
        older = VisitorSessionFactory.create(contact=ivan, page_url="https://shop.test/", lang="en")
        VisitorSession.objects.filter(pk=older.pk).update(last_seen_at=at - timedelta(days=1))
        seen = MessageFactory.create(chat=chat, agent=alice, seen_at=at)
        MessageFactory.create(chat=chat, agent=alice)
        MessageFactory.create(chat=chat, seen_at=at)  # the visitor's own, seen by an operator
        Rating.objects.create(widget=chat.widget, chat=chat, value=1, rated_at=at - timedelta(days=9))
        Rating.objects.create(widget=chat.widget, chat=chat, value=4, rated_at=at)
        Chat.objects.filter(pk=chat.pk).update(rating_requested_at=at)
        other.refresh_from_db()
        session.refresh_from_db()
        ivan.refresh_from_db()
        found = contact_panels(chat.widget_id, [chat.pk])
        reach, presence = found[chat.pk].pop("reach"), found[chat.pk]["visitor"].pop("presence")
        assert (reach["by"], reach["address"], presence["state"]) == ("mail", ivan.email, "left")
        assert found == {
            chat.pk: {
                "contact": {
                    "id": ivan.guid,
                    "name": ivan.name,
                    "email": ivan.email,
                    "phone": ivan.phone,
                    "attributes": {},
                    "external_id": None,
                    "tags": ["vip"],
                    "consents": [],
                    "merged_into": None,
                    "merged": [],
                    "created_at": ivan.created_at,
                    "updated_at": ivan.updated_at,
                },
                "visitor": {
                    "page_url": "https://shop.test/roses",
                    "lang": "ru",
                    "last_seen_at": session.last_seen_at,
                    "browser": "Chrome 131",
                    "system": "Windows 10",
                    "referrer": "https://search.test/",
                    "time_zone": "Europe/Moscow",
                    "address": None,
                    "pages": [{"url": "https://shop.test/roses", "at": datetime(2026, 1, 2, 3, 4, tzinfo=UTC)}],
                    "user_id": None,
                },
                "rating": {"requested_at": at, "value": 4, "comment": None, "rated_at": at},
                "blocks": [],
                "other_chats": [
                    {
                        "id": other.pk,
                        "status": "active",
                        "channel": "telegram",
                        "created_at": other.created_at,
                        "last_message_at": None,
                    }
                ],
                "steps": [],
                "seen_by_visitor": seen.pk,
                "answering": None,
                "summary": None,
                "suggested_tags": [],
                "translation": {
                    "on": False,
                    "is_offered": False,
                    "visitor_language": "ru",
                    "from": "widget",
                    "to": [],
                    "was_switched": False,
                },
                "questions": {},
                "operators": {},
            }
        }

    def test_it_has_the_words_of_the_questions_that_were_answered(self, chat: Chat, sales: Department) -> None:
        ask(chat.widget, TOPIC, question("department"), CONSENT, question("text"))
        answers = {"topic": "order", "department": sales.pk}
        ChatAnswers.objects.create(widget=chat.widget, chat=chat, message_id=1, answers=answers)
        given = {"key": "privacy", "given": True, "text_sha256": "a" * 64, "lang": "en"}
        ContactConsent.objects.create(widget=chat.widget, contact=chat.contact, **given)
        card = contact_panels(chat.widget_id, [chat.pk])[chat.pk]
        labels = {option["value"]: option["label"] for option in TOPIC["options"]}
        assert card["questions"] == {
            "topic": {"label": TOPIC["label"], "values": labels},
            "department": {"label": {"en": "department"}, "values": {str(sales.pk): {"": sales.name}}},
            "privacy": {"label": CONSENT["label"], "values": {}},
        }
        assert [one["key"] for one in card["contact"]["consents"]] == ["privacy"]

    def test_what_is_not_known_is_null(self, chat: Chat) -> None:
        card = contact_panels(chat.widget_id, [chat.pk])[chat.pk]
        assert (card["visitor"], card["seen_by_visitor"]) == (None, 0)
        assert card["rating"] == {"requested_at": None, "value": None, "comment": None, "rated_at": None}

    def test_of_another_widgets_chat_there_is_none(self, chat: Chat, rival: Rival) -> None:
        assert contact_panels(chat.widget_id, [rival.chat.pk, chat.pk]).keys() == {chat.pk}

    @pytest.mark.parametrize("count", [1, 20])
    def test_it_is_seventeen_statements(
        self, shop: Widget, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        ids = [chat.pk for chat in ChatFactory.create_batch(count, contact__widget=shop)]
        with django_assert_num_queries(17):
            assert len(contact_panels(shop.pk, ids)) == count


class TestWhatAProcessKnows:
    """Of all widgets that it has sockets of: what `ready` and each poll cost, whatever there is."""

    def test_counted_chats_are_those_active_or_ready_with_their_versions(self, shop: Widget, rival: Rival) -> None:
        def new(**fields: Any) -> Chat:
            return ChatFactory.create(contact__widget=shop, **fields)

        active, ready = said(new(version=3), 1), new(status="ready")
        new(status="expired"), new(status="spam")
        assert counted_versions([shop.pk]) == {shop.pk: {active.pk: 3, ready.pk: 1}}
        found = counted_chats([shop.pk])
        assert {id_: chat.version for id_, chat in found[shop.pk].items()} == {active.pk: 3, ready.pk: 1}
        assert [found[shop.pk][chat.pk].is_unanswered for chat in (active, ready)] == [True, False]
        assert [found[shop.pk][chat.pk].is_empty for chat in (active, ready)] == [False, True]

    @pytest.mark.parametrize("count", [1, 20])
    def test_statements_do_not_grow_with_chats_nor_people(
        self, shop: Widget, rival: Rival, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        chats = [said(chat, 1) for chat in ChatFactory.create_batch(count, contact__widget=shop)]
        AgentFactory.create_batch(count, widget=shop)
        widgets = [shop.pk, rival.widget.pk]
        with django_assert_num_queries(1):
            assert len(counted_chats(widgets)[shop.pk]) == count
        with django_assert_num_queries(1):
            assert len(counted_versions(widgets)[shop.pk]) == count
        with django_assert_num_queries(2):  # the people, the departments
            assert len(staff_of(widgets)[shop.pk].agents) >= count
        with django_assert_num_queries(2):
            assert reads.changes([chat.pk for chat in chats]).keys() == {chat.pk for chat in chats}

    def test_what_became_of_a_chat_goes_up_to_its_newest_message_notes_too(self, chat: Chat) -> None:
        assert reads.changes([chat.pk, 10**9]) == {chat.pk: reads.ChatChange(reads.states([chat.pk])[chat.pk], 0)}
        MessageFactory.create(chat=chat)
        note = MessageFactory.create(chat=chat, is_internal=True)
        assert reads.changes([chat.pk])[chat.pk].newest_message_id == note.pk
