"""Translated words on the operator's websocket, against real processes."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from apps.agents.models import Agent, AgentPresence
from apps.chats.actions import post_client_message
from apps.chats.actions.translations import store_translations, switch_translation
from apps.chats.models import Chat, Message
from launcher.processes import wait_until
from tests.client import ApiClient
from tests.console.browser import operators_browser, ticket_of
from tests.factories import ChatFactory
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab

pytestmark = pytest.mark.django_db(transaction=True)

SOURCE = {"text": "5 роз стоят 1 500 ₽", "lang": "ru"}


@pytest.fixture
def tab(realtime: RealtimeProcess, alice: Agent, chat: Chat) -> Iterator[OperatorTab]:
    with OperatorTab(realtime.url) as opened:
        opened.auth(ticket_of(operators_browser(alice)))
        opened.send({"type": "chat.open", "data": {"chat_id": chat.pk}})
        opened.of_type("chat.opened")
        yield opened
    assert wait_until(lambda: not AgentPresence.objects.exists(), seconds=10)


@pytest.fixture
def chat(alice: Agent) -> Chat:
    return ChatFactory.create(contact__widget=alice.widget)


def send(tab: OperatorTab, chat: Chat, body: str, **more: Any) -> str:
    client_id = str(uuid.uuid4())
    data = {"chat_id": chat.pk, "client_id": client_id, "type": "text", "body": body, **more}
    tab.send({"type": "message.send", "data": data})
    return client_id


def test_the_visitor_reads_the_translation_and_operators_both(tab: OperatorTab, chat: Chat, api: ApiClient) -> None:
    send(tab, chat, "5 rosas cuestan 1.500 ₽", source=SOURCE)
    message = tab.of_type("ack")["message"]
    source = {**SOURCE, "is_source": True}
    assert message["body"] == "5 rosas cuestan 1.500 ₽"
    assert message["translated_from"] == "ru"
    assert message["translations"] == [{**source, "state": "done", "differs": []}]
    (shown,) = api.get(f"/chats/{chat.pk}/messages").json()["data"]
    assert (shown["body"], shown["translations"]) == ("5 rosas cuestan 1.500 ₽", [source])


def test_what_differs_is_refused_and_nothing_is_stored(tab: OperatorTab, chat: Chat) -> None:
    client_id = send(tab, chat, "5 rosas cuestan 1.600 ₽", source=SOURCE)
    refusal = tab.of_type("error")
    assert (refusal["code"], refusal["client_id"]) == ("translation_differs", client_id)
    assert refusal["differs"] == [{"kind": "money", "source": "1 500 ₽", "text": "1.600 ₽"}]
    assert not Message.objects.filter(chat=chat).exists()


@pytest.mark.parametrize(
    "source", [{"text": "x"}, {"text": "", "lang": "ru"}, {"text": "x", "lang": "Russian"}, "x", {**SOURCE, "to": "es"}]
)
def test_a_malformed_source_is_refused(tab: OperatorTab, chat: Chat, source: Any) -> None:
    send(tab, chat, "rosas", source=source)
    assert tab.of_type("error")["code"] == "invalid_input"
    assert not Message.objects.filter(chat=chat).exists()


def test_a_translation_that_is_made_is_shown_to_who_looks(tab: OperatorTab, chat: Chat) -> None:
    about = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    switch_translation(agent_id=None, on=True, to=["ru"], **about)
    content = {"type": "text", "body": "Quiero rosas"}
    message_id = post_client_message(contact=chat.contact, content=content).id
    made = {"text": "Хочу розы", "state": "done", "differs": []}
    tab.until(lambda frame: frame["type"] == "message.created" and frame["data"]["id"] == message_id)
    store_translations(lang="ru", made=[(message_id, "Quiero rosas", made)], **about)
    frame = tab.until(
        lambda frame: frame["type"] == "message.translated" and frame["data"]["translations"][0]["state"] == "done"
    )
    assert frame["data"] == {
        "chat_id": chat.pk,
        "message_id": message_id,
        "translations": [{"lang": "ru", "is_source": False, **made}],
    }
