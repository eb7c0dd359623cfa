"""Factories of articles."""

from typing import Any

from apps.accounts.models import Widget
from apps.articles.actions.articles import create_article
from apps.articles.actions.publishing import publish
from apps.articles.models import Article


def an_article(widget: Widget, *, published: bool = False, **members: Any) -> Article:
    """An article of a widget, in English if not said otherwise, as the API makes it."""
    of_text = {"lang": "en", "title": "Returns", "body": "Send it back within 14 days."}
    article = create_article(widget_id=widget.pk, **{**of_text, **members})
    if published:
        publish(widget_id=widget.pk, article_id=article.pk, lang=members.get("lang", "en"))
    return article
