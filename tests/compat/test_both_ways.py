"""Integrations of the other platform end to end: only base URL and token were swapped.

A small server on loopback is the customer's: a bot that answers visitors of the website, and a messenger of their own.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.webhooks.dispatcher import Deliverer
from tests.client import ApiClient
from tests.compat.clients import LegacyBot, LegacyChannel
from tests.factories.webhooks import SubscriptionFactory
from tests.webhooks.receivers import HookReceiver
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hook(settings: Any) -> Iterator[HookReceiver]:
    """The customer's server."""
    with HookReceiver() as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}", "127.0.0.1"]
        settings.VISITOR_RATE_LIMIT = 1_000_000
        yield receiver


def test_a_bot_answers_a_visitor_of_the_website(
    bot: LegacyBot, shop: Widget, olga: Agent, hook: HookReceiver, deliverer: Deliverer
) -> None:
    """It hears of the message, reads it with its token, and answers by the bot's address."""
    SubscriptionFactory.create(widget=shop, url=hook.url)
    visitor = VisitorClient(shop)
    visitor.come(name="Мария")
    visitor.say("Есть тюльпаны?")
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    data = heard.json["data"]
    assert data["author_type"] == "USER"

    api = ApiClient(bot.token)
    said = api.get(f"/chats/{data['chat_id']}/messages", query={"after_id": data["message_id"] - 1}).json()["data"]
    assert [message["body"] for message in said] == ["Есть тюльпаны?"]
    buttons = [{"text": "Розы", "id": 1}, {"text": "Позвать человека", "id": 2}]
    message = {"type": "BUTTONS", "title": "Тюльпанов нет", "text": "Тюльпанов нет, есть розы.", "buttons": buttons}
    assert bot.ask("BOT_MESSAGE", str(data["chat_id"]), message=message).status_code == 202

    shown = visitor.get("messages").json()["data"]
    assert [(one["sender"]["kind"], one["body"]) for one in shown] == [
        ("client", "Есть тюльпаны?"),
        ("agent", "Тюльпанов нет, есть розы.\nРозы\nПозвать человека"),
    ]
    assert shown[1]["sender"]["name"] == "Olga Romanova"


def test_a_bot_hears_in_the_legacy_envelope_that_a_person_took_over(
    bot: LegacyBot, shop: Widget, olga: Agent, alice: Agent, chat: Chat, hook: HookReceiver, deliverer: Deliverer
) -> None:
    from django.utils import timezone

    from apps.webhooks.actions.switches import set_event_enabled

    set_event_enabled(name="chat.transferred", enabled=True)
    SubscriptionFactory.create(widget=shop, url=hook.url, events=["chat_updated"], is_legacy_compat=True)
    alice.online_since = timezone.now()
    alice.save(update_fields=["online_since"])
    assert bot.ask("INVITE_AGENT", chat.pk).json()["data"]["status"] == "transferred"
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    assert (heard.json["event_name"], heard.json["chat_id"]) == ("chat_updated", chat.pk)
    assert heard.json["agent"] == {"id": alice.pk}


def test_a_messenger_of_their_own_carries_a_talk(
    api: ApiClient, bot: LegacyBot, hook: HookReceiver, deliverer: Deliverer, olga: Agent, shop: Widget
) -> None:
    """Its client writes, a bot answers, and so does a person: both come to the messenger's address."""
    registered = api.post("/channels", json={"name": "Наше приложение", "outbound_url": hook.url})
    assert registered.status_code == 201, registered.content
    app = LegacyChannel(registered.json()["data"]["secret"])
    assert app.status().content == b"0"

    said = app.say(4711, "Где мой заказ?", recipient={"id": "app"}).json()["data"]
    chat_id = said["chat_id"]
    assert Chat.objects.get(pk=chat_id).channel == registered.json()["data"]["code"]
    assert bot.say(chat_id, text="Минуту").status_code == 202
    button = {"label": "Отследить", "url": "https://shop.example/track"}
    message = {"type": "keyboard", "body": "В пути", "keyboard": {"buttons": [button]}}
    assert api.post(f"/chats/{chat_id}/messages", json=message).status_code == 202

    deliverer.wake()
    heard = sorted((each.json for each in hook.wait_for(2)), key=lambda body: int(body["message"]["id"]))
    assert [body["recipient"] for body in heard] == [{"id": "4711"}] * 2
    assert [body["message"]["text"] for body in heard] == ["Минуту", "В пути"]
    assert heard[1]["message"]["buttons"] == [{**button, "style": "primary"}]
    assert Message.objects.filter(chat_id=chat_id).count() == 3
    assert Contact.objects.get().attributes == {f"{registered.json()['data']['code']}_user_id": "4711"}
