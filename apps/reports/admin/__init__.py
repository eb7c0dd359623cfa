"""The cabinet's pages of reports."""

from apps.reports.admin import letters, pages, ratings

__all__ = ["letters", "pages", "ratings"]
