"""Messages that come by a custom channel, and the contacts and chats they make."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact, Message
from apps.messengers import actions
from apps.messengers.models import Channel, Peer
from tests.client import ApiClient, assert_problem
from tests.factories.messengers import ChannelFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def channel(shop: Widget) -> Channel:
    return ChannelFactory.create(widget=shop, name="Our app")


def inbound(**changes: Any) -> dict[str, Any]:
    return {
        "external_client_id": "client-4711",
        "external_channel_id": "our-app",
        "message": {"type": "text", "text": "Есть тюльпаны?"},
        **changes,
    }


def deliver(api: ApiClient, channel: Channel, **changes: Any) -> Any:
    return api.post(f"/channels/{channel.pk}/messages", json=inbound(**changes))


class TestTheFirstMessage:
    def test_makes_a_contact_and_a_chat_on_the_channel(self, api: ApiClient, channel: Channel) -> None:
        answer = deliver(api, channel)
        assert answer.status_code == 202
        message, chat, contact = Message.objects.get(), Chat.objects.get(), Contact.objects.get()
        assert answer.json() == {"data": {"message_id": message.pk, "chat_id": chat.pk}}
        assert (message.type, message.body, message.sender_kind) == ("text", "Есть тюльпаны?", "client")
        assert (chat.channel, chat.status, chat.contact, chat.agent) == (channel.code, "active", contact, None)
        assert contact.attributes == {f"{channel.code}_user_id": "client-4711"}
        peer = Peer.objects.get()
        assert (peer.channel, peer.conversation, peer.contact) == (channel.code, "client-4711", contact)
        assert peer.external_channel_id == "our-app"

    def test_is_found_by_the_channels_code(self, api: ApiClient, channel: Channel) -> None:
        chat_id = deliver(api, channel).json()["data"]["chat_id"]
        chats = api.get("/chats", query={"channel": channel.code}).json()["data"]
        assert [(chat["id"], chat["channel"]) for chat in chats] == [(chat_id, channel.code)]


def test_a_further_message_goes_to_the_same_chat(api: ApiClient, channel: Channel) -> None:
    one = deliver(api, channel).json()["data"]
    other = deliver(api, channel, message={"type": "text", "text": "И розы?"}).json()["data"]
    assert (one["chat_id"], one["message_id"] < other["message_id"]) == (other["chat_id"], True)
    assert Contact.objects.count() == Chat.objects.count() == 1


def test_another_client_or_channel_is_another_contact(api: ApiClient, channel: Channel, shop: Widget) -> None:
    deliver(api, channel)
    deliver(api, channel, external_client_id="client-4712")
    deliver(api, ChannelFactory.create(widget=shop))
    assert Contact.objects.count() == Chat.objects.count() == Peer.objects.count() == 3


def test_replies_name_the_external_channel_of_the_last_message(api: ApiClient, channel: Channel) -> None:
    deliver(api, channel)
    deliver(api, channel, external_channel_id="our-site")
    assert Peer.objects.get().external_channel_id == "our-site"


def test_the_text_may_come_as_body(api: ApiClient, channel: Channel) -> None:
    deliver(api, channel, message={"type": "text", "body": "Hello"})
    assert Message.objects.get().body == "Hello"


def test_a_message_with_an_id_is_stored_once(api: ApiClient, channel: Channel) -> None:
    message = {"type": "text", "text": "Есть тюльпаны?", "id": "m-1"}
    answers = [deliver(api, channel, message=message).json() for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    deliver(api, channel, external_client_id="client-4712", message=message)
    assert Message.objects.count() == 2


def test_a_message_to_an_expired_chat_reopens_it(api: ApiClient, channel: Channel) -> None:
    chat_id = deliver(api, channel).json()["data"]["chat_id"]
    api.post(f"/chats/{chat_id}/close")
    deliver(api, channel)
    assert Chat.objects.get().status == "active"


def test_a_disabled_channel_takes_nothing(api: ApiClient, channel: Channel) -> None:
    actions.set_channel_active(channel=channel, is_active=False)
    before = snapshot()
    assert_problem(deliver(api, channel), 409, "channel_disabled")
    assert snapshot() == before


def test_a_further_message_costs_as_much_however_many_write(
    api: ApiClient, channel: Channel, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deliver(api, channel)
    with CaptureQueriesContext(connection) as few:
        deliver(api, channel)
    for number in range(20):
        deliver(api, channel, external_client_id=f"client-{number}")
    with django_assert_num_queries(len(few)):
        deliver(api, channel)
    assert len(few) <= 12


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"external_client_id": ""}, "external_client_id"),
        ({"external_client_id": 4711}, "external_client_id"),
        ({"external_client_id": "x" * 256}, "external_client_id"),
        ({"external_channel_id": None}, "external_channel_id"),
        ({"message": None}, "message"),
        ({"message": "Hello"}, "message"),
        ({"message": {"type": "text"}}, "message.text"),
        ({"message": {"type": "text", "text": " \n"}}, "message.text"),
        ({"message": {"type": "text", "body": " "}}, "message.body"),
        ({"message": {"type": "text", "text": "a", "body": "a"}}, "message.body"),
        ({"message": {"type": "text", "text": "a" * 65_537}}, "message.text"),
        ({"message": {"type": "image", "text": "a"}}, "message.type"),
        ({"message": {"text": "a"}}, "message.type"),
        ({"message": {"type": "text", "text": "a", "id": 1}}, "message.id"),
        ({"message": {"type": "text", "text": "a", "buttons": []}}, "message.buttons"),
        ({"contact": {}}, "contact"),
    ],
)
def test_what_is_refused_is_named(api: ApiClient, channel: Channel, changes: dict[str, Any], path: str) -> None:
    before = snapshot()
    assert_problem(deliver(api, channel, **changes), 422, "invalid_input", errors=[path])
    assert snapshot() == before


@pytest.mark.parametrize("missing", ["external_client_id", "external_channel_id", "message"])
def test_every_member_is_required(api: ApiClient, channel: Channel, missing: str) -> None:
    document = inbound()
    del document[missing]
    answer = api.post(f"/channels/{channel.pk}/messages", json=document)
    assert_problem(answer, 422, "invalid_input", errors=[missing])


@pytest.mark.django_db(transaction=True)
def test_many_first_messages_at_once_make_one_contact_and_one_chat(shop: Widget) -> None:
    channel = ChannelFactory.create(widget=shop)

    def write(number: int) -> int:
        try:
            with transaction.atomic():
                posted = actions.receive_message(
                    channel=channel, external_client_id="one", external_channel_id="", text=f"message {number}"
                )
            return posted.chat_id
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        chat_ids = set(threads.map(write, range(8)))
    assert len(chat_ids) == Contact.objects.count() == Peer.objects.count() == Chat.objects.count() == 1
    assert Message.objects.count() == 8
