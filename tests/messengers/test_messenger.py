"""Messenger by the book: edits, errors by their meaning, and files by their types."""

import json

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderResponse
from apps.messengers.rules.delivery import FailureCode
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.messengers.payloads.fb import event
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import picture


def test_an_edit_is_shown_at_the_message(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "fb")
    for number, document in enumerate(
        (
            event(message={"mid": "m_1", "text": "одну"}),
            event(timestamp=1518479195308 + 1, message_edit={"mid": "m_1", "text": "две", "num_edit": 1}),
        )
    ):
        assert post(connection, document).status_code == 200, number
        work()
    stored = Message.objects.get()
    assert (stored.body, "edited_at" in (stored.details or {})) == ("две", True)


def test_the_advertisement_that_somebody_came_from_is_kept_at_their_contact(shop: Widget, vendors: Vendors) -> None:
    referral = {"source": "ADS", "type": "OPEN_THREAD", "ads_context_data": {"ad_title": "Розы"}, "ref": "spring"}
    post(connected(shop, "fb"), event(message={"mid": "m_1", "text": "Привет", "referral": referral}))
    work()
    assert Contact.objects.get().attributes["fb_referral"] == "Розы spring"


@pytest.mark.parametrize(
    ("code", "below", "meaning"),
    [
        (10, 2534022, FailureCode.WINDOW_CLOSED),
        (10, 2018278, FailureCode.WINDOW_CLOSED),
        (10, None, FailureCode.WINDOW_CLOSED),
        (100, 2018001, FailureCode.NO_RECIPIENT),
        (551, 1545041, FailureCode.NO_RECIPIENT),
        (100, 2018047, FailureCode.WRONG_KIND),
        (190, 460, FailureCode.CREDENTIAL_REJECTED),
        (613, None, FailureCode.SLOW_DOWN),
        (1200, None, FailureCode.UNAVAILABLE),
        (100, None, FailureCode.REJECTED),
    ],
)
def test_errors_by_their_meaning(code: int, below: int | None, meaning: FailureCode) -> None:
    body = json.dumps({"error": {"code": code, "error_subcode": below, "message": "x"}}).encode()
    failure = ADAPTERS["fb"].judge(ProviderResponse(400, {}, body))
    assert failure is not None
    assert failure.code == meaning


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("(#10) This message is sent outside of allowed window.", FailureCode.WINDOW_CLOSED),
        ("(#10) Application does not have permission for this action", FailureCode.CREDENTIAL_REJECTED),
        ("(#10) Requires pages_messaging permission to manage the object", FailureCode.CREDENTIAL_REJECTED),
    ],
)
def test_number_ten_is_told_by_its_words(words: str, meaning: FailureCode) -> None:
    body = json.dumps({"error": {"code": 10, "type": "OAuthException", "message": words}}).encode()
    failure = ADAPTERS["fb"].judge(ProviderResponse(400, {}, body))
    assert failure is not None
    assert (failure.code, failure.detail) == (meaning, words)


@pytest.mark.parametrize(("format_", "as_"), [("PNG", None), ("WEBP", "file")])
def test_a_picture_goes_as_what_messenger_takes(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, format_: str, as_: str | None
) -> None:
    wrote(shop, "fb", vendors)
    type_ = f"image/{format_.lower()}"
    file = FileFactory.create(widget=shop, content=picture(format_), name="a", content_type=type_)
    answer = say(api, alice, "Вот", type="image", file={"id": file.pk})
    send()
    assert (delivery(answer)["state"], delivery(answer)["sent_as"]) == ("sent", as_)
    sent = [json.loads(one.body["message"]) for one in vendors.asked_of("fb", "/me/messages") if one.file("filedata")]
    assert [one["attachment"]["type"] for one in sent] == [as_ or "image"]
    assert vendors.asked_of("fb", "/me/messages")[-1].body["message"] == {"text": "Вот"}
