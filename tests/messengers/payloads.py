"""What each provider posts, as its documentation prints it: a text, a picture, a place, and what is no message."""

from typing import Any


def _tg(**message: Any) -> dict[str, Any]:
    person = {"id": 42, "is_bot": False, "first_name": "Анна", "last_name": "Иванова", "username": "anna"}
    about = {"message_id": 7, "date": 1700000000, "chat": {"id": 42, "type": "private"}, "from": person}
    return {"update_id": 1, "message": about | message}


def _vk(**message: Any) -> dict[str, Any]:
    about = {"id": 5, "date": 1, "peer_id": 42, "from_id": 42, "conversation_message_id": 7, "text": "", "out": 0}
    document = {"type": "message_new", "group_id": 99, "event_id": "e", "v": "5.199", "secret": "S"}
    return {**document, "object": {"message": about | message, "client_info": {}}}


def _wa(*, statuses: Any = None, **message: Any) -> dict[str, Any]:
    value: dict[str, Any] = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": "100200300"}}
    if statuses:
        value["statuses"] = statuses
    else:
        value["contacts"] = [{"profile": {"name": "Анна Иванова"}, "wa_id": "79991234567"}]
        value["messages"] = [{"from": "79991234567", "id": "wamid.7", "timestamp": "1", **message}]
    return {"object": "whatsapp_business_account", "entry": [{"changes": [{"field": "messages", "value": value}]}]}


def _fb(**event: Any) -> dict[str, Any]:
    about = {"sender": {"id": "42"}, "recipient": {"id": "1"}, "timestamp": 1}
    return {"object": "page", "entry": [{"id": "1", "time": 1, "messaging": [about | event]}]}


def _vb(**message: Any) -> dict[str, Any]:
    sender = {"id": "42==", "name": "Анна Иванова", "language": "ru", "api_version": 10}
    return {"event": "message", "timestamp": 1, "message_token": 7, "sender": sender, "message": message}


def _ok(**message: Any) -> dict[str, Any]:
    document = {"webhookType": "MESSAGE_CREATED", "timestamp": 1, "recipient": {"chat_id": "chat:C42"}}
    return {
        **document,
        "sender": {"user_id": "user:42", "name": "Анна Иванова"},
        "message": {"mid": "mid:7", **message},
    }


def _mx(**body: Any) -> dict[str, Any]:
    sender = {"user_id": 42, "first_name": "Анна", "last_name": "Иванова", "username": "anna", "is_bot": False}
    recipient = {"chat_id": 4242, "chat_type": "dialog", "user_id": 77}
    message = {"sender": sender, "recipient": recipient, "timestamp": 1, "body": {"mid": "mid.7", "seq": 1, **body}}
    return {"update_type": "message_created", "timestamp": 1, "message": message}


def _av(**value: Any) -> dict[str, Any]:
    about = {"id": "m7", "chat_id": "u2i-1", "user_id": 555, "author_id": 9, "created": 1, "chat_type": "u2i"}
    return {"id": "1", "version": "v3.0.0", "timestamp": 1, "payload": {"type": "message", "value": about | value}}


def _cian(**changes: Any) -> dict[str, Any]:
    about = {"messageId": "7", "chatId": "c42", "userId": "42", "userName": "Анна Иванова", "direction": "in"}
    return {**about, "content": {"text": "Привет"}, **changes}


_APPLE = {"id": "7", "sourceId": "urn:mbid:42", "destinationId": "biz", "type": "text", "v": 1}
_ALI = {"message_id": 7, "chat_id": "c42", "sender": {"id": 42, "name": "Анна Иванова"}, "text": "Привет"}
_FILE = "https://files.example/flower.jpg"

# By provider: a text "Привет" of message 7; the conversation; what it is stored under.
TEXTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "tg": (_tg(text="Привет"), "42", "7"),
    "vk": (_vk(text="Привет"), "42", "7"),
    "wa": (_wa(type="text", text={"body": "Привет"}), "79991234567", "wamid.7"),
    "vb": (_vb(type="text", text="Привет"), "42==", "7"),
    "fb": (_fb(message={"mid": "m_7", "text": "Привет"}), "42", "m_7"),
    "ok": (_ok(text="Привет"), "chat:C42", "mid:7"),
    "mx": (_mx(text="Привет"), "4242", "mid.7"),
    "cian": (_cian(), "c42", "7"),
    "ali": (
        {"message_id": 7, "chat_id": "c42", "sender": {"id": 42, "name": "Анна Иванова"}, "text": "Привет"},
        "c42",
        "7",
    ),
    "apple": ({**_APPLE, "body": "Привет"}, "urn:mbid:42", "7"),
    "av": (_av(type="text", content={"text": "Привет"}), "u2i-1", "m7"),
}

