"""What operators write in a custom channel's chat, on its way to the channel (specification, "Message", keyboards)."""

import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.events import MessagePosted
from apps.chats.models import Chat, Message
from apps.core import destinations
from apps.messengers import actions
from apps.messengers.handlers import send_to_channels
from apps.messengers.models import Channel
from apps.messengers.openapi import GUIDE, NAME
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery, Event
from tests.client import ApiClient
from tests.factories import FileFactory
from tests.factories.messengers import ChannelFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.webhooks.documented import example_of, faults, schema_of
from tests.webhooks.receivers import Heard, HookReceiver, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def channel(hook: HookReceiver, shop: Widget) -> Channel:
    return ChannelFactory.create(widget=shop, target=hook.url)


@pytest.fixture
def channel_chat(channel: Channel) -> Chat:
    """The chat of somebody who writes by the channel."""
    posted = actions.receive_message(
        channel=channel, external_client_id="client-4711", external_channel_id="our-app", text="Есть тюльпаны?"
    )
    return Chat.objects.get(pk=posted.chat_id)


Reply = Callable[..., int]


@pytest.fixture
def reply(channel_chat: Chat, alice: Agent) -> Reply:
    """Alice writes; the message's id."""

    def send(**content: Any) -> int:
        whole = {"type": "text", **content}
        posted = chats.post_agent_message(
            widget_id=channel_chat.widget_id, chat_id=channel_chat.pk, content=whole, agent_id=alice.pk
        )
        return posted.id

    return send


def wait_until_none_is_pending() -> None:
    wait_until(lambda: not Delivery.objects.filter(status="pending").exists())


def statuses() -> list[str]:
    return list(Delivery.objects.order_by("id").values_list("status", flat=True))


def signed(heard: Heard, secret: str) -> str:
    return "sha256=v1:" + hmac.new(secret.encode(), heard.body, hashlib.sha256).hexdigest()


def test_a_reply_is_a_signed_post_in_the_compat_shape(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, channel: Channel, channel_chat: Chat, alice: Agent
) -> None:
    began = int(time.time())
    message_id = reply(body="Есть: 25 штук", markdown="Есть: **25 штук**")
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    body = heard.json
    assert began <= body["message"].pop("timestamp") <= time.time()
    assert body == {
        "id": heard.headers["x-service-idempotency-key"],
        "chat_id": str(channel_chat.pk),
        "sender": {"id": str(alice.pk), "name": "Alice Weber", "kind": "agent", "ai": False},
        "recipient": {"id": "client-4711"},
        "external_channel_id": "our-app",
        "message": {"id": str(message_id), "type": "text", "text": "Есть: 25 штук", "markdown": "Есть: **25 штук**"},
    }
    assert heard.headers["x-service-signature"] == signed(heard, channel.secret)
    assert heard.headers["x-service-event"] == "message.created"
    assert heard.headers["content-type"] == "application/json"
    wait_until_none_is_pending()
    assert statuses() == ["delivered"]


def test_buttons_come_as_message_buttons(reply: Reply, hook: HookReceiver, deliverer: Deliverer) -> None:
    buttons = [
        {"label": "Каталог", "url": "https://shop.example/catalogue", "style": "primary"},
        {"label": "Доставка", "url": "https://shop.example/delivery", "style": "secondary"},
    ]
    reply(type="keyboard", body="Куда дальше?", details={"keyboard": {"buttons": buttons}})
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    message = heard.json["message"]
    assert (message["type"], message["text"], message["buttons"]) == ("text", "Куда дальше?", buttons)


@pytest.mark.parametrize(
    ("content", "members"),
    [
        (
            {"type": "location", "details": {"coords": {"lat": 55.75, "lng": 37.6}}},
            {"type": "location", "text": "", "latitude": 55.75, "longitude": 37.6},
        ),
        (
            {"type": "sticker", "body": "😀", "details": {"sticker": {"id": "s1"}}},
            {"type": "sticker", "text": "😀", "sticker": {"id": "s1"}},
        ),
    ],
)
def test_a_message_of_each_type_has_its_payload(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, content: dict[str, Any], members: dict[str, Any]
) -> None:
    message_id = reply(**content)
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    message = heard.json["message"]
    message.pop("timestamp")
    assert message == {"id": str(message_id), **members}


