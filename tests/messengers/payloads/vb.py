"""What Viber posts."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import FILE, Payloads, Recorded

BOTS = "https://creators.viber.com/docs/bots-api"
CALLBACKS = "https://developers.viber.com/docs/api/rest-bot-api/#receive-message-from-user"


def _vb(**message: Any) -> dict[str, Any]:
    sender = {"id": "42==", "name": "Анна Иванова", "language": "ru", "country": "RU", "api_version": 10}
    document = {"event": "message", "timestamp": 1457764197627, "message_token": 7, "sender": sender}
    return {**document, "message": {**message, "tracking_data": "t"}}


STARTED = {
    "event": "conversation_started",
    "timestamp": 1457764197627,
    "message_token": 4912661846655238145,
    "type": "open",
    "context": "spring_sale",
    "user": {"id": "42==", "name": "Анна Иванова", "country": "RU", "language": "ru", "api_version": 1},
    "subscribed": False,
}
_SUBSCRIBED = {"event": "subscribed", "timestamp": 1457764197627, "user": STARTED["user"], "message_token": 9}
_UNSUBSCRIBED = {"event": "unsubscribed", "timestamp": 1457764197627, "user_id": "42==", "message_token": 10}


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


def _recorded(becomes: list[tuple[str, str]], **message: Any) -> Recorded:
    return Recorded(_vb(**message), CALLBACKS, becomes)


# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [_recorded([("text", "Привет")], type="text", text="Привет")],
    Kind.IMAGE: [
        _recorded(
            [("text", f"Роза\n{_lost('flower.jpg')}")],
            type="picture",
            media=FILE,
            text="Роза",
            thumbnail=FILE,
            file_name="flower.jpg",
        )
    ],
    Kind.FILE: [_recorded([("text", _lost("price.pdf"))], type="file", media=FILE, file_name="price.pdf", size=10000)],
    Kind.VIDEO: [
        _recorded(
            [("text", f"Букет\n{_lost('video.mp4')}")], type="video", media=FILE, size=9, duration=3, text="Букет"
        )
    ],
    Kind.LOCATION: [_recorded([("location", "")], type="location", location={"lat": 55.75, "lon": 37.6})],
    Kind.CONTACT: [
        _recorded(
            [("text", "Папа: +79003333333")], type="contact", contact={"name": "Папа", "phone_number": "+79003333333"}
        )
    ],
    Kind.LINK: [_recorded([("text", "https://shop.example/a")], type="url", media="https://shop.example/a")],
    Kind.STICKER: [_recorded([("sticker", "")], type="sticker", sticker_id=46105, media=FILE)],
    Kind.BUTTON: [
        # A button of a keyboard is pressed: what it stands for comes as a text.
        Recorded(_vb(type="text", text="каталог"), f"{BOTS}/data-models/keyboards", [("text", "каталог")])
    ],
    Kind.SERVICE: [
        Recorded(_SUBSCRIBED, f"{BOTS}/events/subscribed"),
        Recorded(_UNSUBSCRIBED, f"{BOTS}/events/unsubscribed"),
        Recorded(STARTED, f"{BOTS}/events/conversation-started"),
    ],
    Kind.UNKNOWN: [_recorded([("text", "[A message of a kind that Parley does not know: hologram]")], type="hologram")],
}

PAYLOADS = Payloads(
    text=(_vb(type="text", text="Привет"), "42==", "7"),
    picture=(_vb(type="picture", media=FILE, text="Роза", file_name="flower.jpg"), "Роза"),
    place=_vb(type="location", location={"lat": 55.75, "lon": 37.6}),
    nothing=[
        {"event": "webhook", "timestamp": 1, "message_token": 1},
        {"event": "seen", "message_token": 1, "user_id": "42=="},
        _SUBSCRIBED,
        _UNSUBSCRIBED,
    ],
    kinds=KINDS,
)
