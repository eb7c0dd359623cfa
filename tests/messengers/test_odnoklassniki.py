"""Odnoklassniki by its documents: uploads, the subscription, and errors."""

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderClient, ProviderResponse, answered
from apps.messengers.adapters.ok.adapter import Odnoklassniki
from apps.messengers.rules.delivery import FailureCode
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.messengers.test_adapters import line
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import png

OK = ADAPTERS["ok"]
ADDRESS = "https://chat.example.com/hooks/ok/1"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The played vendor needs no time to process a file."""
    monkeypatch.setattr(Odnoklassniki, "processed_s", 0.0)


@pytest.mark.parametrize(
    ("type_", "content", "name", "content_type", "kind"),
    [
        ("image", png(), "rose.png", "image/png", "IMAGE"),
        ("file", b"%PDF-1.4", "price.pdf", "application/pdf", "FILE"),
    ],
)
def test_a_file_is_uploaded_and_named_by_its_token(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,
    type_: str,
    content: bytes,
    name: str,
    content_type: str,
    kind: str,
) -> None:
    wrote(shop, "ok", vendors)
    file = FileFactory.create(widget=shop, content=content, name=name, content_type=content_type)
    message = say(api, alice, "Вот, скидка 10 %", type=type_, file={"id": file.pk})
    send()
    assert delivery(message)["state"] == "sent"
    (place,) = vendors.asked_of("ok", "fileUploadUrl")
    assert (place.method, place.query["type"]) == ("GET", kind)
    (upload,) = vendors.asked_of("ok", "/upload/")
    assert content in upload.raw
    sent = vendors.asked_of("ok", "/graph/me/messages/")[-1].body["message"]
    assert sent["text"] == "Вот, скидка 10 %"
    assert sent["attachment"]["type"] == kind
    assert sent["attachment"]["payload"]["token"] in vendors.files


def test_a_picture_of_another_type_goes_as_a_file(api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors) -> None:
    wrote(shop, "ok", vendors)
    file = FileFactory.create(widget=shop, content=b"RIFF....WEBP", name="a.webp", content_type="image/webp")
    message = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert (delivery(message)["state"], delivery(message)["sent_as"]) == ("sent", "file")


def test_a_subscription_that_ok_dropped_is_lost(vendors: Vendors) -> None:
    """OK drops an address that did not answer for eight hours."""
    client = ProviderClient(line("ok", vendors), OK.judge)
    answered(OK.register(client, ADDRESS, ""))
    (asked,) = vendors.asked_of("ok", "me/subscribe")
    assert asked.body == {"url": ADDRESS}
    assert asked.headers["content-type"] == "application/json;charset=utf-8"
    assert answered(OK.health(client, ADDRESS))
    vendors.hooks["ok", client.credentials.token]["urls"].clear()
    assert not answered(OK.health(client, ADDRESS))


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (2, FailureCode.UNAVAILABLE),
        (8, FailureCode.SLOW_DOWN),
        (11, FailureCode.SLOW_DOWN),
        (102, FailureCode.CREDENTIAL_REJECTED),
        (100, FailureCode.REJECTED),
    ],
)
def test_errors_by_their_meaning(number: int, code: FailureCode) -> None:
    failure = OK.judge(ProviderResponse(200, {}, b'{"error_code":%d,"error_msg":"x"}' % number))
    assert failure is not None
    assert failure.code == code
