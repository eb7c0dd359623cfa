"""Web pages and sitemaps for who crawls: the text, and where it leads."""

import gzip
import io
import re
import zlib
from typing import Any

from apps.extraction.sandbox.blocks import document
from apps.extraction.sandbox.encodings import decode
from apps.extraction.sandbox.formats import declared_charset, page
from apps.extraction.sandbox.refusals import DocumentRefused
from apps.extraction.sandbox.texts import plain

MAX_LINKS, MAX_URL, MAX_REFRESH_S = 2000, 2048, 10
MAX_SITEMAP_BYTES, MAX_LOCATIONS = 10 * 1024 * 1024, 10_000
_ROBOTS = {"robots", "parleybot"}


def read(content: bytes, *, is_html: bool, charset: str) -> dict[str, Any]:
    """The content of a page: `document` (None without text), `links` as `[address, is followed]`, `canonical`, `base`,
    the words of its meta robots, `refresh` (the address that it leads on to by itself), `has_scripts`, and
    `asks_password`. Raises DocumentRefused (unreadable) for what is no text.
    """
    if b"\0" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentRefused("unreadable", "binary")
    text = decode(content, declared=charset or (declared_charset(content) if is_html else ""))
    said: dict[str, Any] = {"document": None, "links": [], "canonical": None, "base": None, "robots": []}
    said |= {"refresh": None, "has_scripts": False, "asks_password": False}
    if not is_html:
        said["document"] = _document("", plain(text))
    elif text.strip():
        said |= _leads(text)
        said["document"] = _document(*page(_without_noscript(text)))
    return said


def _document(title: str, blocks: Any) -> dict[str, Any] | None:
    try:
        return document(blocks, title=title)
    except DocumentRefused as refused:
        if refused.code != "no_text":
            raise
        return None


def _leads(text: str) -> dict[str, Any]:
    from apps.extraction.sandbox.markup import tree_of

    tree = tree_of(text)
    links: dict[str, bool] = {}
    for element in tree.iter("a", "area"):
        href = (element.get("href") or "").strip()
        if 0 < len(href) <= MAX_URL and len(links) < MAX_LINKS:
            is_followed = "nofollow" not in (element.get("rel") or "").lower().split()
            links[href] = links.get(href, False) or is_followed
    robots = [
        word
        for meta in tree.iter("meta")
        if (meta.get("name") or "").strip().lower() in _ROBOTS
        for word in re.split(r"[\s,]+", (meta.get("content") or "").lower())
    ]
    return {
        "links": [[href, is_followed] for href, is_followed in links.items()],
        "canonical": _first(tree, "link", "canonical"),
        "base": next((base.get("href")[:MAX_URL] for base in tree.iter("base") if base.get("href")), None),
        "robots": robots[:20],
        "refresh": _refresh(tree),
        "has_scripts": next(tree.iter("script"), None) is not None,
        "asks_password": any((one.get("type") or "").lower() == "password" for one in tree.iter("input")),
    }


def _without_noscript(text: str) -> str:
    """The page as its readers see it: what stands in for scripts is shown to nobody."""
    from lxml import etree
    from lxml import html as lxml_html

    from apps.extraction.sandbox.markup import tree_of

    if "<noscript" not in text.lower():
        return text
    tree = tree_of(text)
    for element in list(tree.iter("noscript")):
        element.drop_tree()
    return str(lxml_html.tostring(tree, encoding="unicode", doctype=None)) if isinstance(tree, etree._Element) else text


def _refresh(tree: Any) -> str | None:
    """The address that a page leads on to within MAX_REFRESH_S seconds."""
    for meta in tree.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        seconds, _, address = (meta.get("content") or "")[: MAX_URL + 40].partition(";")
        name, _, address = address.strip().partition("=")
        is_soon = (
            seconds.strip().partition(".")[0].isdecimal() and float(seconds.strip().partition(".")[0]) <= MAX_REFRESH_S
        )
        address = address.strip().strip("'\"").strip()
        if is_soon and name.strip().lower() == "url" and 0 < len(address) <= MAX_URL:
            return str(address)
    return None


def _first(tree: Any, tag: str, relation: str) -> str | None:
    for element in tree.iter(tag):
        href = (element.get("href") or "").strip()
        if relation in (element.get("rel") or "").lower().split() and 0 < len(href) <= MAX_URL:
            return str(href)
    return None


def sitemap(content: bytes) -> dict[str, Any]:
    """The addresses of a sitemap's `pages`, and of the other `sitemaps` that it lists; by address, when a page was
    `changed` last. Raises DocumentRefused.
    """
    from lxml import etree

    xml = _unpacked(content)
    if re.search(rb"<!\s*(DOCTYPE|ENTITY)", xml, re.IGNORECASE):
        raise DocumentRefused("limits_exceeded", "a DOCTYPE")
    found: dict[str, Any] = {"pages": [], "sitemaps": [], "changed": {}}
    reader = etree.iterparse(io.BytesIO(xml), events=("end",), resolve_entities=False, no_network=True, recover=True)
    for _, element in reader:
        name = etree.QName(element).localname if isinstance(element.tag, str) else ""
        if name not in ("url", "sitemap"):
            continue
        said = {etree.QName(one).localname: (one.text or "").strip() for one in element if isinstance(one.tag, str)}
        address = said.get("loc", "")
        if 0 < len(address) <= MAX_URL:
            found["pages" if name == "url" else "sitemaps"].append(address)
            if name == "url" and said.get("lastmod"):
                found["changed"][address] = said["lastmod"][:40]
        element.clear()
        if len(found["pages"]) + len(found["sitemaps"]) >= MAX_LOCATIONS:
            break
    return found


def _unpacked(content: bytes) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.open(io.BytesIO(content)) as opened:
            xml = opened.read(MAX_SITEMAP_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DocumentRefused("unreadable", type(error).__name__) from None
    if len(xml) > MAX_SITEMAP_BYTES:
        raise DocumentRefused("limits_exceeded", "a sitemap")
    return xml
