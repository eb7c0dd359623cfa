"""A messenger's reader is told that a machine speaks: by its name at each message, and in words before the first."""

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import AiSettings
from apps.ai.rules.disclosures import DISCLOSURES
from apps.chats.actions import post_machine_message, post_shop_word
from apps.chats.models import Chat, Message
from apps.chats.rules.attribution import AttributionEvent
from apps.chats.rules.messages import BY_PERSON
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import CONNECTED
from apps.messengers.models import Peer
from tests.client import ApiClient
from tests.factories import AgentFactory
from tests.messengers.test_outbox import say, send, wrote


@pytest.fixture
def talk(shop: Widget, vendors: Vendors) -> Peer:
    """Somebody who has written to the shop's Telegram bot."""
    return wrote(shop, "tg", vendors)


def machine_says(agent: Agent, body: str, **content: Any) -> Message:
    fact = AttributionEvent.EXTERNAL_ANSWERED if agent.type == "webhook" else AttributionEvent.AI_ANSWERED
    posted = post_machine_message(
        widget_id=agent.widget_id,
        chat_id=Message.objects.earliest("id").chat_id,
        content={"type": "text", "body": body, **content},
        agent_id=agent.pk,
        fact=fact,
        client_id=uuid4(),
    )
    return Message.objects.get(pk=posted.id)


def texts(vendors: Vendors) -> list[str]:
    return [one.body["text"] for one in vendors.asked_of("tg", "sendMessage")]


@pytest.mark.parametrize("provider", CONNECTED)
def test_every_messenger_is_sent_who_speaks(shop: Widget, ada: Agent, vendors: Vendors, provider: str) -> None:
    wrote(shop, provider, vendors)
    message = machine_says(ada, "90 рублей.")
    send()
    sent = str([one.body for one in vendors.asked_of(provider)])
    assert f"{ada.full_name} (AI):" in sent
    assert "90 рублей." in sent
    message.refresh_from_db()
    assert (message.body, message.markdown) == ("90 рублей.", None)


def test_the_first_message_of_a_chat_says_it_in_the_owners_words_and_all_name_it(
    api: ApiClient,
    shop: Widget,
    ada: Agent,
    alice: Agent,
    talk: Peer,
    vendors: Vendors,
) -> None:
    AiSettings.objects.create(widget=shop, ai_disclosure="Здесь отвечает робот.")
    machine_says(ada, "90 рублей.")
    say(api, alice, "Я человек.")
    machine_says(ada, "И 80.")
    send()
    name = f"{ada.full_name} (AI):"
    assert texts(vendors) == [f"Здесь отвечает робот.\n{name}\n90 рублей.", "Я человек.", f"{name}\nИ 80."]


def test_the_sentence_is_the_default_without_the_owners_words(ada: Agent, talk: Peer, vendors: Vendors) -> None:
    machine_says(ada, "90 рублей.")
    send()
    assert texts(vendors)[0].split("\n")[0] in DISCLOSURES.values()


def test_a_person_behind_an_external_operator_is_no_machine(
    shop: Widget,
    talk: Peer,
    vendors: Vendors,
) -> None:
    robin = AgentFactory.create(widget=shop, type="webhook", name="Robin", surname="")
    machine_says(robin, "Это я.", details={BY_PERSON: True})
    machine_says(robin, "А это программа.")
    send()
    first, second = texts(vendors)
    assert first == "Это я."
    assert second.endswith("\nRobin (AI):\nА это программа.")
    assert second.split("\n")[0] in DISCLOSURES.values()


def test_a_long_answer_is_cut_with_its_head(ada: Agent, talk: Peer, vendors: Vendors) -> None:
    machine_says(ada, "слово " * 900)
    send()
    assert len(texts(vendors)) == 2
    assert all(len(text) <= 4096 for text in texts(vendors))
    assert "(AI):" in texts(vendors)[0]
    assert "(AI):" not in texts(vendors)[1]


@pytest.mark.parametrize("provider", CONNECTED)
def test_every_messenger_carries_the_shops_word(shop: Widget, vendors: Vendors, provider: str) -> None:
    wrote(shop, provider, vendors)
    chat = Chat.objects.latest("id")
    posted = post_shop_word(widget_id=shop.pk, chat_id=chat.pk, body="Ответим завтра.", name="Лавка")
    assert (Message.objects.get(pk=posted.id).delivery or {})["state"] == "queued"
    send()
    sent = str([one.body for one in vendors.asked_of(provider)])
    assert "Ответим завтра." in sent
    assert "Лавка" not in sent
    assert (Message.objects.get(pk=posted.id).delivery or {})["state"] != "queued"
