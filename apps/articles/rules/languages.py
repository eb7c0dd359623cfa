"""The language of an article that a reader is given. Pure."""

from collections.abc import Collection


def served_language(languages: Collection[str], wished: str, *, default: str) -> str | None:
    """The reader's, else the help center's default; None where the article is in neither."""
    return next((code for code in (wished, default) if code in languages), None)
