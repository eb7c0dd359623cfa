"""Telegram's own formatting: https://core.telegram.org/bots/api#messageentity. Pure."""

from apps.chats.rules.markup import MarkedText
from apps.messengers.rules.markup import RenderedText, Style, utf16_length

_ENTITIES = {"bold": "bold", "italic": "italic", "strike": "strikethrough", "code": "code", "pre": "pre"}


class TelegramStyle(Style):
    has_links = has_quotes = True
    kinds = frozenset({"bold", "italic", "strike", "code", "pre", "link", "quote"})

    def render(self, text: MarkedText) -> RenderedText:
        entities = []
        for span in self.shown(text):
            where = {
                "offset": utf16_length(text.text[: span.start]),
                "length": utf16_length(text.text[span.start : span.end]),
            }
            if span.kind == "link":
                entities.append({"type": "text_link", **where, "url": span.value})
            elif span.kind == "quote":
                entities.append({"type": "blockquote", **where})
            else:
                language = {"language": span.value} if span.kind == "pre" and span.value else {}
                entities.append({"type": _ENTITIES[span.kind], **where, **language})
        return RenderedText(text.text, {"entities": entities} if entities else {})
