"""What VK posts: https://dev.vk.com/ru/api/community-events/json-schema, and attachments as its API schema has them
(vkbottle-types 5.199, codegen/objects.py)."""

from typing import Any

from apps.messengers.rules.kinds import Kind
from tests.messengers.payloads.recorded import FILE, Payloads, Recorded

API = "https://dev.vk.com/ru/reference/objects"


def _vk(**message: Any) -> dict[str, Any]:
    about = {"id": 5, "date": 1, "peer_id": 42, "from_id": 42, "conversation_message_id": 7, "text": "", "out": 0}
    document = {"type": "message_new", "group_id": 99, "event_id": "e", "v": "5.199", "secret": "S"}
    return {**document, "object": {"message": about | message, "client_info": {"lang_id": 0}}}


def _event(kind: str, **about: Any) -> dict[str, Any]:
    return {"type": kind, "group_id": 99, "event_id": "e", "v": "5.199", "secret": "S", "object": about}


def _with(kind: str, **about: Any) -> dict[str, Any]:
    """An attachment of that type."""
    return {"type": kind, kind: about}


def _recorded(page: str, *bodies: str, type_: str = "text", **message: Any) -> Recorded:
    return Recorded(_vk(**message), f"{API}/{page}", [(type_, body) for body in bodies])


def _lost(name: str) -> str:
    return f"[вложение недоступно: {name}]"


_PHOTO = _with("photo", id=1, owner_id=42, sizes=[{"url": FILE, "width": 9, "height": 9}])
_FOREIGN = {"date": 1, "from_id": 43, "conversation_message_id": 3, "id": 0, "peer_id": 42}
_PRICE = {"amount": "15000", "currency": {"id": 643, "name": "RUB"}, "text": "150 ₽"}
_EDIT = {"id": 5, "date": 1, "peer_id": 42, "from_id": 42, "conversation_message_id": 7, "text": "Привет!"}