@pytest.mark.parametrize(
    ("type_", "content_type", "wire"), [("image", "image/png", "photo"), ("file", "text/plain", "document")]
)
def test_a_file_comes_with_its_address(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, shop: Widget, type_: str, content_type: str, wire: str
) -> None:
    file = FileFactory.create(widget=shop, name="розы.bin", content_type=content_type)
    reply(type=type_, body="Вот", file_id=file.pk)
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    message = heard.json["message"]
    assert (message["type"], message["file_name"], message["file_size"]) == (wire, "розы.bin", file.size)
    assert (message["mime_type"], message["text"]) == (content_type, "Вот")
    assert "/files/" in message["file"]


def test_bodies_are_as_the_openapi_document_says(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, shop: Widget
) -> None:
    buttons = [{"label": "Каталог", "url": "https://shop.example/catalogue", "style": "primary"}]
    picture = FileFactory.create(widget=shop, name="розы.png", content_type="image/png")
    said: list[dict[str, Any]] = [
        {"body": "Есть: 25 штук", "markdown": "Есть: **25 штук**"},
        {"type": "keyboard", "body": "Куда дальше?", "details": {"keyboard": {"buttons": buttons}}},
        {"type": "image", "body": "", "file_id": picture.pk},
        {"type": "file", "body": "Вот", "file_id": picture.pk},
        {"type": "location", "details": {"coords": {"lat": 55.75, "lng": 37}}},
        {"type": "sticker", "details": {"sticker": {"id": "s1"}}},
        {"type": "sticker", "details": {"sticker": {"id": "s2", "url": "https://shop.example/s2.webp"}}},
    ]
    for content in said:
        reply(**content)
    deliverer.wake()
    bodies = [heard.json for heard in hook.wait_for(len(said))]
    document = SchemaGenerator().get_schema(request=None, public=True)
    schema, example = schema_of(NAME, document), example_of(NAME, document)
    assert [faults(body, schema) for body in [*bodies, example]] == [[]] * (len(said) + 1)
    sent = {member for body in bodies for member in body["message"]}
    assert sent == set(schema["properties"]["message"]["properties"]), "each member was seen"
    assert list(document["webhooks"][NAME]["post"]["responses"]) == ["2XX", "default"]
    assert Client().get(GUIDE).status_code == 200


def test_the_shops_word_goes_out_too(hook: HookReceiver, deliverer: Deliverer, channel_chat: Chat) -> None:
    chats.post_shop_word(widget_id=channel_chat.widget_id, chat_id=channel_chat.pk, body="Ответим завтра", name="Лавка")
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    assert heard.json["sender"] == {"id": None, "name": "Лавка", "kind": "system", "ai": False}
    assert (heard.json["recipient"], heard.json["message"]["text"]) == ({"id": "client-4711"}, "Ответим завтра")


def test_a_visitors_message_and_a_note_stay_here(channel: Channel, channel_chat: Chat, alice: Agent) -> None:
    actions.receive_message(
        channel=channel, external_client_id="client-4711", external_channel_id="our-app", text="Алло?"
    )
    assert not Event.objects.exists()
    note = MessagePosted(
        widget_id=channel_chat.widget_id,
        widget_guid=channel_chat.widget.guid,
        chat_id=channel_chat.pk,
        message_id=1,
        contact_guid=channel_chat.contact.guid,
        channel=channel_chat.channel,
        author_type="OPERATOR",
        is_internal=True,
        said=None,
    )
    assert send_to_channels([note]) is None


