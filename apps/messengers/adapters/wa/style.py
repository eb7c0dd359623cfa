"""WhatsApp's own formatting: https://faq.whatsapp.com/539178204879377. Pure."""

from collections.abc import Mapping

from apps.chats.rules.markup import MarkedText, Span
from apps.messengers.rules.markup import WrittenStyle


class WhatsAppStyle(WrittenStyle):
    kinds = frozenset({"bold", "italic", "strike", "code", "pre"})
    marks: Mapping[str, str] = {"bold": "*", "italic": "_", "strike": "~", "code": "`", "pre": "```"}

    def placed(self, text: MarkedText) -> list[Span]:
        """Marks stand in one line, and beside no letter: elsewhere they would be shown as signs."""
        found = []
        for span in self.shown(text):
            if span.kind == "pre":
                found.append(span)
                continue
            start = span.start
            for line in text.text[span.start : span.end].split("\n"):
                end = start + len(line)
                around = text.text[start - 1 : start] + text.text[end : end + 1]
                if line.strip() and not any(map(str.isalnum, around)):
                    lead = len(line) - len(line.lstrip())
                    found.append(span._replace(start=start + lead, end=start + len(line.rstrip())))
                start = end + 1
        return found

    def start(self, span: Span) -> str:
        return self.marks[span.kind]
