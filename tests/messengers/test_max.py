"""MAX by its schema: what begins a conversation, edits and deletions, videos, forwarded messages, subscriptions."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderClient, answered
from apps.messengers.adapters.mx.adapter import WANTED
from apps.messengers.rules.providers import new_secret
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.messengers.payloads.mx import KINDS, STARTED, _mx, _passed_on
from tests.messengers.test_adapters import line
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote

MAX = ADAPTERS["mx"]
ADDRESS = "https://chat.example.com/hooks/mx/1"


def client(vendors: Vendors) -> ProviderClient:
    return ProviderClient(line("mx", vendors), MAX.judge)


def test_who_starts_is_greeted_in_their_language_and_has_said_nothing(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "mx")
    for _ in range(2):
        post(connection, STARTED)
        work()
    (asked,) = vendors.asked_of("mx", "/messages")
    assert asked.body == {"text": "Здравствуйте! Пишите сюда: мы ответим в этом чате."}
    assert asked.query == {"chat_id": "4242"}
    assert not Message.objects.exists()
    contact = Contact.objects.get()
    assert (contact.name, contact.attributes["mx_start"]) == ("Анна Иванова", "spring_sale")


def test_edits_and_deletions_are_shown_at_the_message(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "mx")
    post(connection, _mx(text="Привет"))
    for kind in ("edit", "deletion"):
        post(connection, KINDS[kind][0].document)  # type: ignore[index]
    work()
    message = Message.objects.get()
    assert message.body == "Привет!"
    assert set(message.details) == {"edited_at", "deleted_at"}


def test_a_video_is_asked_for_by_its_token(shop: Widget, vendors: Vendors) -> None:
    vendors.files["t1.mp4"] = b"\x00\x00\x00\x18ftypmp42"
    post(connected(shop, "mx"), KINDS["video"][0].document)  # type: ignore[index]
    work()
    message = Message.objects.get()
    assert message.type == "file"
    assert message.details["file"]["name"] == "video.mp4"
    assert [asked.path for asked in vendors.asked_of("mx", "/videos/")] == ["/videos/t1"]


def test_forwarded_messages_without_a_body_are_each_one_message(shop: Widget, vendors: Vendors) -> None:
    connection, again = connected(shop, "mx"), _passed_on(text="Скидка 10 %")
    again["message"]["timestamp"] += 1
    for document in (_passed_on(text="Скидка 10 %"), again, again):
        post(connection, document)
    work()
    assert [message.body for message in Message.objects.all()] == ["↪ Борис:\nСкидка 10 %"] * 2


def test_the_senders_own_card_fills_their_number(shop: Widget, vendors: Vendors) -> None:
    payload = {"vcf_info": "BEGIN:VCARD\nFN:Анна\nTEL;TYPE=cell:+79990001122\nEND:VCARD", "max_info": {"user_id": 42}}
    post(connected(shop, "mx"), _mx(attachments=[{"type": "contact", "payload": payload}]))
    work()
    assert Contact.objects.get().phone == "+79990001122"
    assert Message.objects.get().body == "Анна: +79990001122"


class TestSubscriptions:
    def test_a_secret_is_of_letters_and_digits(self, vendors: Vendors) -> None:
        for _ in range(20):
            assert new_secret().isalnum()
        answered(MAX.register(client(vendors), ADDRESS, new_secret()))

    @pytest.mark.parametrize(("types", "holds"), [(WANTED, True), (WANTED[:1], False), (None, True)])
    def test_one_with_fewer_types_is_registered_again(self, vendors: Vendors, types: Any, holds: bool) -> None:
        answered(MAX.register(client(vendors), ADDRESS, new_secret()))
        vendors.hooks["mx", "t-1"]["by_url"][ADDRESS]["update_types"] = types
        assert answered(MAX.health(client(vendors), ADDRESS)) is holds

    def test_one_that_is_dropped_is_lost(self, vendors: Vendors) -> None:
        assert not answered(MAX.health(client(vendors), ADDRESS))


def test_a_picture_that_max_cannot_read_goes_as_a_file(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "mx", vendors)
    file = FileFactory.create(widget=shop, content=b"\x89PNG\r\n\x1a\n broken", name="a.png", content_type="image/png")
    message = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert (delivery(message)["state"], delivery(message)["sent_as"]) == ("sent", "file")
    assert vendors.asked_of("mx", "/messages")[-1].body["text"] == "Роза"
