"""Answers to other apps: the knowledge for a question."""

from apps.kb.actions.retrieval import retrieve
from apps.kb.querysets.retrieval import KNOWLEDGE_BASE
from apps.kb.questions import KnowledgeHooks

TO_KB = KnowledgeHooks(knowledge=retrieve, knowledge_base=KNOWLEDGE_BASE)
