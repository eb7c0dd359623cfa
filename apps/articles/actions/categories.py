"""Making, changing and deleting categories of articles."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import Widget
from apps.articles.errors import CATEGORY_IN_USE, TOO_MANY_CATEGORIES
from apps.articles.models import Article, ArticleCategory
from apps.articles.rules.centers import texts_refusal
from apps.articles.rules.limits import MAX_CATEGORIES, MAX_NAME, MAX_POSITION
from apps.chats.questions import widget_languages
from apps.chats.rules.texts import language_refusals
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def create_category(*, widget_id: int, name: Mapping[str, str], position: int = 0) -> ArticleCategory:
    """Adds a category. Raises INVALID_INPUT (422) by path, TOO_MANY_CATEGORIES (409) beyond 100 of a widget."""
    values = {"name": name, "position": position}
    _refuse(widget_id, values)
    # Categories are counted under the widget's lock.
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    if ArticleCategory.objects.for_widget(widget_id).count() >= MAX_CATEGORIES:
        raise TOO_MANY_CATEGORIES()
    category: ArticleCategory = ArticleCategory.objects.create(widget_id=widget_id, **values)
    return category


@transaction.atomic
def change_category(*, widget_id: int, category_id: int, changes: Mapping[str, Any]) -> ArticleCategory:
    """Changes `name` and `position`. Raises NOT_FOUND (404), INVALID_INPUT (422) by path."""
    category = ArticleCategory.objects.for_widget(widget_id).get_for_update(pk=category_id)
    _refuse(widget_id, changes)
    save_changed(category, set_changes(category, changes))
    return category


@transaction.atomic
def delete_category(*, widget_id: int, category_id: int) -> None:
    """Deletes a category. Raises NOT_FOUND (404), CATEGORY_IN_USE (409) while articles are in it."""
    category = ArticleCategory.objects.for_widget(widget_id).select_for_update().get_or_404(pk=category_id)
    if Article.objects.for_widget(widget_id).filter(category=category).exists():
        raise CATEGORY_IN_USE()
    category.delete()


def _refuse(widget_id: int, values: Mapping[str, Any]) -> None:
    found: dict[str, str] = {}
    if "name" in values:
        refusal = texts_refusal(values["name"], MAX_NAME)
        supported = widget_languages(widget_id).supported
        found = {"name": refusal} if refusal else language_refusals(values["name"], supported, "name")
    if not 0 <= values.get("position", 0) <= MAX_POSITION:
        found["position"] = f"A number from 0 to {MAX_POSITION} is expected."
    if found:
        raise INVALID_INPUT(errors={path: [text] for path, text in found.items()})
