"""WhatsApp by the book: customers without a number, changes of who they are, edits, and what goes out."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderResponse
from apps.messengers.models import Connection, Peer
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.inbound import stored_under
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.messengers.payloads.wa import PHONE, USER, message, value
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, let_time_pass, say, send, wrote
from tests.messengers.test_receipts import whatsapp
from tests.uploads import picture, png

WHATSAPP = ADAPTERS["wa"]
PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def says(text: str, number: int = 7, **writer: Any) -> dict[str, Any]:
    return message(**writer, id=f"wamid.{number}", type="text", text={"body": text})


def hear(connection: Connection, *documents: dict[str, Any]) -> None:
    for document in documents:
        assert post(connection, document).status_code == 200
        work()


def system(kind: str, **members: Any) -> dict[str, Any]:
    about = {"id": "wamid.sys", "timestamp": "1750269342", "type": "system"}
    number = {"from": members.pop("number")} if "number" in members else {}
    return value(messages=[{**about, **number, "system": {"type": kind, "body": "User changed", **members}}])


def test_a_customer_without_a_number_is_heard_and_answered(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    hear(connected(shop, "wa"), says("Есть розы?", phone="", user=USER, username="anna"))
    contact = Contact.objects.get()
    assert (contact.name, contact.phone) == ("Анна Иванова", "")
    assert (contact.attributes["wa_user_id"], contact.attributes["wa_username"]) == (USER, "anna")
    answer = say(api, alice)
    send()
    sent = vendors.asked_of("wa", "/messages")[-1].body
    assert (sent["recipient"], "to" in sent) == (USER, False)
    assert delivery(answer)["state"] == "sent"


def test_the_one_contact_of_the_update_is_the_writer_where_no_message_names_them(
    shop: Widget, vendors: Vendors
) -> None:
    document = says("Привет", phone="", user=USER)
    del document["entry"][0]["changes"][0]["value"]["messages"][0]["from_user_id"]
    hear(connected(shop, "wa"), document)
    assert Peer.objects.get().conversation == USER


def test_number_and_user_id_are_one_person_in_whatever_order_they_come(shop: Widget, vendors: Vendors) -> None:
    hear(
        connected(shop, "wa"),
        says("по номеру", 1),
        says("по обоим", 2, user=USER),
        says("по имени", 3, phone="", user=USER, username="anna"),
    )
    assert [one.body for one in Message.objects.order_by("id")] == ["по номеру", "по обоим", "по имени"]
    assert (Peer.objects.count(), Chat.objects.count(), Contact.objects.count()) == (1, 1, 1)
    assert Peer.objects.get().conversation == USER
    assert Contact.objects.get().phone == f"+{PHONE}"
    assert Contact.objects.get().attributes["wa_user_id"] == USER


def test_a_receipt_that_names_the_user_id_moves_the_peer_on(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    peer = wrote(shop, "wa", vendors)
    assert peer.conversation == PHONE
    say(api, alice)
    send()
    told = whatsapp("delivered", "wamid.x", recipient_user_id=USER)
    told["entry"][0]["changes"][0]["value"]["statuses"][0]["recipient_id"] = PHONE
    hear(Connection.objects.get(), told, says("по имени", 8, phone="", user=USER))
    assert Peer.objects.get().conversation == USER
    assert Chat.objects.count() == 1


@pytest.mark.parametrize("with_ids", [True, False])
def test_who_changes_their_number_keeps_the_chat(shop: Widget, vendors: Vendors, with_ids: bool) -> None:
    now, new = "RU.999", "79997654321"
    ids = {"user_id": now, "previous_user_id": USER} if with_ids else {}
    hear(
        connected(shop, "wa"),
        says("старый", 1, user=USER if with_ids else ""),
        system("user_changed_number", number=PHONE, wa_id=new, **ids),
        says("новый", 2, phone=new, user=now if with_ids else ""),
    )
    assert Peer.objects.get().conversation == (now if with_ids else new)
    assert Contact.objects.get().phone == f"+{new}"
    assert [one.body for one in Message.objects.order_by("id")] == ["старый", "новый"], "the notice is no message"


def test_a_user_id_that_changes_keeps_the_chat(shop: Widget, vendors: Vendors) -> None:
    hear(
        connected(shop, "wa"),
        says("до", 1, phone="", user=USER),
        system("user_changed_user_id", user_id="RU.999", previous_user_id=USER),
        says("после", 2, phone="", user="RU.999"),
    )
    assert (Peer.objects.get().conversation, Chat.objects.count()) == ("RU.999", 1)
    assert Contact.objects.get().attributes["wa_user_id"] == "RU.999"


def test_a_message_that_was_stored_by_the_number_is_not_stored_again_by_the_user_id(
    shop: Widget, vendors: Vendors
) -> None:
    connection = connected(shop, "wa")
    hear(connection, says("Привет"))
    older = stored_under("wa", "", PHONE, "wamid.7")
    Message.objects.update(client_id=older)  # as the release before named it
    hear(connection, says("Привет", user=USER))
    assert Message.objects.count() == 1


def test_a_change_of_who_somebody_is_of_whom_nothing_is_known_changes_nothing(shop: Widget, vendors: Vendors) -> None:
    hear(connected(shop, "wa"), system("user_changed_user_id", user_id="RU.999", previous_user_id=USER))
    assert not Peer.objects.exists()


@pytest.mark.parametrize("stored_by", ["now", "before"])
def test_an_edit_and_a_deletion_are_shown_at_the_message(shop: Widget, vendors: Vendors, stored_by: str) -> None:
    connection = connected(shop, "wa")
    hear(connection, says("одну", 1))
    if stored_by == "before":
        Message.objects.update(client_id=stored_under("wa", "", PHONE, "wamid.1"))
    edited = {"original_message_id": "wamid.1", "message": {"type": "text", "text": {"body": "две"}}}
    hear(connection, message(user=USER, id="wamid.2", type="edit", edit=edited))
    stored = Message.objects.get()
    assert (stored.body, "edited_at" in (stored.details or {})) == ("две", True)
    hear(connection, message(id="wamid.3", user=USER, type="revoke", revoke={"original_message_id": "wamid.1"}))
    stored.refresh_from_db()
    assert "deleted_at" in (stored.details or {})


def test_who_opens_the_chat_for_the_first_time_is_greeted_and_has_said_nothing(shop: Widget, vendors: Vendors) -> None:
    hear(connected(shop, "wa"), message(type="request_welcome"))
    (greeting,) = vendors.asked_of("wa", "/messages")
    assert (greeting.body["to"], greeting.body["type"]) == (PHONE, "text")
    assert not Message.objects.exists()
    assert Peer.objects.get().conversation == PHONE


def test_what_somebody_came_from_is_kept_at_their_contact(shop: Widget, vendors: Vendors) -> None:
    referral = {"source_url": "https://fb.me/1", "source_type": "ad", "headline": "Розы", "body": "25 штук"}
    hear(connected(shop, "wa"), message(type="text", text={"body": "Привет"}, referral=referral))
    assert Contact.objects.get().attributes["wa_referral"] == "Розы https://fb.me/1"


@pytest.mark.parametrize(
    ("type_", "content", "name", "sent", "as_"),
    [
        ("image", png(), "a.png", "image", None),
        ("image", picture("WEBP"), "a.webp", None, "link"),
        ("image", picture("GIF"), "a.gif", None, "link"),
        ("file", PDF, "a.pdf", "document", None),
        ("file", b"PK\x03\x04" + b"\0" * 40, "a.zip", None, "link"),
    ],
)
def test_files_go_as_what_whatsapp_takes(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,
    type_: str,
    content: bytes,
    name: str,
    sent: str | None,
    as_: str | None,
) -> None:
    wrote(shop, "wa", vendors)
    types = {"png": "image/png", "webp": "image/webp", "gif": "image/gif", "pdf": "application/pdf"}
    about = {"content_type": types.get(name.rpartition(".")[2], "application/zip")}
    file = FileFactory.create(widget=shop, content=content, name=name, **about)
    answer = say(api, alice, "Вот", type=type_, file={"id": file.pk})
    send()
    assert (delivery(answer)["state"], delivery(answer)["sent_as"]) == ("sent", as_)
    body = vendors.asked_of("wa", "/messages")[-1].body
    assert body["type"] == (sent or "text")
    assert "Вот" in str(body), "words beside a file are never lost"


def test_a_file_that_whatsapp_refuses_after_all_goes_as_the_next_best(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "wa", vendors)
    error = {"error": {"code": 131053, "message": "Media upload error"}}
    vendors.will("wa", "/messages", PlayedFault(400, error))
    file = FileFactory.create(widget=shop, content=png(), name="a.png", content_type="image/png")
    answer = say(api, alice, "Вот", type="image", file={"id": file.pk})
    send()
    assert (delivery(answer)["state"], delivery(answer)["sent_as"]) == ("sent", "link")


def error_of(code: int, below: int | None = None, words: str = "x") -> bytes:
    import json

    return json.dumps({"error": {"code": code, "error_subcode": below, "message": words}}).encode()


@pytest.mark.parametrize(
    ("code", "below", "meaning"),
    [
        (131048, None, FailureCode.SLOW_DOWN),
        (133016, None, FailureCode.SLOW_DOWN),
        (131056, None, FailureCode.SLOW_DOWN),
        (131057, None, FailureCode.UNAVAILABLE),
        (131053, None, FailureCode.WRONG_KIND),
        (131030, None, FailureCode.NO_RECIPIENT),
        (100, 33, FailureCode.CREDENTIAL_REJECTED),
        (200, None, FailureCode.CREDENTIAL_REJECTED),
        (100, None, FailureCode.REJECTED),
    ],
)
def test_errors_by_their_meaning(code: int, below: int | None, meaning: FailureCode) -> None:
    failure = WHATSAPP.judge(ProviderResponse(400, {}, error_of(code, below)))
    assert failure is not None
    assert (failure.code, failure.one_person) == (meaning, code == 131056)


def test_the_limit_of_one_customer_rests_their_conversation_alone(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "wa", vendors)
    vendors.will("wa", "/messages", PlayedFault(400, {"error": {"code": 131056, "message": "pair rate limit"}}))
    answer = say(api, alice)
    send()
    assert delivery(answer)["state"] == "queued"
    assert Connection.objects.get().rests_until is None
    let_time_pass()
    send()
    assert delivery(answer)["state"] == "sent"


def test_what_failed_later_says_the_details(api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors) -> None:
    wrote(shop, "wa", vendors)
    answer = say(api, alice)
    send()
    number = vendors.asked_of("wa", "/messages") and Message.objects.get(pk=answer.pk)
    assert number
    from apps.messengers.models import OutboundMessage

    (external,) = OutboundMessage.objects.get().external_ids
    errors = [{"code": 131053, "title": "Media upload error", "error_data": {"details": "Unsupported Image mime type"}}]
    hear(Connection.objects.get(), whatsapp("failed", external, errors=errors))
    shown = delivery(answer)
    assert (shown["code"], shown["detail"]) == ("rejected_by_provider", "Unsupported Image mime type")
