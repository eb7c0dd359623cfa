"""What Cian posts, as cassoft's cian_messager for Bitrix24 (in production) and CS-Cart's cp_conversations read it."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import Payloads, Recorded

SOURCE = "cassoft: cian_messager, sendIn.php"
OFFER = {
    "externalId": "obj_456",
    "title": "3-комнатная квартира",
    "address": "Москва, ул. Ленина, 1",
    "url": "https://cian.ru/sale/flat/456/",
    "mainPhoto": {"url": "https://images.cian.example/1.jpg"},
}


def _said(text: str = "Привет", **changes: Any) -> dict[str, Any]:
    about = {"messageId": "7", "userId": 42, "direction": "in", "createdAt": "2026-11-25T10:00:00Z"}
    return {**about, "content": {"text": text}, **changes}


def _cian(*messages: dict[str, Any]) -> dict[str, Any]:
    users = [{"userId": 42, "name": "Анна Иванова", "avatar": {"images": {"small": "https://images.cian.example/a"}}}]
    chat = {"chatId": 4242, "offerId": 456, "messages": list(messages or [_said()])}
    return {"chats": [chat], "users": users, "offers": [OFFER]}


BOT = _cian(_said("Покупатель интересуется объектом", userId=68084393))

KINDS = {
    Kind.TEXT: [
        Recorded(_cian(), SOURCE, [("text", "Привет")]),
        Recorded(
            _cian(_said("Первое"), _said("Второе", messageId="8")), SOURCE, [("text", "Первое"), ("text", "Второе")]
        ),
    ],
    Kind.SERVICE: [Recorded(BOT, SOURCE, [("text", "↪ Циан:\nПокупатель интересуется объектом")])],
    Kind.UNKNOWN: [
        Recorded(
            _cian(_said(content={"hologram": {"id": 1}})),
            f"{SOURCE}, with a member that none of them knows",
            [("text", "[A message of a kind that Parley does not know: hologram]")],
        )
    ],
}

PAYLOADS = Payloads(
    text=(_cian(), "4242", "7"),
    nothing=[_cian(_said(direction="out")), {"chats": [{"chatId": 4242, "messages": []}], "users": [], "offers": []}],
    kinds=KINDS,
)
