"""Answers to other apps: the knowledge for a question."""

from apps.core.plugins import Hooks
from apps.kb.actions.retrieval import retrieve

HOOKS = Hooks(knowledge=retrieve)
