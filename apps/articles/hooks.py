"""Answers to other apps: the pages of a help center, which are knowledge already, and the help in a website's chat."""

from apps.articles.cabinet.pages import gaps_page
from apps.articles.querysets.centers import own_pages
from apps.articles.querysets.visitors import served_help
from apps.chats.questions import ChatHooks
from apps.kb.questions import KnowledgeHooks

TO_KB = KnowledgeHooks(gaps_page=gaps_page, own_pages=own_pages)
TO_CHATS = ChatHooks(served_config=served_help)
