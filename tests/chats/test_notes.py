"""Notes: messages of operators to each other. Nobody else ever sees one, and they move nothing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.events import MessagePosted
from apps.chats.models import Chat, Message
from apps.chats.querysets import messages_after
from apps.core.bus import DomainEvent
from apps.core.problems import Problem
from apps.webhooks.models import Event
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import AgentFactory, AiAgentFactory, MessageFactory
from tests.factories.files import FileFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

TEXT = {"type": "text", "body": "He was rude on the phone"}


def note(chat: Chat, agent: Agent, **options: Any) -> actions.PostedMessage:
    options.setdefault("content", TEXT)
    return actions.post_note(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=agent.pk, **options)


def columns(chat: Chat) -> dict[str, Any]:
    return Chat.objects.values().get(pk=chat.pk)


@pytest.mark.parametrize("status", ["active", "ready", "expired", "spam"])
def test_it_changes_nothing_of_its_chat_but_the_version(chat: Chat, alice: Agent, boris: Agent, status: str) -> None:
    MessageFactory.create(chat=chat)
    expired_at = timezone.now() if status == "expired" else None
    Chat.objects.update(status=status, agent=boris, expired_at=expired_at)
    before = columns(chat)
    posted = note(chat, alice)
    assert columns(chat) == {**before, "version": before["version"] + 1}
    stored = Message.objects.get(pk=posted.id)
    assert (stored.is_internal, stored.sender_kind, stored.agent, stored.sender_name, stored.body) == (
        True,
        "agent",
        alice,
        "Alice Weber",
        TEXT["body"],
    )
    assert posted.is_new
    assert posted.message["body"] == TEXT["body"]


def test_operators_hear_of_it_as_of_a_message_for_operators_only(
    chat: Chat, alice: Agent, happened: list[DomainEvent]
) -> None:
    posted = note(chat, alice)
    known = {"widget_id": chat.widget_id, "widget_guid": chat.widget.guid, "chat_id": chat.pk}
    assert happened == [
        MessagePosted(
            **known,
            message_id=posted.id,
            contact_guid=chat.contact.guid,
            channel="widget",
            author_type="OPERATOR",
            is_internal=True,
        )
    ]


def test_neither_visitors_nor_webhooks_nor_transcripts_nor_searches_see_it(
    chat: Chat, alice: Agent, api: ApiClient
) -> None:
    MessageFactory.create(chat=chat, body="Hello")
    SubscriptionFactory.create(widget=chat.widget)
    note(chat, alice)
    seen = messages_after(chat_id=chat.pk, after_id=0, limit=100, for_visitor=True)
    assert "Hello" in str(seen)
    assert "rude" not in str(seen)
    assert not Event.objects.exists()
    transcript = api.get(f"/chats/{chat.pk}/transcript").getvalue().decode()
    assert "Hello" in transcript
    assert "rude" not in transcript
    assert api.get("/chats?q=rude").json()["data"] == []


def test_it_can_have_a_file(chat: Chat, alice: Agent) -> None:
    file = FileFactory.create(widget=chat.widget, name="order.pdf")
    posted = note(chat, alice, content={"type": "file", "file_id": file.pk})
    assert posted.message["name"] == "order.pdf"


def test_the_same_client_id_gives_the_note_that_it_stored(chat: Chat, alice: Agent) -> None:
    client_id = uuid4()
    first = note(chat, alice, client_id=client_id)
    before = snapshot()
    again = note(chat, alice, client_id=client_id, content={"type": "text", "body": "Something else"})
    assert (again.message, again.is_new) == (first.message, False)
    assert snapshot() == before


def test_what_is_not_the_widgets_is_404(chat: Chat, alice: Agent, rival: Rival) -> None:
    foreign_file = FileFactory.create(widget=rival.widget)
    whole = {"widget_id": chat.widget_id, "chat_id": chat.pk, "agent_id": alice.pk, "content": TEXT}
    before = snapshot()
    for change in (
        {"chat_id": rival.chat.pk},
        {"agent_id": rival.agent.pk},
        {"content": {"type": "file", "file_id": foreign_file.pk}},
    ):
        with pytest.raises(Problem) as refused:
            actions.post_note(**{**whole, **change})
        assert refused.value.type.code == "not_found"
    assert snapshot() == before


@pytest.mark.parametrize(("type_", "kind"), [("ai", "ai"), ("webhook", "external_operator")])
def test_an_operator_that_is_no_person_writes_one_under_its_own_name(chat: Chat, type_: str, kind: str) -> None:
    agent = AiAgentFactory.create(widget=chat.widget, type=type_, name="Ada")
    written = note(chat, agent, content={**TEXT, "origin": "ai_shadow"})
    assert written.message["sender"] == {"kind": kind, "agent_id": agent.pk, "name": "Ada"}
    assert written.message["origin"] == "ai_shadow"
    stored = Message.objects.get(pk=written.id)
    assert stored.is_internal
    assert Chat.objects.get(pk=chat.pk).handling == "missed", "a note accepts no chat"


def test_nobody_who_is_banned_writes_one(chat: Chat) -> None:
    agent = AgentFactory.create(widget=chat.widget, status="banned")
    before = snapshot()
    with pytest.raises(Problem) as refused:
        note(chat, agent)
    assert (refused.value.type.code, list(refused.value.errors)) == ("invalid_input", ["agent_id"])
    assert snapshot() == before


def test_a_text_file_is_no_image(chat: Chat, alice: Agent) -> None:
    file = FileFactory.create(widget=chat.widget, name="a.txt", content_type="text/plain")
    before = snapshot()
    with pytest.raises(Problem) as refused:
        note(chat, alice, content={"type": "image", "file_id": file.pk})
    assert list(refused.value.errors) == ["file"]
    assert snapshot() == before


@pytest.mark.django_db(transaction=True)
def test_at_once_with_messages_ids_stay_in_the_order_of_the_talk(chat: Chat, alice: Agent) -> None:
    """Whoever goes on after the last id they have read misses neither a note nor a message."""
    barrier = Barrier(6)

    def write(number: int) -> int:
        barrier.wait(timeout=30)
        try:
            if number % 2:
                return note(chat, alice).id
            content = {"type": "text", "body": "Hello"}
            whole = {"widget_id": chat.widget_id, "chat_id": chat.pk, "agent_id": alice.pk}
            return actions.post_agent_message(content=content, **whole).id
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as threads:
        ids = {each.result() for each in [threads.submit(write, number) for number in range(6)]}
    stored = Message.objects.order_by("id")
    assert {message.pk for message in stored} == ids
    times = [message.created_at for message in stored]
    assert times == sorted(times)
    assert Chat.objects.get().version == 7


class TestRepeatedSends:
    """An operator's message with a `client_id`: sent once more, it is the same message."""

    def send(self, chat: Chat, agent: Agent, client_id: Any, body: str = "Hello") -> actions.PostedMessage:
        return actions.post_agent_message(
            widget_id=chat.widget_id,
            chat_id=chat.pk,
            agent_id=agent.pk,
            content={"type": "text", "body": body},
            client_id=client_id,
        )

    def test_the_same_client_id_gives_the_message_that_it_stored(
        self, chat: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        client_id = uuid4()
        first = self.send(chat, alice, client_id)
        happened.clear()
        before = snapshot()
        again = self.send(chat, alice, client_id, "Something else")
        assert (first.is_new, again.is_new) == (True, False)
        assert again.message == first.message
        assert happened == []
        assert snapshot() == before

    def test_another_client_id_or_none_is_another_message(self, chat: Chat, alice: Agent) -> None:
        ids = [self.send(chat, alice, client_id).id for client_id in (uuid4(), uuid4(), None, None)]
        assert len(set(ids)) == 4

    @pytest.mark.django_db(transaction=True)
    def test_at_once_it_is_stored_once(self, chat: Chat, alice: Agent) -> None:
        client_id, barrier = uuid4(), Barrier(4)

        def send(_: int) -> tuple[int, bool]:
            barrier.wait(timeout=30)
            try:
                posted = self.send(chat, alice, client_id)
                return posted.id, posted.is_new
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as threads:
            sent = list(threads.map(send, range(4)))
        assert {message_id for message_id, _ in sent} == set(Message.objects.values_list("pk", flat=True))
        assert [is_new for _, is_new in sent].count(True) == 1
