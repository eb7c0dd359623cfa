"""The tables of articles."""

from apps.articles.models.articles import Article, ArticleCategory, ArticleText, ArticleVersion
from apps.articles.models.asked import ArticleDraft, ArticleTold
from apps.articles.models.centers import HelpCenter
from apps.articles.models.imports import ArticleImport
from apps.articles.models.pages import WidgetArticleGaps, WidgetArticleResults
from apps.articles.models.pictures import ArticlePicture
from apps.articles.models.searching import ArticleWord, SearchableText
from apps.articles.models.tallies import ArticleReader, ArticleSearch, ArticleTally

__all__ = [
    "Article",
    "ArticleCategory",
    "ArticleDraft",
    "ArticleImport",
    "ArticlePicture",
    "ArticleReader",
    "ArticleSearch",
    "ArticleTally",
    "ArticleText",
    "ArticleTold",
    "ArticleVersion",
    "ArticleWord",
    "HelpCenter",
    "SearchableText",
    "WidgetArticleGaps",
    "WidgetArticleResults",
]
