"""An article's Markdown as a page and as a text for programs, and the colours of pages. Pure."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from apps.articles.rules.addresses import PICTURES_PATH
from apps.chats.rules.markup import plain_text
from apps.documentation.rules.markdown import RenderedMarkdown, render

LONGEST_DESCRIPTION = 160
# So much of a body makes its description.
_BEGINNING = 2_000
_ARTICLE = re.compile(r"article:([0-9]{1,18})(#[\w%-]{1,200})?", re.ASCII)
# An address of a link or of a definition, in Markdown as it is written.
_LINKED = re.compile(r"(\]\(<?|\]: {0,3}<?)article:([0-9]{1,18})")
_PICTURED = re.compile(rf"{re.escape(PICTURES_PATH)}([0-9a-f]{{32}})(?![0-9a-f])")
_FOLLOWED = re.compile(r"https?://[^/?#\s]|mailto:[^\s]|tel:[^\s]|#", re.IGNORECASE)
# The colours that a widget's theme has, and those of the installation in their place.
COLOURS = {
    "surface": "surface",
    "text": "ink",
    "muted": "soft",
    "line": "line",
    "bubble": "sunken",
    "bubble_text": "ink",
    "accent": "accent",
    "accent_text": "on-fill",
}


def linked_articles(body: str) -> set[int]:
    """The ids of the articles that a text leads to."""
    return {int(found[2]) for found in _LINKED.finditer(body)}


def with_links(body: str, target: Callable[[int], str]) -> str:
    """A body whose links to articles have the addresses that `target` gives for their ids."""
    return _LINKED.sub(lambda found: f"{found[1]}{target(int(found[2]))}", body)


def shown_pictures(body: str) -> set[str]:
    """The guids, as 32 digits, of the pictures that a text may show."""
    return set(_PICTURED.findall(body))


def article_html(
    body: str, *, links: Mapping[int, str], pictures: Mapping[str, tuple[int, int]], origins: Collection[str]
) -> RenderedMarkdown:
    """A body as HTML: headings begin at h2.

    `links` are the addresses of the articles that `article:ID` leads to; the words of another stay without a link.
    `pictures` are the width and height of our uploads, by guid; other pictures become links, so that a page asks no
    third party. `origins` are those at which our pictures may be named.
    """

    def address(link: str) -> str | None:
        if found := _ARTICLE.fullmatch(link):
            leads_to = links.get(int(found[1]))
            return leads_to and f"{leads_to}{found[2] or ''}"
        return link if _FOLLOWED.match(link) else None

    def picture(source: str) -> Mapping[str, str] | None:
        path = next((source[len(origin) :] for origin in origins if source.startswith(f"{origin}/")), source)
        found = _PICTURED.fullmatch(path)
        size = pictures.get(found[1]) if found else None
        return size and {"src": path, "width": str(size[0]), "height": str(size[1]), "loading": "lazy"}

    return render(body, links=address, pictures=picture)


def article_markdown(body: str, *, links: Mapping[int, str], origin: str) -> str:
    """A body for programs: `article:ID` becomes the article's address, and a picture's path its whole address."""
    text = with_links(body, lambda article_id: links.get(article_id, f"article:{article_id}"))
    return re.sub(rf"(\]\(<?|\]: {{0,3}}<?)(?={re.escape(PICTURES_PATH)})", rf"\g<1>{origin}", text)


def front_matter(*, title: str, url: str, language: str, updated: datetime) -> str:
    """The front matter of an article's text for programs, in YAML."""
    members = {"title": title, "url": url, "language": language, "updated": updated.isoformat(timespec="seconds")}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in members.items()]
    return "\n".join(["---", *lines, "---", "", ""])


def description_of(summary: str, body: str) -> str:
    """The description of an article: its summary, else the beginning of its text without marks."""
    text = " ".join((summary or plain_text(body[:_BEGINNING])).split())
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    return text[:LONGEST_DESCRIPTION].rpartition(" ")[0] or text[:LONGEST_DESCRIPTION]


def theme_css(light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """The style sheet with a theme's colours in both schemes; without a theme, the installation's."""
    if not light:
        values = {name: f"var(--p-{token})" for name, token in COLOURS.items()}
    else:
        values = {name: f"light-dark({light[name]},{dark[name]})" for name in COLOURS}
    return ":root{" + "".join(f"--{name.replace('_', '-')}:{value};" for name, value in values.items()) + "}"
