"""What WhatsApp posts."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import Payloads, Recorded

META = "https://developers.facebook.com/documentation/business-messaging/whatsapp"
MESSAGES = f"{META}/webhooks/reference/messages"
PHONE, USER = "79991234567", "RU.13491208655302741918"


def value(**members: Any) -> dict[str, Any]:
    about = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": "100200300"}} | members
    change = {"field": "messages", "value": about}
    return {"object": "whatsapp_business_account", "entry": [{"id": "102290129340398", "changes": [change]}]}


def contact(*, phone: str = PHONE, user: str = "", username: str = "", name: str = "Анна Иванова") -> dict[str, Any]:
    profile = {"name": name} | ({"username": username} if username else {})
    return {"profile": profile} | ({"wa_id": phone} if phone else {}) | ({"user_id": user} if user else {})


def message(*, phone: str = PHONE, user: str = "", username: str = "", **content: Any) -> dict[str, Any]:
    """A message, from somebody with a number, with a user id, or with both."""
    writer = ({"from": phone} if phone else {}) | ({"from_user_id": user} if user else {})
    about = {**writer, "id": "wamid.7", "timestamp": "1749416383", **content}
    return value(contacts=[contact(phone=phone, user=user, username=username)], messages=[about])


def _statuses(*statuses: dict[str, Any]) -> dict[str, Any]:
    return value(statuses=list(statuses))


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


def _unknown(kind: str) -> str:
    return f"[A message of a kind that Parley does not know: {kind}]"


def _recorded(page: str, becomes: list[tuple[str, str]], **content: Any) -> Recorded:
    return Recorded(message(**content), f"{MESSAGES}/{page}", becomes)


_CONTACTS = [
    {"name": {"formatted_name": "Мама"}, "phones": [{"phone": "+7 900 111-11-11"}, {"phone": "+7 900 222-22-22"}]},
    {
        "name": {"formatted_name": "Папа"},
        "phones": [{"phone": "+7 900 333-33-33"}],
        "emails": [{"email": "papa@example.com"}],
    },
]
_ORDER = {
    "catalog_id": "194836987003835",
    "text": "К пятнице",
    "product_items": [{"product_retailer_id": "rose-25", "quantity": 25, "item_price": 100, "currency": "RUB"}],
}
_SYSTEM = {
    "from": PHONE,
    "id": "wamid.8",
    "timestamp": "1750269342",
    "type": "system",
    "system": {"type": "customer_identity_changed", "body": "Анна changed", "identity": "x"},
}

# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [
        _recorded("text", [("text", "Привет")], type="text", text={"body": "Привет"}),
        _recorded(
            "text", [("text", "Привет")], phone="", user=USER, username="anna", type="text", text={"body": "Привет"}
        ),
    ],
    Kind.IMAGE: [
        _recorded(
            "image",
            [("text", f"Роза\n{_lost('image.jpg')}")],
            type="image",
            image={"id": "900", "mime_type": "image/jpeg", "sha256": "x", "caption": "Роза"},
        )
    ],
    Kind.FILE: [
        _recorded(
            "document",
            [("text", f"Прайс\n{_lost('price.pdf')}")],
            type="document",
            document={"id": "901", "mime_type": "application/pdf", "filename": "price.pdf", "caption": "Прайс"},
        )
    ],
    Kind.VOICE: [
        _recorded(
            "audio",
            [("text", _lost("audio.ogg"))],
            type="audio",
            audio={"id": "902", "mime_type": "audio/ogg; codecs=opus", "voice": True},
        )
    ],
    Kind.VIDEO: [
        _recorded(
            "video",
            [("text", f"Букет\n{_lost('video.mp4')}")],
            type="video",
            video={"id": "903", "mime_type": "video/mp4", "caption": "Букет"},
        )
    ],
    Kind.LOCATION: [
        _recorded(
            "location",
            [("location", "Цветы\nТверская, 1")],
            type="location",
            location={"latitude": 55.75, "longitude": 37.6, "name": "Цветы", "address": "Тверская, 1"},
        )
    ],
    Kind.CONTACT: [
        _recorded(
            "contacts",
            [("text", "Мама: +7 900 111-11-11, +7 900 222-22-22\nПапа: +7 900 333-33-33, papa@example.com")],
            type="contacts",
            contacts=_CONTACTS,
        )
    ],
    Kind.REPLY: [
        _recorded(
            "text",
            [("text", "Да, эту")],
            type="text",
            text={"body": "Да, эту"},
            context={"from": "79990000000", "id": "wamid.1"},
        )
    ],
    Kind.FORWARD: [
        _recorded(
            "text", [("text", "↪ Акция")], type="text", text={"body": "Акция"}, context={"frequently_forwarded": True}
        )
    ],
    Kind.LINK: [
        _recorded("text", [("text", "https://shop.example/a")], type="text", text={"body": "https://shop.example/a"})
    ],
    Kind.STICKER: [
        _recorded(
            "sticker",
            [("text", _lost("sticker.webp"))],
            type="sticker",
            sticker={"id": "904", "mime_type": "image/webp", "animated": False},
        )
    ],
    Kind.REACTION: [_recorded("reaction", [], type="reaction", reaction={"message_id": "wamid.1", "emoji": "👍"})],
    Kind.BUTTON: [
        _recorded("button", [("text", "Беру")], type="button", button={"payload": "yes", "text": "Беру"}),
        _recorded(
            "interactive",
            [("text", "Отменить")],
            type="interactive",
            interactive={"type": "button_reply", "button_reply": {"id": "cancel", "title": "Отменить"}},
        ),
        _recorded(
            "interactive",
            [("text", "Sent\nday: пятница")],
            type="interactive",
            interactive={
                "type": "nfm_reply",
                "nfm_reply": {"name": "flow", "body": "Sent", "response_json": '{"flow_token": "t", "day": "пятница"}'},
            },
        ),
    ],
    Kind.LIST: [
        _recorded(
            "interactive",
            [("text", "Курьером\nЗавтра до 18:00")],
            type="interactive",
            interactive={
                "type": "list_reply",
                "list_reply": {"id": "courier", "title": "Курьером", "description": "Завтра до 18:00"},
            },
        )
    ],
    Kind.ORDER: [
        _recorded("order", [("text", "К пятнице\n• rose-25 × 25 — 100 RUB")], type="order", order=_ORDER),
        _recorded(
            "text",
            [("text", "Сколько стоит?\n[rose-25]")],
            type="text",
            text={"body": "Сколько стоит?"},
            context={"referred_product": {"catalog_id": "1", "product_retailer_id": "rose-25"}},
        ),
    ],
    Kind.POLL: [
        _recorded(
            "unsupported",
            [("text", "[Poll: only WhatsApp shows it]")],
            type="unsupported",
            errors=[{"code": 131051, "title": "Message type unknown"}],
            unsupported={"type": "poll_creation"},
        )
    ],
    Kind.EDIT: [
        _recorded(
            "edit",
            [],
            type="edit",
            edit={"original_message_id": "wamid.1", "message": {"type": "text", "text": {"body": "Нет, две"}}},
        )
    ],
    Kind.DELETION: [_recorded("revoke", [], type="revoke", revoke={"original_message_id": "wamid.1"})],
    Kind.SERVICE: [Recorded(value(messages=[_SYSTEM]), f"{MESSAGES}/system")],
    Kind.UNKNOWN: [_recorded("unsupported", [("text", _unknown("hologram"))], type="hologram", hologram={"id": "1"})],
}

PAYLOADS = Payloads(
    text=(message(type="text", text={"body": "Привет"}), PHONE, "wamid.7"),
    picture=(message(type="image", image={"id": "900", "mime_type": "image/jpeg", "caption": "Роза"}), "Роза"),
    place=message(type="location", location={"latitude": 55.75, "longitude": 37.6}),
    nothing=[
        _statuses({"id": "wamid.1", "status": "read"}),
        message(type="reaction", reaction={"emoji": "x"}),
        value(messages=[_SYSTEM]),
    ],
    kinds=KINDS,
)