# The files are not there to be fetched here, so that a line stands for each.
KINDS = {
    Kind.TEXT: [_recorded("message", "Привет", text="Привет")],
    Kind.IMAGE: [
        _recorded("photo", f"Роза\n{_lost('photo.jpg')}", text="Роза", attachments=[_PHOTO]),
        _recorded(
            "attachments-message",
            _lost("graffiti.png"),
            attachments=[_with("graffiti", id=1, owner_id=42, url=FILE, width=9, height=9)],
        ),
    ],
    Kind.FILE: [
        _recorded(
            "doc",
            _lost("Прайс.pdf"),
            attachments=[_with("doc", id=1, owner_id=42, title="Прайс", ext="pdf", size=9, url=FILE, type=1)],
        ),
        _recorded(
            "audio",
            _lost("Роза.mp3"),
            attachments=[_with("audio", id=1, owner_id=42, artist="А", title="Роза", url=FILE)],
        ),
    ],
    Kind.VOICE: [
        _recorded(
            "attachments-message",
            _lost("voice.ogg"),
            attachments=[_with("audio_message", id=1, owner_id=42, duration=3, link_ogg=FILE, link_mp3=FILE)],
        )
    ],
    Kind.VIDEO: [
        _recorded(
            "video",
            "Букет: https://vk.com/video42_456239017",
            attachments=[_with("video", id=456239017, owner_id=42, title="Букет", access_key="k")],
        )
    ],
    Kind.ALBUM: [_recorded("photo", f"{_lost('photo.jpg')}\n{_lost('photo.jpg')}", attachments=[_PHOTO, _PHOTO])],
    Kind.LOCATION: [
        _recorded(
            "message",
            "Тверская",
            type_="location",
            geo={
                "type": "point",
                "coordinates": {"latitude": 55.75, "longitude": 37.6},
                "place": {"title": "Тверская"},
            },
        )
    ],
    Kind.REPLY: [
        _recorded(
            "message",
            "> Розы или тюльпаны?\nРозы",
            text="Розы",
            reply_message={**_FOREIGN, "text": "Розы или тюльпаны?"},
        )
    ],
    Kind.FORWARD: [
        _recorded(
            "message",
            f"↪ Скидка 10 %\n{_lost('photo.jpg')}",
            fwd_messages=[{**_FOREIGN, "text": "Скидка 10 %", "attachments": [_PHOTO]}],
        ),
        _recorded(
            "message",
            "Что это?\n↪ Смотри\n↪ Роза",
            text="Что это?",
            fwd_messages=[{**_FOREIGN, "text": "Смотри", "fwd_messages": [{**_FOREIGN, "text": "Роза"}]}],
        ),
    ],
    Kind.LINK: [
        _recorded(
            "link",
            "смотрите http://shop.example/1\nРозы: http://shop.example/1",
            text="смотрите http://shop.example/1",
            attachments=[_with("link", url="http://shop.example/1", title="Розы", caption="shop.example")],
        ),
        _recorded(
            "message",
            "вот эта (https://shop.example/1) роза",
            text="вот эта роза",
            format_data={
                "version": 1,
                "items": [{"type": "url", "offset": 0, "length": 7, "url": "https://shop.example/1"}],
            },
        ),
        _recorded(
            "post",
            "Завтра скидки: https://vk.com/wall-99_12",
            attachments=[_with("wall", id=12, from_id=-99, to_id=-99, text="Завтра скидки")],
        ),
        _recorded(
            "wall-comment",
            "И мне: https://vk.com/wall-99_12?reply=15",
            attachments=[_with("wall_reply", id=15, owner_id=-99, post_id=12, from_id=42, text="И мне")],
        ),
        _recorded(
            "article",
            "Как хранить розы: https://vk.com/@shop-roses",
            attachments=[
                _with("article", id=1, owner_id=-99, title="Как хранить розы", url="https://vk.com/@shop-roses")
            ],
        ),
        _recorded("story", "https://vk.com/story42_1", attachments=[_with("story", id=1, owner_id=42)]),
        _recorded(
            "attachments-message",
            f"[подарок]: {FILE}",
            attachments=[_with("gift", id=1, thumb_256=FILE)],
        ),
    ],
    Kind.STICKER: [
        _recorded(
            "sticker",
            "",
            type_="sticker",
            attachments=[
                _with("sticker", sticker_id=9, product_id=1, images=[{"url": FILE, "width": 128, "height": 128}])
            ],
        )
    ],
    Kind.REACTION: [
        Recorded(
            _event("message_reaction_event", reacted_id=42, peer_id=42, cmid=7, reaction_id=1),
            "vkbottle-types 5.199, events/bot_events.py",
        )
    ],
    Kind.BUTTON: [_recorded("message", "Цены", text="Цены", payload='{"button":"prices"}')],
    Kind.ORDER: [
        _recorded(
            "market-item",
            "Роза, 150 ₽: https://vk.com/market-99?w=product-99_5",
            attachments=[_with("market", id=5, owner_id=-99, title="Роза", description="", price=_PRICE)],
        ),
        _recorded(
            "market-album",
            "Розы: https://vk.com/market-99?section=album_2",
            attachments=[{"type": "market_album", "market_market_album": {"id": 2, "owner_id": -99, "title": "Розы"}}],
        ),
    ],
    Kind.POLL: [
        _recorded(
            "poll",
            "Какие?: https://vk.com/poll42_8\n• Розы\n• Тюльпаны",
            attachments=[
                _with("poll", id=8, owner_id=42, question="Какие?", answers=[{"text": "Розы"}, {"text": "Тюльпаны"}])
            ],
        )
    ],
    Kind.CALL: [
        _recorded(
            "attachments-message",
            "[пропущенный звонок]",
            attachments=[_with("call", initiator_id=42, receiver_id=-99, state="canceled_by_initiator", time=1)],
        )
    ],
    Kind.EDIT: [
        Recorded(
            _event("message_edit", **_EDIT, update_time=2),
            "https://dev.vk.com/ru/api/community-events/json-schema#message_edit",
        )
    ],
    Kind.SERVICE: [
        Recorded(
            _event("message_allow", user_id=42, key=""),
            "https://dev.vk.com/ru/api/community-events/json-schema#message_allow",
        )
    ],
    Kind.UNKNOWN: [
        _recorded(
            "attachments-message",
            "[A message of a kind that Parley does not know: hologram]",
            attachments=[_with("hologram", id=1)],
        )
    ],
}

PAYLOADS = Payloads(
    text=(_vk(text="Привет"), "42", "7"),
    picture=(
        _vk(
            text="Роза",
            attachments=[
                {
                    "type": "photo",
                    "photo": {"sizes": [{"url": FILE, "width": 9, "height": 9}, {"url": "x", "width": 1, "height": 1}]},
                }
            ],
        ),
        "Роза",
    ),
    place=_vk(geo={"type": "point", "coordinates": {"latitude": 55.75, "longitude": 37.6}}),
    nothing=[
        {"type": "message_typing_state", "group_id": 99, "object": {}},
        {"type": "message_reply", "group_id": 99, "object": {"id": 1, "peer_id": 42, "from_id": -99, "text": "ours"}},
        _vk(peer_id=2_000_000_001),
        _vk(from_id=-99, peer_id=-99),
    ],
    kinds=KINDS,
)
