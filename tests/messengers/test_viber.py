"""Viber by the book: addresses, words beside files, who opens a conversation, and the limits of one person."""

import json
from urllib.parse import urlsplit

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.maintenance import queue_due
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderResponse
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.tasks import CHECK_QUEUE
from tests.client import ApiClient, client
from tests.factories.files import FileFactory
from tests.messengers.payloads.vb import STARTED
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, let_time_pass, say, send, wrote
from tests.uploads import picture, png

VIBER = ADAPTERS["vb"]


def test_a_pictures_address_ends_with_its_type_and_leads_to_it(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "vb", vendors)
    file = FileFactory.create(widget=shop, content=png(), name="роза.png", content_type="image/png")
    answer = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert (delivery(answer)["state"], delivery(answer)["sent_as"]) == ("sent", None)
    (sent,) = vendors.asked_of("vb", "/send_message")
    path = urlsplit(sent.body["media"]).path
    assert (sent.body["type"], sent.body["text"], path.rpartition("/")[2]) == ("picture", "Роза", "photo.png")
    served = client().get(path)
    assert served.status_code == 200
    assert b"".join(served.streaming_content) == png()
    assert client().get(path.replace("photo.png", "whatever.jpeg")).status_code == 200, "the end does not count"
    assert client().get("/files/1.1.1.x/photo.png").status_code == 404


@pytest.mark.parametrize("name", ["setup.exe", "Прайс.pdf.APK", "run.ps1", "price.xyz"])
def test_a_file_that_viber_refuses_by_its_ending_goes_as_a_link(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, name: str
) -> None:
    wrote(shop, "vb", vendors)
    file = FileFactory.create(widget=shop, content=b"MZ", name=name, content_type="application/octet-stream")
    answer = say(api, alice, "Программа", type="file", file={"id": file.pk})
    send()
    assert (delivery(answer)["state"], delivery(answer)["sent_as"]) == ("sent", "link")
    sent = vendors.asked_of("vb", "/send_message")[-1].body
    assert sent["type"] == "text"
    assert sent["text"].startswith(f"Программа\n{name}: https://chat.example.com/files/")
    asked = [one.body["type"] for one in vendors.asked_of("vb", "/send_message")]
    assert asked == (["file", "text"] if name.endswith("xyz") else ["text"]), "the list of the documents spares a call"


@pytest.mark.parametrize(
    ("format_", "size"), [("WEBP", 0), ("GIF", 0), ("PNG", 1024 * 1024 + 1)], ids=["webp", "gif", "over a megabyte"]
)
def test_what_is_no_picture_for_viber_goes_as_a_file(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, format_: str, size: int
) -> None:
    wrote(shop, "vb", vendors)
    content = picture(format_).ljust(size, b"\0")
    file = FileFactory.create(widget=shop, content=content, name="a", content_type=f"image/{format_.lower()}")
    answer = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert (delivery(answer)["state"], delivery(answer)["sent_as"]) == ("sent", "file")
    assert [one.body["type"] for one in vendors.asked_of("vb", "/send_message")] == ["file", "text"]


@pytest.mark.parametrize(("type_", "length"), [("file", 20), ("image", 769)])
def test_words_beside_a_file_are_a_message_of_their_own(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, type_: str, length: int
) -> None:
    """A file has no words at Viber, and a picture 768 characters at most: none of them is lost."""
    wrote(shop, "vb", vendors)
    file = FileFactory.create(widget=shop, content=png(), name="a.png", content_type="image/png")
    say(api, alice, "я" * length, type=type_, file={"id": file.pk})
    send()
    first, second = (one.body for one in vendors.asked_of("vb", "/send_message"))
    assert first["type"] == ("file" if type_ == "file" else "picture")
    assert (second["type"], second["text"]) == ("text", "я" * length)


def test_who_opens_the_conversation_is_greeted_in_the_answer(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "vb", account_name="Shop")
    greeting = json.loads(post(connection, STARTED).content)
    work()
    assert greeting == {
        "type": "text",
        "text": "Здравствуйте! Пишите сюда: мы ответим в этом чате.",
        "min_api_version": 1,
        "sender": {"name": "Shop"},
    }
    assert not vendors.asked_of("vb", "/send_message")
    assert not Message.objects.exists()
    contact = Contact.objects.get()
    assert (contact.name, contact.attributes["vb_start"]) == ("Анна Иванова", "spring_sale")


def test_a_hook_that_does_not_tell_who_opens_a_conversation_is_registered_again(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "vb")
    request = {"url": callback_address(connection), "event_types": ["delivered", "seen", "failed"]}
    vendors.hooks["vb", connection.token] = request
    queue_due()
    work(CHECK_QUEUE)
    assert "conversation_started" in vendors.hooks["vb", connection.token]["event_types"]


def test_a_lost_hook_is_registered_with_the_next_round(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "vb", vendors)
    queue_due()
    work(CHECK_QUEUE)
    connection = Connection.objects.get()
    vendors.hooks.clear()
    vendors.will("vb", "/send_message", PlayedFault(200, {"status": 10, "status_message": "webhookNotSet"}))
    answer = say(api, alice)
    send()
    assert queue_due() == 1, "it is not an hour ago"
    work(CHECK_QUEUE)
    assert vendors.hooks["vb", connection.token]["url"] == callback_address(Connection.objects.get())
    let_time_pass()
    send()
    assert delivery(answer)["state"] == "sent"


def test_the_limit_of_one_person_rests_nobody_else(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "vb", vendors)
    vendors.will("vb", "/send_message", PlayedFault(200, {"status": 12, "status_message": "tooManyRequests"}))
    answer = say(api, alice)
    send()
    assert delivery(answer)["state"] == "queued"
    assert Connection.objects.get().rests_until is None
    let_time_pass()
    send()
    assert delivery(answer)["state"] == "sent"


@pytest.mark.parametrize(
    ("status", "meaning", "one_person", "hook_lost"),
    [
        (2, FailureCode.CREDENTIAL_REJECTED, False, False),
        (3, FailureCode.REJECTED, False, False),
        (5, FailureCode.NO_RECIPIENT, False, False),
        (6, FailureCode.BLOCKED, False, False),
        (7, FailureCode.CREDENTIAL_REJECTED, False, False),
        (8, FailureCode.CREDENTIAL_REJECTED, False, False),
        (10, FailureCode.UNAVAILABLE, False, True),
        (12, FailureCode.SLOW_DOWN, True, False),
        ("12", FailureCode.REJECTED, False, False),
    ],
)
def test_statuses_by_their_meaning(status: int | str, meaning: FailureCode, one_person: bool, hook_lost: bool) -> None:
    body = json.dumps({"status": status, "status_message": "x"}).encode()
    failure = VIBER.judge(ProviderResponse(200, {}, body))
    assert failure is not None
    assert (failure.code, failure.one_person, failure.hook_lost) == (meaning, one_person, hook_lost)
