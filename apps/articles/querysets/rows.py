"""The rows of this app's tables."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, Subquery
from django.db.models.functions import JSONObject

from apps.articles.rules.states import TextState
from apps.core.database.tenants import TenantQuerySet

# The members of a text that its article is shown with; the body is read apart.
_OF_TEXT = (
    "lang",
    "slug",
    "title",
    "summary",
    "version",
    "published_version",
    "publish_at",
    "published_at",
    "updated_at",
    "draft_state",
    "unsupported",
)

if TYPE_CHECKING:
    from apps.articles.models import (  # noqa: F401 - named in the bases below
        Article,
        ArticleCategory,
        ArticleText,
        ArticleVersion,
    )
_OF_ARTICLE = Q(widget_id=OuterRef("widget_id"), article=OuterRef("pk"))
_OF_TEXT_ROW = Q(widget_id=OuterRef("widget_id"), text=OuterRef("pk"), version=OuterRef("published_version"))


class CategoryQuerySet(TenantQuerySet["ArticleCategory"]):
    """The categories of a widget."""

    def in_order(self) -> Self:
        """As readers see them. Index: articles_categories."""
        return self.order_by("position", "pk")


class ArticleQuerySet(TenantQuerySet["Article"]):
    """The articles of a widget."""

    def for_api(self) -> Self:
        """With its texts and their bodies, by language, and with the parts of their addresses."""
        from apps.articles.models import ArticleText, ArticleVersion

        texts = ArticleText.objects.unscoped("each article's widget").filter(_OF_ARTICLE).order_by("lang")
        seen = ArticleVersion.objects.unscoped("each text's widget").filter(_OF_TEXT_ROW)
        members = JSONObject(**{name: name for name in _OF_TEXT}, published_slug=Subquery(seen.values("slug")[:1]))
        center = "widget__help_center__"
        return self.annotate(
            texts_shown=ArraySubquery(texts.values(json=members)),
            bodies=ArraySubquery(texts.values("body")),
            center_is_public=F(f"{center}is_public"),
            center_slug=F(f"{center}slug"),
            center_domain=F(f"{center}domain"),
            center_domain_state=F(f"{center}domain_state"),
        )

    def with_text(self, *, state: TextState | None = None, lang: str | None = None, title: str | None = None) -> Self:
        """The articles of which one text is in that state and language, and has these words in its title."""
        from apps.articles.models import ArticleText

        texts = ArticleText.objects.unscoped("each article's widget").filter(_OF_ARTICLE)
        if state is not None:
            texts = texts.filter(published_version__isnull=state == TextState.DRAFT)
        if lang is not None:
            texts = texts.filter(lang=lang)
        if title is not None:
            texts = texts.filter(title__icontains=title)
        return self.filter(Exists(texts)) if (state or lang or title) else self


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

    def for_api(self) -> Self:
        """With whether readers see it."""
        of_reader = Q(text__published_version__isnull=False, version=F("text__published_version"))
        is_seen = ExpressionWrapper(of_reader, output_field=BooleanField())
        return self.annotate(is_published=is_seen)

    def newest_first(self) -> Self:
        return self.order_by("-version")
