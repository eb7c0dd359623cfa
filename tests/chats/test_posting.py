"""Posting when others write into the chat at the same time: decided on what is true, in order, all or nothing."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection

from apps.chats import actions
from apps.chats.actions import posting
from apps.chats.actions.posting import ChatRead, PostingDecision
from apps.chats.events import MessagePosted
from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind, Status
from apps.core.bus import DomainEvent
from apps.core.models import IdempotencyKey
from apps.webhooks.models import Event
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, ApiTokenFactory, ChatFactory, MessageFactory, plain_text
from tests.factories.webhooks import SubscriptionFactory
from tests.handlers import also
from tests.rows import snapshot

TEXT = {"type": "text", "body": "Hello"}
WRITERS, EACH = 6, 10


def meanwhile(work: Callable[[], object]) -> None:
    """Does it in a transaction of somebody else's, to its end."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()


def decision(read: ChatRead) -> PostingDecision:
    """The chat stays as it is; a visitor says hello."""
    return PostingDecision(TEXT, read.chat.status, read.chat.attribution, SenderKind.CLIENT, None, "Ivan", [])


@pytest.mark.django_db(transaction=True)
class TestBetweenReadingAndWriting:
    def test_a_changed_chat_is_read_and_decided_on_again(self) -> None:
        chat = ChatFactory.create()
        seen: list[tuple[str, int]] = []

        def decide(read: ChatRead) -> PostingDecision:
            seen.append((read.chat.status, read.chat.version))
            if len(seen) == 1:
                meanwhile(lambda: actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.SPAM))
            return decision(read)

        assert posting.post(decide, widget_id=chat.widget_id, chat_id=chat.pk)
        assert seen == [("active", 1), ("spam", 2)]
        chat.refresh_from_db()
        assert (chat.status, chat.version, Message.objects.count()) == ("spam", 3, 1)

    def test_an_operator_is_refused_by_a_chat_that_became_spam(self, monkeypatch: pytest.MonkeyPatch) -> None:
        chat = ChatFactory.create()
        SubscriptionFactory.create(widget=chat.widget)
        agent = AgentFactory.create(widget=chat.widget)
        api = ApiClient(plain_text(ApiTokenFactory.create(widget=chat.widget)))
        write = posting._write

        def write_late(*arguments: Any) -> Any:
            if Chat.objects.get(pk=chat.pk).status == "active":
                meanwhile(lambda: actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.SPAM))
            return write(*arguments)

        monkeypatch.setattr(posting, "_write", write_late)
        answer = api.post(f"/chats/{chat.pk}/messages", json={**TEXT, "agent_id": agent.pk})
        assert_problem(answer, 409, "chat_is_spam")
        assert [kind.objects.count() for kind in (Message, IdempotencyKey, Event)] == [0, 0, 0]

    def test_a_message_posted_meanwhile_comes_first(self) -> None:
        chat = ChatFactory.create()

        def decide(read: ChatRead) -> PostingDecision:
            if not Message.objects.exists():
                meanwhile(lambda: posting.post(decision, widget_id=chat.widget_id, chat_id=chat.pk))
            return decision(read)

        row = posting.post(decide, widget_id=chat.widget_id, chat_id=chat.pk)
        ids = list(Message.objects.order_by("created_at").values_list("id", flat=True))
        assert row is not None
        assert len(ids) == 2
        assert ids == sorted(ids)
        assert row[0] == ids[-1] == Chat.objects.get(pk=chat.pk).last_message_id


@pytest.mark.django_db(transaction=True)
def test_within_a_chat_ids_are_in_the_order_of_commits_whoever_writes() -> None:
    chat = ChatFactory.create()
    MessageFactory.create(chat=chat)
    agent = AgentFactory.create(widget=chat.widget)
    seen: list[list[int]] = []
    barrier = Barrier(WRITERS + 1)

    def write(number: int) -> None:
        barrier.wait(timeout=30)
        for _ in range(EACH):
            if number % 2:
                actions.post_client_message(contact=chat.contact, content=TEXT)
            else:
                actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=TEXT, agent_id=agent.pk)

    def read() -> None:
        barrier.wait(timeout=30)
        while not seen or len(seen[-1]) <= WRITERS * EACH:
            seen.append(list(Message.objects.filter(chat=chat).order_by("id").values_list("id", flat=True)))

    def run(number: int) -> None:
        try:
            write(number) if number < WRITERS else read()
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS + 1) as pool:
        list(pool.map(run, range(WRITERS + 1)))
    final = seen[-1]
    assert all(earlier == final[: len(earlier)] for earlier in seen), "a message came in before one that was there"
    assert list(Message.objects.order_by("created_at").values_list("id", flat=True)) == final
    chat.refresh_from_db()
    assert (chat.last_message_id, chat.version) == (final[-1], 1 + WRITERS * EACH)


@pytest.mark.django_db(transaction=True)
def test_a_reaction_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chat = ChatFactory.create()
    SubscriptionFactory.create(widget=chat.widget)
    agent = AgentFactory.create(widget=chat.widget)
    token = ApiTokenFactory.create(widget=chat.widget)
    before = snapshot()

    def fail(_: DomainEvent) -> None:
        assert Message.objects.count() == Event.objects.count() == 1
        raise ValueError("no")

    also(monkeypatch, fail, MessagePosted)
    answer = ApiClient(plain_text(token)).post(f"/chats/{chat.pk}/messages", json={**TEXT, "agent_id": agent.pk})
    assert_problem(answer, 500, "internal_error")
    assert snapshot() == before
