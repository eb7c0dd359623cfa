"""Answers to other apps: the pages of a help center, which are knowledge already."""

from apps.articles.querysets.centers import own_pages
from apps.kb.questions import KnowledgeHooks

TO_KB = KnowledgeHooks(own_pages=own_pages)
