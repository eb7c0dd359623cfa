"""Answers to other apps: the form of a rating stands in the config that visitors are served."""

from apps.chats.questions import ChatHooks
from apps.reports.actions.ratings import rating_form

TO_CHATS = ChatHooks(served_config=rating_form)
