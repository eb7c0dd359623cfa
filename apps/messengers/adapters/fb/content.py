"""The content of a message of Messenger:
https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks/webhook-events/messages.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.rules.inbound import Attachment, identifier, member, objects, plain

_FILES = ("image", "video", "audio", "file")
_SHARED = ("fallback", "reel", "ig_reel", "post", "ig_post", "share", "link")


def _given(event: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return objects(member(event, "message", "attachments"))


def sticker_of(event: Mapping[str, Any]) -> Mapping[str, str] | None:
    """The sticker of a message. It comes with a picture of it beside it, or comes as one, or as itself alone."""
    for given in _given(event):
        payload = given.get("payload")
        number = identifier(member(payload, "sticker_id")) or identifier(given.get("sticker_id"))
        if number or given.get("type") == "sticker":
            return {"id": number, "url": plain(member(payload, "url"))}
    return None


def attachments_of(event: Mapping[str, Any]) -> list[Attachment]:
    """The files of a message."""
    found = []
    for given in _given(event):
        kind, address = plain(given.get("type")), plain(member(given, "payload", "url"))
        if kind in _FILES and not identifier(member(given, "payload", "sticker_id")):
            name = address.partition("?")[0].rpartition("/")[2][:100] or kind
            found.append(Attachment(name, address, is_image=kind == "image"))
    return [] if sticker_of(event) and all(one.is_image for one in found) else found


def place_of(event: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place of a message."""
    for given in _given(event):
        lat, lng = (member(given, "payload", "coordinates", name) for name in ("lat", "long"))
        if isinstance(lat, int | float) and isinstance(lng, int | float) and abs(lat) <= 90 and abs(lng) <= 180:
            return float(lat), float(lng)
    return None


def words_of(event: Mapping[str, Any]) -> str:
    """The text of a message, and lines for what was shared; or the words of a button that was pressed."""
    lines = [plain(member(event, "message", "text")), plain(member(event, "postback", "title"))]
    if not any(lines) and isinstance(pressed := event.get("postback"), Mapping):
        lines.append(plain(pressed.get("payload")))
    lines.append(plain(member(event, "message_edit", "text")))
    for given in _given(event):
        lines += [line for line in _told(given) if line not in lines[0]]
    return "\n".join(filter(None, lines))


def _told(given: Mapping[str, Any]) -> Sequence[str]:
    payload = given.get("payload")
    if given.get("type") in _SHARED:
        title = plain(member(payload, "title")) or plain(given.get("title"))
        return [one for one in (title, plain(member(payload, "url")) or plain(given.get("url"))) if one]
    lines = []
    for element in (*objects(member(payload, "product", "elements")), *objects(member(payload, "elements"))):
        texts = (plain(element.get("title")), plain(element.get("subtitle")))
        lines.append(" — ".join(filter(None, texts)))
    return [line for line in lines if line]


def unknown_kind(event: Mapping[str, Any]) -> str:
    """The type of an attachment that is not known here, or that Messenger does not pass on; empty for others."""
    if sticker_of(event) or place_of(event):
        return ""
    for given in _given(event):
        if plain(given.get("type")) not in _FILES and not _told(given):
            return plain(given.get("type")) or "unknown"
    return ""


def came_from(event: Mapping[str, Any]) -> Mapping[str, str]:
    """The advertisement or link that somebody came from, for their contact."""
    for of in ("message", "postback"):
        about = member(event, of, "referral")
        said = (plain(member(about, "ads_context_data", "ad_title")), plain(member(about, "ref")))
        if text := " ".join(filter(None, said))[:500]:
            return {"fb_referral": text}
    return {}
