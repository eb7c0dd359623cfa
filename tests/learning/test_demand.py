"""Demand signals: what is written down, and how it is read (design of learning, 8)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.events import Answered
from apps.chats.models import Chat
from apps.core import bus
from apps.learning.actions.demand import forget_old_demand, note_demand
from apps.learning.models import DemandSignal, DemandTopic
from apps.learning.rules.demand import folded
from apps.learning.rules.states import DemandCategory
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.chats import ChatFactory, MessageFactory

pytestmark = pytest.mark.django_db
GAP = DemandCategory.KNOWLEDGE_GAP


def noted(chat: Chat, question: str, *, category: DemandCategory = GAP, days_ago: float = 0, burst: int = 0) -> None:
    note_demand(
        widget_id=chat.widget_id,
        category=category,
        chat_id=chat.pk,
        burst_id=burst or DemandSignal.objects.count() + 1,
        question=question,
        at=timezone.now() - timedelta(days=days_ago),
    )


def read(api: ApiClient, **query: str) -> Any:
    response = api.get("/ai/demand-signals", query=query)
    assert response.status_code == 200, response.content
    return response.json()["data"]


class TestTopics:
    @pytest.mark.parametrize(
        ("first", "second", "is_one"),
        [
            ("Сколько стоит доставка в Тверь?", "сколько стоит доставка в тверь", True),
            ("Сколько стоит доставка в Тверь?", "А сколько стоит доставка в Тверь завтра?", True),
            ("Do you ship to Canada?", "do you ship to canada please", True),
            ("Сколько стоит доставка в Тверь?", "Есть ли розы?", False),
            ("Есть ещё розы?", "есть еще розы", True),
            ("你们送货吗", "你们送货吗", True),
        ],
    )
    def test_what_is_worded_alike_is_one(self, chat: Chat, first: str, second: str, is_one: bool) -> None:
        noted(chat, first)
        noted(chat, second)
        assert DemandTopic.objects.count() == (1 if is_one else 2)
        assert DemandTopic.objects.earliest("pk").topic == first

    def test_a_topic_that_is_old_begins_anew_and_categories_are_apart(self, chat: Chat) -> None:
        noted(chat, "Есть розы?", days_ago=91)
        noted(chat, "Есть розы?")
        noted(chat, "Есть розы?", category=DemandCategory.ESCALATION)
        assert DemandTopic.objects.count() == 3

    def test_once_a_chat_category_and_burst(self, chat: Chat) -> None:
        for _ in range(2):
            noted(chat, "Есть розы?", burst=7)
        assert DemandSignal.objects.count() == 1

    def test_no_personal_data_is_kept(self, chat: Chat) -> None:
        noted(chat, "Пишите на ivan@mail.test или +7 902 123-45-67, карта 4111 1111 1111 1111 " + "ы" * 400)
        signal = DemandSignal.objects.get()
        assert len(signal.question) == 300
        assert not any(secret in signal.question for secret in ("ivan", "902", "4111"))
        assert folded("[EMAIL_1] [PHONE_2] ё") == "e"

    def test_they_are_kept_for_400_days(self, chat: Chat) -> None:
        noted(chat, "Старое", days_ago=401)
        noted(chat, "Новое", days_ago=399)
        assert forget_old_demand() == 1
        assert DemandSignal.objects.get().question == "Новое"


class TestFacts:
    @pytest.mark.parametrize(
        ("rag_status", "transformation", "reason", "is_gap"),
        [
            ("empty", "answer", "", True),
            ("empty", "escalation_outcome", "model_request", True),
            ("empty", "escalation_outcome", "human_request", False),
            ("empty", "social_reply", "", False),
            ("included", "answer", "", False),
            ("unavailable", "answer", "", False),
            ("disabled", "answer", "", False),
        ],
    )
    def test_a_gap_is_an_answer_without_knowledge(
        self, chat: Chat, rag_status: str, transformation: str, reason: str, is_gap: bool
    ) -> None:
        bus.publish(
            Answered(
                widget_id=chat.widget_id,
                chat_id=chat.pk,
                first_message_id=5,
                question="Есть розы?",
                rag_status=rag_status,
                transformation=transformation,
                reason=reason,
            )
        )
        assert DemandSignal.objects.count() == is_gap

    @pytest.mark.parametrize(("value", "count"), [(1, 1), (2, 1), (3, 0), (5, 0)])
    def test_a_low_rating_is_dissatisfaction(self, chat: Chat, value: int, count: int) -> None:
        from apps.chats.actions import rate_chat as rate

        MessageFactory.create(chat=chat, body="Где заказ?")
        rate(widget_id=chat.widget_id, chat_id=chat.pk, value=5)
        assert not DemandSignal.objects.exists()
        rate(widget_id=chat.widget_id, chat_id=chat.pk, value=value)
        assert DemandSignal.objects.filter(category="dissatisfaction", question="Где заказ?").count() == count


class TestReading:
    def test_topics_are_counted_in_the_window_and_in_the_one_before(
        self, api: ApiClient, shop: Widget, chat: Chat, rival: Rival
    ) -> None:
        other = ChatFactory.create(contact__widget=shop)
        for days_ago in (40, 2, 1):
            noted(chat, "Есть розы?", days_ago=days_ago)
        noted(other, "есть розы", days_ago=3)
        noted(other, "Работаете в выходные?", category=DemandCategory.MISSED_CONTACT)
        noted(rival.chat, "Есть розы?")
        found = read(api)
        assert found["totals"] == {"knowledge_gap": 3, "escalation": 0, "dissatisfaction": 0, "missed_contact": 1}
        assert found["from"].endswith("+03:00")
        first, second = found["signals"]
        assert (first["topic"], first["count"], first["chats"], first["previous_count"]) == ("Есть розы?", 3, 2, 1)
        assert sorted(first["samples"]) == ["Есть розы?", "есть розы"]
        assert (second["category"], second["previous_count"]) == ("missed_contact", 0)
        assert read(api, category="escalation")["signals"] == []
        assert read(api, category="escalation")["totals"] == found["totals"]
        assert len(read(api, limit="1")["signals"]) == 1

    @pytest.mark.parametrize(
        "query",
        [{"category": "x"}, {"limit": "0"}, {"limit": "101"}, {"period": "week"}, {"cursor": "x"}, {"from": "yes"}],
    )
    def test_a_bad_query_of_the_signals_is_422(self, api: ApiClient, query: dict[str, str]) -> None:
        assert_problem(api.get("/ai/demand-signals", query=query), 422, "invalid_input", errors=list(query))

    def test_a_window_that_ends_before_it_begins_is_422(self, api: ApiClient) -> None:
        query = {"from": "2026-05-02", "to": "2026-05-01"}
        assert_problem(api.get("/ai/demand-signals", query=query), 422, "invalid_input")

    def test_without_signals_the_list_is_empty(self, api: ApiClient) -> None:
        assert read(api)["signals"] == []
