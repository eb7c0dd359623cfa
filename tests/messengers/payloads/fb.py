"""What Messenger posts."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import FILE, Payloads, Recorded

EVENTS = "https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks/webhook-events"


def event(*, page: str = "1", **members: Any) -> dict[str, Any]:
    about = {"sender": {"id": "42"}, "recipient": {"id": page}, "timestamp": 1518479195308}
    return {"object": "page", "entry": [{"id": page, "time": 1518479195594, "messaging": [about | members]}]}


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


def _recorded(page: str, becomes: list[tuple[str, str]], **members: Any) -> Recorded:
    return Recorded(event(**members), f"{EVENTS}/{page}", becomes)


def _with(becomes: list[tuple[str, str]], *attachments: dict[str, Any], **message: Any) -> Recorded:
    return _recorded("messages", becomes, message={"mid": "m_8", "attachments": list(attachments), **message})


def _file(kind: str, url: str) -> dict[str, Any]:
    return {"type": kind, "payload": {"url": url}}


_PLACE = {"type": "location", "payload": {"coordinates": {"lat": 55.75, "long": 37.6}}}
_STICKER = {"url": FILE, "sticker_id": 369239263222822}
_PRODUCT = {"id": "1", "retailer_id": "rose-25", "title": "Роза", "subtitle": "100 ₽"}
_LINK = {"type": "fallback", "title": "Каталог", "payload": {"url": "https://shop.example/a", "title": "Каталог"}}

# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [
        _recorded("messages", [("text", "Привет")], message={"mid": "m_7", "text": "Привет"}),
        _recorded(
            "messages", [("text", "Да")], message={"mid": "m_7", "text": "Да", "quick_reply": {"payload": "yes"}}
        ),
    ],
    Kind.IMAGE: [_with([("text", _lost("flower.jpg"))], _file("image", FILE))],
    Kind.FILE: [_with([("text", _lost("price.pdf"))], _file("file", "https://files.example/price.pdf?x=1"))],
    Kind.VOICE: [_with([("text", _lost("voice.mp4"))], _file("audio", "https://files.example/voice.mp4"))],
    Kind.VIDEO: [_with([("text", _lost("film.mp4"))], _file("video", "https://files.example/film.mp4"))],
    Kind.ALBUM: [
        _with(
            [("text", f"{_lost('flower.jpg')}\n{_lost('b.jpg')}")],
            _file("image", FILE),
            _file("image", "https://files.example/b.jpg"),
        )
    ],
    Kind.LOCATION: [_with([("location", "")], _PLACE)],
    Kind.REPLY: [
        _recorded(
            "messages",
            [("text", "Да, эту")],
            message={"mid": "m_7", "text": "Да, эту", "reply_to": {"mid": "m_1", "is_self_reply": False}},
        )
    ],
    Kind.LINK: [
        _with([("text", "Каталог\nhttps://shop.example/a")], _LINK),
        _with([("text", "смотрите https://shop.example/a\nКаталог")], _LINK, text="смотрите https://shop.example/a"),
        _with([("text", "https://shop.example/reel")], _file("reel", "https://shop.example/reel")),
    ],
    Kind.STICKER: [
        _with([("sticker", "")], {"type": "image", "payload": _STICKER}),
        _with([("sticker", "")], {"type": "image", "payload": _STICKER}, {"type": "sticker", "payload": _STICKER}),
        _with([("sticker", "")], {"type": "sticker", "payload": _STICKER}),
    ],
    Kind.REACTION: [
        _recorded("message-reactions", [], reaction={"reaction": "love", "emoji": "❤", "action": "react", "mid": "m_1"})
    ],
    Kind.BUTTON: [
        _recorded(
            "messaging_postbacks",
            [("text", "Начать")],
            postback={"mid": "m_9", "title": "Начать", "payload": "GET_STARTED"},
        ),
        _recorded("messaging_postbacks", [("text", "Начать")], postback={"title": "Начать", "payload": "GET_STARTED"}),
    ],
    Kind.ORDER: [
        _with(
            [("text", "Есть такая?\nРоза — 100 ₽")],
            {"type": "template", "payload": {"product": {"elements": [_PRODUCT]}}},
            text="Есть такая?",
        )
    ],
    Kind.EDIT: [_recorded("message-edits", [], message_edit={"mid": "m_1", "text": "Нет, две", "num_edit": 1})],
    Kind.SERVICE: [
        _recorded("message-reads", [], read={"watermark": 1}),
        _recorded("messaging_optins", [], optin={"ref": "x", "user_ref": "y"}),
    ],
    Kind.UNKNOWN: [
        _with([("text", "[A message of a kind that Parley does not know: fallback]")], {"type": "fallback"}),
        _with([("text", "[A message of a kind that Parley does not know: hologram]")], {"type": "hologram"}),
    ],
}

PAYLOADS = Payloads(
    text=(event(message={"mid": "m_7", "text": "Привет"}), "42", "m_7"),
    picture=(event(message={"mid": "m_8", "attachments": [_file("image", FILE)]}), ""),
    place=event(message={"mid": "m_9", "attachments": [_PLACE]}),
    nothing=[event(message={"mid": "m_7", "is_echo": True, "text": "ours"}), event(read={"watermark": 1})],
    kinds=KINDS,
)
