"""MAX's own formatting: https://dev.max.ru/docs-api/use-cases/sending-messages/text-formatting. Pure."""

import html
from collections.abc import Mapping
from typing import Any

from apps.chats.rules.markup import MarkedText, Span
from apps.messengers.rules.markup import RenderedText, Style, WrittenStyle


class MaxStyle(WrittenStyle):
    """HTML, which says how its own signs are written; MAX's Markdown does not."""

    has_links = True
    kinds = frozenset({"bold", "italic", "strike", "code", "pre", "link"})
    tags: Mapping[str, str] = {"bold": "b", "italic": "i", "strike": "s", "code": "code", "pre": "pre", "link": "a"}

    def render(self, text: MarkedText) -> RenderedText:
        return super().render(text) if self.shown(text) else Style.render(self, text)

    def start(self, span: Span) -> str:
        return f'<a href="{html.escape(span.value)}">' if span.kind == "link" else f"<{self.tags[span.kind]}>"

    def end(self, span: Span) -> str:
        return f"</{self.tags[span.kind]}>"

    def escaped(self, text: str) -> str:
        return html.escape(text, quote=False)

    def members(self, is_marked: bool) -> Mapping[str, Any]:
        return {"format": "html"}
