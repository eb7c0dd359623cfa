"""The cabinet's pages of articles: list and editor, categories, gaps, results, the help center."""

from apps.articles.admin import articles, categories, centers, gaps, results

__all__ = ["articles", "categories", "centers", "gaps", "results"]
