"""Limits of an article's text, when it is published, and which of its versions stay. Pure."""

import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from apps.articles.rules.limits import LATEST_PUBLISHING, MAX_BODY, MAX_SLUG, MAX_SUMMARY, MAX_TITLE
from apps.articles.rules.slugs import is_slug
from apps.core.parsing.names import control_refusal, name_refusal

# The members of a text that a version keeps.
CONTENT = ("slug", "title", "summary", "body")
_LONGEST = {"title": MAX_TITLE, "summary": MAX_SUMMARY, "body": MAX_BODY, "slug": MAX_SLUG}
_CONTROL_OF_BODY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def text_refusals(values: Mapping[str, Any]) -> dict[str, str]:
    """Why an article can't have these members of a text, by name: `title`, `summary`, `body`, `slug`."""
    found = {name: refusal for name, value in values.items() if (refusal := _refusal(name, value))}
    return {name: found[name] for name in CONTENT if name in found}


def _refusal(name: str, value: Any) -> str | None:
    if not isinstance(value, str):
        return "A text is expected."
    if len(value) > _LONGEST[name]:
        return f"Ensure this field has no more than {_LONGEST[name]} characters."
    if name == "title":
        return name_refusal(value)
    if name == "summary":
        return control_refusal(value)
    if name == "slug":
        return None if is_slug(value) else "Small letters a to z, digits and hyphens are expected."
    return "Control characters are not allowed." if _CONTROL_OF_BODY.search(value) else None


def lines_of(body: str) -> str:
    """A body with one kind of line feeds."""
    return body.replace("\r\n", "\n").replace("\r", "\n")


def publishing_refusals(*, body: str, at: datetime | None, now: datetime) -> dict[str, str]:
    """Why a version can't be published, now or at a moment, by name."""
    if not body.strip():
        return {"body": "The text is empty."}
    if at is not None and at <= now:
        return {"at": "The moment is past."}
    if at is not None and at > now + LATEST_PUBLISHING:
        return {"at": "The moment is more than a year away."}
    return {}


def forgotten_versions(versions: Collection[int], *, keep: Collection[int | None], most: int) -> list[int]:
    """The versions that are not kept: all but the newest `most`, and those of `keep`."""
    return [each for each in sorted(versions, reverse=True)[most:] if each not in keep]
