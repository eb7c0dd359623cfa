"""The content of a message of WhatsApp, and who wrote it:
https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages, and
https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids.

Since June 2026 a customer may have a user name, and then no number comes with what they write: `from_user_id` is their
id, and `from` is there or not.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from apps.messengers.rules.inbound import (
    Attachment,
    card,
    forwarded,
    identifier,
    member,
    objects,
    plain,
)

FILES = ("image", "document", "audio", "video", "voice", "sticker")
_KNOWN = frozenset({*FILES, "text", "location", "contacts", "interactive", "button", "order"})
# What WhatsApp itself notes, and what is no message.
SERVICE = frozenset({"system", "reaction"})
# Changes of who somebody is, as Meta calls them now and called them.
RENAMES = frozenset({"user_changed_user_id", "user_changed_number", "customer_changed_number"})
_USER_ID = re.compile(r"[A-Z]{2}\.[A-Za-z0-9.]{1,140}")
_ENDINGS = {"jpeg": "jpg", "mpeg": "mp3", "plain": "txt", "quicktime": "mov"}


def is_user_id(name: str) -> bool:
    """Whether that is a user id of WhatsApp's, and no number."""
    return _USER_ID.fullmatch(name) is not None


def unknown_kind(message: Mapping[str, Any]) -> str:
    """WhatsApp's name for a kind that is not known here, or that it does not pass on; empty for a kind that is."""
    kind = plain(message.get("type"))
    if kind == "interactive":
        about = message.get("interactive")
        return "" if _answer_of(about) else plain(member(about, "type")) or kind
    if kind in _KNOWN:
        return ""
    return plain(member(message, "unsupported", "type")) or kind or "unknown"


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message: what it says, or lines for what is no text."""
    kind = plain(message.get("type"))
    about = message.get(kind)
    lines = [plain(member(message, "text", "body")), plain(member(about, "caption"))]
    if kind == "location":
        lines += [plain(member(about, "name")), plain(member(about, "address")), plain(member(about, "url"))]
    lines += [_card(person) for person in objects(message.get("contacts"))]
    lines += [plain(member(message, "button", "text")), _answer_of(message.get("interactive"))]
    if kind == "order":
        lines += [plain(member(about, "text")), *map(_item, objects(member(about, "product_items")))]
    if product := plain(member(message, "context", "referred_product", "product_retailer_id")):
        lines.append(f"[{product}]")
    text = "\n".join(filter(None, lines))
    is_passed_on = member(message, "context", "forwarded") is True or (
        member(message, "context", "frequently_forwarded") is True
    )
    return forwarded(text) if is_passed_on else text


def _card(person: Mapping[str, Any]) -> str:
    """A shared contact with every number and address that it holds."""
    reached = [plain(one.get("phone")) or plain(one.get("wa_id")) for one in objects(person.get("phones"))]
    reached += [plain(one.get("email")) for one in objects(person.get("emails"))]
    name = plain(member(person, "name", "formatted_name")) or plain(member(person, "org", "company"))
    return card(name, reached)


def _answer_of(interactive: Any) -> str:
    """The words of a button that was pressed, of a choice from a list, or of a form that was filled in."""
    for kind in ("button_reply", "list_reply"):
        chosen = member(interactive, kind)
        lines = [plain(member(chosen, "title")), plain(member(chosen, "description"))]
        if text := "\n".join(filter(None, lines)):
            return text
    form = member(interactive, "nfm_reply")
    return "\n".join(filter(None, (plain(member(form, "body")), *_filled_in(plain(member(form, "response_json"))))))


def _filled_in(text: str) -> Sequence[str]:
    """The answers in a form, a line each. The token by which the form is known is none of them."""
    try:
        form = orjson.loads(text)
    except orjson.JSONDecodeError:
        return ()
    if not isinstance(form, dict):
        return ()
    return [
        f"{plain(name)}: {value}"
        for name, value in form.items()
        if name != "flow_token" and isinstance(value, str | int | float) and not isinstance(value, bool)
    ]


def _item(item: Mapping[str, Any]) -> str:
    number, price = item.get("quantity"), item.get("item_price")
    what = plain(item.get("product_retailer_id"))
    cost = f"{price} {plain(item.get('currency'))}".strip() if isinstance(price, str | int | float) else ""
    return f"• {what} × {number}{f' — {cost}' if cost else ''}"


def attachments_of(message: Mapping[str, Any]) -> list[Attachment]:
    """The file of a message. A sticker is a small picture, whose id dies: it is kept as one."""
    kind = plain(message.get("type"))
    about = message.get(kind)
    if kind not in FILES or not isinstance(about, Mapping):
        return []
    ending = plain(about.get("mime_type")).partition(";")[0].rpartition("/")[2]
    name = plain(about.get("filename")) or f"{kind}.{_ENDINGS.get(ending, ending) or 'bin'}"
    return [Attachment(name, identifier(about.get("id")), is_image=kind in ("image", "sticker"))]


def place_of(message: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place of a message."""
    lat, lng = member(message, "location", "latitude"), member(message, "location", "longitude")
    is_place = isinstance(lat, int | float) and isinstance(lng, int | float) and abs(lat) <= 90 and abs(lng) <= 180
    return (float(lat), float(lng)) if is_place else None


def came_from(message: Mapping[str, Any]) -> Mapping[str, str]:
    """The advertisement or post that somebody came from, for their contact."""
    said = (plain(member(message, "referral", name)) for name in ("headline", "source_url"))
    text = " ".join(filter(None, said))[:500]
    return {"wa_referral": text} if text else {}
