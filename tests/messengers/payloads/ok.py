"""What Odnoklassniki posts: https://apiok.ru/dev/graph_api/methods/graph.user/graph.user.subscribe/post; the types of
attachments are those of graph.message.edit."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import FILE, Payloads, Recorded

SUBSCRIBE = "https://apiok.ru/dev/graph_api/methods/graph.user/graph.user.subscribe/post"
EDIT = "https://apiok.ru/dev/graph_api/methods/graph.message/graph.message.edit/post"


def _ok(**message: Any) -> dict[str, Any]:
    document = {"webhookType": "MESSAGE_CREATED", "timestamp": 1498581292941, "recipient": {"chat_id": "chat:C42"}}
    return {
        **document,
        "sender": {"user_id": "user:42", "name": "Анна Иванова"},
        "message": {"mid": "mid:7", "seq": 98211023614189660, **message},
    }


def _attached(kind: str, *bodies: str, type_: str = "text", text: str = "", **payload: Any) -> Recorded:
    document = _ok(text=text, attachments=[{"type": kind, "payload": payload}])
    return Recorded(document, EDIT, [(type_, body) for body in bodies])


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


# As the page prints it: without a name, and without a type of the event.
_PRINTED = {
    "sender": {"user_id": "user:123456789012"},
    "recipient": {"chat_id": "chat:C3ecb9d02a600"},
    "message": {"text": "text", "seq": 98211023614189660, "mid": "mid:C3ecb9d02a600.15cea67d78d2059"},
    "timestamp": 1498581292941,
}
_SHARED = {
    "text": "https://ya.ru/",
    "seq": 98211018056672380,
    "attachments": [{"type": "SHARE", "payload": {"url": "https://ya.ru/"}}],
    "mid": "mid:C3ecb9d02a600.15cea668c4c2481",
}
_OPENED = {**_PRINTED, "webhookType": "CHAT_SYSTEM", "message": {"mid": "mid:1", "text": "system"}}
_IMAGE = {"type": "IMAGE", "payload": {"url": FILE}}

KINDS = {
    Kind.TEXT: [Recorded(_PRINTED, SUBSCRIBE, [("text", "text")])],
    Kind.IMAGE: [_attached("IMAGE", f"Роза\n{_lost('image.jpg')}", text="Роза", url=FILE)],
    Kind.FILE: [_attached("FILE", _lost("price.pdf"), url=FILE, name="price.pdf")],
    Kind.VOICE: [_attached("AUDIO", _lost("audio.mp3"), url=FILE)],
    Kind.VIDEO: [_attached("VIDEO", _lost("video.mp4"), url=FILE)],
    Kind.ALBUM: [
        Recorded(
            _ok(text="", attachments=[_IMAGE, _IMAGE]), EDIT, [("text", f"{_lost('image.jpg')}\n{_lost('image.jpg')}")]
        )
    ],
    Kind.LOCATION: [_attached("LOCATION", "", type_="location", latitude=55.75, longitude=37.6)],
    Kind.CONTACT: [
        _attached("CONTACT", "Папа: +79003333333", name="Папа", phone="+79003333333"),
        _attached("CONTACT", "Папа: +79003333333", vcf_info="BEGIN:VCARD\nFN:Папа\nTEL:+79003333333\nEND:VCARD"),
    ],
    Kind.LINK: [
        Recorded({**_PRINTED, "message": _SHARED}, SUBSCRIBE, [("text", "https://ya.ru/")]),
        _attached("SHARE", "https://ya.ru/", url="https://ya.ru/"),
    ],
    Kind.STICKER: [_attached("STICKER", "", type_="sticker", code="9", url=FILE)],
    Kind.SERVICE: [Recorded(_OPENED, SUBSCRIBE)],
    Kind.UNKNOWN: [_attached("HOLOGRAM", "[A message of a kind that Parley does not know: HOLOGRAM]", id="1")],
}

PAYLOADS = Payloads(
    text=(_ok(text="Привет"), "chat:C42", "mid:7"),
    picture=(_ok(text="Роза", attachments=[{"type": "IMAGE", "payload": {"url": FILE}}]), "Роза"),
    place=_ok(attachments=[{"type": "LOCATION", "payload": {"latitude": 55.75, "longitude": 37.6}}]),
    nothing=[
        {"webhookType": "MESSAGE_CALLBACK", "recipient": {"chat_id": "chat:C42"}, "message": {"mid": "1"}},
        {**_PRINTED, "sender": {"user_id": "group:5"}},
    ],
    kinds=KINDS,
)
