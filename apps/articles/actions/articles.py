"""Making, placing and deleting articles."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import Widget
from apps.articles.actions.texts import add_text, languages_refusal
from apps.articles.errors import TOO_MANY_ARTICLES
from apps.articles.events import ArticleUnpublished
from apps.articles.models import Article, ArticleCategory, ArticleText
from apps.articles.rules.limits import MAX_ARTICLES, MAX_POSITION
from apps.articles.rules.texts import text_refusals
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def create_article(
    *,
    widget_id: int,
    lang: str,
    title: str,
    body: str = "",
    summary: str = "",
    slug: str | None = None,
    category_id: int | None = None,
    position: int = 0,
    actor: str = "",
    origin_key: str | None = None,
    gap_key: str | None = None,
    asked: Mapping[str, Any] | None = None,
) -> Article:
    """Adds an article with its first text, a draft. Without `slug` it is made of the title.

    Raises INVALID_INPUT (422) by name, TOO_MANY_ARTICLES (409) beyond 10,000 of a widget.
    """
    content = {"title": title, "body": body, "summary": summary, **({} if slug is None else {"slug": slug})}
    place = {"category_id": category_id, "position": position}
    refusals = languages_refusal(widget_id, lang) | text_refusals(content) | _place_refusals(widget_id, place)
    if refusals:
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})
    # Articles are counted under the widget's lock.
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    if Article.objects.for_widget(widget_id).count() >= MAX_ARTICLES:
        raise TOO_MANY_ARTICLES()
    article = Article(widget_id=widget_id, origin_key=origin_key, gap_key=gap_key, asked=asked, **place)
    article.save(force_insert=True)
    add_text(article, lang, content, actor=actor)
    return article


@transaction.atomic
def change_article(*, widget_id: int, article_id: int, changes: Mapping[str, Any]) -> Article:
    """Changes `category_id` and `position`. Raises NOT_FOUND (404), INVALID_INPUT (422) by name."""
    article = Article.objects.for_widget(widget_id).get_for_update(pk=article_id)
    if refusals := _place_refusals(widget_id, changes):
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals.items()})
    save_changed(article, set_changes(article, changes))
    return article


@transaction.atomic
def delete_article(*, widget_id: int, article_id: int) -> None:
    """Deletes an article with all its texts and their versions; readers see it no longer. Raises NOT_FOUND (404)."""
    article = Article.objects.for_widget(widget_id).select_for_update().get_or_404(pk=article_id)
    seen = ArticleText.objects.for_widget(widget_id).filter(article=article).published()
    events = [
        ArticleUnpublished(widget_id=widget_id, article_id=article_id, lang=lang, version=version)
        for lang, version in seen.order_by("lang").values_list("lang", "published_version")
        if version is not None
    ]
    article.delete()
    if events:
        bus.publish(*events)


def _place_refusals(widget_id: int, place: Mapping[str, Any]) -> dict[str, str]:
    found = {}
    category_id = place.get("category_id")
    if category_id is not None:
        categories = ArticleCategory.objects.for_widget(widget_id)
        # It stays until this article is in it.
        if not categories.select_for_update(of=("self",), no_key=True).filter(pk=category_id).exists():
            found["category_id"] = "There is no such category."
    if not 0 <= place.get("position", 0) <= MAX_POSITION:
        found["position"] = f"A number from 0 to {MAX_POSITION} is expected."
    return found
