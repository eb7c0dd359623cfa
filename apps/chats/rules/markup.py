"""Markdown as a text without marks, and the places where the marks were. Pure.

Models and operators write Markdown; readers of plain text, and messengers that mark in their own way, get the words
without asterisks. Signs that are no marks stay: `a < b`, `[1]`, `2*3*4`, snake_case, addresses, HTML.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

# The lines of a text that are an ordinary one: no mark is in them.
_ORDINARY = frozenset({"paragraph_open", "paragraph_close", "inline", "text", "softbreak"})
_OF_LISTS = [f"{name}_{end}" for name in ("bullet_list", "ordered_list", "list_item") for end in ("open", "close")]
_MARKS = {"strong": "bold", "em": "italic", "s": "strike"}
_ADDRESS = re.compile(r"(?:https?://|www\.|mailto:|tg://)[^\s<>()\[\]]*[^\s<>()\[\]*_~`.,;:!?'\"]", re.IGNORECASE)
_ADDRESS_BEGINS = re.compile(r"(?:https?://|www\.|mailto:|tg://)", re.IGNORECASE)
_LONGEST_SCHEME = 8
_FOLLOWED = re.compile(r"https?://|mailto:|tel:|tg://|viber://|/|[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_COMPARED = re.compile(r"\s*>\s*[\d.,]")


class Span(NamedTuple):
    """A stretch of a text with a mark: `kind` is bold, italic, strike, code, pre, link, quote or words, which only
    stay together; `value` is the address of a link, and the language of `pre`.
    """

    start: int
    end: int
    kind: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text, and the marks on it, the outer ones first."""

    text: str
    spans: Sequence[Span] = ()

    def part(self, start: int, end: int) -> "MarkedText":
        """The text between two places without the white space at its ends, and what is marked of it."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        piece = piece.strip()
        end = start + len(piece)
        clipped = (
            span._replace(start=max(span.start, start) - start, end=min(span.end, end) - start) for span in self.spans
        )
        return MarkedText(piece, tuple(span for span in clipped if span.start < span.end))

    def inserted(self, at: Sequence[tuple[int, str]]) -> "MarkedText":
        """The text with others inserted at those places; a mark that ends there does not grow."""
        pieces, last, moved = [], 0, []
        ordered = sorted(at, key=lambda one: one[0])
        for place, added in ordered:
            pieces += [self.text[last:place], added]
            last = place
        for span in self.spans:
            start = span.start + sum(len(added) for place, added in ordered if place <= span.start)
            end = span.end + sum(len(added) for place, added in ordered if place < span.end)
            moved.append(span._replace(start=start, end=end))
        return MarkedText("".join((*pieces, self.text[last:])), tuple(moved))

    def with_addresses(self) -> "MarkedText":
        """The text with the address behind the words of each link that does not show it; the words stay together
        (`words`).
        """
        hidden = [span for span in self.spans if span.kind == "link" and not is_shown(self, span)]
        text = self.inserted([(span.end, f" ({span.value.removeprefix('mailto:')})") for span in hidden])
        return replace(
            text, spans=tuple(one._replace(kind="words") if one.kind == "link" else one for one in text.spans)
        )

    def with_quotes(self) -> "MarkedText":
        """The text with `> ` before each line of a quote."""
        starts = {
            place
            for span in self.spans
            if span.kind == "quote"
            for place in (span.start, *(m.end() for m in re.finditer("\n", self.text[: span.end])))
            if span.start <= place < span.end
        }
        text = self.inserted([(place, "> ") for place in starts])
        return replace(text, spans=tuple(span for span in text.spans if span.kind != "quote"))


def is_shown(text: MarkedText, link: Span) -> bool:
    """Whether the words of a link are its address."""
    words = text.text[link.start : link.end].rstrip("/")
    address = link.value.rstrip("/")
    return words == address or address in (f"mailto:{words}", f"https://{words}", f"http://{words}", f"tel:{words}")


def read_markdown(markdown: str) -> MarkedText:
    """The text of a Markdown, and what its marks mean. Lists keep their signs, with `•` for an asterisk; a table
    becomes a line a row, `Zone: Moscow; Price: 300`; the lines and the empty lines between them stay.
    """
    writer = _Writer()
    writer.blocks(_PARSER.parse(markdown))
    return writer.done()


def has_marks(markdown: str) -> bool:
    """Whether Markdown's readers would show it otherwise than as it is typed. A line that begins as the only item of a
    list would (`- 5 °C`, `2026. The year …`) is an ordinary one.
    """
    tokens = _PARSER.parse(markdown)
    kinds = Counter(token.type for token in tokens)
    if kinds["list_item_open"] == 1:
        for name in _OF_LISTS:
            del kinds[name]
    within = {each.type for token in tokens for each in token.children or ()}
    if not {*kinds, *within} <= _ORDINARY:
        return True
    return "".join(read_markdown(markdown).text.split()) != "".join(markdown.split())


def plain_text(markdown: str) -> str:
    """A Markdown for readers of plain text: as it is, where it has no marks."""
    return read_markdown(markdown).with_addresses().text if has_marks(markdown) else markdown


@dataclass(slots=True)
class _Writer:
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    spans: list[Span] = field(default_factory=list)
    open: list[tuple[int, str, str]] = field(default_factory=list)
    # How lists stand: the sign to come of the item, and the spaces before its lines.
    indents: list[str] = field(default_factory=list)
    sign: str = ""
    line: int = 0
    is_begun: bool = False

    def write(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def done(self) -> MarkedText:
        self.spans.reverse()  # the inner ones were ended first
        spans = sorted(self.spans, key=lambda one: (one.start, -one.end))
        whole = MarkedText("".join(self.pieces), tuple(spans))
        return whole.part(0, len(whole.text))

    def begin(self, token: Token) -> None:
        """Begins a block on a line of its own, behind an empty one where the source has one."""
        start, end = token.map or (self.line, self.line)
        if not self.is_begun:
            if self.length:
                self.write("\n\n" if start > self.line else "\n")
            indents = self.indents if not self.sign else [*self.indents[:-1], self.sign]
            self.write("".join(indents))
        self.line, self.sign, self.is_begun = end, "", False

    def begin_quote(self, token: Token) -> None:
        """Begins a quote, on the line that its first block would begin."""
        self.begin(Token("", "", 0, map=[(token.map or [self.line])[0]] * 2))
        self.is_begun = True
        self.mark("quote")

    def mark(self, kind: str, value: str = "") -> None:
        self.open.append((self.length, kind, value))

    def end_mark(self) -> None:
        start, kind, value = self.open.pop()
        if kind == "link" and start == self.length:
            self.write(value)
        if start < self.length:
            self.spans.append(Span(start, self.length, kind, value))

    def blocks(self, tokens: Sequence[Token]) -> None:
        left = iter(tokens)
        for token in left:
            match token.type:
                case "table_open":
                    self.table(token, left)
                case "heading_open":
                    self.begin(token)
                    self.mark("bold")
                case "heading_close" | "blockquote_close":
                    self.end_mark()
                case "paragraph_open":
                    self.begin(token)
                case "inline":
                    self.inline(token.children or ())
                case "fence" | "code_block":
                    self.begin(token)
                    self.mark("pre", token.info.split()[0] if token.info.strip() else "")
                    self.write(token.content.rstrip("\n"))
                    self.end_mark()
                case "hr":
                    self.begin(token)
                    self.write("———")
                case "list_item_open":
                    self.sign = f"{token.info}{token.markup} " if token.info else _sign(token.markup)
                    self.indents.append("  ")
                case "list_item_close":
                    self.indents.pop()
                case "blockquote_open":
                    self.begin_quote(token)

    def inline(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            name, _, end = token.type.rpartition("_")
            if token.type in ("softbreak", "hardbreak"):
                self.write("\n" + "".join(self.indents[1:]))
            elif token.type == "code_inline":
                self.mark("code")
                self.write(token.content)
                self.end_mark()
            elif token.type == "image":
                self.mark("link", str(token.attrs.get("src", "")))
                self.write(token.content)
                self.end_mark()
            elif token.type == "link_open":
                self.mark("link", str(token.attrs.get("href", "")))
            elif name in _MARKS and end == "open":
                self.mark(_MARKS[name])
            elif end == "close":
                self.end_mark()
            else:
                self.write(token.content)

    def table(self, opening: Token, left: Iterator[Token]) -> None:
        """A table as lines: each cell behind the name of its column."""
        rows: list[list[Token]] = []
        for token in left:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token)
        self.begin(opening)
        names = [cell.content.strip() for cell in rows[0]] if len(rows) > 1 else []
        for number, row in enumerate(rows[1:] or rows):
            if number:
                self.write("\n" + "".join(self.indents))
            is_first = True
            for column, cell in enumerate(row):
                if not cell.content.strip():
                    continue
                name = plain_text(names[column]) if column < len(names) else ""
                self.write(("" if is_first else "; ") + (f"{name}: " if name else ""))
                self.inline(cell.children or ())
                is_first = False


def _sign(markup: str) -> str:
    return "• " if markup == "*" else f"{markup} "


# --- The parser -------------------------------------------------------------------------------------------------------


def _text(state: StateInline, silent: bool) -> bool:
    """A run of ordinary characters, or an address as a whole: the signs in it are no marks."""
    address = _ADDRESS.match(state.src, state.pos, state.posMax)
    if address is not None:
        end = address.end()
    else:
        stop = state.md.inline.terminator_re.search(state.src, state.pos)
        end = min(stop.start(), state.posMax) if stop else state.posMax
        begins = _ADDRESS_BEGINS.search(state.src, state.pos + 1, min(end + _LONGEST_SCHEME, state.posMax))
        end = min(begins.start(), end) if begins else end
    if end == state.pos:
        return False
    if not silent:
        state.pending += state.src[state.pos : end]
    state.pos = end
    return True


def _emphasis(state: StateInline, silent: bool) -> bool:
    """The marks of CommonMark, but that one asterisk within a word is none (`2*3*4`), and that two are one beside
    whatever stands there (`**Price:**300`, and languages that write no spaces).
    """
    marker = state.src[state.pos]
    if silent or marker not in "_*":
        return False
    scanned = state.scanDelims(state.pos, False)
    can_open, can_close = scanned.can_open, scanned.can_close
    if marker == "*" and scanned.length > 1:
        before = state.src[state.pos - 1] if state.pos else " "
        behind = state.src[state.pos + scanned.length : state.pos + scanned.length + 1] or " "
        can_open, can_close = not behind.isspace(), not before.isspace()
    for _ in range(scanned.length):
        state.push("text", "", 0).content = marker
        state.delimiters.append(
            Delimiter(
                marker=ord(marker),
                length=scanned.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=can_open,
                close=can_close,
            )
        )
    state.pos += scanned.length
    return True


def _quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A quote; not a comparison, such as `> 5 pieces`."""
    if _COMPARED.match(state.src, state.bMarks[start], state.eMarks[start]):
        return False
    return blockquote(state, start, end, silent)


class _Parser(MarkdownIt):
    """CommonMark with tables and strikethrough, without HTML, indented code and headings that are underlined. An
    address stays as it is typed; `a[0](1)` is no link.
    """

    def validateLink(self, url: str) -> bool:
        return _FOLLOWED.match(url) is not None

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


def _made() -> _Parser:
    parser = _Parser("commonmark", {"html": False, "maxNesting": 100})
    parser.enable(["table", "strikethrough"]).disable(["code", "lheading", "reference", "html_block", "html_inline"])
    parser.block.ruler.at("blockquote", _quote, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.inline.ruler.at("text", _text)
    parser.inline.ruler.at("emphasis", _emphasis)
    return parser


_PARSER = _made()
