"""VK's own formatting: `format_data` of https://dev.vk.com/ru/reference/objects/message. Pure."""

import orjson

from apps.chats.rules.markup import MarkedText
from apps.messengers.rules.markup import RenderedText, Style, utf16_length


class VkStyle(Style):
    has_links = True
    kinds = frozenset({"bold", "italic", "link"})

    def render(self, text: MarkedText) -> RenderedText:
        items = [
            {
                "type": "url" if span.kind == "link" else span.kind,
                "offset": utf16_length(text.text[: span.start]),
                "length": utf16_length(text.text[span.start : span.end]),
                **({"url": span.value} if span.kind == "link" else {}),
            }
            for span in self.shown(text)
        ]
        told = orjson.dumps({"version": 1, "items": items}).decode()
        return RenderedText(text.text, {"format_data": told} if items else {})
