"""Markdown as HTML: the one renderer, of guides and of articles. Pure.

CommonMark with tables. HTML is shown as it is typed. The caller says which addresses a text may lead to, and which
pictures it may show. The work and the length of the HTML grow as the text does.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

# An address as it is written, to the one that is served; None: the words stay without a link.
Links = Callable[[str], str | None]
# The address of a picture, to the attributes of its element (`src`, `width`, `height`); None: it becomes a link.
Pictures = Callable[[str], Mapping[str, str] | None]

LONGEST_ADDRESS = 2_000
# One definition may be used by many links: characters of addresses and titles beyond the length of the text.
ROOM_FOR_ADDRESSES = 100_000
TOP_LEVEL, LOWEST_IN_CONTENTS, LOWEST_LEVEL = 2, 3, 6
_UNNAMED = "section"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its level (2 or 3), its anchor and its text."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class RenderedMarkdown:
    """A text as HTML, and those of its headings that contents list.

    `title` is the heading that `takes_title` took out of the text, else empty.
    """

    html: str
    headings: tuple[Heading, ...]
    title: str = ""


def no_pictures(_address: str) -> None:
    """Every picture becomes a link."""


def render(text: str, *, links: Links, pictures: Pictures = no_pictures, takes_title: bool = False) -> RenderedMarkdown:
    """The text as HTML. Its highest headings are h2, and no level is left out below them: the page has the h1.

    With `takes_title` a heading of the first level at its beginning is the title, and no part of the HTML.
    """
    tokens = parsed(text)
    title = ""
    if takes_title and tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        title, tokens = tokens[1].content, tokens[3:]
    _set_levels(tokens)
    headings = tuple(_anchored(tokens))
    mending = _Mending(links, pictures, len(text) + ROOM_FOR_ADDRESSES)
    for token in tokens:
        if token.type == "inline":
            token.children = list(mending.mended(token.children or []))
        elif align := token.attrs.pop("style", None):
            token.attrSet("class", str(align).removeprefix("text-align:"))  # policies forbid styles in attributes
    html: str = _PARSER.renderer.render(list(_framed(tokens)), _PARSER.options, {})
    return RenderedMarkdown(html, headings, title)


def parsed(text: str) -> list[Token]:
    """The text as the renderer reads it."""
    return _PARSER.parse(text)


class _PageParser(MarkdownIt):
    """Takes every address: `Links` and `Pictures` judge it."""

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        # A longer text is no address anyway, and is not worth the work.
        return super().normalizeLink(url) if len(url) <= LONGEST_ADDRESS else ""


_PARSER = _PageParser("commonmark", {"html": False}).enable("table")


def _set_levels(tokens: Sequence[Token]) -> None:
    """Moves headings, so that the highest is TOP_LEVEL and each is at most one below that before it."""
    ends = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    shift = min((int(token.tag[1]) for token in ends), default=TOP_LEVEL) - TOP_LEVEL
    level = TOP_LEVEL - 1
    for token in ends:
        if token.type == "heading_open":
            level = min(int(token.tag[1]) - shift, level + 1, LOWEST_LEVEL)
        token.tag = f"h{level}"


def _anchored(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Gives each heading the anchor that GitHub gives it."""
    taken: dict[str, int] = {}
    for token, inside in pairwise(tokens):
        if token.type != "heading_open":
            continue
        words = "".join(child.content for child in inside.children or [])
        base = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-") or _UNNAMED
        anchor, number = base, taken.get(base, 0)
        while anchor in taken:
            number += 1
            anchor = f"{base}-{number}"
        taken[base] = number
        taken.setdefault(anchor, 0)
        token.attrSet("id", anchor)
        if (level := int(token.tag[1])) <= LOWEST_IN_CONTENTS:
            yield Heading(level, anchor, words)


@dataclass(slots=True)
class _Mending:
    """Leads links to where their targets are served, and shows the pictures that may be. Links don't stand in links, so
    one end belongs to one begin. `room` is how many characters of addresses may still come.
    """

    links: Links
    pictures: Pictures
    room: int

    def mended(self, tokens: Sequence[Token]) -> Iterator[Token]:
        is_within = drops_end = False
        for token in tokens:
            if token.type == "link_open":
                address = self._fitting(token, self.links(str(token.attrs["href"])))
                is_within, drops_end = address is not None, address is None
                if address is None:
                    continue
                token.attrSet("href", address)
            elif token.type == "link_close":
                is_within = False
                if drops_end:
                    continue
            elif token.type == "image":
                yield from self._picture(token, is_within=is_within)
                continue
            yield token

    def _picture(self, token: Token, *, is_within: bool) -> Iterator[Token]:
        source = str(token.attrs["src"])
        shown = self.pictures(source)
        if shown is not None and self._fitting(token, shown["src"]) is not None:
            token.attrs |= shown
            yield token
            return
        words = Token("text", "", 0, content=_words(token.children or ()) or source)
        address = None if is_within else self._fitting(token, self.links(source))
        if address is None:
            yield words
            return
        yield Token("link_open", "a", 1, attrs={"href": address})
        yield words
        yield Token("link_close", "a", -1)

    def _fitting(self, token: Token, address: str | None) -> str | None:
        if address:
            self.room -= len(address) + len(str(token.attrs.get("title", "")))
        return address if address and self.room >= 0 else None


def _words(tokens: Sequence[Token]) -> str:
    return "".join("\n" if "break" in token.type else token.content for token in tokens)


def _framed(tokens: Sequence[Token]) -> Iterator[Token]:
    """Frames tables, which may be wider than a phone and can't scroll by themselves. The keyboard reaches the frame."""
    for token in tokens:
        if token.type == "table_open":
            yield Token("div_open", "div", 1, block=True, attrs={"class": "wide", "tabindex": "0"})
        yield token
        if token.type == "table_close":
            yield Token("div_close", "div", -1, block=True)
