"""The tables of articles."""

from apps.articles.models.articles import Article, ArticleCategory, ArticleText, ArticleVersion
from apps.articles.models.centers import HelpCenter
from apps.articles.models.pictures import ArticlePicture

__all__ = ["Article", "ArticleCategory", "ArticlePicture", "ArticleText", "ArticleVersion", "HelpCenter"]
