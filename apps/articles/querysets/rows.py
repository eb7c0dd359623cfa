"""The rows of this app's tables."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.articles.models import (  # noqa: F401 - named in the bases below
        Article,
        ArticleCategory,
        ArticleText,
        ArticleVersion,
    )


class CategoryQuerySet(TenantQuerySet["ArticleCategory"]):
    """The categories of a widget."""

    def in_order(self) -> Self:
        """As readers see them. Index: articles_categories."""
        return self.order_by("position", "pk")


class ArticleQuerySet(TenantQuerySet["Article"]):
    """The articles of a widget."""

    def for_api(self) -> Self:
        """With the texts, in one more statement."""
        return self.prefetch_related("texts")


class ArticleTextQuerySet(TenantQuerySet["ArticleText"]):
    """The texts of a widget's articles."""

    def published(self) -> Self:
        """The texts that readers see. Index: articles_published."""
        return self.filter(published_version__isnull=False)

    def due(self, now: datetime) -> Self:
        """The texts whose moment to be published has come. Index: articles_due."""
        return self.filter(publish_at__lte=now)


class ArticleVersionQuerySet(TenantQuerySet["ArticleVersion"]):
    """The versions of texts."""

    def newest_first(self) -> Self:
        return self.order_by("-version")
