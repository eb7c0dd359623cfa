"""What Telegram posts."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import Payloads, Recorded


def _tg(**message: Any) -> dict[str, Any]:
    person = {"id": 42, "is_bot": False, "first_name": "Анна", "last_name": "Иванова", "username": "anna"}
    about = {"message_id": 7, "date": 1700000000, "chat": {"id": 42, "type": "private"}, "from": person}
    return {"update_id": 1, "message": about | message}


API = "https://core.telegram.org/bots/api"
_GROUP = {"id": -100, "type": "supergroup", "title": "Розы"}
_ADDED = {
    "chat": _GROUP,
    "from": {"id": 42, "is_bot": False, "first_name": "Анна", "language_code": "ru"},
    "date": 1700000000,
    "old_chat_member": {"user": {"id": 4711, "is_bot": True, "first_name": "Shop"}, "status": "left"},
    "new_chat_member": {"user": {"id": 4711, "is_bot": True, "first_name": "Shop"}, "status": "member"},
}
_FORWARDED = {"type": "user", "date": 1, "sender_user": {"id": 43, "is_bot": False, "first_name": "Борис"}}
_VCARD = "BEGIN:VCARD\nVERSION:3.0\nFN:Папа\nTEL;TYPE=CELL:+79003333333\nTEL;MOBILE:+79004444444\nEND:VCARD"


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


def _unknown(kind: str) -> str:
    return f"[A message of a kind that Parley does not know: {kind}]"


def _recorded(page: str, becomes: list[tuple[str, str]], **message: Any) -> Recorded:
    return Recorded(_tg(**message), f"{API}#{page}", becomes)


# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [_recorded("message", [("text", "Привет")], text="Привет")],
    Kind.IMAGE: [
        _recorded(
            "photosize",
            [("text", _lost("photo.jpg"))],
            photo=[{"file_id": "p", "file_unique_id": "u", "width": 9, "height": 9}],
        ),
        _recorded(
            "livephoto",
            [("text", _lost("photo.jpg"))],
            live_photo={"file_id": "v", "file_unique_id": "u", "photo": [{"file_id": "p", "width": 9, "height": 9}]},
        ),
    ],
    Kind.FILE: [
        _recorded(
            "document",
            [("text", f"Прайс\n{_lost('price.pdf')}")],
            caption="Прайс",
            document={"file_id": "d", "file_name": "price.pdf", "mime_type": "application/pdf", "file_size": 9},
        ),
        # Over 20 MB: getFile refuses it.
        _recorded(
            "getfile",
            [("text", _lost("film.zip"))],
            document={"file_id": "d", "file_name": "film.zip", "file_size": 2**25},
        ),
    ],
    Kind.VOICE: [
        _recorded(
            "voice", [("text", _lost("voice.ogg"))], voice={"file_id": "v", "duration": 3, "mime_type": "audio/ogg"}
        ),
        _recorded(
            "audio", [("text", _lost("song.mp3"))], audio={"file_id": "a", "duration": 3, "file_name": "song.mp3"}
        ),
    ],
    Kind.VIDEO: [
        _recorded(
            "video", [("text", _lost("video.mp4"))], video={"file_id": "v", "width": 9, "height": 9, "duration": 3}
        ),
        _recorded(
            "videonote", [("text", _lost("video_note.mp4"))], video_note={"file_id": "v", "length": 9, "duration": 3}
        ),
        _recorded(
            "animation",
            [("text", _lost("cat.mp4"))],
            animation={"file_id": "g", "file_name": "cat.mp4", "duration": 3},
            document={"file_id": "g", "file_name": "cat.mp4"},
        ),
    ],
    Kind.ALBUM: [_recorded("message", [("text", _lost("photo.jpg"))], media_group_id="13", photo=[{"file_id": "p"}])],
    Kind.LOCATION: [
        _recorded("location", [("location", "")], location={"latitude": 55.75, "longitude": 37.6}),
        _recorded(
            "venue",
            [("location", "Розарий\nТверская, 1")],
            venue={"location": {"latitude": 55.75, "longitude": 37.6}, "title": "Розарий", "address": "Тверская, 1"},
            location={"latitude": 55.75, "longitude": 37.6},
        ),
    ],
    Kind.CONTACT: [
        _recorded(
            "contact",
            [("text", "Папа: +79003333333, +79004444444")],
            contact={"phone_number": "+79003333333", "first_name": "Папа", "vcard": _VCARD},
        )
    ],
    Kind.REPLY: [
        _recorded(
            "message",
            [("text", "> Розы или тюльпаны?\nРозы")],
            text="Розы",
            reply_to_message={
                "message_id": 6,
                "date": 1,
                "chat": {"id": 42, "type": "private"},
                "text": "Розы или тюльпаны?",
            },
        ),
        _recorded("textquote", [("text", "> тюльпаны\nНет")], text="Нет", quote={"text": "тюльпаны", "position": 9}),
    ],
    Kind.FORWARD: [
        _recorded("messageorigin", [("text", "↪ Борис:\nСкидка 10 %")], text="Скидка 10 %", forward_origin=_FORWARDED)
    ],
    Kind.LINK: [
        _recorded(
            "messageentity",
            [("text", "🌹 вот эта (https://shop.example/1) роза")],
            text="🌹 вот эта роза",
            entities=[{"type": "text_link", "offset": 3, "length": 7, "url": "https://shop.example/1"}],
            link_preview_options={"url": "https://shop.example/1"},
        )
    ],
    Kind.STICKER: [
        _recorded(
            "sticker",
            [("sticker", "🌹")],
            sticker={"file_id": "s", "file_unique_id": "u", "emoji": "🌹", "type": "regular"},
        )
    ],
    Kind.BUTTON: [
        _recorded("webappdata", [("text", "Выбрать\n{}")], web_app_data={"button_text": "Выбрать", "data": "{}"})
    ],
    Kind.ORDER: [
        _recorded("invoice", [("text", "Букет")], invoice={"title": "Букет", "currency": "RUB", "total_amount": 100})
    ],
    Kind.POLL: [
        _recorded(
            "poll",
            [("text", "Какие?\n• Розы\n• Тюльпаны")],
            poll={"id": "1", "question": "Какие?", "options": [{"text": "Розы"}, {"text": "Тюльпаны"}]},
        ),
        _recorded("dice", [("text", "🎲 6")], dice={"emoji": "🎲", "value": 6}),
        _recorded(
            "checklist",
            [("text", "Купить\n• Розы")],
            checklist={"title": "Купить", "tasks": [{"id": 1, "text": "Розы"}]},
        ),
    ],
    Kind.EDIT: [
        Recorded(
            {"update_id": 2, "edited_message": {**_tg(text="Прив")["message"], "edit_date": 1700000100}},
            f"{API}#update",
        )
    ],
    Kind.SERVICE: [
        _recorded("message", [], **{field: about})
        for field, about in {
            "message_auto_delete_timer_changed": {"message_auto_delete_time": 86400},
            "pinned_message": {"message_id": 6, "date": 1, "chat": {"id": 42, "type": "private"}, "text": "Привет"},
            "write_access_allowed": {"from_request": True},
            "chat_background_set": {"type": {"type": "fill"}},
            "boost_added": {"boost_count": 1},
            "users_shared": {"request_id": 1, "users": []},
            "gift": {"gift": {"id": "1"}},
            "group_chat_created": True,
        }.items()
    ]
    + [
        _recorded("commands", [], text="/start"),
        _recorded("deep-linking", [], text="/start spring_sale"),
        Recorded({"update_id": 3, "my_chat_member": _ADDED}, f"{API}#chatmemberupdated"),
    ],
    Kind.UNKNOWN: [
        _recorded("story", [("text", _unknown("story"))], story={"chat": {"id": 42, "type": "private"}, "id": 1}),
        _recorded("richmessage", [("text", _unknown("rich_message"))], rich_message={"blocks": []}),
        _recorded("message", [("text", _unknown("hologram"))], hologram={"x": 1}),
    ],
}

PAYLOADS = Payloads(
    text=(_tg(text="Привет"), "42", "4711:7"),
    picture=(_tg(caption="Роза", photo=[{"file_id": "small"}, {"file_id": "big", "file_size": 9}]), "Роза"),
    place=_tg(location={"latitude": 55.75, "longitude": 37.6}),
    nothing=[
        {"update_id": 1, "edited_message": {"message_id": 7, "chat": {"id": -42, "type": "group"}}},
        _tg(text="in a group", chat={"id": -100, "type": "supergroup"}),
        {"update_id": 1, "message": []},
    ],
    kinds=KINDS,
)
