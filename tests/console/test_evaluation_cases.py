"""`POST /console/messages/{id}/evaluation-case`: a test question of a chat, in one click."""

import pytest

from apps.accounts.models import Widget
from apps.ai.models import EvaluationCase
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.ai import AssistantFactory
from tests.factories.chats import ChatFactory, MessageFactory

pytestmark = pytest.mark.django_db


def test_the_visitors_words_become_a_question_for_the_assistant_that_answered(
    alices_console: Console, shop: Widget
) -> None:
    assistant = AssistantFactory.create(widget=shop)
    chat = ChatFactory.create(contact__widget=shop)
    MessageFactory.create(chat=chat, body="What does a rose cost? +7 903 123-45-67")
    answer = MessageFactory.create(chat=chat, body="90", sender_kind="ai", assistant_id=assistant.pk)
    told = alices_console.data("POST", f"/messages/{answer.pk}/evaluation-case", 201)
    made = EvaluationCase.objects.for_widget(shop.pk).get()
    assert (told["id"], told["question"]) == (made.pk, "What does a rose cost? [PHONE_1]")
    assert told["born"] == {"from": "chat", "chat_id": chat.pk, "message_id": answer.pk}
    assert (told["assistant_id"], told["is_active"]) == (assistant.pk, True)


def test_refusals_write_nothing(alices_console: Console, shop: Widget, rival: Rival) -> None:
    greeting = MessageFactory.create(chat=ChatFactory.create(contact__widget=shop), sender_kind="agent")
    theirs = MessageFactory.create(chat=rival.chat)
    assert_problem(alices_console.post(f"/messages/{greeting.pk}/evaluation-case"), 422, "invalid_input")
    assert_problem(alices_console.post(f"/messages/{theirs.pk}/evaluation-case"), 404, "not_found")
    EvaluationCase.objects.bulk_create([EvaluationCase(widget=shop, question=f"{number}?") for number in range(200)])
    asked = MessageFactory.create(chat=greeting.chat)
    assert_problem(alices_console.post(f"/messages/{asked.pk}/evaluation-case"), 409, "too_many_cases")
    assert EvaluationCase.objects.count() == 200
