"""What MAX posts: its schema, https://github.com/max-messenger/max-bot-api-client-go, schema.yaml."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import FILE, Payloads, Recorded

SCHEMA = "max-bot-api-client-go, schema.yaml: "
_ANNA = {"user_id": 42, "first_name": "Анна", "last_name": "Иванова", "username": "anna", "is_bot": False}
_BORIS = {"user_id": 43, "first_name": "Борис", "last_name": None, "username": None, "is_bot": False}


def _mx(*, kind: str = "message_created", link: Any = None, **body: Any) -> dict[str, Any]:
    recipient = {"chat_id": 4242, "chat_type": "dialog", "user_id": 77}
    message = {"sender": _ANNA, "recipient": recipient, "timestamp": 1700000000000}
    message["body"] = {"mid": "mid.7", "seq": 1, "text": None, "attachments": None, **body}
    message |= {"link": link} if link else {}
    return {"update_type": kind, "timestamp": 1700000000000, "message": message, "user_locale": "ru"}


def _attached(name: str, *bodies: str, type_: str = "text", text: str | None = None, **given: Any) -> Recorded:
    return Recorded(_mx(text=text, attachments=[given]), f"{SCHEMA}{name}", [(type_, body) for body in bodies])


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


def _passed_on(**message: Any) -> dict[str, Any]:
    """A forwarded message alone: MAX gives no body of its own then."""
    linked = {"mid": "mid.3", "seq": 1, "text": None, "attachments": None, **message}
    document = _mx(link={"type": "forward", "sender": _BORIS, "chat_id": 1, "message": linked})
    document["message"]["body"] = None
    return document


_IMAGE = {"type": "image", "payload": {"photo_id": 1, "token": "t", "url": FILE}}
_VCARD = "BEGIN:VCARD\nVERSION:3.0\nFN:Папа\nTEL;TYPE=cell:79003333333\nTEL;TYPE=work:79004444444\nEND:VCARD"
_REPLY = {"type": "reply", "sender": _BORIS, "message": {"mid": "mid.3", "seq": 1, "text": "Розы или тюльпаны?"}}
_MEDIA = {"url": FILE, "token": "t1"}

KINDS = {
    Kind.TEXT: [Recorded(_mx(text="Привет"), f"{SCHEMA}MessageCreatedUpdate", [("text", "Привет")])],
    Kind.IMAGE: [_attached("PhotoAttachment", f"Роза\n{_lost('photo.jpg')}", text="Роза", **_IMAGE)],
    Kind.FILE: [
        _attached("FileAttachment", _lost("price.pdf"), type="file", payload=_MEDIA, filename="price.pdf", size=9)
    ],
    Kind.VOICE: [_attached("AudioAttachment", _lost("voice.mp3"), type="audio", payload=_MEDIA)],
    Kind.VIDEO: [_attached("VideoAttachment", _lost("video.mp4"), type="video", payload=_MEDIA)],
    Kind.ALBUM: [
        Recorded(
            _mx(attachments=[_IMAGE, _IMAGE]),
            f"{SCHEMA}MessageBody",
            [("text", f"{_lost('photo.jpg')}\n{_lost('photo.jpg')}")],
        )
    ],
    Kind.LOCATION: [
        _attached("LocationAttachment", "", type_="location", type="location", latitude=55.75, longitude=37.6)
    ],
    Kind.CONTACT: [
        _attached(
            "ContactAttachment",
            "Папа: 79003333333, 79004444444",
            type="contact",
            payload={"vcf_info": _VCARD, "max_info": None},
        )
    ],
    Kind.REPLY: [
        Recorded(
            _mx(text="Розы", link=_REPLY),
            f"{SCHEMA}LinkedMessage",
            [("text", "> Борис: Розы или тюльпаны?\nРозы")],
        )
    ],
    Kind.FORWARD: [
        Recorded(_passed_on(text="Скидка 10 %"), f"{SCHEMA}LinkedMessage", [("text", "↪ Борис:\nСкидка 10 %")]),
        Recorded(
            _passed_on(attachments=[_IMAGE]), f"{SCHEMA}LinkedMessage", [("text", f"↪ Борис:\n{_lost('photo.jpg')}")]
        ),
    ],
    Kind.LINK: [
        _attached(
            "ShareAttachment",
            "смотрите https://shop.example/1\nРозы: https://shop.example/1",
            text="смотрите https://shop.example/1",
            type="share",
            payload={"url": "https://shop.example/1", "token": None},
            title="Розы",
        ),
        Recorded(
            _mx(
                text="🌹 вот эта роза",
                markup=[{"type": "link", "from": 3, "length": 7, "url": "https://shop.example/1"}],
            ),
            f"{SCHEMA}LinkMarkup",
            [("text", "🌹 вот эта (https://shop.example/1) роза")],
        ),
        _attached("ShareAttachment", "https://shop.example/1", type="share", payload={"url": "https://shop.example/1"}),
    ],
    Kind.STICKER: [
        _attached(
            "StickerAttachment",
            "",
            type_="sticker",
            type="sticker",
            payload={"url": FILE, "code": "9"},
            width=9,
            height=9,
        )
    ],
    Kind.BUTTON: [_attached("DataAttachment", "Цены", type="data", data="Цены")],
    Kind.EDIT: [Recorded(_mx(kind="message_edited", text="Привет!"), f"{SCHEMA}MessageEditedUpdate")],
    Kind.DELETION: [
        Recorded(
            {
                "update_type": "message_removed",
                "timestamp": 1700000000000,
                "message_id": "mid.7",
                "chat_id": 4242,
                "user_id": 42,
            },
            f"{SCHEMA}MessageRemovedUpdate",
        )
    ],
    Kind.SERVICE: [
        Recorded(
            {"update_type": "dialog_muted", "timestamp": 1, "chat_id": 4242, "user": _ANNA},
            f"{SCHEMA}DialogMutedUpdate",
        )
    ],
    Kind.UNKNOWN: [
        _attached(
            "Attachment",
            "[A message of a kind that Parley does not know: hologram]",
            type="hologram",
            payload={"id": 1},
        )
    ],
}

STARTED = {
    "update_type": "bot_started",
    "timestamp": 1700000000000,
    "chat_id": 4242,
    "user": _ANNA,
    "payload": "spring_sale",
    "user_locale": "ru",
}

PAYLOADS = Payloads(
    text=(_mx(text="Привет"), "4242", "mid.7"),
    picture=(_mx(text="Роза", attachments=[{"type": "image", "payload": {"photo_id": 1, "url": FILE}}]), "Роза"),
    place=_mx(attachments=[{"type": "location", "latitude": 55.75, "longitude": 37.6}]),
    nothing=[
        {"update_type": "bot_stopped", "timestamp": 1, "chat_id": 1, "user": _ANNA},
        {"update_type": "user_added", "timestamp": 1, "chat_id": 1, "user": _ANNA},
    ],
    kinds=KINDS,
)
