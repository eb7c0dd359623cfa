"""Apple by the book: the ids of provider, business and customer, and attachments that come encrypted."""

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, File, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.models import Connection, Peer
from apps.messengers.rules.inbound import stored_under
from tests.client import ApiClient
from tests.factories.chats import ContactFactory
from tests.messengers.payloads.apple import BUSINESS, CUSTOMER, KEY, apple, attachment
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import png

OTHER = "urn:biz:0b2f7c1e-1111-4b8e-9a8c-3f2d3c1a5e11"


def at_gateway(shop: Widget, vendors: Vendors) -> Connection:
    return connected(shop, "apple", target=vendors.base("apple"))


def hear(connection: Connection, *documents: dict[str, Any]) -> None:
    for document in documents:
        assert post(connection, document).status_code == 200
        work()


def test_an_answer_is_the_business_that_was_written_to(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "apple", vendors)
    answer = say(api, alice)
    send()
    (sent,) = vendors.asked_of("apple", "/message")
    assert (sent.headers["source-id"], sent.headers["destination-id"]) == (BUSINESS, CUSTOMER)
    assert (sent.body["sourceId"], sent.body["destinationId"], sent.body["v"]) == (BUSINESS, CUSTOMER, 1)
    assert delivery(answer)["state"] == "sent"


def test_a_customer_of_two_businesses_of_one_provider_has_two_conversations(shop: Widget, vendors: Vendors) -> None:
    hear(
        at_gateway(shop, vendors),
        apple(id="1", body="цветы"),
        apple(id="2", body="мебель", destinationId=OTHER),
        apple(id="3", body="розы"),
    )
    assert sorted(Peer.objects.values_list("conversation", flat=True)) == sorted(
        [f"{BUSINESS}|{CUSTOMER}", f"{OTHER}|{CUSTOMER}"]
    )
    assert Chat.objects.count() == 2


def test_a_peer_without_a_business_moves_on_with_their_next_message(shop: Widget, vendors: Vendors) -> None:
    """As the release before kept it; what it stored already is not stored again."""
    connection = at_gateway(shop, vendors)
    contact = ContactFactory.create(widget=shop)
    Peer.objects.create(widget=shop, channel="apple", conversation=CUSTOMER, contact=contact)
    hear(connection, apple(id="1", body="Привет"))
    peer = Peer.objects.get()
    assert (peer.conversation, peer.contact_id) == (f"{BUSINESS}|{CUSTOMER}", contact.pk)
    Message.objects.update(client_id=stored_under("apple", "", CUSTOMER, "1"))
    Connection.objects.filter(pk=connection.pk).update(last_inbound_at=None)
    from apps.messengers.models import Inbound

    Inbound.objects.all().delete()
    hear(connection, apple(id="1", body="Привет"))
    assert Message.objects.count() == 1


def test_a_choice_that_is_not_found_is_shown_as_of_an_unknown_kind(shop: Widget, vendors: Vendors) -> None:
    hear(at_gateway(shop, vendors), apple(type="interactive", interactiveData={"bid": "x", "data": {"dynamic": {}}}))
    assert (Message.objects.get().details or {})["unsupported"] == {"provider": "apple", "kind": "interactive"}


@pytest.mark.parametrize("signed", ["signature", "signature-base64"])
def test_an_attachment_is_decrypted_with_its_own_key(shop: Widget, vendors: Vendors, signed: str) -> None:
    encryptor = Cipher(AES(bytes.fromhex(KEY[2:])), CTR(bytes(16))).encryptor()
    vendors.files["1"] = encryptor.update(png())
    given = attachment("IMG.png", "image/png", url="https://p97-content.icloud.com/1")
    if signed != "signature":
        given[signed] = base64.b64encode(bytes.fromhex(given.pop("signature"))).decode()
    hear(at_gateway(shop, vendors), apple(body="\ufffcРоза", attachments=[given]))
    message = Message.objects.get()
    assert (message.type, message.body) == ("image", "Роза")
    stored = File.objects.get()
    assert (stored.size, stored.content_type, stored.name) == (len(png()), "image/png", "IMG.png")
    (asked,) = vendors.asked_of("apple", "/preDownload")
    assert (asked.headers["source-id"], asked.headers["owner"]) == (BUSINESS, "M66169d55")
    assert asked.headers["signature"] == base64.b64encode(bytes.fromhex("aa11")).decode()


@pytest.mark.parametrize("key", ["", "00zz", "0011"])
def test_a_key_that_is_none_leaves_a_line_or_bytes_that_nobody_can_read(
    shop: Widget, vendors: Vendors, key: str
) -> None:
    vendors.files["1"] = b"\x01\x02\x03"
    given = {**attachment("IMG.png", "image/png"), "key": key}
    hear(at_gateway(shop, vendors), apple(body="Роза", attachments=[given]))
    assert Message.objects.get().body.startswith("Роза")
