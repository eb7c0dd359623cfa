"""What Avito posts: the webhook of messenger v3, whose messages are as its OpenAPI document has them
(avito-python-sdk, generated_models/messenger.py)."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import FILE, Payloads, Recorded

API = "https://developers.avito.ru/api-catalog/messenger/documentation#"


def _av(**value: Any) -> dict[str, Any]:
    about = {"id": "m7", "chat_id": "u2i-1", "user_id": 555, "author_id": 9, "created": 1700000000, "chat_type": "u2i"}
    return {"id": "1", "version": "v3.0.0", "timestamp": 1, "payload": {"type": "message", "value": about | value}}


def _recorded(model: str, *bodies: str, as_: str = "text", **value: Any) -> Recorded:
    return Recorded(_av(**value), f"{API}{model}", [(as_, body) for body in bodies])


_SYSTEM = "[Системное сообщение] Пользователь оставил отзыв"
KINDS = {
    Kind.TEXT: [_recorded("MessageContent", "Привет", type="text", content={"text": "Привет"})],
    Kind.IMAGE: [
        _recorded(
            "MessageContentImage",
            "[вложение недоступно: photo.jpg]",
            type="image",
            content={"image": {"sizes": {"32x32": "x", "1280x960": FILE}}},
        )
    ],
    Kind.FILE: [_recorded("MessageContent", "[File: only Avito shows it]", type="file", content={})],
    Kind.VIDEO: [_recorded("MessageContent", "[Video: only Avito shows it]", type="video", content={})],
    Kind.VOICE: [
        _recorded(
            "MessageContentVoice",
            "[вложение недоступно: voice.mp4]",
            type="voice",
            content={"voice": {"voice_id": "v-1"}},
        )
    ],
    Kind.LOCATION: [
        _recorded(
            "MessageContentLocation",
            "Москва, Тверская, 1",
            as_="location",
            type="location",
            content={"location": {"kind": "house", "lat": 55.75, "lon": 37.6, "title": "Москва, Тверская, 1"}},
        )
    ],
    Kind.REPLY: [
        _recorded(
            "MessageQuote",
            "> Какой цвет?\nСиний",
            type="text",
            content={"text": "Синий"},
            quote={"author_id": 555, "id": "m6", "type": "text", "created": 1, "content": {"text": "Какой цвет?"}},
        )
    ],
    Kind.LINK: [
        _recorded(
            "MessageContentLink",
            "вот https://shop.example/1\nДиван: https://shop.example/1",
            type="link",
            content={
                "link": {
                    "text": "вот https://shop.example/1",
                    "url": "https://shop.example/1",
                    "preview": {"title": "Диван", "domain": "shop.example"},
                }
            },
        )
    ],
    Kind.ORDER: [
        _recorded(
            "MessageContentItem",
            "Диван, 15 000 ₽: https://avito.ru/1",
            type="item",
            content={
                "item": {
                    "title": "Диван",
                    "item_url": "https://avito.ru/1",
                    "price_string": "15 000 ₽",
                    "image_url": FILE,
                }
            },
        )
    ],
    Kind.CALL: [
        _recorded(
            "MessageContentCall",
            "[пропущенный звонок]",
            type="call",
            content={"call": {"status": "missed", "target_user_id": 555}},
        )
    ],
    Kind.DELETION: [Recorded(_av(type="deleted", content={}), f"{API}Message")],
    Kind.SERVICE: [
        Recorded(_av(type="system", author_id=author, content={"text": _SYSTEM}), f"{API}Message")
        for author in (0, 1, 9)
    ],
    Kind.UNKNOWN: [
        _recorded("MessageContent", "[Call in the app: only Avito shows it]", type="appCall", content={}),
        _recorded(
            "Message",
            "[A message of a kind that Parley does not know: hologram]",
            type="hologram",
            content={"hologram": {}},
        ),
    ],
}

PAYLOADS = Payloads(
    text=(_av(type="text", content={"text": "Привет"}), "u2i-1", "m7"),
    picture=(_av(type="image", content={"image": {"sizes": {"32x32": "x", "640x480": FILE}}}), ""),
    place=_av(type="location", content={"location": {"lat": 55.75, "lon": 37.6}}),
    nothing=[
        _av(type="text", author_id=555, content={"text": "ours"}),
        {"payload": {"type": "chat_read", "value": {}}},
    ],
    kinds=KINDS,
)
