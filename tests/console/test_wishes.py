"""What an operator wishes that the assistant had said, from the chat where it did not."""

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.assistants import create_assistant
from apps.ai.models import Exchange
from apps.ai.rules.actors import SYSTEM
from apps.learning.models import Wish
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.chats import ChatFactory, MessageFactory

pytestmark = pytest.mark.django_db
TEXT = "Name the price before asking for the address."


def test_a_wish_is_for_the_assistant_that_answered_and_keeps_its_chat(
    alices_console: Console, alice: Agent, shop: Widget
) -> None:
    create_assistant(widget_id=shop.pk, actor=SYSTEM, name="Flora")
    other = create_assistant(widget_id=shop.pk, actor=SYSTEM, name="Ivy")
    chat = ChatFactory.create(contact__widget=shop)
    answer = MessageFactory.create(chat=chat)
    Exchange.objects.create(
        widget=shop,
        chat=chat,
        assistant=other,
        answer_message_id=answer.pk,
        first_message_id=answer.pk,
        last_message_id=answer.pk,
        outcome=Exchange.Outcome.SHOWN,
    )
    body = {"text": TEXT, "message_id": answer.pk}
    told = alices_console.data("POST", f"/chats/{chat.pk}/wishes", 201, json=body)
    wish = Wish.objects.for_widget(shop.pk).get()
    assert told == {"id": wish.pk, "chat_id": chat.pk, "assistant_id": other.pk, "status": "submitted"}
    assert (wish.text, wish.chat_id, wish.author["kind"], wish.author["id"]) == (TEXT, chat.pk, "staff", alice.user_id)


def test_the_same_wish_twice_is_one(alices_console: Console, boriss_console: Console, shop: Widget) -> None:
    create_assistant(widget_id=shop.pk, actor=SYSTEM, name="Flora")
    chat = ChatFactory.create(contact__widget=shop)
    path, body = f"/chats/{chat.pk}/wishes", {"text": TEXT}
    first, second = (alices_console.data("POST", path, 201, json=body) for _ in range(2))
    assert first == second
    assert boriss_console.data("POST", path, 201, json=body)["id"] != first["id"]
    assert Wish.objects.for_widget(shop.pk).count() == 2


def test_without_an_answer_it_is_for_the_default_assistant(alices_console: Console, shop: Widget) -> None:
    first = create_assistant(widget_id=shop.pk, actor=SYSTEM, name="Flora")
    chat = ChatFactory.create(contact__widget=shop)
    told = alices_console.data("POST", f"/chats/{chat.pk}/wishes", 201, json={"text": TEXT, "message_id": 2**62})
    assert told["assistant_id"] == first.pk


def test_refusals_write_nothing(alices_console: Console, shop: Widget, rival: Rival) -> None:
    chat = ChatFactory.create(contact__widget=shop)
    path = f"/chats/{chat.pk}/wishes"
    assert_problem(alices_console.post(path, json={"text": TEXT}), 404, "not_found")
    create_assistant(widget_id=shop.pk, actor=SYSTEM, name="Flora")
    for text in ("", "  a ", "x" * 2_001):
        assert_problem(alices_console.post(path, json={"text": text}), 422, "invalid_input")
    foreign = f"/chats/{ChatFactory.create(contact__widget=rival.widget).pk}/wishes"
    assert_problem(alices_console.post(foreign, json={"text": TEXT}), 404, "not_found")
    assert not Wish.objects.exists()
