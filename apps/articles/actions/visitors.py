"""Articles in a website's chat. Readers there stay unknown: no contact, session or chat is made.

Each raises NOT_FOUND (404) where the widget's chat shows no articles.
"""

from collections.abc import Sequence
from typing import Any, Literal

from apps.articles.actions.results import most_read
from apps.articles.actions.search import Hit, address_of, search
from apps.articles.actions.tallies import count_suggested, count_view, give_feedback, keep_search, read
from apps.articles.querysets.articles import languages_of
from apps.articles.querysets.centers import center_of, default_language
from apps.articles.querysets.visitors import shows_articles
from apps.articles.rules.languages import served_language
from apps.articles.rules.tallies import ReadingPlace
from apps.chats.models import Contact
from apps.core.errors import NOT_FOUND

LISTED = 5


def list_articles(*, widget_id: int, lang: str) -> Sequence[Hit]:
    """At most LISTED articles: those that were read most in thirty days, then by position."""
    _require_help(widget_id)
    return most_read(widget_id, lang, LISTED)


def search_articles(
    *, widget_id: int, q: str, lang: str, limit: int, purpose: Literal["search", "suggestion"], key: str
) -> Sequence[Hit]:
    """The articles that answer a question, the best first. A search that was submitted is kept, redacted."""
    _require_help(widget_id)
    found = search(widget_id, q, lang, limit, purpose=purpose)
    if purpose == "search":
        articles = [hit.article_id for hit in found]
        keep_search(widget_id=widget_id, q=q, lang=lang, key=key, found=articles, place=ReadingPlace.WIDGET)
    elif found:
        count_suggested(widget_id=widget_id, texts=[(hit.article_id, hit.lang) for hit in found])
    return found


def show_article(*, widget_id: int, article_id: int, lang: str, user_agent: str) -> dict[str, Any]:
    """A published article in that language, else in the default one; counts that it was shown.

    Raises NOT_FOUND (404) where it is published in neither.
    """
    _require_help(widget_id)
    center, texts = center_of(widget_id), languages_of(widget_id, article_id)
    served = served_language(texts, lang, default=center.default_language)
    if served is None:
        raise NOT_FOUND()
    text = texts[served]
    count_view(
        widget_id=widget_id, article_id=article_id, lang=served, place=ReadingPlace.WIDGET, user_agent=user_agent
    )
    return {
        "id": article_id,
        "lang": served,
        "title": text.title,
        "markdown": text.body,
        "url": address_of(center, served, article_id, text.slug),
        "languages": sorted(texts),
        "updated_at": text.published_at,
    }


def note_reading(*, widget_id: int, article_id: int, lang: str, key: str, contact: Contact | None) -> None:
    """Notes that a browser has opened an article. Raises NOT_FOUND (404) for one that is not published."""
    served = _served(widget_id, article_id, lang)
    read(widget_id=widget_id, article_id=article_id, lang=served, key=key, contact=contact)


def note_voice(
    *,
    widget_id: int,
    article_id: int,
    lang: str,
    key: str,
    contact: Contact | None,
    helpful: bool | None,
    reason: str | None,
    text: str | None,
) -> None:
    """Keeps the voice of a browser's reader about an article. Raises NOT_FOUND (404) for one that is not published."""
    give_feedback(
        widget_id=widget_id,
        article_id=article_id,
        lang=_served(widget_id, article_id, lang),
        key=key,
        contact=contact,
        helpful=helpful,
        reason=reason,
        text=text,
    )


def _require_help(widget_id: int) -> None:
    if not shows_articles(widget_id):
        raise NOT_FOUND("This chat shows no articles.")


def _served(widget_id: int, article_id: int, lang: str) -> str:
    """The language in which an article is shown to a reader."""
    _require_help(widget_id)
    served = served_language(languages_of(widget_id, article_id), lang, default=default_language(widget_id))
    if served is None:
        raise NOT_FOUND()
    return served