def test_the_on_site_widgets_chats_have_nothing_to_do_with_it(channel: Channel, chat: Chat, alice: Agent) -> None:
    content = {"type": "text", "body": "Hi"}
    chats.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=content, agent_id=alice.pk)
    assert not Event.objects.exists()


def test_a_subscription_is_told_as_well(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, shop: Widget, channel: Channel
) -> None:
    SubscriptionFactory.create(widget=shop, url=hook.url)
    reply(body="Hi")
    deliverer.wake()
    told = {heard.json.get("type") or heard.json["recipient"]["id"]: heard for heard in hook.wait_for(2)}
    assert told.keys() == {"message.created", "client-4711"}
    assert told["message.created"].json["data"]["source"] == channel.code


def test_the_text_is_encrypted_while_it_waits(reply: Reply) -> None:
    reply(body="номер карты")
    event = Event.objects.get()
    assert event.is_sealed
    assert "номер" not in event.body


def test_a_reply_is_tried_again_with_the_same_bytes(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, channel: Channel
) -> None:
    hook._answers[:] = [503, 200]
    reply(body="Hi")
    deliverer.wake()
    hook.wait_for(1)
    wait_until(lambda: Delivery.objects.get().attempts == 1)
    Delivery.objects.update(due_at=timezone.now())
    deliverer.wake()
    one, other = hook.wait_for(2)
    assert one.body == other.body
    assert one.headers["x-service-idempotency-key"] == other.headers["x-service-idempotency-key"]
    wait_until_none_is_pending()
    assert statuses() == ["delivered"]


def test_a_replaced_secret_signs_what_waits(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, channel: Channel
) -> None:
    reply(body="Hi")
    secret = actions.replace_secret(channel=channel)
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    assert heard.headers["x-service-signature"] == signed(heard, secret)


@pytest.mark.parametrize("what", ["disabled", "deleted"])
def test_what_waits_for_a_channel_that_is_no_more_is_dropped(
    reply: Reply, hook: HookReceiver, deliverer: Deliverer, channel: Channel, what: str
) -> None:
    reply(body="Hi")
    if what == "disabled":
        actions.set_channel_active(channel=channel, is_active=False)
    else:
        actions.delete_channel(channel=channel)
    deliverer.wake()
    wait_until_none_is_pending()
    assert statuses() == ["skipped"]
    assert hook.heard == []


def test_a_chat_opened_by_other_means_has_nobody_to_send_to(channel: Channel, chat: Chat, alice: Agent) -> None:
    Chat.objects.filter(pk=chat.pk).update(channel=channel.code)
    content = {"type": "text", "body": "Hi"}
    chats.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=content, agent_id=alice.pk)
    assert Message.objects.count() == 1
    assert not Event.objects.exists()


def test_where_no_app_delivers_the_message_is_stored_all_the_same(
    reply: Reply, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(destinations, "is_available", lambda: False)
    message_id = reply(body="Hi")
    assert Message.objects.filter(pk=message_id).exists()
    assert not Event.objects.exists()


def test_the_api_sends_by_the_channel_too(
    api: ApiClient, hook: HookReceiver, deliverer: Deliverer, channel_chat: Chat, alice: Agent
) -> None:
    answer = api.post(f"/chats/{channel_chat.pk}/messages", json={"type": "text", "body": "Hi", "agent_id": alice.pk})
    assert answer.status_code == 202
    deliverer.wake()
    (heard,) = hook.wait_for(1)
    assert heard.json["message"]["id"] == str(answer.json()["data"]["message_id"])


def test_where_deliveries_go_is_one_query_however_many(
    shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    channels = ChannelFactory.create_batch(5, widget=shop)
    due = [
        destinations.PendingDelivery(
            id=n,
            kind="custom_channel",
            destination_id=channels[n % 5].pk,
            event_id="",
            event_type="",
            attempt=1,
            is_legacy=False,
        )
        for n in range(20)
    ]
    with django_assert_num_queries(1):
        found = destinations.kinds()["custom_channel"].read(due)
    assert len(found) == 20
    assert channels[0].secret not in repr(found)
