"""VK by its documents: what is never downloaded, servers and their events, what begins a conversation, and errors."""

import json

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact, File, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import Credentials, ProviderClient, ProviderResponse, answered
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import FailureCode
from tests.client import ApiClient
from tests.factories.files import FileFactory
from tests.factories.messengers import CommunityFactory
from tests.messengers.payloads.vk import KINDS, _vk, _with
from tests.messengers.test_adapters import line
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import png

VK = ADAPTERS["vk"]
ADDRESS = "https://chat.example.com/hooks/vk/1"


def client(vendors: Vendors) -> ProviderClient:
    return ProviderClient(line("vk", vendors), VK.judge)


def test_the_address_that_somebody_writes_is_never_called(shop: Widget, vendors: Vendors) -> None:
    """VK attaches a link to each message that has an address; nothing but what VK stores is fetched."""
    address = f"{vendors.base('vk')}/page"
    for number, kind in enumerate(("link", "wall", "video", "market", "article", "poll", "story", "call", "gift")):
        about = {"id": 1, "owner_id": 42, "url": address, "title": "Якорь"}
        post(connected_once(shop), _vk(conversation_message_id=number + 1, attachments=[_with(kind, **about)]))
    work()
    assert not [asked for asked in vendors.asked if asked.path.startswith("/page")]
    assert not File.objects.exists()
    assert {message.type for message in Message.objects.all()} == {"text"}


def connected_once(shop: Widget) -> Connection:
    return Connection.objects.filter(provider="vk").first() or connected(shop, "vk")


def test_what_vk_cuts_off_is_said(shop: Widget, vendors: Vendors) -> None:
    post(connected(shop, "vk"), _vk(text="Начало", is_cropped=True))
    work()
    assert Message.objects.get().body == "Начало\n[VK прислал сообщение не целиком]"


def test_several_photos_of_a_message_are_one_message(shop: Widget, vendors: Vendors) -> None:
    vendors.files["p"] = png()
    address = f"{vendors.base('mx')}/files/p"
    photo = _with("photo", sizes=[{"url": address, "width": 9, "height": 9}])
    post(connected(shop, "vk"), _vk(text="Розы", attachments=[photo, photo, photo]))
    work()
    message = Message.objects.get()
    assert (message.type, message.body, len(message.details["files"])) == ("image", "Розы", 3)


def test_a_sticker_has_the_address_of_its_picture(shop: Widget, vendors: Vendors) -> None:
    post(connected(shop, "vk"), KINDS["sticker"][0].document)  # type: ignore[index]
    work()
    assert Message.objects.get().details["sticker"] == {"id": "9", "url": "https://files.example/flower.jpg"}


def test_an_edit_is_shown_at_the_message(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "vk")
    post(connection, _vk(text="Привет"))
    post(connection, KINDS["edit"][0].document)  # type: ignore[index]
    work()
    message = Message.objects.get()
    assert (message.body, "edited_at" in message.details) == ("Привет!", True)


def test_who_presses_the_button_to_begin_is_greeted_and_has_said_nothing(shop: Widget, vendors: Vendors) -> None:
    connection = connected(shop, "vk")
    for _ in range(2):
        post(connection, _vk(text="Начать", payload='{"command":"start"}', ref="spring"))
        work()
    (asked,) = vendors.asked_of("vk", "messages.send")
    assert asked.body["message"] == "Здравствуйте! Пишите сюда: мы ответим в этом чате."
    assert not Message.objects.exists()
    assert Contact.objects.get().attributes["vk_ref"] == "spring"


class TestServers:
    def test_edits_are_asked_for_and_a_server_without_them_is_registered_again(self, vendors: Vendors) -> None:
        answered(VK.register(client(vendors), ADDRESS, "S"))
        (asked,) = vendors.asked_of("vk", "setCallbackSettings")
        assert (asked.body["message_new"], asked.body["message_edit"]) == ("1", "1")
        assert answered(VK.health(client(vendors), ADDRESS))
        vendors.hooks["vk", "555"]["events"] = {"message_new": 1, "message_edit": 0}
        assert not answered(VK.health(client(vendors), ADDRESS))

    @pytest.mark.parametrize("status", ["failed", "unconfigured"])
    def test_one_that_vk_calls_no_more_is_replaced(self, vendors: Vendors, status: str) -> None:
        before = answered(VK.register(client(vendors), ADDRESS, "S")).server_id
        vendors.hooks["vk", "555"]["status"] = status
        assert not answered(VK.health(client(vendors), ADDRESS))
        after = answered(VK.register(client(vendors), ADDRESS, "S")).server_id
        assert after != before
        assert len(vendors.asked_of("vk", "deleteCallbackServer")) == 1
        assert answered(VK.health(client(vendors), ADDRESS))

    def test_all_are_removed_with_the_messenger(self, api: ApiClient, shop: Widget, vendors: Vendors) -> None:
        for number in (11, 12):
            CommunityFactory.create(widget=shop, server_id=number)
        assert api.delete("/messengers/vk").status_code == 204
        assert [one.body["server_id"] for one in vendors.asked_of("vk", "deleteCallbackServer")] == ["11", "12"]


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (900, FailureCode.BLOCKED),
        (901, FailureCode.BLOCKED),
        (902, FailureCode.BLOCKED),
        (1117, FailureCode.CREDENTIAL_REJECTED),
        (18, FailureCode.NO_RECIPIENT),
        (914, FailureCode.REJECTED),
        (29, FailureCode.SLOW_DOWN),
    ],
)
def test_errors_by_their_meaning(number: int, code: FailureCode) -> None:
    answer = {"error": {"error_code": number, "error_msg": "x", "request_params": []}}
    failure = VK.judge(ProviderResponse(200, {}, json.dumps(answer).encode()))
    assert failure is not None
    assert failure.code == code


@pytest.mark.parametrize(
    ("content", "name", "sent_as"),
    [
        (png(width=300, height=300), "a.png", None),
        (png(width=20, height=500), "long.png", "file"),
        (b"\x89PNG\r\n\x1a\n broken", "broken.png", "file"),
    ],
)
def test_a_picture_goes_as_what_vk_takes(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, content: bytes, name: str, sent_as: str | None
) -> None:
    wrote(shop, "vk", vendors)
    file = FileFactory.create(widget=shop, content=content, name=name, content_type="image/png")
    message = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert (delivery(message)["state"], delivery(message)["sent_as"]) == ("sent", sent_as)
    sent = vendors.asked_of("vk", "messages.send")[-1].body
    assert (sent["message"], sent["attachment"]) == ("Роза", "photo-1_7" if sent_as is None else "doc-1_8")


def test_a_file_that_vk_takes_in_no_way_goes_as_a_link(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "vk", vendors)
    file = FileFactory.create(widget=shop, content=b"ID3", name="song.mp3", content_type="audio/mpeg")
    message = say(api, alice, "Песня", type="file", file={"id": file.pk})
    send()
    assert (delivery(message)["state"], delivery(message)["sent_as"]) == ("sent", "link")
    sent = vendors.asked_of("vk", "messages.send")[-1].body["message"]
    assert sent.startswith("Песня\nsong.mp3: https://chat.example.com/files/")


def test_credentials_show_no_callback_address() -> None:
    assert "hooks" not in repr(Credentials(base="", callback=ADDRESS))
