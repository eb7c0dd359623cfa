"""The cabinet's pages of the knowledge base, by noun."""

from django.utils.translation import pgettext_lazy

from apps.kb.admin.crawler import CrawlerAdmin, CrawlRunAdmin
from apps.kb.admin.knowledge import KnowledgeBaseAdmin, RuleAdmin
from apps.kb.admin.sources import SourceAdmin
from apps.kb.admin.uploads import UploadAdmin

__all__ = ["CrawlRunAdmin", "CrawlerAdmin", "KnowledgeBaseAdmin", "RuleAdmin", "SourceAdmin", "UploadAdmin"]

# What states are called.
STATES = (
    *(pgettext_lazy("value", "queued"), pgettext_lazy("value", "extracting"), pgettext_lazy("value", "embedding")),
    *(pgettext_lazy("value", "ready"), pgettext_lazy("value", "failed"), pgettext_lazy("value", "running")),
    *(pgettext_lazy("value", "done"), pgettext_lazy("value", "cancelled")),
    *(pgettext_lazy("value", "pending"), pgettext_lazy("value", "none")),
)
