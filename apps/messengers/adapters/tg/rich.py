"""The words and files of a rich message of Telegram, https://core.telegram.org/bots/api#richmessage: blocks, whose
texts are a string, a list of texts, or an object with one inside.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.messengers.rules.inbound import member, objects, plain

# Deeper than Telegram nests.
_DEEPEST = 24
_MEDIA = ("photo", "video", "animation", "audio", "voice_note", "document")


def rich_words(message: Mapping[str, Any]) -> str:
    """The words of a rich message, a line for each block."""
    return "\n".join(_lines(member(message, "rich_message", "blocks"), 0))


def rich_media(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a rich message that hold a file, as a message has it: `{photo}`, `{video}`, `{voice}`, …"""
    return list(_media(member(message, "rich_message", "blocks"), 0))


def _media(blocks: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth > _DEEPEST:
        return
    for block in objects(blocks):
        kind = plain(block.get("type"))
        if kind in _MEDIA and block.get(kind):
            yield {"voice" if kind == "voice_note" else kind: block[kind]}
        for inner in (block.get("blocks"), *(item.get("blocks") for item in objects(block.get("items")))):
            yield from _media(inner, depth + 1)


def _lines(blocks: Any, depth: int) -> list[str]:
    if depth > _DEEPEST:
        return []
    return [line for block in objects(blocks) for line in _of_block(block, depth) if line.strip()]


def _of_block(block: Mapping[str, Any], depth: int) -> list[str]:
    """The lines of a block: its own text, the blocks in it, and its caption."""
    lines = [_text(block.get(name), depth) for name in ("summary", "text", "expression")]
    inner = _lines(block.get("blocks"), depth + 1)
    lines += [f"> {line}" for line in inner] if "blockquote" in plain(block.get("type")) else inner
    for item in objects(block.get("items")):
        first, *others = _lines(item.get("blocks"), depth + 1) or [""]
        lines += [f"{_mark(item)} {first}".rstrip(), *others]
    if isinstance(rows := block.get("cells"), list):
        lines += [" | ".join(_text(cell.get("text"), depth) for cell in objects(row)).rstrip() for row in rows]
    lines += [_button(button, depth) for button in objects(block.get("buttons"))]
    lines.append(_place(block.get("location")))
    caption = block.get("caption")
    if isinstance(caption, Mapping) and "type" not in caption:
        lines += [_text(caption.get(name), depth) for name in ("text", "credit")]
    else:  # a table's is a text
        lines.append(_text(caption, depth))
    lines.append(_text(block.get("credit"), depth))
    return lines


def _mark(item: Mapping[str, Any]) -> str:
    if item.get("has_checkbox") is True:
        return "☑" if item.get("is_checked") is True else "☐"
    return plain(item.get("label")) or "•"


def _text(text: Any, depth: int) -> str:
    """A text without its marks; the address of a link stands behind its words."""
    if depth > _DEEPEST:
        return ""
    if isinstance(text, list):
        return "".join(_text(one, depth + 1) for one in text)
    if not isinstance(text, Mapping):
        return plain(text)
    if isinstance(button := text.get("button"), Mapping):
        return _button(button, depth + 1)
    words = _text(text.get("text"), depth + 1) or plain(text.get("alternative_text")) or plain(text.get("expression"))
    url = plain(text.get("url"))
    return f"{words} ({url})" if url and url != words else words


def _button(button: Mapping[str, Any], depth: int) -> str:
    return ": ".join(filter(None, (_text(button.get("text"), depth), plain(button.get("url")))))


def _place(place: Any) -> str:
    lat, lng = member(place, "latitude"), member(place, "longitude")
    is_place = isinstance(lat, int | float) and isinstance(lng, int | float)
    return f"https://www.openstreetmap.org/?mlat={lat}&mlon={lng}" if is_place else ""
