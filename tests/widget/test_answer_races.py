"""Answers under concurrency: real threads, each with its own connection; and the statements of posts without any."""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact, Message
from apps.widget.models import ChatAnswers, ContactConsent
from tests.agents.test_invitation_races import at_once
from tests.widget.asking import CONSENT, TOPIC, ask
from tests.widget.visitor import VisitorClient


def posting(guid: str, token: str | None, **members: Any) -> Callable[[], int]:
    document = {"client_id": str(uuid4()), "type": "text", "body": "Hello", **members}
    return lambda: int(VisitorClient(guid, token).post("messages", document).status_code)


@pytest.mark.django_db(transaction=True)
def test_first_messages_at_once_make_one_beginning(shop: Widget, visitor: VisitorClient) -> None:
    ask(shop, TOPIC, CONSENT)
    visitor.come()
    answers = {"topic": "order", "privacy": True}
    calls = [posting(visitor.guid, visitor.token, answers=answers) for _ in range(4)]
    assert Counter(at_once(calls)) == {201: 4}
    (chat,) = Chat.objects.for_widget(shop.pk)
    assert (Message.objects.count(), ChatAnswers.objects.count()) == (4, 1)
    assert (chat.answers, Contact.objects.get().attributes) == (answers, {"topic": "order"})
    assert ChatAnswers.objects.get().message_id == Message.objects.order_by("id").first().pk  # type: ignore[union-attr]


@pytest.mark.django_db(transaction=True)
def test_one_message_that_is_sent_twice_at_once_is_stored_once_with_its_answers(
    shop: Widget, visitor: VisitorClient
) -> None:
    ask(shop, TOPIC, CONSENT)
    visitor.come()
    client_id = str(uuid4())
    again = {"client_id": client_id, "answers": {"topic": "order", "privacy": True}}
    assert Counter(at_once([posting(visitor.guid, visitor.token, **again) for _ in range(4)])) == {201: 1, 200: 3}
    assert (Message.objects.count(), ChatAnswers.objects.count(), ContactConsent.objects.count()) == (1, 1, 1)


@pytest.mark.django_db(transaction=True)
def test_of_two_first_messages_the_one_without_answers_is_refused_or_comes_second(
    shop: Widget, visitor: VisitorClient
) -> None:
    ask(shop, TOPIC)
    visitor.come()
    with_it = posting(visitor.guid, visitor.token, answers={"topic": "order"})
    statuses = at_once([with_it, posting(visitor.guid, visitor.token)])
    assert statuses in ([201, 422], [201, 201])
    first = Message.objects.order_by("id").first()
    assert first is not None
    assert ChatAnswers.objects.get().message_id == first.pk


def statements(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert call().status_code in (200, 201)
    return len([one for one in asked if "SAVEPOINT" not in one["sql"]])


@pytest.mark.django_db
def test_off_costs_no_statement_of_a_session_or_a_post(shop: Widget, visitor: VisitorClient) -> None:
    """A row of questions that are off is as none."""

    def costs(browser: VisitorClient) -> list[int]:
        browser.come()
        document = {"type": "text", "body": "Hello"}
        counted = [statements(lambda: browser.post("messages", {**document, "client_id": str(uuid4())})) for _ in "ab"]
        return [statements(lambda: browser.post("sessions", {"visitor_token": browser.token})), *counted]

    before = costs(visitor)
    ask(shop, TOPIC, is_on=False)
    assert costs(VisitorClient(shop)) == before
    ask(shop, {**TOPIC, "required": False})
    session, *posts = costs(VisitorClient(shop))
    assert session > before[0]
    assert posts > before[1:]
