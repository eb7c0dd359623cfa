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


def _only(kind: str) -> str:
    return f"[{kind}: only Telegram shows it]"


def _recorded(page: str, becomes: list[tuple[str, str]], **message: Any) -> Recorded:
    return Recorded(_tg(**message), f"{API}#{page}", becomes)


_TASKS = [{"id": 1, "text": "Розы"}, {"id": 2, "text": "Лента"}, {"id": 3, "text": "Ваза"}]
_ITEMS = [
    {"label": "1.", "blocks": [{"type": "paragraph", "text": "Розы"}]},
    {"label": "", "has_checkbox": True, "is_checked": True, "blocks": [{"type": "paragraph", "text": "Лента"}]},
]
_CELLS = [[{"text": "Розы", "is_header": True}, {"text": {"type": "bold", "text": "25"}}], [{"text": "Лента"}, {}]]
_RICH = [
    {"type": "heading", "size": 1, "text": "Заказ"},
    {
        "type": "paragraph",
        "text": [
            "Нужны ",
            {"type": "bold", "text": ["25 ", {"type": "italic", "text": "роз"}]},
            {"type": "custom_emoji", "custom_emoji_id": "5", "alternative_text": "🌹"},
            " как ",
            {"type": "url", "text": "здесь", "url": "https://shop.example/1"},
        ],
    },
    {"type": "divider"},
    {"type": "list", "items": _ITEMS},
    {"type": "table", "cells": _CELLS, "caption": "Цены"},
    {"type": "expandable_blockquote", "blocks": [{"type": "paragraph", "text": "Скидка"}], "credit": "Магазин"},
    {"type": "details", "summary": "Доставка", "blocks": [{"type": "paragraph", "text": "Завтра"}]},
    {"type": "mathematical_expression", "expression": "2+2"},
    {"type": "map", "location": {"latitude": 55.75, "longitude": 37.6}, "zoom": 15, "caption": {"text": "Сюда"}},
    {"type": "buttons", "buttons": [{"text": "Каталог", "url": "https://shop.example"}]},
    {"type": "photo", "photo": [{"file_id": "p", "width": 9, "height": 9}], "caption": {"text": "Букет"}},
    {"type": "collage", "blocks": [{"type": "document", "document": {"file_id": "d", "file_name": "a.pdf"}}]},
    {"type": "hologram", "text": "Что-то новое"},
]
RICH_WORDS = """Заказ
Нужны 25 роз🌹 как здесь (https://shop.example/1)
1. Розы
☑ Лента
Розы | 25
Лента |
Цены
> Скидка
Магазин
Доставка
Завтра
2+2
https://www.openstreetmap.org/?mlat=55.75&mlon=37.6
Сюда
Каталог: https://shop.example
Букет
Что-то новое
[вложение недоступно: photo.jpg]
[вложение недоступно: a.pdf]"""

# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [
        _recorded("message", [("text", "Привет")], text="Привет"),
        _recorded("richmessage", [("text", RICH_WORDS)], rich_message={"blocks": _RICH}),
    ],
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
    Kind.ALBUM: [
        _recorded("message", [("text", _lost("photo.jpg"))], media_group_id="13", photo=[{"file_id": "p"}]),
        _recorded(
            "paidmediainfo",
            [("text", f"{_lost('photo.jpg')}\n{_lost('video.mp4')}")],
            paid_media={
                "star_count": 5,
                "paid_media": [
                    {"type": "photo", "photo": [{"file_id": "p", "width": 9, "height": 9}]},
                    {"type": "video", "video": {"file_id": "v", "width": 9, "height": 9, "duration": 3}},
                ],
            },
        ),
    ],
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
        _recorded(
            "checklisttasksadded",
            [("text", "+ Лента")],
            checklist_tasks_added={"tasks": [{"id": 2, "text": "Лента"}]},
        ),
        _recorded(
            "checklisttasksdone",
            [("text", "☑ Розы\n☐ Лента")],
            checklist_tasks_done={
                "checklist_message": {"checklist": {"title": "Купить", "tasks": _TASKS}},
                "marked_as_done_task_ids": [1],
                "marked_as_not_done_task_ids": [2],
            },
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
            "successful_payment": {"currency": "XTR", "total_amount": 5},
            "giveaway_created": {},
            "checklist_tasks_done": {"marked_as_done_task_ids": [1]},
            "suggested_post_approved": {"send_date": 1700000000},
            "community_chat_joined": {"community": {"id": 1, "name": "Розы"}},
            "group_chat_created": True,
        }.items()
    ]
    + [
        _recorded("commands", [], text="/start"),
        _recorded("deep-linking", [], text="/start spring_sale"),
        Recorded({"update_id": 3, "my_chat_member": _ADDED}, f"{API}#chatmemberupdated"),
    ],
    Kind.UNKNOWN: [
        _recorded("story", [("text", _only("Story"))], story={"chat": {"id": 42, "type": "private"}, "id": 1}),
        _recorded(
            "story",
            [("text", "https://t.me/roses/s/5"), ("text", _only("Story"))],
            story={"chat": {"id": -1, "type": "channel", "username": "roses"}, "id": 5},
        ),
        _recorded("giftinfo", [("text", _only("Gift"))], gift={"gift": {"id": "1", "sticker": {"emoji": "🌹"}}}),
        _recorded(
            "giftinfo",
            [("text", "Спасибо за букет!"), ("text", _only("Gift"))],
            gift={"gift": {"id": "1"}, "text": "Спасибо за букет!"},
        ),
        _recorded(
            "uniquegiftinfo",
            [("text", "Plush Pepe"), ("text", _only("Gift"))],
            unique_gift={"gift": {"base_name": "Plush Pepe", "name": "PlushPepe-1", "number": 1}, "origin": "transfer"},
        ),
        _recorded(
            "giveaway",
            [("text", "Букет"), ("text", _only("Giveaway"))],
            giveaway={"chats": [], "winners_selection_date": 1, "winner_count": 3, "prize_description": "Букет"},
        ),
        _recorded(
            "giveawaywinners",
            [("text", _only("Winners of a giveaway"))],
            giveaway_winners={"giveaway_message_id": 3, "winner_count": 1, "winners": []},
        ),
        _recorded(
            "paidmediainfo",
            [("text", "Каталог"), ("text", _only("Paid pictures or videos"))],
            caption="Каталог",
            paid_media={"star_count": 5, "paid_media": [{"type": "preview", "width": 9, "height": 9}]},
        ),
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
