"""The published texts of a widget: AI, the widget and the pages give them to readers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, Subquery

from apps.articles.models import ArticleText, ArticleVersion
from apps.articles.querysets.rows import ArticleTextQuerySet
from apps.articles.rules.languages import served_language

_OF_VERSION = ("title", "slug", "summary", "body")


@dataclass(frozen=True, slots=True)
class PublishedText:
    """A text as readers see it: that of the published version."""

    article_id: int
    lang: str
    title: str
    slug: str
    summary: str
    body: str
    category_id: int | None
    position: int
    published_at: datetime
    version: int


def published_texts(widget_id: int) -> ArticleTextQuerySet:
    """The rows of published texts, each with `shown_title`, `shown_slug`, `shown_summary` and `shown_body` of its
    published version, `category_id` and `position` of its article. `shown(rows)` gives them as `Published`.

    Index: articles_published, then that of articles_version_once.
    """
    version = ArticleVersion.objects.for_widget(widget_id).filter(
        text=OuterRef("pk"), version=OuterRef("published_version")
    )
    columns: dict[str, Any] = {f"shown_{name}": Subquery(version.values(name)[:1]) for name in _OF_VERSION}
    rows: ArticleTextQuerySet = ArticleText.objects.for_widget(widget_id).published()
    return rows.annotate(**columns, category_id=F("article__category_id"), position=F("article__position"))


def shown(rows: Iterable[Any]) -> Iterator[PublishedText]:
    """The rows of `published_texts` as readers see them."""
    for row in rows:
        yield PublishedText(
            article_id=row.article_id,
            lang=row.lang,
            title=row.shown_title,
            slug=row.shown_slug,
            summary=row.shown_summary,
            body=row.shown_body,
            category_id=row.category_id,
            position=row.position,
            published_at=row.published_at,
            version=row.published_version,
        )


def languages_of(widget_id: int, article_id: int) -> Mapping[str, PublishedText]:
    """The published texts of an article by language."""
    return {each.lang: each for each in shown(published_texts(widget_id).filter(article_id=article_id))}


def published(widget_id: int, article_id: int, lang: str) -> PublishedText | None:
    """An article as a reader of that language sees it: else in the default language; None where it is in neither."""
    from apps.articles.querysets.centers import default_language

    texts = languages_of(widget_id, article_id)
    if lang in texts:
        return texts[lang]
    found = served_language(texts, lang, default=default_language(widget_id)) if texts else None
    return texts[found] if found else None
