"""The shop's word: one visible answer to a burst."""

from typing import Any
from uuid import uuid4

import pytest

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, Message
from apps.chats.questions import taken_messages
from apps.chats.rules.attribution import AttributionEvent
from tests.automations.acting import did, ran
from tests.factories import AiAgentFactory

REPLY = {"do": "reply", "text": "Ответим, {visitor.name|гость}"}
LATE: list[dict[str, Any]] = [
    {"wait": "visitor_silent", "minutes": 60, "clock": "always"},
    {"wait": "nothing_happened", "minutes": 60, "clock": "always"},
    {"event": "chat.closed"},
]
TEXT = {"type": "text", "body": "Где мой заказ?"}


def write(chat: Chat) -> int:
    return actions.post_client_message(contact=chat.contact, content=TEXT).id


def answer(chat: Chat, agent: Agent) -> None:
    actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=agent.pk, content=TEXT)


def words(chat: Chat) -> list[str]:
    said = Message.objects.filter(chat=chat, sender_kind="system", is_internal=False).order_by("id")
    return list(said.values_list("body", flat=True))


def test_it_is_said_once_a_burst(chat: Chat) -> None:
    chat.contact.name = "Ольга"
    chat.contact.save()
    write(chat)
    assert did(chat, REPLY) == ("done", None)
    assert did(chat, REPLY) == ("skipped", "already_answered")
    assert words(chat) == ["Ответим, Ольга"]
    said = Message.objects.get(chat=chat, sender_kind="system")
    assert (said.sender_name, said.origin, said.agent_id) == (chat.widget.name, "automation", None)
    write(chat)
    assert did(chat, REPLY) == ("done", None)


def test_not_behind_a_person_or_ai(chat: Chat, alice: Agent) -> None:
    write(chat)
    answer(chat, alice)
    assert did(chat, REPLY) == ("skipped", "already_answered")
    write(chat)
    actions.post_machine_message(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=AiAgentFactory.create(widget=chat.widget).pk,
        content=TEXT,
        fact=AttributionEvent.AI_ANSWERED,
        client_id=uuid4(),
    )
    assert did(chat, REPLY) == ("skipped", "already_answered")
    assert words(chat) == []


@pytest.mark.parametrize("when", LATE, ids=lambda when: str(next(iter(when.values()))))
def test_once_all_the_same_where_no_word_of_the_visitor_made_it(chat: Chat, alice: Agent, when: dict[str, Any]) -> None:
    write(chat)
    answer(chat, alice)
    assert did(chat, REPLY, when=when) == ("done", None)
    assert did(chat, REPLY, when=when) == ("skipped", "already_answered")
    assert len(words(chat)) == 1
    assert ran(chat, REPLY, REPLY, when={"event": "chat.started"}).state == "partly"


def test_never_to_machines_in_spam_or_between_colleagues(chat: Chat) -> None:
    write(chat)
    assert did(chat, REPLY, facts={"is_automatic": True}) == ("skipped", "automatic_letter")
    Chat.objects.filter(pk=chat.pk).update(internal=True)
    assert did(chat, REPLY) == ("skipped", "internal")
    Chat.objects.filter(pk=chat.pk).update(internal=False, status="spam")
    assert did(chat, REPLY) == ("skipped", "spam")
    assert words(chat) == []


def test_five_an_hour_at_most(chat: Chat) -> None:
    for _ in range(5):
        write(chat)
        assert did(chat, REPLY) == ("done", None)
    write(chat)
    assert did(chat, REPLY) == ("skipped", "limit")
    assert len(words(chat)) == 5


def test_it_is_said_in_the_visitors_language(chat: Chat) -> None:
    act = {"do": "reply", "text": "Завтра", "texts": {"de": "Morgen"}}
    write(chat)
    ran(chat, act)
    chat.contact.attributes["widget_language"] = "de"
    chat.contact.save()
    write(chat)
    ran(chat, act)
    assert words(chat) == ["Завтра", "Morgen"]


def test_the_wait_goes_on(chat: Chat) -> None:
    write(chat)
    before = Chat.objects.get(pk=chat.pk)
    ran(chat, REPLY)
    after = Chat.objects.get(pk=chat.pk)
    assert (after.waiting_since, after.status, after.last_message_id) == (
        before.waiting_since,
        before.status,
        before.last_message_id,
    )
    assert after.accepted_at is None


def test_ai_leaves_alone_what_a_reply_answered(chat: Chat, alice: Agent) -> None:
    first = write(chat)
    answer(chat, alice)
    second, third = write(chat), write(chat)
    ids = [first, second, third]
    assert taken_messages(chat.widget_id, chat.pk, ids) == frozenset()
    ran(chat, REPLY)
    later = write(chat)
    assert taken_messages(chat.widget_id, chat.pk, [*ids, later]) == {second, third}
