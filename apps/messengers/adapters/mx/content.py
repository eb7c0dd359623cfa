"""The content of a message of MAX: `Message`, `MessageBody`, `LinkedMessage` and the attachments of its schema."""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.messengers.rules.inbound import (
    Attachment,
    card,
    forwarded,
    identifier,
    linked,
    member,
    objects,
    plain,
    point,
    quoted,
    vcard_name,
    vcard_phones,
    with_addresses,
    with_lines,
)

VIDEO = "video:"  # a video is asked for by its token
_NAMES = {"image": "photo.jpg", "video": "video.mp4", "audio": "voice.mp3", "file": "file"}
_BUTTONS = ("inline_keyboard", "reply_keyboard")
_KNOWN = frozenset({*_NAMES, *_BUTTONS, "sticker", "contact", "share", "location", "data"})


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message: what it says, what it passes on, and the quote that it answers."""
    text, link = _own_words(message.get("body")), message.get("link")
    names = (plain(member(link, "sender", name)) for name in ("first_name", "last_name"))
    author = plain(member(link, "sender", "name")) or " ".join(filter(None, names))
    if member(link, "type") == "forward":
        return "\n".join(filter(None, (text, forwarded(_own_words(member(link, "message")), author))))
    return quoted(text, _own_words(member(link, "message")), author) if member(link, "type") == "reply" else text


def _own_words(body: Any) -> str:
    lines = [line for given in objects(member(body, "attachments")) if (line := _line(given))]
    links = [one for one in objects(member(body, "markup")) if one.get("type") == "link"]
    return with_lines(with_addresses(plain(member(body, "text")), links, "from"), lines)


def _line(given: Mapping[str, Any]) -> str:
    """The line for a link, a contact or a button's answer; empty for anything else."""
    payload = given.get("payload")
    if given.get("type") == "share":
        return linked(plain(given.get("title")), plain(member(payload, "url")))
    if given.get("type") == "data":
        return plain(given.get("data"))
    if given.get("type") != "contact":
        return ""
    vcard = plain(member(payload, "vcf_info"))
    names = (plain(member(payload, "max_info", name)) for name in ("first_name", "last_name"))
    named = vcard_name(vcard) or plain(member(payload, "max_info", "name")) or " ".join(filter(None, names))
    return card(named, vcard_phones(vcard))


def _attachments(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The attachments of a message, and of the one that it passes on."""
    yield from objects(member(message, "body", "attachments"))
    if member(message, "link", "type") == "forward":
        yield from objects(member(message, "link", "message", "attachments"))


def attachments_of(message: Mapping[str, Any]) -> list[Attachment]:
    """The files of a message."""
    return [_file(given) for given in _attachments(message) if plain(given.get("type")) in _NAMES]


def _file(given: Mapping[str, Any]) -> Attachment:
    kind, payload = plain(given.get("type")), given.get("payload")
    token, size = plain(member(payload, "token")), given.get("size")
    is_asked = kind == "video" and token
    reference = f"{VIDEO}{token}" if is_asked else plain(member(payload, "url"))
    name = plain(given.get("filename")) or _NAMES[kind]
    return Attachment(name, reference, is_image=kind == "image", size=size if isinstance(size, int) else None)


def place_of(message: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place of a message."""
    places = [given for given in _attachments(message) if given.get("type") == "location"]
    return point(places[0].get("latitude"), places[0].get("longitude")) if places else None


def sticker_of(message: Mapping[str, Any]) -> Mapping[str, str] | None:
    """The sticker of a message, with the address of its picture."""
    payloads = [given.get("payload") for given in _attachments(message) if given.get("type") == "sticker"]
    if not payloads:
        return None
    return {"id": identifier(member(payloads[0], "code")), "url": plain(member(payloads[0], "url"))}


def contact_of(message: Mapping[str, Any], writer: Any) -> str:
    """The writer's own number, where they shared their own card; else empty."""
    for given in objects(member(message, "body", "attachments")):
        payload = given.get("payload")
        if given.get("type") == "contact" and writer is not None and member(payload, "max_info", "user_id") == writer:
            return next(iter(vcard_phones(plain(member(payload, "vcf_info")))), "")
    return ""


def unknown_kind(message: Mapping[str, Any]) -> str:
    """The type of an attachment that is not known here; empty without one."""
    kinds = (plain(given.get("type")) for given in _attachments(message))
    return next((kind for kind in kinds if kind and kind not in _KNOWN), "")
