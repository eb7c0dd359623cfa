"""How a guide's Markdown becomes a page."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

# A link of a file below `docs/` to another, without its fragment, to the address of that; None: it is not served.
Addresses = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its level (2 or 3), its anchor and its text."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A guide's title, its HTML without that, and its headings."""

    title: str
    html: str
    headings: tuple[Heading, ...]


def render(text: str, file: str, addresses: Addresses) -> RenderedPage:
    """The page of a file below `docs/`. Foreign HTML is shown as text.

    A relative link leads to where its target is served; where that is not, its text stays without a link.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    title, tokens = tokens[1].content, tokens[3:]
    headings = tuple(_anchored(tokens))
    for token in tokens:
        if token.type == "inline":
            token.children = list(_mended(token.children or [], posixpath.dirname(file), addresses))
    html: str = markdown.renderer.render(list(_framed(tokens)), markdown.options, {})
    return RenderedPage(title, html, headings)


def _anchored(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Gives each heading the anchor that GitHub gives it."""
    taken: dict[str, int] = {}
    for token, inside in pairwise(tokens):
        if token.type != "heading_open":
            continue
        words = "".join(child.content for child in inside.children or [])
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        taken[anchor] = taken.get(anchor, -1) + 1
        anchor = f"{anchor}-{taken[anchor]}" if taken[anchor] else anchor
        token.attrSet("id", anchor)
        if token.tag in ("h2", "h3"):
            yield Heading(int(token.tag[1]), anchor, words)


def _mended(tokens: Sequence[Token], folder: str, addresses: Addresses) -> Iterator[Token]:
    """Leads links to where their targets are served; links don't stand in links, so one end belongs to one begin."""
    drops_end = False
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrs["href"]), folder, addresses)
            drops_end = address is None
            if address is None:
                continue
            token.attrSet("href", address)
        elif token.type == "link_close" and drops_end:
            continue
        yield token


def _address(link: str, folder: str, addresses: Addresses) -> str | None:
    if link.startswith(("#", "/", "http://", "https://")):
        return link
    path, hash_, fragment = link.partition("#")
    address = addresses(posixpath.normpath(posixpath.join(folder, path)))
    return None if address is None else f"{address}{hash_}{fragment}"


def _framed(tokens: Sequence[Token]) -> Iterator[Token]:
    """Frames what may be wider than a phone: a table can't scroll by itself."""
    for token in tokens:
        if token.type == "table_open":
            frame = Token("div_open", "div", 1, block=True)
            frame.attrSet("class", "wide")
            yield frame
        yield token
        if token.type == "table_close":
            yield Token("div_close", "div", -1, block=True)