# By provider: a picture with the caption "Роза", where there are captions.
PICTURES: dict[str, tuple[dict[str, Any], str]] = {
    "tg": (_tg(caption="Роза", photo=[{"file_id": "small"}, {"file_id": "big", "file_size": 9}]), "Роза"),
    "vk": (
        _vk(
            text="Роза",
            attachments=[
                {
                    "type": "photo",
                    "photo": {
                        "sizes": [{"url": _FILE, "width": 9, "height": 9}, {"url": "x", "width": 1, "height": 1}]
                    },
                }
            ],
        ),
        "Роза",
    ),
    "wa": (_wa(type="image", image={"id": "900", "mime_type": "image/jpeg", "caption": "Роза"}), "Роза"),
    "vb": (_vb(type="picture", media=_FILE, text="Роза", file_name="flower.jpg"), "Роза"),
    "fb": (_fb(message={"mid": "m_8", "attachments": [{"type": "image", "payload": {"url": _FILE}}]}), ""),
    "ok": (_ok(text="Роза", attachments=[{"type": "IMAGE", "payload": {"url": _FILE}}]), "Роза"),
    "mx": (_mx(text="Роза", attachments=[{"type": "image", "payload": {"photo_id": 1, "url": _FILE}}]), "Роза"),
    "av": (_av(type="image", content={"image": {"sizes": {"32x32": "x", "640x480": _FILE}}}), ""),
}

# Places at 55.75, 37.6.
PLACES: dict[str, dict[str, Any]] = {
    "tg": _tg(location={"latitude": 55.75, "longitude": 37.6}),
    "vk": _vk(geo={"type": "point", "coordinates": {"latitude": 55.75, "longitude": 37.6}}),
    "wa": _wa(type="location", location={"latitude": 55.75, "longitude": 37.6}),
    "vb": _vb(type="location", location={"lat": 55.75, "lon": 37.6}),
    "fb": _fb(
        message={
            "mid": "m_9",
            "attachments": [{"type": "location", "payload": {"coordinates": {"lat": 55.75, "long": 37.6}}}],
        }
    ),
    "mx": _mx(attachments=[{"type": "location", "latitude": 55.75, "longitude": 37.6}]),
    "av": _av(type="location", content={"location": {"lat": 55.75, "lon": 37.6}}),
}

# Nothing that a person has written to us.
NOTHING: list[tuple[str, dict[str, Any]]] = [
    ("tg", {"update_id": 1, "edited_message": {"message_id": 7, "chat": {"id": 42}}}),
    ("tg", _tg(text="in a group", chat={"id": -100, "type": "supergroup"})),
    ("tg", {"update_id": 1, "message": []}),
    ("vk", {"type": "message_typing_state", "group_id": 99, "object": {}}),
    ("vk", _vk(peer_id=2_000_000_001)),
    ("vk", _vk(from_id=-99, peer_id=-99)),
    ("wa", _wa(statuses=[{"id": "wamid.1", "status": "read"}])),
    ("wa", _wa(type="reaction", reaction={"emoji": "x"})),
    ("fb", _fb(message={"mid": "m_7", "is_echo": True, "text": "ours"})),
    ("fb", _fb(read={"watermark": 1})),
    ("vb", {"event": "webhook", "timestamp": 1, "message_token": 1}),
    ("vb", {"event": "seen", "message_token": 1, "user_id": "42=="}),
    ("ok", {"webhookType": "MESSAGE_CALLBACK", "recipient": {"chat_id": "chat:C42"}, "message": {"mid": "1"}}),
    ("mx", {"update_type": "bot_started", "chat_id": 1}),
    ("cian", _cian(direction="out")),
    ("ali", {"message_id": 7, "chat_id": "c42", "text": "no sender"}),
    ("apple", {**_APPLE, "type": "typing_start"}),
    ("av", _av(type="text", author_id=555, content={"text": "ours"})),
    ("av", {"payload": {"type": "chat_read", "value": {}}}),
]
