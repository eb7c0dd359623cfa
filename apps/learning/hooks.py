"""Answers to other apps: questions in vain, a model's articles about them, and the sentences of alerts."""

from apps.ai.questions import AiHooks
from apps.articles.questions import ArticleHooks
from apps.kb.questions import KnowledgeHooks
from apps.learning.actions import articles
from apps.learning.actions.examining import draft_of_wish
from apps.learning.labels import ALERT_SENTENCES
from apps.learning.querysets import asked_in_vain

TO_AI = AiHooks(alert_sentences=ALERT_SENTENCES, wish_draft=draft_of_wish)
TO_KB = KnowledgeHooks(asked_in_vain=asked_in_vain)
TO_ARTICLES = ArticleHooks(
    asked_topics=articles.asked_topics,
    occurrences=articles.occurrences,
    past_answers=articles.past_answers,
    may_write=articles.may_write,
    write=articles.write,
)
