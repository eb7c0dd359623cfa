"""All adapters by one contract: what they read of recorded payloads, what they send, and what answers mean."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.adapters import ADAPTERS, CONNECTED
from apps.messengers.adapters.client import Credentials, ProviderCallFailed, ProviderClient, ProviderResponse, answered
from apps.messengers.rules.delivery import FailureCode, FileKind, MessagePart
from tests.messengers.payloads import NOTHING, PAYLOADS, PICTURES, PLACES, TEXTS
from tests.uploads import png

SECRET = "QUFBQUFBQUFBQUFBQUFBQQ=="
TO = {"wa": "79991234567", "apple": "urn:biz:1|urn:mbid:42"}  # who is written to, where it is no "42"
TOKENS = {"tg": f"4711:{'A' * 35}", "apple": SECRET}


def line(provider: str, vendors: Vendors | None = None) -> Credentials:
    base = vendors.base(provider) if vendors else ""
    token = TOKENS.get(provider, "t-1")
    return Credentials(base=base, token=token, sid="100200300", account="555", account_name="Shop", secret="S")


def test_there_is_one_of_each() -> None:
    assert tuple(ADAPTERS) == (*CONNECTED[:-1], "av")
    assert len({type(adapter).__module__ for adapter in ADAPTERS.values()}) == 11


def takes_pictures(provider: str, *, by_address: bool) -> bool:
    return any(kind.name == "image" and kind.by_address is by_address for kind in ADAPTERS[provider].can.files)


@pytest.mark.parametrize("provider", CONNECTED)
def test_a_text_is_read(provider: str) -> None:
    adapter, (document, conversation, external_id) = ADAPTERS[provider], TEXTS[provider]
    (arrival,) = adapter.messages(document, line(provider))
    assert (arrival.conversation, arrival.external_id) == (conversation, external_id)
    said = adapter.content(arrival.part)
    assert (said.text, said.attachments, said.place, said.sticker) == ("Привет", [], None, None) or (
        said.text == "Привет" and not said.attachments
    )
    assert said.user_id


@pytest.mark.parametrize("provider", PICTURES)
def test_a_picture_is_read(provider: str) -> None:
    document, caption = PICTURES[provider]
    (arrival,) = ADAPTERS[provider].messages(document, line(provider))
    said = ADAPTERS[provider].content(arrival.part)
    (given,) = said.attachments
    assert (said.text, given.is_image) == (caption, True)
    assert given.reference in ("https://files.example/flower.jpg", "big", "900")


@pytest.mark.parametrize("provider", PLACES)
def test_a_place_is_read(provider: str) -> None:
    (arrival,) = ADAPTERS[provider].messages(PLACES[provider], line(provider))
    assert ADAPTERS[provider].content(arrival.part).place == (55.75, 37.6)


@pytest.mark.parametrize(("provider", "document"), NOTHING)
def test_what_is_no_message_of_a_person_is_nothing(provider: str, document: dict[str, Any]) -> None:
    assert list(ADAPTERS[provider].messages(document, line(provider))) == []


ODD: list[Any] = [{}, {"message": 1}, {"message": {"chat": 5}}, {"entry": 5}, {"entry": [{"changes": [5]}]}]
ODD += [{"object": {"message": []}, "type": "message_new"}, {"payload": []}, {"sender": "x", "event": "message"}]
ODD += [{"entry": [{"messaging": [{"message": [], "sender": []}]}]}, {"update_type": "message_created", "message": 5}]


@pytest.mark.parametrize("provider", CONNECTED)
@pytest.mark.parametrize("document", ODD)
def test_odd_documents_are_nothing(provider: str, document: dict[str, Any]) -> None:
    assert list(ADAPTERS[provider].messages(document, line(provider))) == []


@pytest.mark.parametrize("provider", CONNECTED)
def test_members_of_other_types_raise_nothing(provider: str) -> None:
    """Whatever stands in the place of a member, the message is read, perhaps as one that we do not know."""
    document, _, _ = TEXTS[provider]
    (arrival,) = ADAPTERS[provider].messages(document, line(provider))
    for name in arrival.part:
        for odd in (None, 5, "x", [], {}, [[]], {"a": {"b": 1}}, True, -(10**30)):
            ADAPTERS[provider].content({**arrival.part, name: odd})


def with_odd(value: Any, odd: Any) -> Iterator[Any]:
    """A document once for each of its members, at any depth, with something else in its place."""
    yield odd
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        for changed in with_odd(inner, odd):
            copy = value.copy()
            copy[name] = changed
            yield copy


@pytest.mark.parametrize("provider", CONNECTED)
@pytest.mark.parametrize("odd", [None, 5, "x", [], {}, [[]], {"a": {"b": 1}}, True, -(10**30), [{"type": "x"}]])
def test_anything_in_the_place_of_a_member_raises_nothing(provider: str, odd: Any) -> None:
    """Every kind that is recorded, with each member at any depth replaced."""
    adapter = ADAPTERS[provider]
    for recorded in (one for each in PAYLOADS[provider].kinds.values() for one in each):
        for document in with_odd(recorded.document, odd):
            if isinstance(document, dict):
                for arrival in adapter.messages(document, line(provider)):
                    assert adapter.content(arrival.part) is not None
                assert adapter.receipts(document) is not None


@pytest.mark.parametrize("provider", CONNECTED)
def test_a_text_is_sent(provider: str, vendors: Vendors) -> None:
    adapter = ADAPTERS[provider]
    client = ProviderClient(line(provider, vendors), adapter.judge)
    assert answered(adapter.send(client, TO.get(provider, "42"), MessagePart(0, "Здравствуйте!"), 12345, None))
    asked = vendors.asked_of(provider)[-1]
    assert "Здравствуйте!" in str(asked.body)


@pytest.mark.parametrize("provider", [code for code in CONNECTED if takes_pictures(code, by_address=False)])
def test_a_picture_is_sent(provider: str, vendors: Vendors) -> None:
    adapter = ADAPTERS[provider]
    client = ProviderClient(line(provider, vendors), adapter.judge)
    file = ("rose.png", png(), "image/png")
    about = {"id": 1, "name": "rose.png", "size": 9, "content_type": "image/png", "address": "https://x.example/f"}
    part = MessagePart(0, "", file=about, kind=FileKind("image"))
    assert answered(adapter.send(client, TO.get(provider, "42"), part, 1, file))
    assert any(png() in asked.raw for asked in vendors.asked)


@pytest.mark.parametrize("provider", [code for code in CONNECTED if takes_pictures(code, by_address=True)])
def test_an_address_of_a_picture_is_sent(provider: str, vendors: Vendors) -> None:
    adapter = ADAPTERS[provider]
    about = {"id": 1, "name": "rose.png", "size": 9, "content_type": "image/png", "address": "https://x.example/f"}
    part = MessagePart(0, "Роза", file=about, kind=FileKind("image"))
    assert answered(adapter.send(ProviderClient(line(provider, vendors), adapter.judge), "42", part, 1, None))
    assert "https://x.example/f" in str(vendors.asked[-1].body)


@pytest.mark.parametrize("provider", [code for code in CONNECTED if ADAPTERS[code].can.has_places])
def test_a_place_is_sent(provider: str, vendors: Vendors) -> None:
    adapter = ADAPTERS[provider]
    client = ProviderClient(line(provider, vendors), adapter.judge)
    assert answered(adapter.send(client, TO.get(provider, "42"), MessagePart(0, place=(55.75, 37.6)), 1, None))
    assert "55.75" in str(vendors.asked[-1].body)


JSON = {"Content-Type": "application/json"}


def means(provider: str, status: int, body: bytes, headers: dict[str, str] | None = None) -> str | None:
    failure = ADAPTERS[provider].judge(ProviderResponse(status, headers or JSON, body))
    return failure.code.value if failure else None


@pytest.mark.parametrize(
    ("provider", "status", "body", "code"),
    [
        ("tg", 200, b'{"ok":true,"result":true}', None),
        ("tg", 401, b'{"ok":false,"description":"Unauthorized"}', FailureCode.CREDENTIAL_REJECTED),
        ("tg", 403, b'{"ok":false,"description":"Forbidden: bot was blocked by the user"}', FailureCode.BLOCKED),
        ("tg", 400, b'{"ok":false,"description":"Bad Request: chat not found"}', FailureCode.NO_RECIPIENT),
        ("tg", 400, b'{"ok":false,"description":"Bad Request: message is too long"}', FailureCode.REJECTED),
        ("tg", 429, b'{"ok":false,"parameters":{"retry_after":7}}', FailureCode.SLOW_DOWN),
        ("tg", 502, b"<html>", FailureCode.UNAVAILABLE),
        ("tg", 200, b"<html>", FailureCode.UNAVAILABLE),
        ("tg", 302, b"", FailureCode.UNAVAILABLE),
        ("vk", 200, b'{"response":1}', None),
        ("vk", 200, b'{"error":{"error_code":5,"error_msg":"x"}}', FailureCode.CREDENTIAL_REJECTED),
        ("vk", 200, b'{"error":{"error_code":901,"error_msg":"x"}}', FailureCode.BLOCKED),
        ("vk", 200, b'{"error":{"error_code":6,"error_msg":"x"}}', FailureCode.SLOW_DOWN),
        ("vk", 200, b'{"error":{"error_code":100,"error_msg":"x"}}', FailureCode.REJECTED),
        ("vk", 200, b'{"error":{"error_code":10,"error_msg":"x"}}', FailureCode.UNAVAILABLE),
        ("wa", 401, b'{"error":{"code":190,"message":"x"}}', FailureCode.CREDENTIAL_REJECTED),
        ("wa", 400, b'{"error":{"code":131047,"message":"x"}}', FailureCode.WINDOW_CLOSED),
        ("wa", 400, b'{"error":{"code":131026,"message":"x"}}', FailureCode.NO_RECIPIENT),
        ("fb", 400, b'{"error":{"code":551,"message":"x"}}', FailureCode.NO_RECIPIENT),
        ("fb", 400, b'{"error":{"code":10,"error_subcode":2018278,"message":"x"}}', FailureCode.WINDOW_CLOSED),
        ("fb", 400, b'{"error":{"code":100,"message":"x"}}', FailureCode.REJECTED),
        ("vb", 200, b'{"status":0,"message_token":1}', None),
        ("vb", 200, b'{"status":2,"status_message":"invalidAuthToken"}', FailureCode.CREDENTIAL_REJECTED),
        ("vb", 200, b'{"status":5,"status_message":"receiverNotRegistered"}', FailureCode.NO_RECIPIENT),
        ("vb", 200, b'{"status":6,"status_message":"receiverNotSubscribed"}', FailureCode.BLOCKED),
        ("vb", 200, b'{"status":12,"status_message":"tooManyRequests"}', FailureCode.SLOW_DOWN),
        ("ok", 200, b'{"error_code":103,"error_msg":"PARAM_SESSION_KEY"}', FailureCode.CREDENTIAL_REJECTED),
        ("ok", 403, b"{}", FailureCode.BLOCKED),
        ("mx", 403, b'{"code":"chat.denied","message":"x"}', FailureCode.BLOCKED),
        ("mx", 400, b'{"code":"attachment.not.ready","message":"x"}', FailureCode.UNAVAILABLE),
        ("cian", 403, b"{}", FailureCode.REJECTED),
        ("av", 404, b"{}", FailureCode.NO_RECIPIENT),
        ("apple", 200, b"", None),
    ],
)
def test_what_an_answer_means(provider: str, status: int, body: bytes, code: str | None) -> None:
    assert means(provider, status, body) == code


def test_how_long_a_provider_wants_to_be_left_alone() -> None:
    by_header = ADAPTERS["cian"].judge(ProviderResponse(429, {"Retry-After": "12"}, b"{}"))
    in_body = ADAPTERS["tg"].judge(ProviderResponse(429, {}, b'{"ok":false,"parameters":{"retry_after":7}}'))
    assert by_header is not None
    assert in_body is not None
    assert (by_header.retry_after_s, in_body.retry_after_s) == (12.0, 7.0)


@pytest.mark.parametrize(
    "fault",
    [PlayedFault(200, b"x" * (1024 * 1024 + 1)), PlayedFault(302, b"", {"Location": "http://169.254.169.254/"})],
)
def test_a_vendor_out_of_order_is_unavailable(vendors: Vendors, fault: PlayedFault) -> None:
    vendors.will("cian", "", fault)
    adapter = ADAPTERS["cian"]
    with pytest.raises(ProviderCallFailed) as caught:
        answered(adapter.send(ProviderClient(line("cian", vendors), adapter.judge), "42", MessagePart(0, "x"), 1, None))
    assert caught.value.failure.code == FailureCode.UNAVAILABLE
    assert len(vendors.asked) == 1
