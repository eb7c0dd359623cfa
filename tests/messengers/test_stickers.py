"""Stickers of all messengers: a sticker's picture is kept as a file; without one its emoji or its name is shown."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.chats.models import File, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from tests.client import ApiClient
from tests.messengers.payloads.fb import event
from tests.messengers.payloads.mx import _mx
from tests.messengers.payloads.ok import _ok
from tests.messengers.payloads.tg import _tg
from tests.messengers.payloads.vb import _vb
from tests.messengers.payloads.vk import _vk
from tests.messengers.payloads.wa import message as wa
from tests.messengers.test_hooks import connected, post, work
from tests.uploads import picture, png

Document = dict[str, Any]


def vk(address: str) -> Document:
    images = [{"url": f"{address}?small", "width": 64, "height": 64}, {"url": address, "width": 512, "height": 512}]
    return _vk(attachments=[{"type": "sticker", "sticker": {"sticker_id": 9, "product_id": 1, "images": images}}])


def passed_on_in_vk(address: str) -> Document:
    images = [{"url": address, "width": 512, "height": 512}]
    sticker = {"type": "sticker", "sticker": {"sticker_id": 9, "images": images}}
    return _vk(text="", fwd_messages=[{"text": "", "attachments": [sticker]}])


def fb(address: str) -> Document:
    payload = {"url": address, "sticker_id": 369239263222822}
    return event(message={"mid": "m_8", "attachments": [{"type": "image", "payload": payload}]})


def vb(address: str) -> Document:
    return _vb(type="sticker", sticker_id=46105, media=address)


def ok(address: str) -> Document:
    return _ok(text="", attachments=[{"type": "STICKER", "payload": {"code": "9", "url": address}}])


def mx(address: str) -> Document:
    sticker = {"type": "sticker", "payload": {"code": "9", "url": address}, "width": 512, "height": 512}
    return _mx(attachments=[sticker])


def tg(**sticker: Any) -> Document:
    about = {"file_id": "moving", "file_unique_id": "u", "type": "regular", "width": 512, "height": 512, "emoji": "🌹"}
    return _tg(sticker={**about, **sticker})


BY_ADDRESS = [("vk", vk), ("vk", passed_on_in_vk), ("fb", fb), ("vb", vb), ("ok", ok), ("mx", mx)]


@pytest.mark.parametrize(("provider", "sticker"), BY_ADDRESS)
def test_the_picture_of_a_sticker_is_kept_as_a_file(
    api: ApiClient, shop: Widget, vendors: Vendors, provider: str, sticker: Callable[[str], Document]
) -> None:
    vendors.files["s"] = png()
    assert post(connected(shop, provider), sticker(f"{vendors.base('vb')}/files/s")).status_code == 200
    work()
    message, file = Message.objects.get(), File.objects.get()
    (shown,) = api.get(f"/chats/{message.chat_id}/messages").json()["data"]
    assert (shown["type"], shown["file"]["id"], shown["name"]) == ("image", file.pk, "sticker.png")
    assert shown["url"].startswith("https://chat.example.com/files/")
    assert (file.content_type, file.size, file.is_sent) == ("image/png", len(png()), True)


@pytest.mark.parametrize("content", [None, b"<html>gone</html>"], ids=["nothing there", "no picture"])
@pytest.mark.parametrize(("provider", "sticker"), BY_ADDRESS)
def test_a_sticker_without_a_picture_stays_a_sticker(
    shop: Widget, vendors: Vendors, provider: str, sticker: Callable[[str], Document], content: bytes | None
) -> None:
    if content:
        vendors.files["s"] = content
    post(connected(shop, provider), sticker(f"{vendors.base('vb')}/files/s"))
    work()
    message = Message.objects.get()
    assert (message.type, "unsupported" in message.details) == ("sticker", False)
    assert message.details["sticker"]["id"]
    assert not File.objects.exists()


@pytest.mark.parametrize(
    ("sticker", "taken"),
    [
        ({"file_id": "still"}, "still"),
        ({"is_animated": True, "thumbnail": {"file_id": "thumb"}}, "thumb"),
        ({"is_video": True, "thumbnail": {"file_id": "thumb"}}, "thumb"),
    ],
    ids=["still", "animated", "video"],
)
def test_telegrams_sticker_is_its_picture_or_the_picture_of_one_that_moves(
    shop: Widget, vendors: Vendors, sticker: Document, taken: str
) -> None:
    vendors.files[f"photos/{taken}"] = picture("WEBP")
    vendors.files["photos/moving"] = b"\x1f\x8b lottie"
    post(connected(shop, "tg"), tg(**sticker))
    work()
    message = Message.objects.get()
    assert (message.type, message.body, message.details["file"]["name"]) == ("image", "🌹", "sticker.webp")


def test_a_moving_sticker_of_telegram_without_a_thumbnail_is_its_emoji(shop: Widget, vendors: Vendors) -> None:
    post(connected(shop, "tg"), tg(is_animated=True))
    work()
    message = Message.objects.get()
    assert (message.type, message.body, message.details["sticker"]) == ("sticker", "🌹", {"id": "u"})


def test_whatsapps_sticker_is_its_picture(shop: Widget, vendors: Vendors) -> None:
    vendors.files["7"] = picture("WEBP")
    sticker = {"id": "7", "mime_type": "image/webp", "sha256": "x", "animated": False}
    post(connected(shop, "wa"), wa(type="sticker", sticker=sticker))
    work()
    message = Message.objects.get()
    assert (message.type, message.details["file"]["name"]) == ("image", "sticker.webp")


def test_a_sticker_beside_a_file_is_lost_with_neither(shop: Widget, vendors: Vendors) -> None:
    document = fb("https://files.example/gone.png")
    attachments = document["entry"][0]["messaging"][0]["message"]["attachments"]
    attachments.append({"type": "file", "payload": {"url": f"{vendors.base('vb')}/files/price.pdf"}})
    vendors.files["price.pdf"] = b"%PDF-1.4 price"
    post(connected(shop, "fb"), document)
    work()
    assert [message.type for message in Message.objects.order_by("id")] == ["file", "sticker"]
