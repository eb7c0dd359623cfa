"""Answers to other apps: how chats, files and contacts are forgotten."""

from apps.chats.actions.retention import forget_batch
from apps.chats.questions import ChatHooks

TO_CHATS = ChatHooks(forgets=forget_batch)
