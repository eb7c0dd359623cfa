"""The visitor's thumbs under AI's messages: who may give one, what operators see, and what becomes of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from apps.ai.actions.facts import answering_facts
from apps.ai.actions.retention import KEPT, forget_old_exchanges
from apps.ai.models import AnswerFeedback, Exchange
from apps.ai.personal_data import held_of_contact
from apps.chats.models import Chat, Message
from apps.learning.models import DemandSignal, DemandTopic
from tests.ai.desk import Desk
from tests.cast import Rival, signed_in
from tests.client import assert_problem
from tests.factories import StaffFactory
from tests.factories.ai import ExchangeFactory
from tests.factories.chats import ChatFactory, MessageFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(desk: Desk) -> VisitorClient:
    """The browser of Ivan, whose chat the AI answers."""
    return VisitorClient(desk.widget, visitor_token(VisitorSessionFactory.create(contact=desk.chat.contact)))


@pytest.fixture
def answer(desk: Desk) -> Message:
    """The AI's answer to Ivan: «По 90 рублей.»"""
    assert desk.answers() == ["По 90 рублей."]
    return desk.said()[-1]


def rate(browser: VisitorClient, message: Message, helpful: bool | None) -> Any:
    return browser.put(f"messages/{message.pk}/feedback", {"helpful": helpful})


def thumbs() -> list[tuple[int, bool]]:
    return list(AnswerFeedback.objects.values_list("message_id", "helpful"))


class TestGiving:
    def test_a_thumb_is_given_changed_and_taken_back(self, browser: VisitorClient, answer: Message) -> None:
        for helpful in (True, False):
            assert rate(browser, answer, helpful).status_code == 204
            assert thumbs() == [(answer.pk, helpful)]
        assert rate(browser, answer, None).status_code == 204
        assert rate(browser, answer, None).status_code == 204
        assert thumbs() == []

    def test_a_persons_message_has_none(self, browser: VisitorClient, desk: Desk) -> None:
        own = MessageFactory.create(chat=desk.chat, sender_kind="client")
        persons = MessageFactory.create(chat=desk.chat, sender_kind="agent")
        by_person = MessageFactory.create(chat=desk.chat, sender_kind="external_operator", details={"by_person": True})
        for message in (own, persons, by_person):
            assert_problem(rate(browser, message, True), 409, "not_a_machines_message")
        assert thumbs() == []

    def test_a_program_of_the_owners_has_one(self, browser: VisitorClient, desk: Desk) -> None:
        message = MessageFactory.create(chat=desk.chat, sender_kind="external_operator")
        assert rate(browser, message, False).status_code == 204
        assert AnswerFeedback.objects.get().exchange is None

    def test_others_messages_and_notes_are_not_found(
        self, browser: VisitorClient, answer: Message, rival: Rival
    ) -> None:
        others = (
            MessageFactory.create(chat=ChatFactory.create(contact__widget=answer.widget), sender_kind="ai"),
            MessageFactory.create(chat=rival.chat, sender_kind="ai"),
            MessageFactory.create(chat=answer.chat, sender_kind="ai", is_internal=True),
        )
        for message in others:
            assert_problem(rate(browser, message, True), 404, "not_found")
        assert thumbs() == []

    def test_a_wrong_body_is_422_and_nobody_401(self, browser: VisitorClient, answer: Message) -> None:
        for body in ({}, {"helpful": "yes"}, {"helpful": 1, "more": 2}):
            assert browser.put(f"messages/{answer.pk}/feedback", body).status_code == 422
        browser.token = None
        assert rate(browser, answer, True).status_code == 401


class TestWhatBecomesOfIt:
    def test_operators_see_it_at_the_message_at_once(self, browser: VisitorClient, answer: Message) -> None:
        version = Chat.objects.get(pk=answer.chat_id).version
        rate(browser, answer, False)
        assert Chat.objects.get(pk=answer.chat_id).version == version + 1
        told = answering_facts(answer.widget_id, [answer.chat_id])[answer.chat_id]["answers"]
        assert told == [{"message_id": answer.pk, "sources": [], "helpful": False}]
        rate(browser, answer, False)
        assert Chat.objects.get(pk=answer.chat_id).version == version + 1

    def test_a_thumb_down_is_unmet_demand_until_it_is_taken_back(self, browser: VisitorClient, answer: Message) -> None:
        dissatisfied = DemandSignal.objects.filter(category="dissatisfaction")
        rate(browser, answer, True)
        assert not dissatisfied.exists()
        rate(browser, answer, False)
        assert [one.question for one in dissatisfied.all()] == ["Сколько стоят розы?"]
        rate(browser, answer, None)
        assert not dissatisfied.exists()
        assert not DemandTopic.objects.filter(category="dissatisfaction").exists()

    def test_a_low_rating_of_the_chat_stays_unmet_demand(self, browser: VisitorClient, answer: Message) -> None:
        browser.post("rating", {"value": 1})
        rate(browser, answer, False)
        rate(browser, answer, None)
        assert DemandSignal.objects.filter(category="dissatisfaction").count() == 1

    def test_a_rated_answer_becomes_a_test_question(self, browser: VisitorClient, answer: Message) -> None:
        rate(browser, answer, False)
        clerk = signed_in(StaffFactory.create(account=answer.widget.account, role="owner"))
        page = clerk.get("/admin/ai/answerfeedback/")
        assert "Сколько стоят розы?" in page.content.decode()
        opened = clerk.get(f"/admin/ai/answerfeedback/{answer.pk}/case/")
        query = parse_qs(urlsplit(opened["Location"]).query)
        assert query["question"] == ["Сколько стоят розы?"]
        assert "Сколько стоят розы?" in clerk.get(opened["Location"]).content.decode()

    def test_it_is_the_contacts_data_and_goes_with_the_exchange(self, browser: VisitorClient, answer: Message) -> None:
        rate(browser, answer, True)
        held = {rows.name: rows for rows in held_of_contact(answer.widget_id, answer.chat.contact_id)}
        assert list(held["answer_feedback"].rows) == [AnswerFeedback.objects.get()]
        Exchange.objects.update(at=timezone.now() - KEPT - timedelta(days=1))
        ExchangeFactory.create(chat=answer.chat)
        forget_old_exchanges()
        assert (Exchange.objects.count(), thumbs()) == (1, [])
