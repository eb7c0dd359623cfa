"""The public addresses of a help center, its articles and their pictures. Pure."""

import re

HELP_PATH = "/help/"
PICTURES_PATH = "/files/articles/"
_NAMED = re.compile(r"(?P<id>[0-9]{1,18})(?:-(?P<slug>[^/]*))?")


def center_base(public_url: str, slug: str, domain: str | None) -> str:
    """The address of a help center, without a slash at its end: that of its own domain, if that is verified."""
    return f"https://{domain}" if domain else f"{public_url}{HELP_PATH}{slug}"


def article_url(base: str, lang: str, article_id: int, slug: str) -> str:
    """The address of an article in a language."""
    return f"{base}{article_path(lang, article_id, slug)}"


def article_path(lang: str, article_id: int, slug: str) -> str:
    """The address of an article below that of its help center."""
    return f"/{lang}/{_named(article_id, slug)}"


def category_path(lang: str, category_id: int, slug: str) -> str:
    """The address of a category below that of its help center."""
    return f"/{lang}/c/{_named(category_id, slug)}"


def picture_path(guid: object) -> str:
    """The path of a picture, by its guid as 32 hexadecimal digits or as a UUID."""
    return f"{PICTURES_PATH}{str(guid).replace('-', '')}"


def read_name(name: str) -> tuple[int, str] | None:
    """The id and the slug in the last part of an address; None for another text."""
    found = _NAMED.fullmatch(name)
    return None if found is None else (int(found["id"]), found["slug"] or "")


def _named(row_id: int, slug: str) -> str:
    return f"{row_id}-{slug}" if slug else str(row_id)
