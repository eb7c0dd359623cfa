"""Answers to other apps: the knowledge for a question."""

from apps.kb.actions.retrieval import retrieve
from apps.kb.questions import KnowledgeHooks

TO_KB = KnowledgeHooks(knowledge=retrieve)
