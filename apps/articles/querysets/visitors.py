"""What a website's chat shows of articles: whether it shows them, and which first."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from apps.articles.models import HelpCenter
from apps.articles.querysets.articles import published_texts
from apps.articles.querysets.centers import Center, center_of
from apps.articles.querysets.tallies import most_viewed
from apps.articles.rules.addresses import article_url
from apps.articles.rules.states import InWidget

# Of what was read most, so many are looked at: some are not published in the visitor's language.
_LOOKED_AT = 50
_SHOWN = ("article_id", "lang", "shown_title", "shown_slug", "shown_summary")


class ListedArticle(NamedTuple):
    """An article to choose in the chat."""

    id: int
    lang: str
    title: str
    summary: str
    url: str | None


def shows_articles(widget_id: int) -> bool:
    """Whether the widget's chat has a help."""
    return _centers(widget_id).exists()


def served_help(widget_id: int, _language: str) -> Mapping[str, Any]:
    """The config's member of the help: none where it is off."""
    mode = _centers(widget_id).values_list("in_widget", flat=True).first()
    return {} if mode is None else {"help": {"mode": mode, "url": center_of(widget_id).base}}


def first_articles(widget_id: int, lang: str, most: int) -> list[ListedArticle]:
    """The articles to begin with, in a language or else the default one: those read most lately, then by position.

    Index: articles_published.
    """
    center = center_of(widget_id)
    viewed = most_viewed(widget_id, _LOOKED_AT)
    found = _listed(center, lang, {"article_id__in": viewed}) if viewed else []
    found = sorted(found, key=lambda each: viewed.index(each.id))[:most]
    if len(found) < most:
        known = [each.id for each in found]
        found += _listed(center, lang, {}, without=known, most=2 * most)[: most - len(found)]
    return found


def _centers(widget_id: int) -> Any:
    return HelpCenter.objects.for_widget(widget_id).exclude(in_widget=InWidget.OFF)


def _listed(
    center: Center, lang: str, which: Mapping[str, Any], *, without: Collection[int] = (), most: int | None = None
) -> list[ListedArticle]:
    """Articles by position, each once. `most` bounds the texts that are read: an article has two of these at most."""
    languages = [lang, center.default_language]
    texts = published_texts(center.row.widget_id).filter(lang__in=languages, **which).exclude(article_id__in=without)
    rows = texts.order_by("position", "article_id").values_list(*_SHOWN)[:most]
    return _each_once(center, rows, lang)


def _each_once(center: Center, rows: Sequence[tuple[Any, ...]] | Any, lang: str) -> list[ListedArticle]:
    found: dict[int, ListedArticle] = {}
    for article_id, of_text, title, slug, summary in rows:
        if article_id not in found or of_text == lang:
            url = None if center.base is None else article_url(center.base, of_text, article_id, slug)
            found[article_id] = ListedArticle(article_id, of_text, title, summary, url)
    return list(found.values())
