"""Answers to other apps: the questions asked in vain, and the sentences of alerts."""

from apps.ai.questions import AiHooks
from apps.kb.questions import KnowledgeHooks
from apps.learning.actions.examining import draft_of_wish
from apps.learning.labels import ALERT_SENTENCES
from apps.learning.querysets import asked_in_vain

TO_AI = AiHooks(alert_sentences=ALERT_SENTENCES, wish_draft=draft_of_wish)
TO_KB = KnowledgeHooks(asked_in_vain=asked_in_vain)
