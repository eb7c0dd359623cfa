"""What Apple Messages posts."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import Payloads, Recorded

MSP = "https://register.apple.com/resources/messages/msp-rest-api"
BUSINESS, CUSTOMER = "urn:biz:7b4b7d9e-0a5c-4b8e-9a8c-3f2d3c1a5e11", "urn:mbid:42"
# The samples of two public clients of the gateway: `github.com/nyaruka/courier`, handlers/applebusinesschat.
COURIER = "github.com/nyaruka/courier handlers/applebusinesschat: message, attachment, interactiveData"
_BID = "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension"
KEY = "00" + "ab" * 32


def apple(**members: Any) -> dict[str, Any]:
    about = {"id": "7", "sourceId": CUSTOMER, "destinationId": BUSINESS, "type": "text", "v": 1, "locale": "ru_RU"}
    return {**about, **members}


def attachment(name: str, type_: str, url: str = "https://p97-content.icloud.com/1") -> dict[str, Any]:
    about = {"name": name, "mimeType": type_, "size": "9", "url": url, "owner": "M66169d55", "key": KEY}
    return {**about, "signature": "aa11"}


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


def _file(name: str, type_: str) -> Recorded:
    return Recorded(apple(body="\ufffc", attachments=[attachment(name, type_)]), COURIER, [("text", _lost(name))])


def _answer(becomes: str, data: dict[str, Any]) -> Recorded:
    document = apple(type="interactive", interactiveData={"bid": _BID, "data": data})
    return Recorded(document, f"{MSP}/interactive-messages", [("text", becomes)])


_LIST = {"sections": [{"items": [{"identifier": "1", "title": "Розы"}, {"identifier": "2", "title": "Тюльпаны"}]}]}
_QUICK = {"selectedIdentifier": "2", "items": [{"identifier": "1", "title": "Да"}, {"identifier": "2", "title": "Нет"}]}

# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [Recorded(apple(body="Привет"), f"{MSP}/message", [("text", "Привет")])],
    Kind.IMAGE: [_file("IMG_0001.heic", "image/heic")],
    Kind.FILE: [_file("price.pdf", "application/pdf")],
    Kind.VOICE: [_file("Audio Message.amr", "audio/amr")],
    Kind.VIDEO: [_file("IMG_0002.mov", "video/quicktime")],
    Kind.ALBUM: [
        Recorded(
            apple(
                body="\ufffc\ufffcВот",
                attachments=[attachment("a.jpg", "image/jpeg"), attachment("b.jpg", "image/jpeg")],
            ),
            COURIER,
            [("text", f"Вот\n{_lost('a.jpg')}\n{_lost('b.jpg')}")],
        )
    ],
    Kind.LINK: [
        Recorded(
            apple(type="richLink", richLinkData={"url": "https://shop.example/a", "title": "Каталог"}),
            f"{MSP}/rich-links",
            [("text", "Каталог\nhttps://shop.example/a")],
        )
    ],
    Kind.BUTTON: [_answer("Нет", {"quick-reply": _QUICK})],
    Kind.LIST: [
        _answer("Ваш выбор\nРозы\nТюльпаны", {"listPicker": _LIST, "replyMessage": {"title": "Ваш выбор"}}),
        Recorded(
            apple(type="interactive", interactiveDataRef={"bid": _BID, "title": "Ваш выбор", "url": "https://x"}),
            COURIER,
            [("text", "Ваш выбор")],
        ),
    ],
    Kind.SERVICE: [Recorded(apple(type=name), COURIER) for name in ("typing_start", "typing_end", "close")],
    Kind.UNKNOWN: [
        Recorded(
            apple(type="hologram"), COURIER, [("text", "[A message of a kind that Parley does not know: hologram]")]
        )
    ],
}

PAYLOADS = Payloads(
    text=(apple(body="Привет"), f"{BUSINESS}|{CUSTOMER}", "7"),
    nothing=[apple(type="typing_start"), apple(type="close")],
    kinds=KINDS,
)
