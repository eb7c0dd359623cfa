"""Markdown in each messenger's own formatting, and long texts in parts. Pure.

A style says what a messenger can show. The rest becomes words: the address of a link in brackets behind it, `> `
before the lines of a quote. A messenger's own style stands in its folder (`adapters/<code>/style.py`).
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.chats.rules.markup import MarkedText, Span, is_shown

Length = Callable[[str], int]
_WEB = ("http://", "https://", "tg://", "tel:")


def utf16_length(text: str) -> int:
    """How Telegram and VK count: code units of UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)


@dataclass(frozen=True, slots=True)
class RenderedText:
    """A text as a messenger takes it, and the members of the call that say how it is marked."""

    text: str
    members: Mapping[str, Any]


class Style:
    """Plain text. The formatting of one messenger is a subclass."""

    has_links = has_quotes = False
    kinds: frozenset[str] = frozenset()

    def ready(self, text: MarkedText) -> MarkedText:
        """The text with words for what can't be marked, before it is cut."""
        if not self.has_links:
            text = text.with_addresses()
        else:
            web = [span for span in text.spans if span.kind != "link" or span.value.startswith(_WEB)]
            others = [span for span in text.spans if span not in web and not is_shown(text, span)]
            text = MarkedText(text.text, web)
            text = text.inserted([(span.end, f" ({span.value.removeprefix('mailto:')})") for span in others])
        return text if self.has_quotes else text.with_quotes()

    def render(self, text: MarkedText) -> RenderedText:
        """A part of a text that is ready, as it is sent."""
        return RenderedText(text.text, {})

    def shown(self, text: MarkedText) -> list[Span]:
        """The marks that are shown: of the kinds that there are, without white space at their ends, none in code."""
        found: list[Span] = []
        code = [span for span in text.spans if span.kind in ("code", "pre")]
        for span in text.spans:
            if span.kind not in self.kinds or (span.kind == "link" and is_shown(text, span)):
                continue
            is_in_code = any(one is not span and one.start < span.end and span.start < one.end for one in code)
            if is_in_code and span.kind not in ("link", "quote"):
                continue
            words = text.text[span.start : span.end]
            start = span.start + len(words) - len(words.lstrip())
            end = span.end - (len(words) - len(words.rstrip()))
            if start < end:
                found.append(span._replace(start=start, end=end))
        return found


class WrittenStyle(Style):
    """A messenger that reads its marks from the text."""

    def render(self, text: MarkedText) -> RenderedText:
        pieces: list[str] = []
        last = 0
        # At one place: what ends first, the inner before the outer; then what begins, the outer first.
        ends = [(span.end, 0, -number, self.end(span)) for number, span in enumerate(self.placed(text))]
        starts = [(span.start, 1, number, self.start(span)) for number, span in enumerate(self.placed(text))]
        for place, _, _, mark in sorted([*ends, *starts], key=lambda one: one[:3]):
            pieces += [self.escaped(text.text[last:place]), mark]
            last = place
        return RenderedText("".join((*pieces, self.escaped(text.text[last:]))), self.members(bool(pieces)))

    def placed(self, text: MarkedText) -> list[Span]:
        """The marks as they may stand in the text."""
        return self.shown(text)

    def start(self, span: Span) -> str:
        """The mark before a stretch."""
        raise NotImplementedError

    def end(self, span: Span) -> str:
        """The mark behind a stretch."""
        return self.start(span)

    def escaped(self, text: str) -> str:
        """The words between marks."""
        return text

    def members(self, is_marked: bool) -> Mapping[str, Any]:
        """The members of the call."""
        return {}


PLAIN = Style()


# --- Long texts -------------------------------------------------------------------------------------------------------

# Digits that stand apart in one number, as `1 000` and `+7 (900) 333-33-33` do, and the sign of a unit behind them.
_NUMBER = re.compile(r"[+(]?\d(?>(?:[ \u00a0\u202f\u2009.,:/()\-]{0,2}\d)*)(?: ?[₽$€£¥%°])?")
_WORD = re.compile(r"[^\s\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+")
_JOINING = "\u200d\ufe0e\ufe0f\u20e3"
_ENDS = "。！？；，、"


def pieces(text: str | MarkedText, longest: int, length: Length = len, style: Style = PLAIN) -> list[MarkedText]:
    """A text in parts of at most that length as they are sent.

    Each ends behind a line where one ends in its second half, else behind a word; not within a link, a number, an
    address or code, unless that alone is longer than a part.
    """
    left = text if isinstance(text, MarkedText) else MarkedText(text)
    found: list[MarkedText] = []
    while length(style.render(left).text) > longest:
        cut = _cut(left, _fitting(left, longest, length, style))
        if (piece := left.part(0, cut)).text:
            found.append(piece)
        left = left.part(cut, len(left.text))
    if left.text or not found:
        found.append(left)
    return found


def _fitting(text: MarkedText, longest: int, length: Length, style: Style) -> int:
    """The most characters whose part is not too long; at least one."""
    low, high = 1, min(len(text.text), longest)
    while low < high:
        middle = (low + high + 1) // 2
        if length(style.render(text.part(0, middle)).text) <= longest:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(text: MarkedText, end: int) -> int:
    """The best place to cut a text at, up to that one."""
    whole = text.text
    if end >= len(whole):
        return end
    marked = [(span.start, span.end) for span in text.spans if span.kind in ("link", "words", "code")]
    words = [match.span() for match in _WORD.finditer(whole)]
    numbers = [match.span() for match in _NUMBER.finditer(whole)]
    for kept in ([*marked, *words, *numbers], [*marked, *words], words, []):
        joined = _joined(kept)
        places = [place for place in range(end, 0, -1) if not (_is_within(joined, place) or _joins(whole, place))]
        late = [place for place in places if place > end // 2]
        for is_end in (_ends_line, _ends_word):
            if (best := next((place for place in late if is_end(whole, place)), None)) is not None:
                return best
        if places:
            return places[0]
    return end


def _ends_line(text: str, place: int) -> bool:
    return "\n" in text[place - 1 : place + 1]


def _ends_word(text: str, place: int) -> bool:
    return text[place].isspace() or text[place - 1].isspace() or text[place - 1] in _ENDS


def _joined(kept: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, until in sorted(kept):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(until, joined[-1][1]))
        else:
            joined.append((start, until))
    return joined


def _is_within(kept: Sequence[tuple[int, int]], place: int) -> bool:
    index = bisect_left(kept, (place, 0)) - 1
    return index >= 0 and kept[index][0] < place < kept[index][1]


def _joins(text: str, place: int) -> bool:
    """Whether what stands there belongs to the character before it."""
    one, before = text[place], text[place - 1]
    is_tone = "\U0001f3fb" <= one <= "\U0001f3ff"
    return one in _JOINING or before == "\u200d" or is_tone or unicodedata.category(one)[0] == "M"
