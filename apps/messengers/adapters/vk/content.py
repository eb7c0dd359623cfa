"""The content of a message of VK: https://dev.vk.com/ru/reference/objects/message and
https://dev.vk.com/ru/reference/objects/attachments-message.

Only what VK itself stores has bytes here: the address of a link that somebody writes is never called.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.messengers.rules.inbound import (
    Attachment,
    forwarded,
    identifier,
    linked,
    member,
    objects,
    plain,
    point,
    quoted,
    with_addresses,
    with_lines,
)

_FILES = ("photo", "doc", "audio_message", "graffiti", "audio")
_PLAIN = ("link", "article", "gift", "call")
# Where VK shows what is attached: below https://vk.com/.
_PAGES = {
    "wall": "wall{owner}_{id}",
    "wall_reply": "wall{owner}_{post}?reply={id}",
    "video": "video{owner}_{id}",
    "clip": "clip{owner}_{id}",
    "video_playlist": "video/playlist/{owner}_{id}",
    "audio_playlist": "music/playlist/{owner}_{id}",
    "podcast": "podcast{owner}_{id}",
    "market": "market{owner}?w=product{owner}_{id}",
    "market_album": "market{owner}?section=album_{id}",
    "poll": "poll{owner}_{id}",
    "story": "story{owner}_{id}",
    "narrative": "narrative{owner}_{id}",
    "album": "album{owner}_{id}",
    "note": "note{owner}_{id}",
}
_CROPPED = "[VK прислал сообщение не целиком]"
_MOST_TITLE, _DEEPEST, _MOST_FORWARDED = 200, 4, 50


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message: what it says, a line for each card, what it passes on, and the quote that it answers."""
    passed = [forwarded(_own_words(one)) for one in _passed_on(message)]
    text = "\n".join(filter(None, (_own_words(message), *passed, _CROPPED if message.get("is_cropped") else "")))
    answered = message.get("reply_message")
    return quoted(text, _own_words(answered)) if isinstance(answered, Mapping) else text


def _own_words(message: Mapping[str, Any]) -> str:
    place = member(message, "geo", "place", "title")
    lines = [line for given in objects(message.get("attachments")) if (line := _line(given))]
    links = [one for one in objects(member(message, "format_data", "items")) if one.get("type") == "url"]
    text = with_addresses(plain(message.get("text")), links, "offset")
    return with_lines(text, [*filter(None, (plain(place),)), *lines])


def _passed_on(message: Mapping[str, Any], depth: int = 1) -> list[Mapping[str, Any]]:
    """The messages that one passes on, with those that they pass on."""
    found: list[Mapping[str, Any]] = []
    for one in objects(message.get("fwd_messages"))[:_MOST_FORWARDED]:
        found += [one, *(_passed_on(one, depth + 1) if depth < _DEEPEST else ())]
    return found[:_MOST_FORWARDED]


def _line(given: Mapping[str, Any]) -> str:
    """The line for what is attached and is no file; empty for a file, a sticker or what is not known."""
    kind = plain(given.get("type"))
    about = _about(given)
    if kind == "call":
        return "[звонок]" if about.get("state") == "reached" else "[пропущенный звонок]"
    if kind == "gift":
        return linked("[подарок]", plain(about.get("thumb_256")))
    if kind == "audio" and not about.get("url"):
        return " – ".join(filter(None, (plain(about.get("artist")), plain(about.get("title")))))
    if kind not in _PAGES and kind not in _PLAIN:
        return ""
    line = linked(_title(about), plain(about.get("url")) or _page(kind, about))
    answers = [f"• {plain(one.get('text'))}" for one in objects(about.get("answers"))] if kind == "poll" else ()
    return "\n".join((line, *answers))


def _title(about: Mapping[str, Any]) -> str:
    named = (plain(about.get(name)) for name in ("title", "question", "text", "caption"))
    title = " ".join(next(filter(None, named), "").split())
    title = title if len(title) <= _MOST_TITLE else f"{title[: _MOST_TITLE - 1].rstrip()}…"
    price = plain(member(about, "price", "text")) or plain(member(about, "product", "price", "text"))
    return ", ".join(filter(None, (title, price)))


def _page(kind: str, about: Mapping[str, Any]) -> str:
    owners = (identifier(about.get(name)) for name in ("owner_id", "to_id", "from_id"))
    owner, number = next(filter(None, owners), ""), identifier(about.get("id"))
    if kind not in _PAGES or not owner or not number:
        return ""
    return "https://vk.com/" + _PAGES[kind].format(owner=owner, id=number, post=identifier(about.get("post_id")))


def _about(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object of an attachment; VK names one of them otherwise than its type."""
    kind = plain(given.get("type"))
    about = given.get(kind) or given.get(f"market_{kind}") or {}
    return about if isinstance(about, Mapping) else {}


def attachments_of(message: Mapping[str, Any]) -> list[Attachment]:
    """The files of a message, and of those that it passes on."""
    return [file for one in (message, *_passed_on(message)) for file in _own_files(one)]


def _own_files(message: Mapping[str, Any]) -> Iterator[Attachment]:
    for given in objects(message.get("attachments")):
        kind, about = plain(given.get("type")), _about(given)
        title = plain(about.get("title"))
        if kind == "photo":
            sizes = sorted(objects(about.get("sizes")), key=_area)
            address = plain(sizes[-1].get("url")) if sizes else plain(member(about, "orig_photo", "url"))
            yield Attachment("photo.jpg", address, is_image=True)
        elif kind == "doc":
            ending = plain(about.get("ext"))
            named = (
                title if not ending or title.lower().endswith(f".{ending.lower()}") else f"{title or 'file'}.{ending}"
            )
            yield Attachment(named or "file", plain(about.get("url")), size=_number(about.get("size")) or None)
        elif kind == "audio_message":
            yield Attachment("voice.ogg", plain(about.get("link_ogg")) or plain(about.get("link_mp3")))
        elif kind == "graffiti":
            yield Attachment("graffiti.png", plain(about.get("url")), is_image=True)
        elif kind == "audio" and about.get("url"):
            yield Attachment(f"{title or 'audio'}.mp3", plain(about.get("url")))


def sticker_of(message: Mapping[str, Any]) -> Mapping[str, str] | None:
    """The sticker of a message, or of one that it passes on, with the address of its largest picture."""
    for given in (given for one in (message, *_passed_on(message)) for given in objects(one.get("attachments"))):
        if given.get("type") in ("sticker", "ugc_sticker"):
            about = _about(given)
            images = sorted(objects(about.get("images")), key=_area)
            number = identifier(about.get("sticker_id")) or identifier(about.get("id"))
            return {"id": number, "url": plain(images[-1].get("url")) if images else ""}
    return None


def place_of(message: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place of a message."""
    where = member(message, "geo", "coordinates")
    return point(member(where, "latitude"), member(where, "longitude"))


def unknown_kind(message: Mapping[str, Any]) -> str:
    """The type of an attachment that is not known here; empty without one."""
    known = {*_FILES, *_PLAIN, *_PAGES, "sticker", "ugc_sticker"}
    kinds = (plain(given.get("type")) for given in objects(message.get("attachments")))
    return next((kind for kind in kinds if kind and kind not in known), "")


def _area(size: Mapping[str, Any]) -> int:
    return _number(size.get("width")) * _number(size.get("height"))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
