"""Reads of the public pages of a help center."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Count, Exists, F, QuerySet

from apps.articles.models import ArticleCategory, ArticlePicture, ArticleText, ArticleVersion, HelpCenter
from apps.articles.rules.states import DomainState
from apps.chats.questions import WidgetLanguages, widget_languages
from apps.chats.rules.texts import Texts, text_in


@dataclass(frozen=True, slots=True)
class ListedArticle:
    """A published article in a list."""

    id: int
    slug: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class ListedCategory:
    """A category with published articles: its name in a language, and how many they are."""

    id: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class IndexedText:
    """A published text as search engines and programs are told of it."""

    article_id: int
    lang: str
    slug: str
    title: str
    summary: str
    category_id: int | None
    published_at: datetime


@dataclass(frozen=True)
class PublicCenter:
    """A help center whose pages are public."""

    row: HelpCenter
    languages: WidgetLanguages

    @property
    def widget_id(self) -> int:
        return self.row.widget_id

    @property
    def slug(self) -> str:
        return self.row.slug or ""

    @property
    def domain(self) -> str | None:
        """Its own domain, where that answers."""
        return self.row.domain if self.row.domain_state == DomainState.VERIFIED else None

    @property
    def default_language(self) -> str:
        chosen = self.row.default_language
        return chosen if chosen in self.languages.supported else self.languages.fallback

    def title(self, lang: str) -> str:
        return self.text(self.row.title, lang) or self.row.widget.name

    def text(self, texts: Texts | None, lang: str) -> str:
        """One of its texts as a reader of that language sees it; empty where there is none."""
        if not texts:
            return ""
        return text_in(texts, lang, fallback=self.languages.fallback, supported=self.languages.supported)

    @cached_property
    def written_languages(self) -> list[str]:
        """The supported languages in which an article is published, in their order. One statement, at the first time.

        Index: articles_published.
        """
        texts = ArticleText.objects.for_widget(self.widget_id).published()
        has = {f"has_{lang}": Exists(texts.filter(lang=lang)) for lang in self.languages.supported}
        found = HelpCenter.objects.for_widget(self.widget_id).annotate(**has).values(*has).get()
        return [lang for lang in self.languages.supported if found[f"has_{lang}"]]


def public_center(slug: str) -> PublicCenter | None:
    """The help center at `/help/{slug}`; None where there is none that is public. Two statements."""
    rows = HelpCenter.objects.unscoped("a page is found by the slug in its address").select_related("widget")
    row = rows.filter(slug=slug, is_public=True).first()
    return None if row is None else PublicCenter(row, widget_languages(row.widget_id))


def listed(widget_id: int, lang: str, category_id: int | None, *, offset: int, limit: int) -> list[ListedArticle]:
    """The published articles of a category, or of none, by their position."""
    rows = _versions(widget_id).filter(text__lang=lang, text__article__category_id=category_id)
    rows = rows.order_by("text__article__position", "text__article_id")[offset : offset + limit]
    return [ListedArticle(*row) for row in rows.values_list("text__article_id", "slug", "title", "summary")]


def counts(widget_id: int, lang: str) -> dict[int | None, int]:
    """How many articles are published in a language, by category; of none under None. Index: articles_published."""
    texts = ArticleText.objects.for_widget(widget_id).published().filter(lang=lang)
    rows = texts.filter(article__widget_id=widget_id).order_by().values_list("article__category_id")
    return dict(rows.annotate(number=Count("pk")))


def categories(center: PublicCenter, lang: str, *, of: Mapping[int | None, int]) -> list[ListedCategory]:
    """The categories that have articles, by their position."""
    rows = ArticleCategory.objects.for_widget(center.widget_id).filter(pk__in=[one for one in of if one])
    return [ListedCategory(row.pk, center.text(row.name, lang), of[row.pk]) for row in rows.in_order()]


def category(widget_id: int, category_id: int) -> ArticleCategory | None:
    """A category of a widget."""
    return ArticleCategory.objects.for_widget(widget_id).filter(pk=category_id).first()


def slugs_of(widget_id: int, article_ids: Collection[int]) -> dict[int, dict[str, str]]:
    """The slugs of published articles by language. No statement for none."""
    if not article_ids:
        return {}
    rows = _versions(widget_id).filter(text__article_id__in=article_ids)
    found: dict[int, dict[str, str]] = {}
    for article_id, lang, slug in rows.values_list("text__article_id", "text__lang", "slug"):
        found.setdefault(article_id, {})[lang] = slug
    return found


def picture_sizes(widget_id: int, guids: Collection[str]) -> dict[str, tuple[int, int]]:
    """The width and height of the widget's pictures, by guid as 32 digits. No statement for none."""
    if not guids:
        return {}
    rows = ArticlePicture.objects.for_widget(widget_id).filter(guid__in=guids)
    return {guid.hex: (width, height) for guid, width, height in rows.values_list("guid", "width", "height")}


def indexed(widget_id: int, *, lang: str | None = None) -> list[IndexedText]:
    """The published texts of a widget, or of one language, by their articles' position."""
    rows = _versions(widget_id).filter(**({} if lang is None else {"text__lang": lang}))
    columns = ("text__article_id", "text__lang", "slug", "title", "summary", "text__article__category_id")
    rows = rows.order_by("text__article__position", "text__article_id", "text__lang")
    return [IndexedText(*row) for row in rows.values_list(*columns, "text__published_at")]


def _versions(widget_id: int) -> QuerySet[Any]:
    """The versions that readers see."""
    return ArticleVersion.objects.for_widget(widget_id).filter(
        version=F("text__published_version"), text__widget_id=widget_id, text__article__widget_id=widget_id
    )


def help_host(domain: str) -> tuple[str, str] | None:
    """The slug and the widget's guid of the public help center whose verified domain it is."""
    rows = HelpCenter.objects.unscoped("a host is found by its name").filter(domain=domain, is_public=True)
    row = rows.filter(domain_state=DomainState.VERIFIED).values_list("slug", "widget__guid").first()
    return None if row is None or not row[0] else (row[0], str(row[1]).replace("-", ""))


def domain_of(widget_id: int) -> str | None:
    """The verified domain of a widget's public help center."""
    rows = HelpCenter.objects.for_widget(widget_id).filter(is_public=True, domain_state=DomainState.VERIFIED)
    return rows.values_list("domain", flat=True).first()
